// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension GainMapImage {
  /// Returns the gain map cropped, resized and rotated like its baseline image.
  ///
  /// Log gains are resampled, as they are interpolated when the gain map is applied; the metadata
  /// stay unchanged.
  ///
  /// - Parameters:
  ///   - resampling: Resampling of an image of the gain map's size; see
  ///     `Resampling.following(image:companion:)`.
  ///   - orientation: Orientation of the stored rows and columns.
  /// - Returns: Gray or RGB samples, full range, of the same depth; unchanged code values if the
  ///   resampling is the identity.
  /// - Throws: `.cancelled`.
  package func resampled(
    _ resampling: Resampling, rotated orientation: Orientation = .upright
  ) throws(ImageError) -> GainMapImage {
    let codes = try codes()
    let isIdentity = resampling.isIdentity(
      forWidth: codes.layout.width, height: codes.layout.height)
    let image = isIdentity ? codes : try resampled(codes, resampling)
    return GainMapImage(
      image.upright(from: orientation), metadata: metadata, alternatePrimaries: alternatePrimaries)
  }

  private func resampled(
    _ codes: ImagePlanes, _ resampling: Resampling
  ) throws(ImageError) -> ImagePlanes {
    guard case .integer(let planes) = codes.planes, case .integer(let bits) = codes.layout.samples
    else { preconditionFailure("a gain map has integer samples") }
    var target = codes.layout
    target.samples = .float
    let source = target
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
    let transform = ImageTransform(
      from: ImageDescription(layout: source, color: .data),
      to: ImageDescription(layout: target, color: .data), resampling: resampling)
    let result = try transform.run(
      ImagePlanes(layout: source, planes: .float(gains))
    ).image
    guard case .float(let logGains) = result.planes else {
      preconditionFailure("the target has floating-point samples")
    }
    target.samples = codes.layout.samples
    return ImagePlanes(
      layout: target, planes: .integer(try encoded(logGains, as: target, bits: bits)))
  }

  /// Log gains of all code values.
  private func logGains(component: Int, bits: Int) -> [Float] {
    let largest = Double(1 << bits - 1)
    return (0..<1 << bits).map {
      Float(metadata.logGain(ofSample: Double($0) / largest, component: component))
    }
  }

  private func encoded(
    _ logGains: [Plane<Float>], as layout: ImageLayout, bits: Int
  ) throws(ImageError) -> [Plane<UInt16>] {
    try SharedPlanes<UInt16>.makePlanes(layout) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<layout.height) { band in
        for y in band {
          for (index, plane) in logGains.enumerated() {
            shared.withRow(y, of: index) {
              encode(plane.row(y), component: index, bits: bits, into: &$0)
            }
          }
        }
      }
    }
  }

  private func encode(
    _ logGains: Span<Float>, component: Int, bits: Int, into codes: inout MutableSpan<UInt16>
  ) {
    let largest = Double(1 << bits - 1)
    for x in logGains.indices {
      let sample = metadata.sample(ofLogGain: Double(logGains[x]), component: component)
      codes[x] = UInt16(clamping: (sample * largest).rounded())
    }
  }
}
