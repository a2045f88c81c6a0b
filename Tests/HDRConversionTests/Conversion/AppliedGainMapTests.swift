// SPDX-License-Identifier: Apache-2.0
import GainMap
import HDRCore
import TestSupport
import Testing

@testable import HDRConversion
@testable import ImageCodecs
@testable import ImageFiles

#if JPEG
/// Conversions of synthetic files, in which all values are known.
@Suite("Gain maps in conversions") struct AppliedGainMapTests {
  private static let (width, height) = (64, 48)

  /// A gray sRGB ramp with a gain map of half its size.
  private static func file(headroom: Double = 2) throws -> JPEGFile {
    func jpeg(_ width: Int, _ height: Int, _ code: (Int, Int) -> Int) throws -> ByteSource {
      let format = ImageLayout(
        width: width, height: height, components: .gray, samples: .integer(bits: 8))
      let plane = Plane<UInt16>(width: width, height: height) { samples in
        for y in 0..<height { for x in 0..<width { samples.append(UInt16(code(x, y))) } }
      }
      let output = OutputImage(
        Image(
          ImagePlanes(layout: format, planes: .integer([plane])),
          CICP(primaries: .bt709, transfer: .srgb, matrix: .bt601)), signalsCICP: false)
      return ByteSource(
        try output.encoded(as: .jpeg, options: EncoderOptions(quality: 100)))
    }
    var file = try JPEGFile(parsing: try jpeg(width, height) { x, y in 60 + 2 * x + y })
    let map = try JPEGImage(parsing: try jpeg(width / 2, height / 2) { x, y in 40 + 4 * x + y })
    let channel = GainMapMetadata.Channel(
      minimum: try #require(SignedRational(approximating: -0.25)),
      maximum: try #require(SignedRational(approximating: headroom)),
      gamma: try #require(UnsignedRational(approximating: 0.8)),
      baseOffset: try #require(SignedRational(approximating: 1 / 64.0)),
      alternateOffset: try #require(SignedRational(approximating: 1 / 64.0)))
    let metadata = try GainMapMetadata(
      channels: .one(channel), baseHeadroom: UnsignedRational(0),
      alternateHeadroom: try #require(UnsignedRational(approximating: headroom)),
      usesBaseColorSpace: true)
    _ = try file.setGainMap(
      map, try GainMapMetadataSet(of: metadata, in: [.iso, .xmp], mapIsGray: true))
    return file
  }

  private static func document() throws -> SourceImage {
    try SourceImage(
      decoding:
        ByteSource(try file().serialized().allBytes()), options: OpeningOptions())
  }

  /// 16-bit PQ code values compared with the double-precision definition, for three displays.
  @Test(arguments: [0.5, 1, 2]) func light(stops: Double) throws {
    let document = try Self.document()
    let map = try #require(try document.decodeGainMap())
    var options = ConversionOptions(format: .png, encoder: EncoderOptions())
    options.gainMap = .display(Headroom(stops: stops))
    let result = try ImageConverter(options).run(document)
    #expect(result.gainMap?.weight.value == stops / 2)
    guard case .integer(let base) = try document.image.planes().planes,
      case .integer(let coded) = try result.output.image.planes().planes
    else {
      Issue.record("not integers")
      return
    }
    let (basePlane, codedPlane) = (base[0], coded[0])
    let (baseCodes, codes) = (basePlane.span, codedPlane.span)
    let sampler = GainMapSampler(map, width: Self.width, height: Self.height)
    var worst = 0
    for y in 0..<Self.height {
      for x in 0..<Self.width {
        let index = y * Self.width + x
        let light = map.metadata.applied(
          to: SRGB.eotf(Double(baseCodes[index]) / 255),
          logGain: sampler.logGain(x: x, y: y, component: 0), weight: stops / 2, component: 0)
        let expected = (PQ.inverseEOTF(light * 203) * 65_535).rounded()
        worst = max(worst, abs(Int(codes[index]) - Int(clamping: expected)))
      }
    }
    #expect(worst <= 2)
  }

  private func firstSample(_ plane: Plane<UInt16>) -> UInt16 { plane.span[0] }

  /// A gain with three components turns a gray baseline image into a color image.
  @Test func colorOfGray() throws {
    var document = try Self.document()
    let format = ImageLayout(
      width: 4, height: 3, components: .rgb, samples: .integer(bits: 8))
    let planes = [250, 20, 90].map { code in
      Plane<UInt16>(width: 4, height: 3, filledWith: UInt16(code))
    }
    let meaning = try #require(document.gainMap?.metadata)
    document.attachedGainMap = Image(
      ImagePlanes(layout: format, planes: .integer(planes)), .data)
    for format in [FileFormat.png, .exr] {
      let options = ConversionOptions(format: format, encoder: EncoderOptions())
      let result = try ImageConverter(options).run(document)
      #expect(result.output.image.layout.components == .rgb)
    }
    let options = ConversionOptions(format: .png, encoder: EncoderOptions())
    guard
      case .integer(let coded) = try ImageConverter(options).run(document).output.image.planes()
        .planes
    else {
      Issue.record("not integers")
      return
    }
    let base = try document.image.planes()
    guard case .integer(let gray) = base.planes else {
      Issue.record("not what the test is about"); return
    }
    let light = SRGB.eotf(Double(firstSample(gray[0])) / 255)
    // The gain is in the primaries of the baseline image; the code values are BT.2020.
    let rgb = SIMD3(
      (0..<3).map { component in
        meaning.applied(
          to: light,
          logGain: meaning.logGain(
            ofSample: Double([250, 20, 90][component]) / 255, component: component),
          weight: 1, component: component)
      })
    let expected = ColorPrimaries.bt709.conversion(to: .bt2020) * rgb
    for component in 0..<3 {
      let code = Double(firstSample(coded[component]))
      #expect(abs(code - PQ.inverseEOTF(expected[component] * 203) * 65_535) <= 2)
    }
  }

  /// XMP that declares a gain map is removed when the map has been applied.
  @Test func noWordOfTheMapIsLeft() throws {
    let document = try Self.document()
    #expect(document.xmp != nil)
    let options = ConversionOptions(format: .png, encoder: EncoderOptions())
    #expect(try ImageConverter(options).run(document).output.xmp == nil)
  }

  private static let broken = ImageError(ErrorCode("broken", .codecFailure, "broken on purpose"))

  /// A gain map whose samples cannot be decoded causes a notice; the image is still converted.
  @Test func brokenMap() throws {
    var document = try Self.document()
    let layout = ImageLayout(width: 4, height: 3, components: .gray, samples: .integer(bits: 8))
    document.attachedGainMap = Image(coded: layout) { () throws(ImageError) in
      throw Self.broken
    }
    let options = ConversionOptions(format: .png, encoder: EncoderOptions())
    let result = try ImageConverter(options).run(document)
    #expect(result.gainMap == nil && result.lightLevels.maximum < 203)
    let notice = result.notices.first { $0.code.id == "gain-map/not-decodable" }
    #expect(notice?.parameters["cause"] == .cause(Self.broken))
  }

  /// A document in memory is rendered as from its file.
  @Test(arguments: [0, 1, 2.0]) func loaded(stops: Double) throws {
    let document = try Self.document()
    let loaded = try document.loaded()
    #expect(loaded.image.isInMemory && loaded.attachedGainMap?.isInMemory == true)
    let display = Headroom(stops: stops)
    let shown = try [document, loaded].map { source throws(ImageError) in
      try source.rendition(for: .high, display: display).planes()
    }
    guard case .float(let planes) = shown[0].planes, case .float(let others) = shown[1].planes
    else {
      Issue.record("not floating-point")
      return
    }
    for (plane, other) in zip(planes, others) { #expect(plane == other) }
  }

  /// Without an operator, the gain for the display is applied; an operator chosen by the caller is
  /// applied to the image with full gain.
  @Test func rendering() throws {
    let document = try Self.document()
    var options = ConversionOptions(format: .png, encoder: EncoderOptions())
    options.gainMap = .display(Headroom(stops: 1))
    let applied = try ImageConverter(options).run(document)
    options.gainMap = .full
    options.rendering = RenderingOptions(display: DisplayTarget(headroom: Headroom(stops: 1)))
    let rendered = try ImageConverter(options).run(document)
    let report = try #require(rendered.rendering)
    #expect(report.authority == .gainMap(.iso))
    let full = try #require(document.gainMap?.metadata?.fullHeadroom)
    #expect(report.content == ContentHeadroom(full, origin: .gainMap))
    #expect(report.usable == Headroom(stops: 1) && !report.isIdentity)
    guard case .integer(let first) = try applied.output.image.planes().planes,
      case .integer(let second) = try rendered.output.image.planes().planes
    else {
      Issue.record("not integers")
      return
    }
    func codes(_ plane: Plane<UInt16>) -> [Int] {
      let samples = plane.span
      return samples.indices.map { Int(samples[$0]) }
    }
    let peak = Int(clamping: PQ.inverseEOTF(406) * 65_535)
    for (a, b) in zip(codes(first[0]), codes(second[0])) {
      // Where its samples exceed the declared headroom, so does the gain map.
      #expect(abs(a - b) <= 2 || (a > peak - 2 && b <= peak + 2))
    }
    // A display without headroom gets the baseline image, still attributed to the gain map.
    options.rendering = RenderingOptions(display: DisplayTarget(headroom: .standard))
    let base = try #require(try ImageConverter(options).run(document).rendering)
    #expect(base.authority == .gainMap(.iso) && base.content == report.content && !base.isIdentity)
    options.rendering = RenderingOptions(display: DisplayTarget(headroom: full))
    #expect(try ImageConverter(options).run(document).rendering?.isIdentity == true)
    options.rendering?.method = .reinhard
    let mapped = try ImageConverter(options).run(document)
    #expect(mapped.gainMap?.weight.value == 1)
    #expect(mapped.rendering?.authority == .method(.reinhard))
  }

  /// Rotating an image rotates its gain map.
  @Test func bakedOrientation() throws {
    var document = try Self.document()
    var options = ConversionOptions(format: .png, encoder: EncoderOptions())
    options.orientation = .bake
    let upright = try ImageConverter(options).run(document)
    document.image.orientation = .rotated90
    let rotated = try ImageConverter(options).run(document)
    #expect(rotated.output.image.layout.width == Self.height)
    // 16-bit quantization accounts for the difference.
    #expect(abs(rotated.lightLevels.maximum / upright.lightLevels.maximum - 1) < 1e-4)
  }
}
#endif
