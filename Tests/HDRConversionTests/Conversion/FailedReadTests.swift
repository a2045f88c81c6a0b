// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG && JPEGXL && TIFF && JPEGXR && EXR
import HDRConversion
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// The output never lacks what could not be read.
@Suite("Failed reads in conversions") struct FailedReadTests {
  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"), arguments: FailingSource.files,
    [FileFormat.png, .jpeg])
  func endConversion(name: String, format: FileFormat) throws {
    let bytes = try Corpus.bytes(name)
    let (count, survived) = try FailingSource.survivedFailures(of: bytes, most: 40) { source in
      _ = try ImageFile(parsing: source).converted(ConversionRequest(format: format))
    }
    #expect(count > 0)
    #expect(survived == [])
  }
}
#endif
