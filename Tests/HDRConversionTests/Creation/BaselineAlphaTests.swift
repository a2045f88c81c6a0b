// SPDX-License-Identifier: Apache-2.0
#if JPEG && HEIF && AVIF
import GainMap
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Alpha of gain map files") struct BaselineAlphaTests {
  private static let width = 96
  private static let height = 64

  /// Alpha from 0 at the left to 1 at the right, in 16 bits that are not multiples of 8- or 10-bit
  /// steps.
  private static let coverage = Plane<UInt16>(width: width, height: height) { samples in
    for _ in 0..<height {
      for x in 0..<width { samples.append(UInt16(min(max(x - 16, 0) * 1021, 65_535))) }
    }
  }

  private static func document(
    _ value: (Int, Int) -> Double, transfer: TransferFunction, alpha: Plane<UInt16>?
  ) -> SourceImage {
    let plane = Plane<UInt16>(width: width, height: height) { samples in
      for y in 0..<height {
        for x in 0..<width { samples.append(UInt16(clamping: value(x, y) * 65_535)) }
      }
    }
    let format = ImageLayout(
      width: width, height: height, components: .rgb, samples: .integer(bits: 16),
      hasAlpha: alpha != nil)
    let image = ImagePlanes(
      layout: format, planes: .integer([plane, plane, plane] + [alpha].compactMap { $0 }))
    let encoding = ColorEncoding(
      primaries: transfer == .pq ? .bt2020 : .displayP3, transfer: transfer)
    return SourceImage(
      format: .png,
      image: Image(image, encoding))
  }

  /// Four times as bright as `standard`, and black where alpha is 0.
  private static func bright(alpha: Plane<UInt16>?) -> SourceImage {
    document(
      { x, y in
        x <= 16 ? 0 : PQ.inverseEOTF(4 * 203 * SRGB.eotf(0.4 + 0.005 * Double(y)))
      }, transfer: .pq, alpha: alpha)
  }

  private static func standard(alpha: Plane<UInt16>?) -> SourceImage {
    document({ _, y in 0.4 + 0.005 * Double(y) }, transfer: .srgb, alpha: alpha)
  }

  private func options(_ format: FileFormat) -> GainMapEncoder.Options {
    var options = GainMapEncoder.Options(
      format: format, encoder: EncoderOptions(quality: 60, speed: 10))
    options.chroma = .yuv444
    options.map.scale = 1
    return options
  }

  private func document(_ result: GainMapEncoder.Result) throws -> SourceImage {
    try SourceImage(
      decoding:
        ByteSource(try result.bytes.allBytes()), options: OpeningOptions())
  }

  /// The code values of an image's alpha.
  private func codes(_ document: SourceImage) throws -> [UInt16] {
    let reader = try document.image.makeReader()
    let image = try reader.read(rows: 0..<document.image.layout.height)
    guard document.image.layout.hasAlpha, case .integer(let planes) = image.planes else {
      return []
    }
    return Self.codes(planes[planes.count - 1])
  }

  private static func codes(_ plane: Plane<UInt16>) -> [UInt16] {
    let samples = plane.span
    var codes: [UInt16] = []
    for index in samples.indices { codes.append(samples[index]) }
    return codes
  }

  private func expected(bits: Int) -> [UInt16] {
    Self.codes(Self.coverage).map {
      UInt16(clamping: (Double($0) / 65_535 * Double((1 << bits) - 1)).rounded())
    }
  }

  @Test(arguments: [FileFormat.heif, .avif], [false, true])
  func thatOfTheBaseIsKept(format: FileFormat, isBaseHDR: Bool) throws {
    var options = options(format)
    options.isBaseHDR = isBaseHDR
    // The alternate image is opaque; its alpha is not used.
    let result = try GainMapEncoder(options).run(
      hdr: Self.bright(alpha: isBaseHDR ? Self.coverage : nil),
      sdr: Self.standard(alpha: isBaseHDR ? nil : Self.coverage))
    let made = try document(result)
    #expect(made.gainMap != nil && made.notices.isEmpty)
    #expect(try codes(made) == expected(bits: 10))
    #expect(!result.notices.contains { $0.message.contains("alpha") && !isBaseHDR })

    // Alpha is unchanged when the gain map is applied in full.
    var conversion = ConversionOptions(format: .png, encoder: EncoderOptions())
    conversion.depth = 10
    let applied = try ImageConverter(conversion).run(made).output.image
    guard case .integer(let planes) = try applied.planes().planes else {
      Issue.record("not integers")
      return
    }
    #expect(applied.layout.hasAlpha)
    #expect(Self.codes(planes[planes.count - 1]) == expected(bits: 10))
  }

  @Test func ofOneRendition() throws {
    let result = try GainMapEncoder(options(.avif)).run(hdr: Self.bright(alpha: Self.coverage))
    #expect(try codes(document(result)) == expected(bits: 10))
    #expect(!result.notices.contains { $0.message.contains("alpha") })
  }

  /// Linear values in transparent pixels do not extend the range of the gain map or count as
  /// errors.
  @Test func hiddenLight() throws {
    let result = try GainMapEncoder(options(.avif)).run(
      hdr: Self.bright(alpha: Self.coverage), sdr: Self.standard(alpha: Self.coverage))
    #expect(result.metadata.logGain(ofSample: 0, component: 1) > -0.1)
    #expect(abs(result.metadata.logGain(ofSample: 1, component: 1) - 2) < 0.1)
    #expect(result.quality.deltaE99 < 10, "\(result.quality)")
  }

  @Test func whatIsLost() throws {
    func alphaNotices(
      _ format: FileFormat, _ hdr: Plane<UInt16>?, _ sdr: Plane<UInt16>?
    ) throws -> [Notice] {
      try GainMapEncoder(options(format)).run(
        hdr: Self.bright(alpha: hdr), sdr: Self.standard(alpha: sdr)
      ).notices.filter { $0.category == .dropped && $0.message.contains("alpha channel") }
    }
    let other = Self.coverage.upright(from: .mirrored)
    #expect(try alphaNotices(.avif, nil, nil).isEmpty)
    #expect(try alphaNotices(.avif, Self.coverage, Self.coverage).isEmpty)
    #expect(try alphaNotices(.avif, other, Self.coverage).count == 1)
    #expect(try alphaNotices(.avif, Self.coverage, nil).count == 1)
    #expect(try alphaNotices(.jpeg, Self.coverage, Self.coverage).count == 1)
    #expect(try alphaNotices(.jpeg, nil, Self.coverage).count == 1)
  }

  /// XMP of the output does not declare a video or gain map of the input that was not copied.
  @Test func wordsAboutOtherParts() throws {
    let camera = "http://ns.google.com/photos/1.0/camera/"
    var packet = try XMPPacket(parsing: XMPPacket.empty)
    try packet.set("1", for: XMPName(camera, "MotionPhoto"), prefix: "GCamera")
    try packet.set("7", for: XMPName(camera, "BurstID"), prefix: "GCamera")
    try packet.insertContainerItem(.init(semantic: "Primary", mime: "image/jpeg"), at: 0)
    try packet.insertContainerItem(
      .init(semantic: "MotionPhoto", mime: "video/mp4", length: 1000), at: 1)
    var sdr = Self.standard(alpha: nil)
    sdr.xmp = packet.bytes
    let made = try document(
      try GainMapEncoder(options(.jpeg)).run(hdr: Self.bright(alpha: nil), sdr: sdr))
    let written = try XMPPacket(parsing: try #require(made.xmp))
    #expect(written.containerItems.map(\.semantic) == ["Primary", "GainMap"])
    #expect(written[XMPName(camera, "MotionPhoto")] == nil)
    #expect(written[XMPName(camera, "BurstID")]?.text == "7")
    let plain = try ImageConverter(
      ConversionOptions(format: .png, encoder: EncoderOptions())
    ).run(sdr).output.xmp
    let converted = try XMPPacket(parsing: try #require(plain))
    #expect(converted.containerItems.isEmpty)
    #expect(converted[XMPName(camera, "MotionPhoto")] == nil)
    #expect(converted[XMPName(camera, "BurstID")]?.text == "7")
  }

  /// MaxCLL and MaxFALL of the input are not in the XMP of the output.
  @Test func lightLevelsOfTheInput() throws {
    let rating = XMPName("http://ns.adobe.com/xap/1.0/", "Rating")
    var packet = try XMPPacket(parsing: XMPPacket.empty)
    try packet.set("3", for: rating, prefix: "xmp")
    try packet.setLightLevel(.init(maximum: 1000, maximumAverage: 200))
    var hdr = Self.bright(alpha: nil)
    hdr.xmp = packet.bytes
    let made = try document(try GainMapEncoder(options(.jpeg)).run(hdr: hdr))
    let written = try XMPPacket(parsing: try #require(made.xmp))
    var notices: [Notice] = []
    #expect(written.lightLevel(notices: &notices) == nil && notices.isEmpty)
    #expect(written[rating]?.text == "3")
  }
}
#endif
