/// Samples of a picture, or of a strip of its rows, as a file holds them: planes without meaning.
public struct StoredImage: Sendable {
  /// The planes of a picture, all of one kind.
  public enum Planes: Sendable {
    /// Codes in the low bits, for every depth from 1 to 16.
    case integer([Plane<UInt16>])
    case float([Plane<Float>])
    /// Bit patterns of IEEE 754 binary16.
    case half([Plane<UInt16>])
  }

  public let format: ImageLayout
  /// In the order of `ImageLayout.Components`, alpha last.
  public var planes: Planes {
    didSet { Self.check(planes, against: format) }
  }

  /// Puts planes together.
  ///
  /// - Precondition: Count, kind and sizes of the planes are those that `format` says.
  public init(format: ImageLayout, planes: Planes) {
    Self.check(planes, against: format)
    self.format = format
    self.planes = planes
  }

  private static func check(_ planes: Planes, against format: ImageLayout) {
    let sizes: [(Int, Int)]
    switch (planes, format.samples) {
    case (.integer(let planes), .integer): sizes = planes.map { ($0.width, $0.height) }
    case (.half(let planes), .half): sizes = planes.map { ($0.width, $0.height) }
    case (.float(let planes), .float): sizes = planes.map { ($0.width, $0.height) }
    default: preconditionFailure("the planes are not of the kind the format says")
    }
    precondition(sizes.count == format.planeCount, "the format says \(format.planeCount) planes")
    for (index, size) in sizes.enumerated() {
      precondition(size == format.planeSize(index), "plane \(index) is \(size)")
    }
  }
}
