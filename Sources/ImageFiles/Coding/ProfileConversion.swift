// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension ResolvedColor {
  /// Resolves the color of an image to decode.
  ///
  /// A profile that cannot be applied is ignored, with a notice.
  ///
  /// See `init(_:in:format:diffuseWhite:assumed:override:unusableProfile:)`.
  package init(
    decoding color: ColorDescription, in container: FileFormat, format: ImageLayout,
    diffuseWhite: Double? = nil, assumed: AssumedColor?,
    override: OpeningOptions.DeclaredColor? = nil
  ) {
    self.init(
      color, in: container, format: format, diffuseWhite: diffuseWhite, assumed: assumed,
      override: override)
    guard let appliedProfile, let reason = Self.obstacle(to: appliedProfile) else { return }
    self.init(
      color, in: container, format: format, diffuseWhite: diffuseWhite, assumed: assumed,
      override: override, unusableProfile: reason)
  }

  /// The error if a profile cannot be applied; `nil` if it can.
  private static func obstacle(to bytes: [UInt8]) -> ImageError? {
    do throws(ImageError) {
      let isGray = try ICCProfile(parsing: bytes).header.colorSpace == .gray
      _ = try CodecRegistry.colorManagement().transform(from: bytes, isGray: isGray)
      return nil
    } catch {
      return error
    }
  }
}

extension Image {
  /// Creates an image of coded samples, whose color the caller sets.
  ///
  /// - Parameters:
  ///   - layout: The layout.
  ///   - reduced: As in `Image.init(_:reduced:rows:)`.
  ///   - rows: Starts a reader of the samples.
  package init(
    coded layout: ImageLayout,
    reduced: @escaping @Sendable (_ factor: Int) -> Image? = { _ in nil },
    rows: @escaping @Sendable () throws(ImageError) -> any RowReader
  ) {
    self.init(ImageDescription(layout: layout, color: .data), reduced: reduced, rows: rows)
  }

  /// Creates an image with resolved color from its coded samples.
  ///
  /// If a profile has to be applied, the image is linear BT.2020 in floating point. Samples of a
  /// rejected color cannot be read.
  package init(
    coded: Image, resolved: ResolvedColor, chromaLocation: ChromaLocation = .left,
    light: LightMetadata = LightMetadata(), orientation: Orientation = .upright
  ) {
    let open = { @Sendable () throws(ImageError) -> any RowReader in
      if let refusal = resolved.refusal { throw refusal }
      return try coded.makeReader()
    }
    let reduced = { @Sendable (factor: Int) in
      coded.reduced(by: factor).map { Image(coded: $0, resolved: resolved) }
    }
    if let profile = resolved.appliedProfile {
      var signal = resolved.signal
      signal.chromaLocation = chromaLocation
      self.init(
        ImageDescription(
          layout: ICCRowReader.layout(for: coded.layout), color: resolved.encoding, light: light,
          orientation: orientation), reduced: reduced
      ) { [signal] () throws(ImageError) in
        try ICCRowReader(try open(), profile: profile, signal: signal)
      }
      return
    }
    var color = resolved.encoding
    color.chromaLocation = chromaLocation
    self.init(
      ImageDescription(layout: coded.layout, color: color, light: light, orientation: orientation),
      reduced: reduced, rows: open)
  }
}

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
  init(_ reader: any RowReader, profile: [UInt8], signal: ColorEncoding) throws(ImageError) {
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

/// Encodes linear BT.2020 values as 16-bit samples of an RGB profile with tables.
///
/// Relative colorimetric with black point compensation: white becomes that of the paper, black the
/// darkest ink; colors that the device can show keep their hue and chroma.
package struct ProfileEncoder {
  private let transform: any ProfileTransform

  /// - Parameter profile: An RGB profile with tables to the device.
  /// - Throws: `.invalidArgument` if values cannot be converted to the profile, `.missingCodec` without
  ///   color management.
  package init(_ profile: [UInt8]) throws(ImageError) {
    transform = try CodecRegistry.colorManagement().transform(to: profile)
  }

  /// Encodes rows.
  ///
  /// - Parameter rows: Linear RGB in floating point, with straight alpha or without.
  /// - Returns: Samples of 16 bits.
  /// - Throws: `.cancelled`.
  package func encoded(_ rows: ImagePlanes) throws(ImageError) -> ImagePlanes {
    guard case .float(let planes) = rows.planes, planes.count >= 3 else {
      preconditionFailure("linear values are floating-point RGB")
    }
    let (width, height) = (rows.layout.width, rows.layout.height)
    let device = try concurrentMap(height) { (y) throws(ImageError) in
      var row = [Float](repeating: 0, count: 3 * width)
      for (index, plane) in planes.prefix(3).enumerated() {
        let source = plane.row(y)
        for x in 0..<width { row[3 * x + index] = source[x] }
      }
      return transform.converted(row)
    }
    var layout = rows.layout
    layout.samples = .integer(bits: 16)
    let samples = planes.enumerated().map { index, plane in
      Plane<UInt16>(width: width, height: height) { output in
        for y in 0..<height {
          let alpha = plane.row(y)
          for x in 0..<width {
            let value = index < 3 ? device[y][3 * x + index] : alpha[x]
            output.append(UInt16(clamping: (min(max(value, 0), 1) * 65_535).rounded()))
          }
        }
      }
    }
    return ImagePlanes(layout: layout, planes: .integer(samples))
  }
}
