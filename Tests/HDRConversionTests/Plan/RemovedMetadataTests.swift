// SPDX-License-Identifier: Apache-2.0
import HDRCore
import ImageFiles
import Testing

@testable import HDRConversion

@Suite("Removed metadata") struct RemovedMetadataTests {
  /// Metadata that are removed are not reported as not copied.
  @Test(
    arguments: [(nil, 2), ([.location], 2), ([.all], 1)]
      as [([ConversionRequest.Metadata.Private]?, Int)])
  func relevantNotices(parts: [ConversionRequest.Metadata.Private]?, count: Int) {
    var metadata = ConversionRequest.Metadata()
    metadata.strip = parts
    let notices = [
      Notice(.metadataMakerNotesDropped, ["items": ["maker note"]]), Notice(.locationIncluded),
    ]
    #expect(RemovedMetadata(metadata).relevant(notices).count == count)
  }
}
