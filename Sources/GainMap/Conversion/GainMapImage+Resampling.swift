public import HDRCore

extension GainMapImage {
  /// The map cut, sized and turned like its picture.
  ///
  /// Logarithms of gain are resampled, because those are what is interpolated when the map is
  /// applied; so what the samples mean stays as it was.
  ///
  /// - Parameters:
  ///   - resampling: For a picture of the map's size, see `Resampling.following(picture:companion:)`.
  ///   - orientation: How rows and columns relate to those that are wanted.
  /// - Returns: A map of gray or RGB samples, full range, of the same depth; unchanged codes where
  ///   the resampling changes nothing.
  /// - Throws: `.cancelled`.
  public func resampled(
    _ resampling: Resampling, turned orientation: Orientation = .upright
  ) throws(ImageError) -> GainMapImage {
    let codes = try codes()
    let size = codes.layout
    let image =
      resampling.isIdentity(forWidth: size.width, height: size.height)
      ? codes : try resampled(codes, resampling)
    return GainMapImage(
      image.upright(from: orientation), meaning: meaning, alternatePrimaries: alternatePrimaries)
  }

  private func resampled(
    _ codes: ImagePlanes, _ resampling: Resampling
  ) throws(ImageError) -> ImagePlanes {
    guard case .integer(let planes) = codes.planes, case .integer(let bits) = codes.layout.samples
    else { preconditionFailure("a gain map has integer samples") }
    let source = ImageLayout(
      width: codes.layout.width, height: codes.layout.height, components: codes.layout.components,
      samples: .float)
    var target = source
    (target.width, target.height) = (resampling.width, resampling.height)
    let tables = planes.indices.map { logGains(component: $0, bits: bits) }
    let gains = try SharedPlanes<Float>.makePlanes(source) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<source.height) { band in
        var row = [Float](repeating: 0, count: source.width)
        for y in band {
          for index in planes.indices {
            row.assign(planes[index], row: y, table: tables[index])
            shared.withRow(y, of: index) { row.copy(into: &$0) }
          }
        }
      }
    }
    let result = try ImageTransform(
      from: .init(layout: source, color: .data), to: .init(layout: target, color: .data),
      resampling: resampling
    ).run(ImagePlanes(layout: source, planes: .float(gains))).image
    guard case .float(let logGains) = result.planes else { preconditionFailure("float was wanted") }
    target.samples = codes.layout.samples
    return ImagePlanes(
      layout: target,
      planes: .integer(try encoded(logGains, as: target, bits: bits)))
  }

  /// The component whose gain stands for that of a plane.
  private func component(ofPlane plane: Int) -> Int {
    min(plane, meaning.channelCount - 1)
  }

  /// Logarithms of gain of all codes.
  private func logGains(component plane: Int, bits: Int) -> [Float] {
    let largest = Double(1 << bits - 1)
    return (0..<1 << bits).map {
      Float(
        meaning.logGain(ofSample: Double($0) / largest, component: component(ofPlane: plane)))
    }
  }

  private func encoded(
    _ logGains: [Plane<Float>], as format: ImageLayout, bits: Int
  ) throws(ImageError) -> [Plane<UInt16>] {
    try SharedPlanes<UInt16>.makePlanes(format) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<format.height) { band in
        for y in band {
          for (index, plane) in logGains.enumerated() {
            shared.withRow(y, of: index) {
              encode(plane.row(y), plane: index, bits: bits, into: &$0)
            }
          }
        }
      }
    }
  }

  private func encode(
    _ logGains: Span<Float>, plane: Int, bits: Int, into codes: inout MutableSpan<UInt16>
  ) {
    let largest = Double(1 << bits - 1)
    for x in logGains.indices {
      let sample = meaning.sample(
        ofLogGain: Double(logGains[x]), component: component(ofPlane: plane))
      codes[x] = UInt16((sample * largest).rounded())
    }
  }
}
