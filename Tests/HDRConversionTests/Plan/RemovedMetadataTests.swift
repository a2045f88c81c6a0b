// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import HDRConversion
@testable import ImageFiles

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

  /// The plan names parts that are removed, and only those that the file has.
  @Test func stepsNameRemovedParts() throws {
    let iptc: [UInt8] =
      Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 10, 0x1C, 2, 120, 0, 5] + Array("Hello".utf8)
    var image = try JPEGImage(
      parsing: ByteSource(
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 2, 0, 3, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0]
          + [63, 0, 0x12, 0x34, 0xFF, 0xD9]))
    let plain = try image.serialized().allBytes()
    try image.replace(.photoshop, with: [iptc])
    for (bytes, names) in [(try image.serialized().allBytes(), ["IPTC"]), (plain, [])] {
      var request = ConversionRequest()
      request.copying = .required
      request.metadata.strip = [.iptc, .thumbnail]
      request.coding.format = .jpeg
      let plan = try ImageFile(parsing: ByteSource(bytes)).plan(for: request)
      #expect(plan.steps.filter { $0.action == .drop }.map(\.item) == names)
      let sink = MemorySink()
      _ = try plan.run(to: sink)
      #expect(sink.bytes == plain)
    }
  }
}
