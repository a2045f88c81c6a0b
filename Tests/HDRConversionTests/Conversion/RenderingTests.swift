// SPDX-License-Identifier: Apache-2.0
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import TestSupport
import Testing

@Suite("Rendering for displays") struct RenderingTests {
  /// Linear values of a ramp from black to the peak of 1000 cd/m².
  private static let ramp: [Float] = (0..<512).map { 4.926 * Float($0) / 511 }

  private static func document(_ transfer: TransferFunction = .linear) -> SourceImage {
    SourceImage(
      [ramp, ramp.map { $0 / 2 }, ramp.map { $0 / 5 }], width: ramp.count,
      encoding: ColorEncoding(primaries: .bt2020, transfer: transfer))
  }

  private static func options(
    _ format: FileFormat, headroom: Double, method: ToneMapOperator? = nil
  ) -> ConversionOptions {
    var options = ConversionOptions.plain(format)
    options.rendering = RenderingOptions(
      display: DisplayTarget(headroom: Headroom(ratio: headroom)), method: method)
    if headroom == 1 {
      options.transfer = .srgb
      options.primaries = .bt709
    }
    return options
  }

  private static func codes(_ image: ImagePlanes) -> [[Int]] {
    guard case .integer(let planes) = image.planes else { return [] }
    return planes.map { plane in
      let samples = plane.span
      return samples.indices.map { Int(samples[$0]) }
    }
  }

  /// 8-bit sRGB compared with the definition: dither changes a sample by less than half a code
  /// value.
  @Test(arguments: ToneMapOperator.allCases) func standard(method: ToneMapOperator) throws {
    let result = try ImageConverter(Self.options(.png, headroom: 1, method: method))
      .run(Self.document())
    let report = try #require(result.rendering)
    #expect(report.authority == .method(method))
    #expect(report.content.origin == .measured)
    #expect(report.usable == .standard && !report.isIdentity)
    #expect(report.changes.toneMapped + report.clipping.above > 300)
    let rendition = try Rendition(
      method, content: report.content.headroom,
      key: try Self.document().image.contentStatistics().key, display: .standard)
    let mapper = try #require(rendition.gamutMapper(from: .bt2020, to: .bt709))
    let codes = Self.codes(try result.output.image.planes())
    for (index, light) in Self.ramp.map(Double.init).enumerated() {
      let color = mapper.mapped(
        rendition.toneMapped(SIMD3(light, light / 2, light / 5), for: .bt709))
      for component in 0..<3 {
        let exact = SRGB.inverseEOTF(min(max(color[component], 0), 1)) * 255
        #expect(abs(Double(codes[component][index]) - exact) < 1.01, "\(light), \(component)")
      }
    }
    #expect(result.output.image.color.cicp == CICP(primaries: .bt709, transfer: .srgb))
    #expect(result.output.image.light == LightMetadata())
  }

  /// An image without headroom is unchanged on every display, dithered or not.
  @Test func standardImageStays() throws {
    let format = ImageLayout(
      width: 256, height: 4, components: .rgb, samples: .integer(bits: 8))
    let plane = Plane<UInt16>(width: 256, height: 4) { samples in
      for y in 0..<4 { for x in 0..<256 { samples.append(UInt16((x * (y + 1)) & 255)) } }
    }
    let image = ImagePlanes(layout: format, planes: .integer([plane, plane, plane]))
    let document = SourceImage(
      format: .png,
      image: Image(image, ColorEncoding(primaries: .bt709, transfer: .srgb)))
    let result = try ImageConverter(Self.options(.png, headroom: 1)).run(document)
    #expect(try Self.codes(result.output.image.planes()) == Self.codes(image))
    #expect(result.rendering?.content.origin == .encoding)
    #expect(result.rendering?.isIdentity == true)
  }

  /// The signaling of an SDR image in each format.
  @Test(arguments: [
    (FileFormat.jpeg, ColorPrimaries.bt709, "1/13/6", false, true),
    (.jpeg, .displayP3, "12/13/6", false, true),
    (.heif, .bt709, "1/13/6", true, false), (.avif, .displayP3, "12/13/6", true, true),
    (.png, .bt709, "1/13/0", true, false), (.png, .displayP3, "12/13/0", true, true),
    (.tiff, .bt709, "1/13/0", false, true),
  ])
  func signaling(
    format: FileFormat, primaries: ColorPrimaries, cicp: String, hasCodePoints: Bool, hasICC: Bool
  ) throws {
    var options = Self.options(format, headroom: 1)
    options.primaries = primaries
    let image = try ImageConverter(options).run(Self.document()).output
    #expect(image.image.color.cicp.description == cicp + "/full")
    #expect(image.image.layout.samples == .integer(bits: 8))
    #expect(image.signalsCICP == hasCodePoints)
    #expect((image.icc != nil) == hasICC)
    let hasCenteredChroma = [FileFormat.jpeg, .heif, .avif].contains(format)
    #expect(image.image.color.chromaLocation == (hasCenteredChroma ? .center : .left))
  }

  /// Pixels that the `clip` operator changes are counted as clipped.
  @Test func clipping() throws {
    var options = Self.options(.png, headroom: 2)
    options.rendering?.method = .clip
    let rendering = try #require(try ImageConverter(options).run(Self.document()).rendering)
    #expect(rendering.changes.toneMapped == 0)
    #expect(rendering.clipping.above == Self.ramp.count { $0 > 2 })
  }

  /// PQ for a display of headroom 2: at most 406 cd/m², unchanged below the knee.
  @Test func display() throws {
    let options = Self.options(.png, headroom: 2, method: .shoulder)
    let result = try ImageConverter(options).run(Self.document())
    let codes = Self.codes(try result.output.image.planes())[0]
    #expect(codes.max().map { abs($0 - Int(clamping: PQ.inverseEOTF(406) * 65_535)) <= 2 } == true)
    for (light, code) in zip(Self.ramp, codes) where light <= 1 {
      #expect(abs(PQ.inverseEOTF(Double(light) * 203) * 65_535 - Double(code)) <= 1.5)
    }
    #expect(result.rendering?.clipping.above == 0)
  }

  /// A display whose headroom exceeds that of the content shows it unchanged.
  @Test func full() throws {
    let result = try ImageConverter(Self.options(.png, headroom: 1000)).run(Self.document())
    let plain = try ImageConverter(.plain(.png)).run(Self.document())
    #expect(
      try Self.codes(result.output.image.planes()) == Self.codes(plain.output.image.planes()))
    #expect(result.rendering?.isIdentity == true)
  }

  /// An image that is also rotated is tone mapped once, and the report is that of the tone mapping.
  @Test func bakedOrientation() throws {
    var document = Self.document()
    document.image.orientation = .rotated180
    var options = Self.options(.png, headroom: 1)
    options.orientation = .bake
    let rotated = try ImageConverter(options).run(document)
    let codes = Self.codes(try rotated.output.image.planes())[0]
    let upright = Self.codes(
      try ImageConverter(Self.options(.png, headroom: 1)).run(Self.document()).output.image.planes()
    )[0]
    for (code, expected) in zip(codes.reversed(), upright) { #expect(abs(code - expected) <= 1) }
    #expect((rotated.rendering?.changes.toneMapped ?? 0) > 300)
  }

  /// HLG for a specific display uses that display's system gamma.
  ///
  /// For a headroom alone, it is tone mapped from the luminance of the reference display.
  @Test func hlg() throws {
    var options = Self.options(.png, headroom: 2)
    let preset = try DisplayPreset(named: "laptop")
    options.rendering?.display = DisplayTarget(preset)
    let signal: [Float] = [0, 0.5, 0.75, 1]
    let document = SourceImage(
      [signal, signal, signal], width: 4,
      encoding: ColorEncoding(primaries: .bt2020, transfer: .hlg))
    let result = try ImageConverter(options).run(document)
    #expect(result.rendering?.authority == .hlg)
    let codes = Self.codes(try result.output.image.planes())[0]
    let display = HLG.Display(
      peakLuminance: preset.peakLuminance, ambientLuminance: preset.surroundLuminance)
    for (signal, code) in zip(signal, codes) {
      // Luminance on the display, with its white at 203 cd/m².
      let luminance = HLG.eotf(SIMD3(repeating: Double(signal)), display: display).x
      let expected = PQ.inverseEOTF(luminance * 203 / preset.referenceWhite) * 65_535
      #expect(abs(Double(code) - expected) <= 2)
    }
    let plain = try ImageConverter(Self.options(.png, headroom: 2)).run(document)
    #expect(plain.rendering?.authority == .method(.adaptive))
    #expect(plain.rendering?.content.origin == .hlg)
  }

  /// Black becomes that of the display, the peak stays, and shadows stay distinct; the lowest
  /// signal of sRGB is the black of the display anyway.
  @Test(arguments: [0.0, 0.05, 5]) func blackOfTheDisplay(black: Double) throws {
    let preset = try DisplayPreset(
      referenceWhite: 100, peakLuminance: 200, primaries: .bt2020, surroundLuminance: 5,
      blackLuminance: black)
    let linear: [Float] = [0, 1e-5, 1e-4, 0.01, 0.1, 1, 2]
    let document = SourceImage(
      [linear, linear, linear], width: linear.count,
      encoding: ColorEncoding(primaries: .bt2020, transfer: .linear))
    var options = Self.options(.png, headroom: 2)
    options.rendering?.display = DisplayTarget(preset)
    let result = try ImageConverter(options).run(document)
    #expect(result.rendering?.isIdentity == (black == 0))
    for codes in Self.codes(try result.output.image.planes()) {
      #expect(zip(codes, codes.dropFirst()).allSatisfy(<))
      for (linear, code) in zip(linear, codes) {
        let shown = black / 100 + (1 - black / 200) * Double(linear)
        #expect(abs(Double(code) - PQ.inverseEOTF(shown * 203) * 65_535) <= 2, "\(linear)")
      }
    }
    var standard = Self.options(.png, headroom: 1)
    standard.rendering?.display = DisplayTarget(preset, range: DynamicRange.Mix(.standard))
    let samples = try ImageConverter(standard).run(document).output.image.planes()
    #expect(Self.codes(samples)[0].first == 0)
  }

  /// Colors are limited to the primaries of the display, in the encoding of the output.
  @Test(arguments: [ColorPrimaries.bt709, .displayP3])
  func displayPrimaries(primaries: ColorPrimaries) throws {
    var options = Self.options(.exr, headroom: 2)
    options.rendering?.display.primaries = primaries
    let green = SourceImage(
      [[0], [1], [0]], width: 1, encoding: ColorEncoding(primaries: .bt2020, transfer: .linear))
    let image = try ImageConverter(options).run(green).output.image.planes()
    guard case .half(let planes) = image.planes else {
      Issue.record("not half floats")
      return
    }
    let components = planes.map { plane in
      let samples = plane.span
      return Double(Float16(bitPattern: samples[0]))
    }
    let color = SIMD3(components[0], components[1], components[2])
    #expect((ColorPrimaries.bt2020.conversion(to: primaries) * color).min() > -1e-3)
    #expect(color.x > 0.1)
  }

  /// Precedence: an operator of the caller, then the metadata of the file, then the default
  /// operator.
  @Test func adaptation() throws {
    var document = Self.document()
    let toneMap = AdaptiveToneMap(
      baselineHeadroom: Headroom(ratio: 4.926), method: .referenceWhite)
    document.headroomAdaptation = HeadroomAdaptation(toneMap: toneMap)
    let result = try ImageConverter(Self.options(.png, headroom: 2)).run(document)
    #expect(result.rendering?.authority == .headroomAdaptation)
    #expect(result.rendering?.content.origin == .headroomAdaptation)
    let gain = toneMap.gain(for: Headroom(ratio: 2))
    let codes = Self.codes(try result.output.image.planes())[0]
    for (light, code) in zip(Self.ramp.map(Double.init), codes) {
      let shown = min(gain.toneMapped(SIMD3(light, light / 2, light / 5)).x, 2)
      #expect(abs(PQ.inverseEOTF(shown * 203) * 65_535 - Double(code)) <= 2.5, "\(light)")
    }
    let chosen = try ImageConverter(Self.options(.png, headroom: 2, method: .shoulder)).run(
      document)
    #expect(chosen.rendering?.authority == .method(.shoulder))
  }

  /// Metadata without alternates disables tone mapping; a display with less headroom clips.
  @Test func adaptationWithoutAlternates() throws {
    var document = Self.document()
    for baseline in [4.926, 1] {
      document.headroomAdaptation = HeadroomAdaptation(
        toneMap: AdaptiveToneMap(
          baselineHeadroom: Headroom(ratio: baseline), method: .alternates([], primaries: .bt2020)))
      let small = try ImageConverter(Self.options(.png, headroom: 1)).run(document)
      let report = try #require(small.rendering)
      #expect(
        report.authority == .headroomAdaptation && report.forbidsToneMapping && !report.isIdentity)
      #expect(report.changes.toneMapped == 0 && report.clipping.above > 300)
    }
    let large = try ImageConverter(Self.options(.png, headroom: 8)).run(document)
    #expect(large.rendering?.isIdentity == true)
  }

  /// Infinite values are mapped to the maximum of the image or the display, with a notice.
  @Test(arguments: [FileFormat.png, .exr], [2, 8.0])
  func infiniteLight(format: FileFormat, headroom: Double) throws {
    var samples = [Float](repeating: 0.5, count: 100)
    samples.replaceSubrange(0..<50, with: repeatElement(4, count: 50))
    samples.replaceSubrange(50..<60, with: repeatElement(.infinity, count: 10))
    let document = SourceImage(
      [samples, samples, samples], width: 10,
      encoding: ColorEncoding(primaries: .bt2020, transfer: .linear))
    let result = try ImageConverter(Self.options(format, headroom: headroom)).run(document)
    let report = try #require(result.rendering)
    // Measured in bins of 1/64 octave.
    #expect(abs(report.content.headroom.ratio - 4) <= 4 / 64 && !report.isIdentity)
    #expect(report.clipping.infinite == 10)
    #expect(
      result.notices.contains { $0.category == .clipped && $0.code.id == "pixels/infinite" })
    #expect(abs(result.lightLevels.maximum / 203 - min(headroom, 4)) < 4 / 64 + 1e-3)
  }

  /// Downscaled copies use the curve of the large image, although their maximum is lower.
  @Test func sizeDoesNotChangeTheCurve() throws {
    let samples = (0..<1024).map { index in index % 8 == 3 ? Float(6) : 0.5 }
    let document = SourceImage(
      [samples, samples, samples], width: 32,
      encoding: ColorEncoding(primaries: .bt2020, transfer: .linear))
    var options = Self.options(.png, headroom: 1)
    let large = try ImageConverter(options).run(document)
    options.geometry.size = .longSide(4)
    let small = try ImageConverter(options).run(document)
    #expect(small.output.image.layout.width == 4)
    #expect(small.rendering?.content == large.rendering?.content)
    #expect(abs((large.rendering?.content.headroom.ratio ?? 0) - 6) < 0.1)
  }

  /// An operator designed for SDR displays causes a notice where its effect is visible.
  @Test(arguments: [(1.0, false), (2, true), (8, false)])
  func operatorForStandardDisplays(headroom: Double, isTold: Bool) throws {
    let result = try ImageConverter(
      Self.options(.png, headroom: headroom, method: .bt2446a)
    ).run(Self.document())
    #expect(
      result.notices.contains {
        $0.code.english
          == "bt2446a is defined for displays without headroom: with more, middle tones become "
          + "brighter, and drop abruptly at the {content}x of the content; other operators "
          + "are continuous"
      } == isTold)
  }

  /// Metadata is written in a profile if linear values are unchanged, and is read back.
  @Test func adaptationIsCarried() throws {
    var options = ConversionOptions.plain(.png)
    options.metadata.adaptation = .shoulder
    let image = try ImageConverter(options).run(Self.document()).output
    var document = try SourceImage(
      decoding:
        ByteSource(try image.encoded(as: .png, options: options.encoder)), options: OpeningOptions()
    )
    let toneMap = try #require(document.headroomAdaptation?.toneMap)
    #expect(toneMap.alternates.count == 4 && document.headroomAdaptation?.referenceWhite == nil)
    #expect(abs(toneMap.baselineHeadroom.ratio / 4.926 - 1) < 0.02)
    options.metadata.adaptation = .keep
    let kept = try ImageConverter(options).run(document).output
    #expect(kept.icc == image.icc && kept.signalsCICP)
    // Metadata does not apply after an exposure change.
    options.exposure = 1
    let brighter = try ImageConverter(options).run(document)
    #expect(brighter.output.icc == nil)
    #expect(
      brighter.notices.contains {
        $0.code.english
          == "dropped: ST 2094-50 metadata (they describe the image before the gain map and the "
          + "exposure)"
      })
    options = ConversionOptions.plain(.exr)
    #expect(try ImageConverter(options).run(document).notices.contains { $0.category == .dropped })
    options.metadata.adaptation = .referenceWhite
    #expect(throws: ImageError.self) { try ImageConverter(options).run(document) }
    document.headroomAdaptation = nil
  }

  /// Crop, size and rotation of linear values, relative to the upright image.
  @Test func geometry() throws {
    var document = Self.document()
    document.image.orientation = .rotated90
    let crop = PixelRectangle(x: 0, y: 12, width: 1, height: 100)
    let part = try document.expandedToHDR(geometry: GeometryEdit(crop: crop, rotation: .rotated270))
    #expect(part.layout.width == 100 && part.layout.height == 1)
    guard case .float(let planes) = try part.planes().planes else {
      Issue.record("not floating point")
      return
    }
    let plane = planes[0]
    let samples = Array(plane.span)
    #expect(samples == Array(Self.ramp[12..<112]))
    let small = try document.expandedToHDR(geometry: GeometryEdit(size: .longSide(64)))
    #expect(small.layout.width == 1 && small.layout.height == 64)
    #expect(throws: ImageError.self) {
      try document.expandedToHDR(
        geometry: GeometryEdit(crop: PixelRectangle(x: 0, y: 0, width: 2, height: 1)))
    }
  }

  /// Images in memory: expansion to HDR, and renditions for displays.
  @Test func library() throws {
    let document = Self.document()
    let image = try document.expandedToHDR()
    #expect(image.color.primaries == .bt2020 && image.color.referenceWhite == 203)
    let content = try image.contentHeadroom()
    #expect(abs(content.ratio / 4.926 - 1) < 0.02)
    let shown = try document.rendition(for: .high, display: Headroom(ratio: 2))
    let mapped = try image.toneMapped(to: Headroom(ratio: 2))
    let quiet = try document.rendition(for: .constrainedHigh, display: Headroom(ratio: 16))
    let standard = try document.toneMappedToSDR()
    #expect(standard.color.primaries == .displayP3)
    func red(_ image: Image) throws -> [Float] {
      guard case .float(let planes) = try image.planes().planes else { return [] }
      let plane = planes[0]
      let samples = plane.span
      return samples.indices.map { samples[$0] }
    }
    #expect(try red(shown) == red(mapped))
    #expect(try red(quiet) == red(mapped))
    #expect(try red(mapped).max() == 2)
    #expect(try red(standard).max() ?? 2 <= 1)
    let wide = try image.toneMapped(to: Headroom(ratio: 100))
    #expect(try red(wide) == Self.ramp)
    let declared = try document.contentHeadroom()
    #expect(declared.origin == .measured && abs(declared.headroom.ratio / 4.926 - 1) < 0.02)
  }

  /// The description that C reads before an image is rendered is that of the rendered image.
  @Test func linearDescription() throws {
    var document = Self.document()
    document.image.light.diffuseWhite = 250
    var adapted = document
    adapted.headroomAdaptation = HeadroomAdaptation(
      referenceWhite: 100,
      toneMap: AdaptiveToneMap(baselineHeadroom: Headroom(ratio: 4.926), method: .referenceWhite))
    var exposed = ConversionRequest(format: .avif)
    exposed.rendition.exposure = 1
    exposed.geometry.longSide = 100
    let standard = ConversionRequest(format: .avif, content: .sdr)
    for (image, request, white) in [
      (document, exposed, 250.0), (adapted, standard, 100), (adapted, exposed, 250),
      (document, standard, 250),
    ] {
      let described = try image.linearDescription(for: request)
      let rendered = try image.rendered(for: request).image.description
      #expect(described == rendered)
      #expect(described.color.referenceWhite == white)
    }
  }
}
