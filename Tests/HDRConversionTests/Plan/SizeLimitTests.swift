// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import HDRConversion
@testable import ImageCodecs
@testable import ImageFiles

#if AVIF && JPEG && PNG
@Suite("Size of lossy files") struct SizeLimitTests {
  /// Smooth colors with noise.
  private static func photo(_ format: FileFormat, quality: Int? = nil) throws -> ImageFile {
    let (width, height) = (160, 120)
    var state: UInt32 = 1
    func noise() -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 27)
    }
    let planes = try (0..<3).map { component in
      try Plane(
        width: width, height: height,
        samples: (0..<width * height).map { UInt16(40 * component + $0 % width + noise()) })
    }
    let layout = ImageLayout(
      width: width, height: height, components: .rgb, samples: .integer(bits: 8))
    let image = Image(
      ImageDescription(layout: layout, color: ColorEncoding(primaries: .bt709, transfer: .srgb)),
      ImagePlanes(layout: layout, planes: .integer(planes)))
    let plan = try SourceImage(image).plan(
      for: ConversionRequest(format: format, quality: quality))
    return try ImageFile(parsing: ByteSource(try plan.bytes().0))
  }

  private static func converted(
    _ file: ImageFile, _ change: (inout ConversionRequest) -> Void = { _ in }
  ) throws -> (byteCount: Int, isReduced: Bool, isLarger: Bool) {
    var request = ConversionRequest(format: .jpeg)
    change(&request)
    let (bytes, result) = try file.plan(for: request).bytes()
    let ids = result.notices.map(\.code.id)
    return (
      bytes.count, ids.contains("convert/quality-reduced"),
      ids.contains("convert/larger-than-input")
    )
  }

  @Test("a lossy file is at most as large as its lossy input")
  func lossy() throws {
    let file = try Self.photo(.avif)
    let made = try Self.converted(file)
    #expect(made.byteCount <= file.source.count && made.isReduced && !made.isLarger)
  }

  @Test("a file that cannot be as small has the usual quality")
  func larger() throws {
    let file = try Self.photo(.avif, quality: 5)
    let made = try Self.converted(file)
    #expect(made.byteCount > file.source.count && made.isLarger && !made.isReduced)
    #expect(try made.byteCount == Self.converted(file) { $0.coding.quality = 90 }.byteCount)
  }

  @Test("the size is free with a given quality, another size, or a lossless input")
  func unlimited() throws {
    let file = try Self.photo(.avif)
    let given = try Self.converted(file) { $0.coding.quality = 90 }
    #expect(given.byteCount > file.source.count && !given.isReduced)
    let enlarged = try Self.converted(file) {
      ($0.geometry.width, $0.geometry.height) = (320, 240)
    }
    #expect(enlarged.byteCount > file.source.count && !enlarged.isReduced)
    #expect(try !Self.converted(try Self.photo(.png)).isReduced)
  }
}
#endif
