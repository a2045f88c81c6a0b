// SPDX-License-Identifier: Apache-2.0
@testable import GainMap
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if JPEGXL
/// Files of cjxl 0.7 and libjxl, 24x16 pixels.
///
/// The sample of component c in column x and row y is `257 x + 1019 y + 4001 c`, modulo 2^bits, except
/// in `adobergb-lossy`, whose components are 10 x, 15 y and 6 (x + y) in Adobe RGB by ICC profile.
@Suite("JPEG XL reader") struct JPEGXLReaderTests {
  static func sample(_ x: Int, _ y: Int, _ component: Int, bits: Int) -> UInt16 {
    UInt16((x * 257 + y * 1019 + component * 4001) % (1 << bits))
  }

  @Test(arguments: [("pq16", 16, 3), ("alpha12", 12, 4), ("gray8", 8, 1)])
  func losslessIntegers(name: String, bits: Int, components: Int) throws {
    let document = try Vectors.open("JPEGXL/\(name).jxl")
    let image = document.image
    #expect(image.layout.samples == .integer(bits: bits))
    #expect(image.layout.planeCount == components)
    #expect(image.layout.hasAlpha == (components == 4))
    guard case .integer(let planes) = try image.planes().planes else {
      Issue.record("no integers")
      return
    }
    for (component, plane) in planes.enumerated() {
      for y in 0..<16 {
        let row = plane.row(y)
        let found = (0..<24).map { row[$0] }
        #expect(found == (0..<24).map { Self.sample($0, y, component, bits: bits) })
      }
    }
    // Strips in any order have the same samples.
    let strip = try image.makeReader().read(rows: 5..<7)
    guard case .integer(let rows) = strip.planes else {
      Issue.record("no integers in the strip")
      return
    }
    #expect(rows[0] == planes[0].strip(rows: 5..<7))
  }

  /// The bit of the header is set in the test, because libjxl 0.7 does not write such files.
  @Test func premultipliedAlpha() throws {
    var bytes = try Vectors.bytes("JPEGXL/alpha12.jxl")
    let straight = try SourceImage(decoding: ByteSource(bytes)).image
    #expect(straight.layout.hasAlpha && !straight.layout.isAlphaPremultiplied)
    bytes[5] |= 0x08
    let image = try SourceImage(decoding: ByteSource(bytes)).image
    #expect(image.layout.hasAlpha && image.layout.isAlphaPremultiplied)
    guard case .integer(let found) = try image.planes().planes,
      case .integer(let wanted) = try straight.planes().planes
    else {
      Issue.record("no integers")
      return
    }
    #expect(found == wanted)
  }

  /// A cropped frame is placed in an image of zeros; later frames are dropped with a notice.
  @Test func frames() throws {
    let document = try Vectors.open("JPEGXL/animation.jxl")
    #expect(
      document.notices.map(\.code.english).contains("dropped: animation frames after the first"))
    guard case .integer(let planes) = try document.image.planes().planes else {
      Issue.record("no integers")
      return
    }
    #expect(planes.count == 3)
    for (component, plane) in planes.enumerated() {
      for y in 0..<16 {
        let row = plane.row(y)
        let found = (0..<24).map { row[$0] }
        let expected = (0..<24).map { x in
          (4..<12).contains(y) && (6..<18).contains(x)
            ? Self.sample(x, y, component, bits: 8) : 0
        }
        #expect(found == expected)
      }
    }
  }

  @Test func color() throws {
    let pq = try Vectors.open("JPEGXL/pq16.jxl").image
    #expect(pq.color.transfer == .pq && pq.color.primaries == .bt2020)
    #expect(pq.light.contentColorVolume?.maximumLuminance == 1000)
    let alpha = try Vectors.open("JPEGXL/alpha12.jxl").image
    #expect(alpha.color.transfer == .linear && alpha.color.primaries == .bt709)
    let gray = try Vectors.open("JPEGXL/gray8.jxl").image
    #expect(gray.color.transfer == .srgb && gray.layout.components == .gray)
  }

  /// XYB is converted to the color space of the profile, not to sRGB.
  @Test func profileOfXYB() throws {
    let file = try #require(try Vectors.open("JPEGXL/adobergb-lossy.jxl").file)
    let profile = try ICCProfile(parsing: try #require(try file.decodedProfile()))
    #expect(profile.header.colorSpace == .rgb)
    #expect(try #require(try Vectors.open("JPEGXL/pq16.jxl").file).decodedProfile() == nil)
    let image = try Vectors.open("JPEGXL/adobergb-lossy.jxl").image
    #expect(image.color.primaries.isClose(to: .adobeRGB, tolerance: 2e-3))
    guard case .integer(let planes) = try image.planes().planes else {
      Issue.record("no integers")
      return
    }
    var sum = 0
    for y in 0..<16 {
      for x in 0..<24 {
        let wanted = [10 * x, 15 * y, 6 * (x + y)]
        for (plane, value) in zip(planes, wanted) { sum += abs(Int(plane.row(y)[x]) - value) }
      }
    }
    #expect(sum / (3 * 24 * 16) <= 3)
  }

  @Test func resultsDoNotDependOnThreads() throws {
    let bytes = try Vectors.bytes("JPEGXL/pq16.jxl")
    let images = try [1, 3].map { threads in
      try Execution(threads: threads).perform {
        try SourceImage(decoding: ByteSource(bytes)).image.planes()
      }
    }
    guard case .integer(let one) = images[0].planes, case .integer(let three) = images[1].planes
    else {
      Issue.record("no integers")
      return
    }
    #expect(one == three)
  }

  @Test func damageIsATypedError() throws {
    try Vectors.damage("JPEGXL/pq16.jxl", step: 7)
    try Vectors.cut("JPEGXL/alpha12.jxl", step: 13)
  }

  /// The profile of an alternate image, as cjxl compresses it in a codestream.
  @Test func profileOfGainMap() throws {
    let compressed = hex(
      """
      b7860109f300484d5181e1a5791d9d36bdc67c18731834c4363662c04de6a9c7b0e7938304038a0ce1ce366e\
      6d773689a36b6bc8d1d1d1a5351c40d6d1d61901bee2393567dce3161bb3000cf8bfb0b4e26b1687ba4e5ce5\
      b2b39287c200456b5359e969a6bafc36ef2f593f460fe4b28eef00475f617365534f51e96103ac9d2d07682a\
      5b5aca9a43f6acaccfa8a6d358870af094b77fffe653deea4da07e90fefddb17eadfbf7e22d8e342c0d7da37\
      100cae0e7b1018d207ce2340b686a0d805ba75808b65d95f9d4d53139277825333b813148edc1c45956df9b0\
      0334ea0a52ee205313caa481319aaf8b1c048100002a80258cc50ae1a0002f10014024000000000000000000
      """)
    var notices: [Notice] = []
    var map = FoundGainMap(
      location: .box(0), layout: nil,
      carriers: try [.init(.iso, at: .init()) { () throws(ImageError) in throw .cmyk }],
      alternate: .init())
    map.alternate.compressedICC = compressed
    let alternate = try JPEGXLCodec.alternate(of: map, notices: &notices)
    #expect(notices == [])
    #expect(alternate.icc?.count == 588)
    #expect(alternate.specifiedPrimaries?.isClose(to: .bt709, tolerance: 5e-3) == true)
    map.alternate.compressedICC = Array(compressed.prefix(20))
    #expect(try JPEGXLCodec.alternate(of: map, notices: &notices).icc == nil)
    #expect(notices.map(\.code) == [.jpegxlProfileUnreadable])
  }

  /// The available part of a truncated image is decoded, with a notice.
  @Test func truncation() throws {
    let size = 600
    let plane = Plane<UInt16>(width: size, height: size) { plane in
      for index in 0..<size * size {
        plane.append(UInt16(index % size / 4 + index / size / 8 + index * 7919 % 7))
      }
    }
    let layout = ImageLayout(
      width: size, height: size, components: .gray, samples: .integer(bits: 8))
    let image = try Image(
      ImageDescription(
        layout: layout, color: ColorEncoding(primaries: .bt709, transfer: .srgb)),
      planes: .integer([plane]))
    let options = EncoderOptions(quality: 90, speed: 8)
    var output = OutputImage(image)
    let bare = try output.encoded(as: .jxl, options: options)
    output.exif = ExifBlock.minimal(orientation: .upright)
    let bytes = try output.encoded(as: .jxl, options: options)
    let whole = try SourceImage(decoding: ByteSource(bytes)).notices.map(\.code.id)
    #expect(!whole.contains("jpegxl/truncated"))
    let document = try SourceImage(decoding: ByteSource(Array(bytes.prefix(bytes.count * 4 / 5))))
    #expect(document.notices.map(\.code.id) == ["jpegxl/truncated"] + whole)
    guard case .integer(let planes) = try document.image.planes().planes else {
      Issue.record("the samples are integers")
      return
    }
    let found = planes[0]
    for x in 0..<200 {
      let (value, wanted) = (found.row(100)[x], plane.row(100)[x])
      #expect(abs(Int(value) - Int(wanted)) < 20)
    }
    #expect(throws: ImageError.self) {
      try SourceImage(decoding: ByteSource(Array(bytes.prefix(200)))).image.planes()
    }
    let cut = try SourceImage(decoding: ByteSource(Array(bare.dropLast(9))))
    #expect(cut.notices.map(\.code.id) == ["jpegxl/frame-truncated"] + whole)
    #expect(try cut.image.planes().layout.width == size)
  }

  /// The bare codestream that a test image is encoded in.
  private static func codestream(_ kind: String) throws -> [UInt8] {
    guard kind != "progressive" else { return try Vectors.bytes("JPEGXL/progressive.jxl") }
    let (width, height) = (1100, 600)
    func plane(_ factor: Int) -> Plane<UInt16> {
      Plane<UInt16>(width: width, height: height) { plane in
        for index in 0..<width * height {
          plane.append(UInt16((index % width * factor + index / width + index * 7919 % 5) % 256))
        }
      }
    }
    let layout = ImageLayout(
      width: width, height: height, components: .rgb, samples: .integer(bits: 8))
    let image = try Image(
      ImageDescription(
        layout: layout, color: ColorEncoding(primaries: .bt709, transfer: .srgb)),
      planes: .integer([plane(1), plane(2), plane(3)]))
    return try OutputImage(image).encoded(
      as: .jxl, options: EncoderOptions(isLossless: kind == "lossless", speed: 9))
  }

  /// A bare codestream that ends early is decoded as far as possible, with a notice, or refused.
  @Test(arguments: ["progressive", "lossy", "lossless"], [25, 50, 75, 95])
  func truncatedCodestream(kind: String, percent: Int) throws {
    let bytes = try Self.codestream(kind)
    guard case .jpegXL(let file) = try ImageFile(parsing: ByteSource(bytes)).container else {
      Issue.record("another format")
      return
    }
    #expect(file.isBareCodestream && file.damage.isEmpty)
    let whole = try SourceImage(decoding: ByteSource(bytes))
    let cut = Array(bytes.prefix(bytes.count * percent / 100))
    let document = try SourceImage(decoding: ByteSource(cut))
    let codes = document.notices.map(\.code.id)
    #expect(codes == ["jpegxl/frame-truncated"] + whole.notices.map(\.code.id))
    let inspected = try ImageFile(parsing: ByteSource(cut))
    #expect(try inspected.contents().notices.map(\.code.id).contains("jpegxl/frame-truncated"))
    #expect(throws: ImageError.self) { try inspected.container.serialized() }
    do {
      let planes = try document.image.planes()
      #expect(planes.layout == whole.image.layout)
      #expect(try Self.unchangedShare(planes, try whole.image.planes()) > 0)
    } catch let error as ImageError {
      #expect(error.category == .truncated && percent < 95)
    }
  }

  /// Share of samples that two images have in common.
  private static func unchangedShare(_ a: ImagePlanes, _ b: ImagePlanes) throws -> Double {
    guard case .integer(let left) = a.planes, case .integer(let right) = b.planes else { return 0 }
    var (same, count) = (0, 0)
    for (left, right) in zip(left, right) {
      let (left, right) = (left.span, right.span)
      for index in left.indices {
        if left[index] == right[index] { same += 1 }
        count += 1
      }
    }
    return Double(same) / Double(count)
  }

  /// The profile is read as by libjxl.
  @Test func profiles() throws {
    let file = try ImageFile(parsing: ByteSource(try Vectors.bytes("JPEGXL/adobergb-lossy.jxl")))
    guard case .jpegXL(let jpegXL) = file.container else { return }
    let profile = try #require(try JPEGXLProfile(of: jpegXL, try jpegXL.imageHeader()))
    #expect(try jpegXL.profile() == profile.bytes)
    #expect(try jpegXL.profileSize() == profile.bytes.count)
    #expect(try file.contents().primary.color?.primariesSource == "ICC profile")
    #expect(try file.contents().notices == [])
  }

  @Test func limits() throws {
    let bytes = try Vectors.bytes("JPEGXL/gray8.jxl")
    let options = OpeningOptions(limits: ImageLimits(pixels: 100))
    #expect(throws: ImageError.self) {
      try SourceImage(decoding: ByteSource(bytes), options: options)
    }
    let small = Execution(budget: Execution.Budget(memory: 4096))
    let error = #expect(throws: ImageError.self) {
      try small.perform { try SourceImage(decoding: ByteSource(bytes)).image.planes() }
    }
    #expect(error?.category == .limitExceeded)
  }

  /// Decoded by libjxl's own tools without an error.
  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: ["jxlrs-hlg10", "kde-testcard-fp16", "oiio-fp32-linear-seed", "sdwebimage-pq2100"])
  func corpus(name: String) throws {
    let image = try Corpus.open("jxl-hdr/\(name).jxl").image
    #expect(try image.makeReader().read(rows: 0..<1).layout.width == image.layout.width)
  }
}
#endif
