// SPDX-License-Identifier: Apache-2.0
/// Samples of an image, or of a strip of its rows: planes in memory, as stored.
public struct ImagePlanes: Sendable {
  /// The planes, all of one sample type.
  public enum Planes: Sendable {
    /// Code values in the low bits, for depths from 1 to 16.
    case integer([Plane<UInt16>])
    /// Linear values or signal in single precision.
    case float([Plane<Float>])
    /// Bit patterns of IEEE 754 binary16.
    case half([Plane<UInt16>])
  }

  /// Size, components, sample type and alpha.
  public let layout: ImageLayout
  /// Planes in the order of `ImageLayout.Components`, alpha last.
  public package(set) var planes: Planes {
    didSet { Self.check(planes, against: layout) }
  }

  /// Makes an image from planes.
  ///
  /// - Precondition: Count, sample type and sizes of the planes are those of `layout`.
  package init(layout: ImageLayout, planes: Planes) {
    Self.check(planes, against: layout)
    self.layout = layout
    self.planes = planes
  }

  private static func check(_ planes: Planes, against layout: ImageLayout) {
    if let mismatch = planes.mismatch(with: layout) { preconditionFailure(mismatch.message) }
  }
}

extension ImagePlanes.Planes {
  /// The first difference between these planes and a layout; `nil` if they match.
  func mismatch(with layout: ImageLayout) -> ImageError? {
    let sizes: [(width: Int, height: Int)]
    switch (self, layout.samples) {
    case (.integer(let planes), .integer(let bits)):
      guard (1...16).contains(bits) else { return ImageError(.depthInvalid, ["bits": bits]) }
      sizes = planes.map { ($0.width, $0.height) }
    case (.half(let planes), .half): sizes = planes.map { ($0.width, $0.height) }
    case (.float(let planes), .float): sizes = planes.map { ($0.width, $0.height) }
    default:
      return ImageError(
        .invalidArgument, "the sample type of the planes differs from that of the layout")
    }
    guard sizes.count == layout.planeCount else {
      return ImageError(
        .invalidArgument, "{count plane} for a layout of {expected}",
        ["count": sizes.count, "expected": layout.planeCount])
    }
    for (index, size) in sizes.enumerated() {
      let wanted = layout.planeSize(index)
      guard size == wanted else {
        return ImageError(
          .invalidArgument, "plane {plane} has {size sample}; the layout specifies {expected}",
          [
            "plane": index, "size": .size(size.width, size.height),
            "expected": .size(wanted.width, wanted.height),
          ])
      }
    }
    return nil
  }
}

extension ImagePlanes {
  /// The rows of several images of equal layouts except for their height, in memory of their own.
  package init(joining parts: [ImagePlanes]) {
    let layout = parts[0].layout.strip(height: parts.reduce(0) { $0 + $1.layout.height })
    func joined<Sample>(_ planes: (Planes) -> [Plane<Sample>]?) -> [Plane<Sample>] {
      let all = parts.compactMap { planes($0.planes) }
      return (0..<layout.planeCount).map { index in Plane(joining: all.map { $0[index] }) }
    }
    switch parts[0].planes {
    case .integer:
      self.init(
        layout: layout,
        planes: .integer(joined { if case .integer(let planes) = $0 { planes } else { nil } }))
    case .float:
      self.init(
        layout: layout,
        planes: .float(joined { if case .float(let planes) = $0 { planes } else { nil } }))
    case .half:
      self.init(
        layout: layout,
        planes: .half(joined { if case .half(let planes) = $0 { planes } else { nil } }))
    }
  }
}
