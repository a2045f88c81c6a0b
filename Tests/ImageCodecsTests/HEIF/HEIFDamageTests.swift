// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// Corrupt files yield a typed error or a complete image in a short time, without a crash.
@Suite("HEIF and AVIF damage") struct HEIFDamageTests {
  private static let limits = ImageLimits(pixels: 1 << 24, memory: 1 << 28)

  /// Returns the error of opening a file, if any.
  ///
  /// - Parameters:
  ///   - source: The file.
  ///   - isReported: Whether a notice about a truncated file counts as an error.
  /// - Returns: The error that was thrown, or one created from the notice.
  private func failure(_ source: ByteSource, isReported: Bool = false) -> ImageError? {
    do {
      let options = OpeningOptions(limits: Self.limits)
      let document = try SourceImage(decoding: source, options: options)
      _ = try document.image.makeReader()
      guard isReported else { return nil }
      return document.notices.first { $0.code.english.hasPrefix("truncated: {missing}") }
        .map { ImageError(.truncated, $0.code.english, $0.parameters) }
    } catch {
      return error
    }
  }

  private func file(_ codec: ItemCodec) throws -> [UInt8] {
    let image = TestImage.make(.ycbcr(.yuv420), bits: 10, width: 70, height: 50, hasAlpha: true)
    let cicp = CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    return try RoundTripTests.written(
      OutputImage(Image(image, cicp), exif: ExifBlock.minimal(orientation: .upright)),
      codec, options: EncoderOptions(quality: 50, speed: 9))
  }

  @Test(arguments: [ItemCodec.hevc, .av1])
  func everyCutIsNoticed(codec: ItemCodec) throws {
    let bytes = try file(codec)
    for cut in 0..<200 {
      let part = Array(bytes.prefix(bytes.count * cut / 200))
      #expect(
        failure(ByteSource(part), isReported: true) != nil, "\(part.count) of \(bytes.count) bytes")
    }
  }

  @Test(arguments: [ItemCodec.hevc, .av1])
  func changedBytesAreSurvived(codec: ItemCodec) throws {
    let bytes = try file(codec)
    var random = SplitMix64(state: 3)
    for _ in 0..<200 {
      var broken = bytes
      broken[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8)
      _ = failure(ByteSource(broken))
    }
  }

  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"), .timeLimit(.minutes(2)),
    arguments: ["malformed-heif", "heic-broken", "avif-gainmap-broken"])
  func malformedFilesAreSurvived(folder: String) throws {
    for path in Corpus.files(in: [folder]) {
      _ = try failure(Corpus.source(path))
    }
  }

  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: [
      ("heic-broken/pillow-truncated.heic", ImageError.Category.truncated),
      ("malformed-heif/mp4parse-no-av1C-eeb4fc.avif", .malformed),
      ("malformed-heif/mp4parse-ipma-invalid-property-index-2480e7.avif", .malformed),
      ("malformed-heif/mp4parse-clap-missing-essential-1cc1cf.avif", .malformed),
      ("malformed-heif/libheif-uncompressed_row_ABGR-aa9bd9.heic", .unsupported),
      ("malformed-heif/libheif-seq_seed-a5abdd.heif", .unsupported),
    ])
  func errorsAreTyped(path: String, code: ImageError.Category) throws {
    #expect(try failure(Corpus.source(path))?.category == code)
  }

  /// A corrupt gain map does not prevent decoding the baseline image.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func basesOfBrokenGainMapsDecode() throws {
    for path in Corpus.files(in: ["avif-gainmap-broken"]) {
      #expect(try failure(Corpus.source(path)) == nil, "\(path)")
    }
  }
}
#endif
