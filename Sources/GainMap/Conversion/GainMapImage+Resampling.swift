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
  ///   - threads: Bands worked on at the same time, at least 1.
  /// - Returns: A map of gray or RGB samples, full range, of the same depth; unchanged codes where
  ///   the resampling changes nothing.
  public func resampled(
    _ resampling: Resampling, turned orientation: Orientation = .upright, threads: Int
  ) -> GainMapImage {
    let codes = codes(threads: threads)
    let size = codes.layout
    let image =
      resampling.isIdentity(forWidth: size.width, height: size.height)
      ? codes : resampled(codes, resampling, threads: threads)
    return GainMapImage(
      image.upright(from: orientation), meaning: meaning, alternatePrimaries: alternatePrimaries)
  }

  private func resampled(
    _ codes: ImagePlanes, _ resampling: Resampling, threads: Int
  ) -> ImagePlanes {
    guard case .integer(let planes) = codes.planes, case .integer(let bits) = codes.layout.samples
    else { preconditionFailure("a gain map has integer samples") }
    let source = ImageLayout(
      width: codes.layout.width, height: codes.layout.height, components: codes.layout.components,
      samples: .float)
    var target = source
    (target.width, target.height) = (resampling.width, resampling.height)
    let tables = planes.indices.map { logGains(component: $0, bits: bits) }
    let gains = SharedPlanes<Float>.makePlanes(source) { shared in
      forEachBand(of: 0..<source.height, threads: threads) { band in
        var row = [Float](repeating: 0, count: source.width)
        for y in band {
          for index in planes.indices {
            row.assign(planes[index], row: y, table: tables[index])
            shared.withRow(y, of: index) { row.copy(into: &$0) }
          }
        }
      }
    }
    let result = ImageTransform(
      from: .init(layout: source, color: .data), to: .init(layout: target, color: .data),
      resampling: resampling
    ).run(ImagePlanes(layout: source, planes: .float(gains)), threads: threads).image
    guard case .float(let logGains) = result.planes else { preconditionFailure("float was wanted") }
    target.samples = codes.layout.samples
    return ImagePlanes(
      layout: target,
      planes: .integer(encoded(logGains, as: target, bits: bits, threads: threads)))
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
    _ logGains: [Plane<Float>], as format: ImageLayout, bits: Int, threads: Int
  ) -> [Plane<UInt16>] {
    SharedPlanes<UInt16>.makePlanes(format) { shared in
      forEachBand(of: 0..<format.height, threads: threads) { band in
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
