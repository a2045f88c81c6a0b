import HDRCore
import ImageContainers
import TestSupport
import Testing

@testable import GainMap

/// Every map of the corpus taken out and put back.
@Suite("Joining bases and maps", .enabled(if: Corpus.isPresent, "no corpus"))
struct ContainerFileJoiningTests {
  @Test func thereAndBack() throws {
    var count = 0
    for entry in Corpus.mapEntries where entry.expected == "ok" {
      let file = try Corpus.container(entry.name)
      // Digests of large files take their time without optimization.
      guard file.source.count < 1 << 20 else { continue }
      let inventory = try file.gainMaps(appleCurve: .srgb)
      let found = try #require(inventory.applicable)
      let record = try GainMapRecord(json: try #require(GainMapRecord(found)).json())
      let alone: SplicedBytes
      switch found.place {
      case .image(let index): alone = try file.standalone(UInt32(index))
      case .item(let id): alone = try file.standalone(id)
      case .codestream, .file: continue
      }
      let map = try ContainerFile(parsing: ByteSource(try alone.allBytes()))
      let bare = try ContainerFile(
        parsing: ByteSource(try file.droppingGainMaps().bytes.allBytes()))
      for base in [file, bare] {
        let joined = try base.joining(map, record)
        let written = try ContainerFile(parsing: ByteSource(try joined.bytes.allBytes()))
        let again = try written.gainMaps(appleCurve: .srgb)
        #expect(again.maps.count == 1, "\(entry.name)")
        let reading = try #require(again.applicable?.reading, "\(entry.name)")
        check(reading.meaning, record.meaning, entry.name)
        #expect(joined.after.contains(record.reading.flavor) || joined.after == [.iso])
        let digests = try joined.payloads.map { try $0.sha256() }
        for payload in try map.codedPayloads() {
          #expect(digests.contains(try payload.sha256()), "\(entry.name): \(payload.name)")
        }
      }
      count += 1
    }
    #expect(count >= 18)
  }

  private func check(_ new: GainMapMeaning, _ old: GainMapMeaning, _ name: String) {
    switch (new, old) {
    case (.parameters(let new), .parameters(let old)):
      #expect(new.disagreements(with: old).filter { !$0.hasPrefix("primaries") } == [], "\(name)")
    case (.apple(let new), .apple(let old)):
      #expect(isClose(new.headroom.ratio, old.headroom.ratio, relative: 1e-6), "\(name)")
    default: Issue.record("\(name): another kind of map")
    }
  }

  /// A JPEG map that was taken out says itself what it means.
  @Test func mapsThatSpeakForThemselves() throws {
    let file = try Corpus.container("jpeg-uhdr/lrc14-1-xmp-iso.jpg")
    let map = try ContainerFile(
      parsing: ByteSource(try file.standalone(1).allBytes()))
    let record = try GainMapRecord(of: map)
    #expect(record.meaning == (try GainMapRecord(of: file)).meaning)
    #expect(throws: ImageError.self) {
      _ = try GainMapRecord(
        of: try ContainerFile(parsing: ByteSource(file.standalone(0).allBytes())))
    }
  }

  @Test func codecsMustAgree() throws {
    let jpeg = try Corpus.container("jpeg-uhdr/lrc14-1-xmp-iso.jpg")
    let avif = try Corpus.container("avif-gainmap/libavif-seine-sdr.avif")
    let heic = try Corpus.container("heic-gainmap-other/tohdr-both-512.heic")
    #expect(try [jpeg, avif, heic].map { try $0.pictureCodec } == [.jpeg, .av1, .hevc])
    for (base, map) in [(jpeg, avif), (avif, heic), (heic, jpeg)] {
      let record = try GainMapRecord(of: map)
      #expect(throws: ImageError.self) { _ = try base.joining(map, record) }
    }
  }
}
