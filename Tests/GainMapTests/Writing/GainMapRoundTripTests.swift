import HDRCore
import ImageContainers
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

/// Every map of the corpus in every other flavor that can say it, and back.
@Suite("Flavors there and back", .enabled(if: Corpus.isPresent, "no corpus"))
struct GainMapRoundTripTests {
  /// What is applied differs by no more than was reported on the way.
  @Test func gainStaysWithinTheReport() throws {
    var (count, fitted) = (0, 0)
    for entry in Corpus.mapEntries where entry.expected == "ok" {
      let file = try Corpus.container(entry.name)
      // Digests of large files take their time without optimization.
      guard file.source.count < 1 << 20 else { continue }
      let record = try GainMapRecord(of: file)
      let before = Set(
        try file.gainMaps().applicable?.spellings.compactMap { $0.reading?.flavor }
          ?? [])
      for flavors in GainMapWritingCorpusTests.choices where flavors != before {
        guard let there = try? file.describingGainMap(in: flavors) else { continue }
        let other = try ImageFile(parsing: ByteSource(try there.bytes.allBytes()))
        guard let back = try? other.describingGainMap(in: before) else {
          // Offsets of ISO 21496-1 have no way back from XMP's words about another base.
          Issue.record("\(entry.name): no way back from \(flavors)")
          continue
        }
        let again = try GainMapRecord(
          of: try ImageFile(parsing: ByteSource(try back.bytes.allBytes())))
        let tolerance = there.worstError + back.worstError + 2e-6
        if there.worstError > 0 { fitted += 1 }
        for component in 0..<3 {
          for code in 0...255 {
            let sample = Double(code) / 255
            let difference = abs(
              again.meaning.logGain(ofSample: sample, component: component)
                - record.meaning.logGain(ofSample: sample, component: component))
            #expect(difference <= tolerance, "\(entry.name) by \(flavors): code \(code)")
          }
          let (old, new) = (
            record.meaning.offsets(component: component),
            again.meaning.offsets(component: component)
          )
          #expect(
            isClose(old.base, new.base, absolute: 2e-4)
              && isClose(old.alternate, new.alternate, absolute: 2e-4))
        }
        count += 1
      }
    }
    #expect(count >= 30 && fitted >= 3)
  }
}
