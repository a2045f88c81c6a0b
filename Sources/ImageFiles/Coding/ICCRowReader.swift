// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Yields linear BT.2020 values of an image whose ICC profile requires a library.
final class ICCRowReader: SequentialRowReader {
  let layout: ImageLayout
  private let signal: SignalReader
  private let transform: any ProfileTransform

  /// - Parameters:
  ///   - reader: Yields the coded samples, before the profile is applied.
  ///   - profile: The ICC profile of the samples.
  ///   - signal: Matrix, range and chroma location of the coded samples, and the primaries that the
  ///     matrix may depend on.
  /// - Throws: `.malformed` if the profile cannot be applied.
  init(
    _ reader: any RowReader, profile: [UInt8], signal: ColorEncoding
  ) throws(ImageError) {
    self.signal = SignalReader(reader, signal)
    layout = Self.layout(for: reader.layout)
    transform = try CodecRegistry.colorManagement()
      .transform(from: profile, isGray: reader.layout.components == .gray)
  }

  /// The layout of the image after the profile is applied.
  static func layout(for coded: ImageLayout) -> ImageLayout {
    ImageLayout(
      width: coded.width, height: coded.height, components: .rgb, samples: .float,
      hasAlpha: coded.hasAlpha)
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    let planes = try signal.read(rows: rows)
    let colors = planes.count - (layout.hasAlpha ? 1 : 0)
    var light = (0..<3).map { _ in
      Plane<Float>(width: layout.width, height: rows.count, filledWith: 0)
    }
    var row = [Float](repeating: 0, count: colors * layout.width)
    for y in 0..<rows.count {
      for (index, plane) in planes.prefix(colors).enumerated() {
        let source = plane.row(y)
        for x in 0..<layout.width { row[x * colors + index] = source[x] }
      }
      let result = transform.converted(row)
      for index in 0..<3 {
        var target = light[index].mutableRow(y)
        for x in 0..<layout.width { target[x] = result[3 * x + index] }
      }
    }
    return ImagePlanes(
      layout: layout.strip(height: rows.count),
      planes: .float(light + planes.dropFirst(colors)))
  }
}

/// Yields R'G'B' or gray signal in 0...1 and straight alpha of a coded image.
private struct SignalReader {
  private let reader: any RowReader
  private let source: ImageDescription
  private let target: ImageDescription
  /// Number of rows around a strip that chroma upsampling reads.
  private let margin: Int

  init(_ reader: any RowReader, _ color: ColorEncoding) {
    self.reader = reader
    let coded = reader.layout
    var signal = coded
    signal.components = coded.components == .gray ? .gray : .rgb
    signal.samples = .float
    signal.isAlphaPremultiplied = false
    // With the same linear function on both sides, the conversion leaves the signal unchanged.
    var encoding = ColorEncoding(primaries: color.primaries, transfer: .linear)
    target = ImageDescription(layout: signal, color: encoding)
    if case .ycbcr = coded.components { encoding.matrix = color.matrix }
    (encoding.isFullRange, encoding.chromaLocation) = (color.isFullRange, color.chromaLocation)
    source = ImageDescription(layout: coded, color: encoding)
    margin = coded.chroma.vertical > 1 ? 8 : 0
  }

  func read(rows: Range<Int>) throws(ImageError) -> [Plane<Float>] {
    let height = source.layout.height
    let first = max(rows.lowerBound - margin, 0)
    let strip = try reader.read(rows: first..<min(rows.upperBound + margin, height))
    var (coded, signal) = (source, target)
    coded.layout.height = strip.layout.height
    signal.layout.height = strip.layout.height
    let image = try ImageTransform(from: coded, to: signal).run(strip).image
    let offset = rows.lowerBound - first
    guard case .float(let planes) = image.planes else { return [] }
    return planes.map { $0.strip(rows: offset..<offset + rows.count) }
  }
}
