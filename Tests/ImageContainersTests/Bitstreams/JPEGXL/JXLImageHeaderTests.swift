import HDRCore
import ImageContainers
import Testing

@Suite("JPEG XL headers") struct JXLImageHeaderTests {
  /// Source: imagecodecs 2026.6.26 (libjxl) wrote black pictures of these layouts.
  @Test func layouts() throws {
    let deep = try JXLImageHeader(parsing: hex("ff0acb5040d122080401001c004b188b15820300"))
    #expect(deep.width == 64 && deep.height == 48 && deep.bitsPerSample == 10)
    #expect(!deep.isXYB && !deep.isFloat && !deep.color.isGray && deep.extraChannels == 0)
    #expect(deep.color.cicp == CICP(primaries: .bt709, transfer: .srgb))

    let gray = try JXLImageHeader(parsing: hex("ff0a1873101437020804010018004b188b158201"))
    #expect(gray.width == 200 && gray.height == 100 && gray.bitsPerSample == 8)
    #expect(gray.color.isGray && !gray.isXYB)

    let lossy = try JXLImageHeader(
      parsing: hex("ff0a58b901001388020048c1070c00000000000000b59f200000151a9204140c"))
    #expect(lossy.width == 400 && lossy.height == 300 && lossy.bitsPerSample == 8 && lossy.isXYB)
    #expect(lossy.intensityTarget == 255)
  }

  /// Source: the same files, as libjxl reads them.
  @Test(
    .enabled(if: Corpus.isPresent, "the corpus is not here"),
    arguments: [
      ("jxlrs-hlg10", 1024, 1024, 10, false, TransferFunction.hlg),
      ("jxlrs-candle-fp16-linear", 1000, 810, 16, true, .linear),
      ("oiio-fp32-linear-seed", 64, 64, 32, true, .linear),
      ("conformance-lossless-pfm-fp32", 500, 500, 32, true, nil),
      ("sdwebimage-pq2100", 600, 420, 16, false, nil),
    ])
  func realFiles(
    name: String, width: Int, height: Int, bits: Int, isFloat: Bool, transfer: TransferFunction?
  ) throws {
    let source = try ByteSource(path: Corpus.path("jxl-hdr/\(name).jxl"))
    let header = try JXLFileSummary(parsing: source).header
    #expect(header.width == width && header.height == height)
    #expect(header.bitsPerSample == bits && header.isFloat == isFloat)
    if let transfer { #expect(header.color.transfer == transfer) }
  }

  @Test func damage() {
    let bytes = hex("ff0a58b901001388020048c1070c00000000000000b59f200000151a9204140c")
    for broken in Damage.truncations(of: bytes, count: 32) + Damage.mutations(of: bytes) {
      _ = try? JXLImageHeader(parsing: broken)
    }
    #expect(throws: ImageError.self) { try JXLImageHeader(parsing: hex("ff0a58")) }
    #expect(throws: ImageError.self) { try JXLImageHeader(parsing: hex("ffd8ff")) }
  }
}
