// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Geometric transformations of a coded image for display: cropping, then rotation and mirroring.
package struct ItemGeometry: Hashable, Sendable {
  /// Left edge of the displayed part of the coded image, in pixels.
  package var left: Int
  package var top: Int
  package var width: Int
  package var height: Int
  /// Orientation of the displayed part.
  package var orientation: Orientation

  /// Size after rotation, in pixels.
  package var displayedSize: (width: Int, height: Int) {
    orientation.swapsSides ? (height, width) : (width, height)
  }

  /// Evaluates the transformative properties of an item in their order.
  ///
  /// - Parameters:
  ///   - width: Width of the coded image, in pixels.
  ///   - height: Height of the coded image, in pixels.
  ///   - properties: All properties of the item.
  /// - Throws: `.malformed` for a clean aperture that is not a rectangle of whole pixels inside the
  ///   image.
  ///
  /// Source: ISO/IEC 23008-12, 6.5.9, 6.5.10, 6.5.12; MIAF (ISO/IEC 23000-22), 7.3.6.7.
  package init(width: Int, height: Int, properties: [ItemProperty]) throws(ImageError) {
    (left, top, self.width, self.height) = (0, 0, width, height)
    orientation = .upright
    var transformation = SquareTransformation.identity
    for property in properties {
      if case .cleanAperture(let box) = property.box {
        try cut(box, transformation.orientation)
      } else {
        transformation.apply(property.box)
      }
    }
    orientation = transformation.orientation
  }

  /// Applies a clean aperture to the image with the orientation so far.
  private mutating func cut(
    _ box: CleanApertureBox, _ orientation: Orientation
  ) throws(ImageError) {
    let size = orientation.swapsSides ? (height, width) : (width, height)
    let columns = try Self.interval(
      size: box.width, offset: box.horizontalOffset, of: size.0, "width")
    let rows = try Self.interval(size: box.height, offset: box.verticalOffset, of: size.1, "height")
    // Transform to the rows and columns of the coded image.
    let (x, y) = orientation.swapsSides ? (rows, columns) : (columns, rows)
    let isReversed = orientation.reversedSides
    left += isReversed.columns ? width - x.upperBound : x.lowerBound
    top += isReversed.rows ? height - y.upperBound : y.lowerBound
    (width, height) = (x.count, y.count)
  }

  /// Returns the extent of a clean aperture along one side, in pixels.
  private static func interval(
    size: CleanApertureBox.Size, offset: CleanApertureBox.Offset, of side: Int, _ name: String
  ) throws(ImageError) -> Range<Int> {
    func fail(_ field: String, _ value: String) -> ImageError {
      ImageError(.invalidValue, ["field": field, "value": value], at: .init(path: ["clap"]))
    }
    guard size.denominator > 0, offset.denominator > 0 else {
      throw fail("clean aperture \(name)", "denominator 0")
    }
    let (length, part) = Int(size.numerator).quotientAndRemainder(dividingBy: Int(size.denominator))
    guard part == 0, length > 0, length <= side else {
      throw fail("clean aperture \(name)", "\(size.numerator)/\(size.denominator) of \(side)")
    }
    // The edge is at offset + (side - length) / 2.
    let (margin, overflow) = (side - length)
      .multipliedReportingOverflow(by: Int(offset.denominator))
    let (sum, overflow2) = margin.addingReportingOverflow(2 * Int(offset.numerator))
    let (edge, part2) = sum.quotientAndRemainder(dividingBy: 2 * Int(offset.denominator))
    guard !overflow, !overflow2, part2 == 0, edge >= 0, edge <= side - length else {
      throw fail(
        "clean aperture \(name)",
        "\(length) at \(offset.numerator)/\(offset.denominator) of \(side)")
    }
    return edge..<edge + length
  }
}

extension HEIFItem {
  /// Returns the transformative properties for an orientation, in the order in which they apply.
  ///
  /// - Parameter orientation: Orientation of the coded image.
  /// - Returns: At most a rotation, then a mirroring; empty for `.upright`.
  package static func transformations(for orientation: Orientation) -> [ItemProperty.Box] {
    func rotation(_ quarters: UInt8) -> ItemProperty.Box {
      .imageRotation(ImageRotationBox(quarterTurns: quarters))
    }
    let flip = ItemProperty.Box.imageMirror(ImageMirrorBox(.topAndBottom))
    switch orientation {
    case .upright: return []
    case .mirrored: return [.imageMirror(ImageMirrorBox(.leftAndRight))]
    case .rotated180: return [rotation(2)]
    case .flipped: return [flip]
    case .transposed: return [rotation(1), flip]
    case .rotated90: return [rotation(3)]
    case .transversed: return [rotation(3), flip]
    case .rotated270: return [rotation(1)]
    }
  }

  /// Replaces rotation and mirroring of the item.
  ///
  /// If a clean aperture follows a rotation, contrary to the order of MIAF, existing
  /// transformations are kept and the remaining ones are appended.
  package mutating func setOrientation(_ orientation: Orientation) {
    if let cut = properties.lastIndex(where: { $0.box.content is CleanApertureBox }),
      properties[..<cut].contains(where: { $0.box.rotatesOrMirrors })
    {
      let rest = self.orientation.inverse.followed(by: orientation)
      properties += Self.transformations(for: rest).map { ItemProperty($0) }
      return
    }
    setProperty(ImageRotationBox.boxType, to: nil)
    setProperty(ImageMirrorBox.boxType, to: nil)
    properties += Self.transformations(for: orientation).map { ItemProperty($0) }
  }
}

extension ItemProperty.Box {
  fileprivate var rotatesOrMirrors: Bool {
    switch self {
    case .imageRotation, .imageMirror: true
    default: false
    }
  }
}

/// One of the eight symmetries of a square, as a 2x2 matrix.
///
/// A stored point (x, y), relative to the center with y downward, is displayed at (xx * x + xy * y,
/// yx * x + yy * y).
struct SquareTransformation: Hashable, Sendable {
  private let xx: Int
  private let xy: Int
  private let yx: Int
  private let yy: Int

  static let identity = SquareTransformation(xx: 1, xy: 0, yx: 0, yy: 1)
  /// Rotation by 90 degrees anticlockwise: the right side is displayed at the top.
  static let quarterTurnAnticlockwise = SquareTransformation(xx: 0, xy: 1, yx: -1, yy: 0)
  static let leftRightMirror = SquareTransformation(xx: -1, xy: 0, yx: 0, yy: 1)
  static let topBottomMirror = SquareTransformation(xx: 1, xy: 0, yx: 0, yy: -1)

  /// Creates the transformation of an orientation.
  init(_ orientation: Orientation) {
    self = .identity
    for box in HEIFItem.transformations(for: orientation) { apply(box) }
  }

  private init(xx: Int, xy: Int, yx: Int, yy: Int) {
    (self.xx, self.xy, self.yx, self.yy) = (xx, xy, yx, yy)
  }

  /// Appends a rotation or mirroring; other properties are ignored.
  mutating func apply(_ box: ItemProperty.Box) {
    switch box {
    case .imageRotation(let box):
      for _ in 0..<box.quarterTurns { self = Self.quarterTurnAnticlockwise.after(self) }
    case .imageMirror(let box):
      let mirror: Self = box.exchange == .leftAndRight ? .leftRightMirror : .topBottomMirror
      self = mirror.after(self)
    default: break
    }
  }

  /// Returns the composition: `first`, then this transformation.
  func after(_ first: SquareTransformation) -> SquareTransformation {
    SquareTransformation(
      xx: xx * first.xx + xy * first.yx, xy: xx * first.xy + xy * first.yy,
      yx: yx * first.xx + yy * first.yx, yy: yx * first.xy + yy * first.yy)
  }

  /// The orientation that is equivalent to this transformation.
  ///
  /// Source: Exif (CIPA DC-008), tag 274: visual position of row 0 and column 0.
  var orientation: Orientation {
    switch (xx, xy, yx, yy) {
    case (-1, 0, 0, 1): .mirrored
    case (-1, 0, 0, -1): .rotated180
    case (1, 0, 0, -1): .flipped
    case (0, 1, 1, 0): .transposed
    case (0, -1, 1, 0): .rotated90
    case (0, -1, -1, 0): .transversed
    case (0, 1, -1, 0): .rotated270
    default: .upright
    }
  }
}

extension Orientation {
  /// Whether stored columns and rows are displayed in reverse order, from right to left or from
  /// bottom to top.
  var reversedSides: (columns: Bool, rows: Bool) {
    switch self {
    case .upright, .transposed: (false, false)
    case .mirrored, .rotated270: (true, false)
    case .rotated180, .transversed: (true, true)
    case .flipped, .rotated90: (false, true)
    }
  }
}
