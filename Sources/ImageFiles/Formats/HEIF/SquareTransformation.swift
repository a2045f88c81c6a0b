// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
