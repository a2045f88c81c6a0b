/// Crop, resize and rotation of an image, in this order, as it is shown.
public struct GeometryEdit: Hashable, Sendable {
  /// A size to make.
  public enum Size: Hashable, Sendable {
    /// Width and height, for any aspect ratio.
    case exact(width: Int, height: Int)
    /// The longer side, larger or smaller than before; the other one keeps the aspect ratio.
    case longSide(Int)
    /// The same, unless the longer side is shorter now: the size then stays.
    case longSideAtMost(Int)
  }

  /// A part of the image as it is shown.
  public var crop: PixelRectangle?
  /// Size of the result; `nil` for that of the part.
  public var size: Size?
  /// Applied last.
  public var turn: Orientation

  public init(
    crop: PixelRectangle? = nil, size: Size? = nil, turn: Orientation = .upright
  ) {
    (self.crop, self.size, self.turn) = (crop, size, turn)
  }

  /// The edit of one image.
  public struct Plan: Hashable, Sendable {
    /// Part and size, in stored rows and columns.
    public let resampling: Resampling
    /// Relation of the result to the upright image.
    public let orientation: Orientation
    /// Properties of the result that may not be wanted.
    public let notices: [Notice]
  }

  /// Plans the edit of an image.
  ///
  /// - Parameters:
  ///   - width: Of the stored image.
  ///   - height: Of the stored image.
  ///   - orientation: How the stored image relates to the upright one.
  ///   - limits: Limits of the result's size.
  /// - Returns: The plan.
  /// - Throws: `.invalidArgument` for a part that is not inside the image, `.limitExceeded` for a
  ///   result that is too large.
  public func plan(
    width: Int, height: Int, orientation: Orientation, limits: ImageLimits
  ) throws(ImageError) -> Plan {
    let shown =
      orientation.swapsSides ? (width: height, height: width) : (width: width, height: height)
    let part = crop ?? PixelRectangle(x: 0, y: 0, width: shown.width, height: shown.height)
    guard part.lies(inWidth: shown.width, height: shown.height) else {
      throw outside(part, shown)
    }
    let target = try targetSize(of: part)
    if size != nil { try check(target, limits) }
    let stored =
      orientation.swapsSides ? (width: target.height, height: target.width) : target
    return Plan(
      resampling: Resampling(
        part: part.stored(from: orientation, width: width, height: height), width: stored.width,
        height: stored.height),
      orientation: orientation.followed(by: turn),
      notices: Self.isStretched(part, target)
        ? [
          Notice(
            .geometryStretched,
            [
              "from": .size(part.width, part.height),
              "to": .size(target.width, target.height),
            ])
        ] : [])
  }

  /// Whether the sides' ratio changes by more than rounding, which moves a side by half a pixel.
  private static func isStretched(
    _ part: PixelRectangle, _ target: (width: Int, height: Int)
  ) -> Bool {
    let difference = abs(target.width * part.height - target.height * part.width)
    return 2 * difference > max(part.width, part.height)
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

  private func outside(
    _ part: PixelRectangle, _ shown: (width: Int, height: Int)
  ) -> ImageError {
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

  private func targetSize(
    of part: PixelRectangle
  ) throws(ImageError) -> (width: Int, height: Int) {
    switch size {
    case nil: return (part.width, part.height)
    case .exact(let width, let height): return (width, height)
    case .longSideAtMost(let length) where max(part.width, part.height) <= length:
      return (part.width, part.height)
    case .longSide(let length), .longSideAtMost(let length):
      let (long, short) = (max(part.width, part.height), min(part.width, part.height))
      let (area, overflow) = short.multipliedReportingOverflow(by: length)
      guard length > 0, !overflow else {
        throw ImageError(.geometrySideInvalid, ["length": length])
      }
      let other = max((area + long / 2) / long, 1)
      return part.width >= part.height ? (length, other) : (other, length)
    }
  }
}

extension Orientation {
  /// This orientation, then another one.
  package func followed(by next: Orientation) -> Orientation {
    let corners = [(0, 0), (1, 0)]
    func sameCorners(_ candidate: Orientation) -> Bool {
      corners.allSatisfy { corner in
        let between = next.storedPosition(x: corner.0, y: corner.1, width: 2, height: 2)
        return storedPosition(x: between.x, y: between.y, width: 2, height: 2)
          == candidate.storedPosition(x: corner.0, y: corner.1, width: 2, height: 2)
      }
    }
    // Two corners tell the eight orientations apart, and any two make one of them.
    return Self.allCases.first(where: sameCorners) ?? self
  }
}
