// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

/// Every gain map of the corpus converted to every other flavor that can represent it, and back.
@Suite("Flavor round trips", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct GainMapRoundTripTests {
  /// The applied gain differs by at most the reported errors.
  @Test func gainStaysWithinTheReport() throws {
    var (count, fitted) = (0, 0)
    for entry in Corpus.mapEntries where entry.expected == "ok" {
      let file = try Corpus.container(entry.name)
      // Digests of large files are slow without optimization.
      guard file.source.count < 1 << 20 else { continue }
      let metadata = try #require(try file.detachedGainMap().metadata)
      let before = Set(
        try file.gainMaps().applicable?.flavors
          ?? [])
      for flavors in GainMapWritingCorpusTests.choices where flavors != before {
        guard let there = try? file.describingGainMap(in: flavors) else { continue }
        let other = try ImageFile(parsing: ByteSource(try there.bytes.allBytes()))
        guard let back = try? other.describingGainMap(in: before) else {
          // The offsets of ISO 21496-1 cannot be restored from XMP with another baseline image.
          Issue.record("\(entry.name): no way back from \(flavors)")
          continue
        }
        let again = try #require(
          try ImageFile(parsing: ByteSource(try back.bytes.allBytes())).detachedGainMap().metadata)
        let tolerance = there.worstError + back.worstError + 2e-6
        if there.worstError > 0 { fitted += 1 }
        for component in 0..<3 {
          for code in 0...255 {
            let sample = Double(code) / 255
            let difference = abs(
              again.logGain(ofSample: sample, component: component)
                - metadata.logGain(ofSample: sample, component: component))
            #expect(difference <= tolerance, "\(entry.name) by \(flavors): code \(code)")
          }
          let (old, new) = (
            metadata.channels[component], again.channels[component]
          )
          #expect(
            isClose(old.baseOffset.value, new.baseOffset.value, absolute: 2e-4)
              && isClose(old.alternateOffset.value, new.alternateOffset.value, absolute: 2e-4))
        }
        count += 1
      }
    }
    #expect(count >= 30 && fitted >= 3)
  }
}
