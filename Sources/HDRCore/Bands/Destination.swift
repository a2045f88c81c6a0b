// SPDX-License-Identifier: Apache-2.0
/// Rows of an image under construction, all or some of them.
struct Destination: Sendable {
  enum Planes: Sendable {
    case integer(SharedPlanes<UInt16>)
    case float(SharedPlanes<Float>)
    case half(SharedPlanes<UInt16>)
  }

  let planes: Planes
  /// The rows of the image that `planes` hold.
  let rows: Range<Int>

  /// Makes an image from some rows of an image.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - format: The layout of the image.
  ///   - body: Writes all samples, or throws; must not let its argument escape.
  /// - Returns: The planes of these rows.
  /// - Throws: Errors of `body`.
  static func make<Failure: Error>(
    _ rows: Range<Int>, of format: ImageLayout, _ body: (Destination) throws(Failure) -> Void
  ) throws(Failure) -> ImagePlanes.Planes {
    let format = format.strip(height: rows.count)
    switch format.samples {
    case .integer:
      return .integer(
        try SharedPlanes.makePlanes(format) { (shared) throws(Failure) in
          try body(Destination(planes: .integer(shared), rows: rows))
        })
    case .float:
      return .float(
        try SharedPlanes.makePlanes(format) { (shared) throws(Failure) in
          try body(Destination(planes: .float(shared), rows: rows))
        })
    case .half:
      return .half(
        try SharedPlanes.makePlanes(format) { (shared) throws(Failure) in
          try body(Destination(planes: .half(shared), rows: rows))
        })
    }
  }

  /// Copies row `y` of an image with integer samples of the same layout.
  func copy(_ y: Int, of strip: borrowing LinearRowDecoder.Strip) {
    guard case .integer(let targets) = planes, case .integer(let sources) = strip.image.planes
    else { preconditionFailure("samples that are not integers") }
    for (index, source) in sources.enumerated() {
      targets.withRow(y - rows.lowerBound, of: index) { $0.copy(source, row: y - strip.first) }
    }
  }

  /// Makes a band of a stored image, and places it in the upright image.
  ///
  /// - Parameters:
  ///   - band: Rows of the stored image.
  ///   - format: The layout of the stored image, with full chroma.
  ///   - orientation: Orientation of the stored image.
  ///   - body: Writes all samples of the band.
  func fillRotated(
    _ band: Range<Int>, of format: ImageLayout, from orientation: Orientation,
    _ body: (Destination) -> Void
  ) {
    let places = OrientedIndices(
      of: band, width: format.width, height: format.height, orientation: orientation, in: rows)
    switch (planes, Self.make(band, of: format, body)) {
    case (.integer(let target), .integer(let planes)): target.place(planes, places)
    case (.half(let target), .half(let planes)): target.place(planes, places)
    case (.float(let target), .float(let planes)): target.place(planes, places)
    default: preconditionFailure("a band of another type than its image")
    }
  }
}
