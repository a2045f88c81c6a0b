// SPDX-License-Identifier: Apache-2.0

/// Crop, resize and rotation of an image, applied in this order to the upright image.
public struct GeometryEdit: Hashable, Sendable {
  /// Size of the result before rotation, in pixels.
  public enum Size: Hashable, Sendable {
    /// Width and height of any aspect ratio, at least 1.
    case exact(width: Int, height: Int)
    /// Length of the longer side, at least 1, enlarged or reduced.
    ///
    /// The other side keeps the aspect ratio, rounded to whole pixels.
    case longSide(Int)
  }

  /// Crop rectangle in the upright image; `nil` for the whole image.
  public var crop: PixelRectangle?
  /// Size of the result before rotation; `nil` for the size of the crop.
  public var size: Size?
  /// Rotation or flip, applied last; `.rotated90` rotates by a quarter turn clockwise.
  public var rotation: Orientation

  public init(crop: PixelRectangle? = nil, size: Size? = nil, rotation: Orientation = .upright) {
    (self.crop, self.size, self.rotation) = (crop, size, rotation)
  }

  /// The parameters of the edit for one image.
  public struct Parameters: Hashable, Sendable {
    /// Part and size in stored rows and columns, before `orientation` is applied.
    public let resampling: Resampling
    /// Relation of the result to the upright image.
    public let orientation: Orientation
    /// A notice if the aspect ratio changes by more than rounding; otherwise empty.
    public let notices: [Notice]
  }

  /// Computes the parameters of the edit for an image.
  ///
  /// - Parameters:
  ///   - width: Width of the stored image.
  ///   - height: Height of the stored image.
  ///   - orientation: Relation of the stored image to the upright one.
  ///   - limits: Limits of the result's size, which is checked if `size` is given.
  /// - Returns: The resampling, orientation and notices.
  /// - Throws: `.invalidArgument` for a crop that is not inside the image and for sizes below 1,
  ///   `.limitExceeded` for a result that is too large.
  public func parameters(
    width: Int, height: Int, orientation: Orientation, limits: ImageLimits
  ) throws(ImageError) -> Parameters {
    let shown =
      orientation.swapsSides ? (width: height, height: width) : (width: width, height: height)
    let part = crop ?? PixelRectangle(x: 0, y: 0, width: shown.width, height: shown.height)
    guard width > 0, height > 0 else {
      throw ImageError(.imageSizeInvalid, ["size": .size(width, height)])
    }
    guard part.lies(inWidth: shown.width, height: shown.height) else { throw outside(part, shown) }
    let target = try targetSize(of: part)
    if size != nil { try check(target, limits) }
    let stored = orientation.swapsSides ? (width: target.height, height: target.width) : target
    return Parameters(
      resampling: Resampling(
        part: part.stored(from: orientation, width: width, height: height), width: stored.width,
        height: stored.height),
      orientation: orientation.followed(by: rotation),
      notices: Self.isStretched(part, target)
        ? [
          Notice(
            .irregular, "aspect ratio changed: {from pixel} to {to}",
            [
              "from": .size(part.width, part.height),
              "to": .size(target.width, target.height),
            ])
        ] : [])
  }

  /// Whether the aspect ratio changes by more than rounding, which is half a pixel per side.
  private static func isStretched(
    _ part: PixelRectangle, _ target: (width: Int, height: Int)
  ) -> Bool {
    let difference =
      Double(target.width) * Double(part.height) - Double(target.height) * Double(part.width)
    return 2 * abs(difference) > Double(max(part.width, part.height))
  }

  private func check(
    _ target: (width: Int, height: Int), _ limits: ImageLimits
  ) throws(ImageError) {
    do throws(ImageError) {
      try limits.check(width: target.width, height: target.height)
    } catch {
      guard error.category == .limitExceeded else { throw error }
      throw ImageError(
        .geometryResultTooLarge,
        [
          "size": .size(target.width, target.height), "limit": limits.pixels,
          "side": limits.side,
        ])
    }
  }

  private func outside(_ part: PixelRectangle, _ shown: (width: Int, height: Int)) -> ImageError {
    let (x, y) = (min(max(part.x, 0), shown.width - 1), min(max(part.y, 0), shown.height - 1))
    let width = min(max(part.width, 1), shown.width - x)
    let height = min(max(part.height, 1), shown.height - y)
    return ImageError(
      .geometryCropOutside,
      [
        "crop": [part.x, part.y, part.width, part.height],
        "size": .size(shown.width, shown.height), "inside": [x, y, width, height],
      ])
  }

  private func targetSize(of part: PixelRectangle) throws(ImageError) -> (width: Int, height: Int) {
    switch size {
    case nil: return (part.width, part.height)
    case .exact(let width, let height):
      guard width > 0, height > 0 else {
        throw ImageError(.imageSizeInvalid, ["size": .size(width, height)])
      }
      return (width, height)
    case .longSide(let length):
      let (long, short) = (max(part.width, part.height), min(part.width, part.height))
      let area = short.multipliedReportingOverflow(by: length)
      let rounded = area.partialValue.addingReportingOverflow(long / 2)
      guard length > 0, !area.overflow, !rounded.overflow else {
        throw ImageError(
          .invalidArgument, "invalid side length: {length pixel}", ["length": length])
      }
      let other = max(rounded.partialValue / long, 1)
      return part.width >= part.height ? (length, other) : (other, length)
    }
  }
}

extension GeometryEdit {
  /// The edit without a `longSide` that is longer than the longer side of the crop, or of the
  /// image.
  ///
  /// - Parameter size: Size of the upright image, in pixels.
  /// - Returns: The same edit if its size is exact, `nil`, or does not enlarge.
  public func withoutEnlarging(_ size: (width: Int, height: Int)) -> GeometryEdit {
    guard case .longSide(let length) = self.size,
      length > max(crop?.width ?? size.width, crop?.height ?? size.height)
    else { return self }
    return GeometryEdit(crop: crop, rotation: rotation)
  }
}

extension Orientation {
  /// The rotation by an angle.
  ///
  /// - Parameter degrees: A multiple of 90.
  /// - Returns: The orientation of an image that is displayed rotated clockwise by the angle.
  package static func rotation(clockwise degrees: Int) -> Orientation {
    let turns: [Orientation] = [.upright, .rotated90, .rotated180, .rotated270]
    return turns[(degrees / 90 % 4 + 4) % 4]
  }

  /// This orientation, followed by another.
  package func followed(by next: Orientation) -> Orientation {
    let corners = [(0, 0), (1, 0)]
    func sameCorners(_ candidate: Orientation) -> Bool {
      corners.allSatisfy { corner in
        let between = next.storedPosition(x: corner.0, y: corner.1, width: 2, height: 2)
        return storedPosition(x: between.x, y: between.y, width: 2, height: 2)
          == candidate.storedPosition(x: corner.0, y: corner.1, width: 2, height: 2)
      }
    }
    // Two corners distinguish the eight orientations, which are closed under composition.
    return Self.allCases.first(where: sameCorners) ?? self
  }
}

/// A rectangle of pixels, relative to the top left corner of an image; its numbers are not checked.
public struct PixelRectangle: Codable, Hashable, Sendable {
  /// Column of the left edge.
  public var x: Int
  /// Row of the top edge.
  public var y: Int
  /// Number of columns.
  public var width: Int
  /// Number of rows.
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Whether this is a nonempty rectangle inside an image of this size.
  package func lies(inWidth width: Int, height: Int) -> Bool {
    let columns = x.addingReportingOverflow(self.width)
    let rows = y.addingReportingOverflow(self.height)
    return x >= 0 && y >= 0 && self.width > 0 && self.height > 0
      && !columns.overflow && !rows.overflow
      && columns.partialValue <= width && rows.partialValue <= height
  }

  /// This rectangle with a margin, inside an image of this size.
  func expanded(by margin: Int, inWidth width: Int, height: Int) -> PixelRectangle {
    let (left, top) = (max(x - margin, 0), max(y - margin, 0))
    return PixelRectangle(
      x: left, y: top, width: min(x + self.width + margin, width) - left,
      height: min(y + self.height + margin, height) - top)
  }

  /// The same rectangle in stored rows and columns.
  ///
  /// - Parameters:
  ///   - orientation: Orientation of the image; this rectangle is in the upright image.
  ///   - width: Width of the stored image.
  ///   - height: Height of the stored image.
  /// - Returns: The rectangle in stored rows and columns.
  func stored(from orientation: Orientation, width: Int, height: Int) -> PixelRectangle {
    let corner = orientation.storedPosition(x: x, y: y, width: width, height: height)
    let opposite = orientation.storedPosition(
      x: x + self.width - 1, y: y + self.height - 1, width: width, height: height)
    return PixelRectangle(
      x: min(corner.x, opposite.x), y: min(corner.y, opposite.y),
      width: abs(corner.x - opposite.x) + 1, height: abs(corner.y - opposite.y) + 1)
  }
}
