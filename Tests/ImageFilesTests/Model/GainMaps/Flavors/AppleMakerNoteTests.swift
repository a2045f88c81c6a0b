// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Apple maker note") struct AppleMakerNoteTests {
  /// A maker note with these entries, in Apple's format.
  static func note(_ tags: (tag: UInt16, numerator: Int32, denominator: Int32)...) -> [UInt8] {
    func bytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
      stride(from: T.bitWidth - 8, through: 0, by: -8).map {
        UInt8(truncatingIfNeeded: value >> T($0))
      }
    }
    let directory = 14 + 2 + 12 * tags.count + 4
    var note: [UInt8] = Array("Apple iOS\0\0\u{01}MM".utf8) + bytes(UInt16(tags.count))
    for (index, entry) in tags.enumerated() {
      note += bytes(entry.tag) + bytes(10 as UInt16) + bytes(1 as UInt32)
      note += bytes(UInt32(directory + 8 * index))
    }
    note += bytes(0 as UInt32)
    for entry in tags { note += bytes(entry.numerator) + bytes(entry.denominator) }
    return note
  }

  /// Exif that contains only a maker note.
  static func exif(_ note: [UInt8]) -> [UInt8] {
    hex("4D4D002A 00000008 0001 8769 0004 00000001 0000001A 00000000")
      + hex("0001 927C 0007") + [0, 0, 0, UInt8(note.count)] + hex("0000002C 00000000") + note
  }

  /// All branches of the rule at their limits, and the values of two phones.
  ///
  /// Source: Apple, "Applying Apple HDR effect to your photos"; tags of `apple_gainmap_old.jpg` and
  /// of an iPhone 17 Pro.
  @Test(arguments: [
    (1.518932, 0, 3), (1.00999999, 0.05253907666, 2.287081), (0.8, 0, 1.8), (0.5, 0.01, 1.6),
    (0.5, 0.02, 1.59898), (0, 8, 0.793), (1, 0.01, 2.3), (1, 0.005, 2.65), (0.999999, 0, 1.8),
    (1, 0.010001, 2.29997), (0.9, 20, 0), (1, 10, 0),
  ])
  func rule(hdrHeadroom: Double, hdrGain: Double, stops: Double) throws {
    let note = AppleMakerNote(hdrHeadroom: hdrHeadroom, hdrGain: hdrGain)
    #expect(isClose(try #require(note.headroom).stops, stops, absolute: 1e-6))
  }

  @Test func branchesAreTold() {
    let conditions = [(0.5, 0.0), (0.5, 1), (1, 0), (1, 1)].map {
      AppleMakerNote(hdrHeadroom: $0.0, hdrGain: $0.1).numbers.last?.origin
    }
    #expect(
      conditions == [
        "maker note, HDRHeadroom < 1, HDRGain <= 0.01: stops = -20 HDRGain + 1.8",
        "maker note, HDRHeadroom < 1, HDRGain > 0.01: stops = -0.101 HDRGain + 1.601",
        "maker note, HDRHeadroom >= 1, HDRGain <= 0.01: stops = -70 HDRGain + 3",
        "maker note, HDRHeadroom >= 1, HDRGain > 0.01: stops = -0.303 HDRGain + 2.303",
      ])
  }

  @Test func missingTagsCountAsZero() throws {
    let noGain = AppleMakerNote(hdrHeadroom: 0.8786434536, hdrGain: nil)
    #expect(noGain.headroom?.stops == 1.8)
    #expect(noGain.numbers.map(\.source) == [.makerNote, .formatDefault, .makerNote])
    let noHeadroom = AppleMakerNote(hdrHeadroom: nil, hdrGain: 0.5)
    #expect(isClose(try #require(noHeadroom.headroom).stops, 1.601 - 0.0505))
    #expect(AppleMakerNote(hdrHeadroom: nil, hdrGain: nil).headroom == nil)
  }

  @Test func bytes() throws {
    let both = Self.note((33, 82317, 54194), (48, -1, 8))
    let parsed = try #require(try AppleMakerNote(parsing: both))
    #expect(parsed.hdrHeadroom == 82317.0 / 54194)
    #expect(parsed.hdrGain == -0.125)
    #expect(try AppleMakerNote(try ExifBlock(parsing: Self.exif(both))) == parsed)
    #expect(try AppleMakerNote(parsing: Self.note((33, 1, 0)))?.headroom == nil)
    #expect(try AppleMakerNote(parsing: Self.note((7, 1, 1))) == nil)
    #expect(try AppleMakerNote(parsing: Array("Nikon\0".utf8)) == nil)
    #expect(try AppleMakerNote(try ExifBlock(parsing: Self.exif(Array("Nikon\0".utf8)))) == nil)
  }

  @Test func damageIsHarmless() throws {
    let bytes = Self.note((33, 101, 100), (48, 1, 2))
    for length in 0..<bytes.count {
      #expect(try (AppleMakerNote(parsing: Array(bytes.prefix(length)))?.headroom?.stops ?? 0) >= 0)
    }
    var random = SplitMix(seed: 9)
    for _ in 0..<3000 {
      var broken = bytes
      for _ in 0..<3 {
        broken[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      #expect(try (AppleMakerNote(parsing: broken)?.headroom?.stops ?? 0) >= 0)
    }
  }
}
