// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG && JPEGXL && TIFF && JPEGXR && EXR
import Conformance
import HDRCore
import ImageCodecs
import ImageFiles
import TestSupport
import Testing

/// A file that cannot be read is not judged by its other parts.
@Suite("Failed reads in validation") struct FailedReadTests {
  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"), arguments: FailingSource.files)
  func endValidation(name: String) throws {
    let bytes = try Corpus.bytes(name)
    let (count, survived) = try FailingSource.survivedFailures(of: bytes, most: 40) { source in
      _ = try CheckedFile(ImageFile(parsing: source)).judgments()
    }
    #expect(count > 0)
    #expect(survived == [])
  }
}
#endif
