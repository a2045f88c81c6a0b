// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Purpose and contents of one file in `reference-images/`.
struct ReferenceFile: Sendable {
  var name: String
  /// Purpose of the file, one sentence for the README.
  var point: String
  var bytes: @Sendable () throws -> [UInt8]

  init(name: String, point: String, bytes: @escaping @Sendable () throws -> [UInt8]) {
    (self.name, self.point, self.bytes) = (name, point, bytes)
  }

  /// A file that a codec encodes; if `isExact`, OpenEXR stores single precision, not half.
  init(
    name: String, point: String, format: FileFormat, isExact: Bool = false,
    output: @escaping @Sendable () throws -> OutputImage
  ) {
    self.init(name: name, point: point) {
      try output().encoded(as: format, options: EncoderOptions(isLossless: isExact))
    }
  }

  static let all = [
    ReferenceFile(
      name: "ramps.exr",
      point: "ramps of gray, red, green, blue, cyan, magenta and yellow (8 rows each): 0, then"
        + " equal ratios from 0.0005 to 10 000 cd/m² with 203 among them; single precision",
      format: .exr, isExact: true, output: { try RampsScene.scene.output() }),
    ReferenceFile(
      name: "chart.exr",
      point: "patches of 24x24 pixels, see below; single precision",
      format: .exr, isExact: true, output: { try ChartScene.scene.output() }),
    ReferenceFile(
      name: "chart.hdr",
      point: "the chart as a Radiance file, with 8 bits of precision and negative components as 0",
      bytes: { ChartScene.scene.radiance() }),
    ReferenceFile(
      name: "extremes.exr",
      point: "patches of 8x8 pixels that displays cannot show: NaN, infinities, negative "
        + "values, luminance far above 10 000 cd/m²; single precision",
      format: .exr, isExact: true, output: { try ExtremesScene.scene.output() }),
    ReferenceFile(
      name: "photo.exr",
      point: "photo-like: sunset to 4000 cd/m² with lamp, glitter and specular highlights, "
        + "leaves, grass, skin-like and saturated balls, print with pixel-size detail, "
        + "shade below 0.002 cd/m²",
      format: .exr, output: { try PhotoScene.scene(height: 512).output() }),
    ReferenceFile(
      name: "photo-alpha.exr",
      point: "the balls of the photo-like scene with soft edges on a transparent background; "
        + "premultiplied alpha",
      format: .exr, output: { try PhotoScene.cutout(height: 160).output() }),
    ReferenceFile(
      name: "edges-61x43.png",
      point: "PQ code values that are difficult for codecs and filters: odd sizes, one-pixel "
        + "lines, steps at the border, noise",
      format: .png, output: { try EdgesImage.output() }),
    ReferenceFile(
      name: "edges-alpha-61x43.png",
      point: "the same with alpha, Exif and XMP",
      format: .png, output: { try EdgesImage.output(hasAlpha: true, hasMetadata: true) }),
    ReferenceFile(
      name: "edges-oriented-61x43.png",
      point: "the same, to be rotated by 90° clockwise for display (Exif orientation 6)",
      format: .png, output: { try EdgesImage.output(orientation: .rotated90) }),
    ReferenceFile(
      name: "edges-61x43.tif",
      point: "the same as a TIFF with a PQ profile",
      format: .tiff, output: { try EdgesImage.output(hasProfile: true) }),
  ]
}

extension Scene {
  /// The scene as linear BT.2020, where 1.0 is 203 cd/m².
  func output() throws -> OutputImage {
    let format = ImageLayout(
      width: width, height: height, components: .rgb, samples: .float, hasAlpha: hasCoverage)
    var planes = [[Float]](repeating: [], count: format.planeCount)
    for y in 0..<height {
      for x in 0..<width {
        let sample = pixel(x, y)
        let relative = sample.light / ColorEncoding.defaultReferenceWhite
        for index in 0..<3 { planes[index].append(Self.towardZero(relative[index])) }
        if hasCoverage { planes[3].append(Float(sample.coverage)) }
      }
    }
    let description = ImageDescription(
      layout: format, color: ColorEncoding(primaries: .bt2020, transfer: .linear))
    return OutputImage(try Image(description, planes: .float(planes.map { plane(format, $0) })))
  }

  /// Rounds toward zero, so that the peak of PQ is not exceeded.
  private static func towardZero(_ value: Double) -> Float {
    let nearest = Float(value)
    return Double(nearest).magnitude > value.magnitude ? nearest.nextTowardZero : nearest
  }
}

extension Float {
  fileprivate var nextTowardZero: Float { self > 0 ? nextDown : nextUp }
}

extension EdgesImage {
  /// The image as 16-bit PQ.
  static func output(
    hasAlpha: Bool = false, hasMetadata: Bool = false, hasProfile: Bool = false,
    orientation: Orientation = .upright
  ) throws -> OutputImage {
    let format = ImageLayout(
      width: width, height: height, components: .rgb, samples: .integer(bits: 16),
      hasAlpha: hasAlpha)
    var planes = [[UInt16]](repeating: [], count: format.planeCount)
    for y in 0..<height {
      for x in 0..<width {
        let codes = codes(x, y)
        for index in planes.indices { planes[index].append(codes[index]) }
      }
    }
    let description = ImageDescription(
      layout: format, color: ColorEncoding(primaries: .bt2020, transfer: .pq),
      orientation: orientation)
    return OutputImage(
      try Image(description, planes: .integer(planes.map { plane(format, $0) })),
      icc: hasProfile ? try ICCProfile.generate(for: description.color.cicp) : nil,
      exif: hasMetadata ? ReferenceMetadata.exif : nil,
      xmp: hasMetadata ? ReferenceMetadata.xmp : nil)
  }
}

private func plane<Sample: BitwiseCopyable & Sendable>(
  _ format: ImageLayout, _ samples: [Sample]
) -> Plane<Sample> {
  Plane(width: format.width, height: format.height) { target in
    for sample in samples { target.append(sample) }
  }
}

/// Small valid Exif and XMP for test images.
enum ReferenceMetadata {
  /// Little-endian Exif: ImageDescription, Artist, and an exposure time of 1/60 s.
  static let exif: [UInt8] = {
    let description = Array("Edges for codecs\0".utf8)
    let artist = Array("reference-scenes\0".utf8)
    // The header and the first directory of three entries have 8 + 2 + 3 * 12 + 4 bytes.
    let exifDirectory =
      50 + description.count + artist.count + (description.count + artist.count) % 2
    let ratio = exifDirectory + 2 + 12 + 4
    var bytes: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
    bytes += little(UInt16(3))
    bytes += entry(0x010E, type: 2, count: description.count, value: 50)
    bytes += entry(0x013B, type: 2, count: artist.count, value: 50 + description.count)
    bytes += entry(0x8769, type: 4, count: 1, value: exifDirectory)
    bytes += little(UInt32(0)) + description + artist
    if bytes.count % 2 == 1 { bytes.append(0) }
    bytes += little(UInt16(1)) + entry(0x829A, type: 5, count: 1, value: ratio)
    return bytes + little(UInt32(0)) + little(UInt32(1)) + little(UInt32(60))
  }()

  static let xmp = Array(
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Edges für Codecs</rdf:li></rdf:Alt></dc:title>
    </rdf:Description>
    </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="r"?>
    """.utf8)

  private static func entry(_ tag: UInt16, type: UInt16, count: Int, value: Int) -> [UInt8] {
    little(tag) + little(type) + little(UInt32(count)) + little(UInt32(value))
  }

  private static func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
