// SPDX-License-Identifier: Apache-2.0
extension Orientation {
  /// Position of the sample at (x, y) of the upright image in the stored one, `width` x `height`.
  package func storedPosition(x: Int, y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
    switch self {
    case .upright: (x, y)
    case .mirrored: (width - 1 - x, y)
    case .rotated180: (width - 1 - x, height - 1 - y)
    case .flipped: (x, height - 1 - y)
    case .transposed: (y, x)
    case .rotated90: (y, height - 1 - x)
    case .transversed: (width - 1 - y, height - 1 - x)
    case .rotated270: (width - 1 - y, x)
    }
  }
}

extension ImageLayout {
  /// The layout of the upright image: width and height are swapped if the orientation swaps them.
  public func upright(from orientation: Orientation) -> ImageLayout {
    var format = self
    if orientation.swapsSides { (format.width, format.height) = (height, width) }
    return format
  }

  func hasSize(of other: ImageLayout) -> Bool { (width, height) == (other.width, other.height) }
}

extension Plane {
  /// Returns the plane with upright rows and columns.
  package func upright(from orientation: Orientation) -> Plane<Sample> {
    guard orientation != .upright else { return self }
    let size = orientation.swapsSides ? (height, width) : (width, height)
    let samples = span
    return Plane(width: size.0, height: size.1) { output in
      for y in 0..<size.1 {
        for x in 0..<size.0 {
          let stored = orientation.storedPosition(x: x, y: y, width: width, height: height)
          output.append(samples[stored.y * width + stored.x])
        }
      }
    }
  }
}

extension ImagePlanes {
  /// Returns the image with upright rows and columns.
  ///
  /// - Precondition: Chroma is not subsampled, because its location would rotate.
  package func upright(from orientation: Orientation) -> ImagePlanes {
    precondition(layout.chroma == .yuv444 || layout.chroma == .yuv400)
    let format = layout.upright(from: orientation)
    switch planes {
    case .integer(let planes):
      let rotated = planes.map { $0.upright(from: orientation) }
      return ImagePlanes(layout: format, planes: .integer(rotated))
    case .float(let planes):
      let rotated = planes.map { $0.upright(from: orientation) }
      return ImagePlanes(layout: format, planes: .float(rotated))
    case .half(let planes):
      let rotated = planes.map { $0.upright(from: orientation) }
      return ImagePlanes(layout: format, planes: .half(rotated))
    }
  }
}
