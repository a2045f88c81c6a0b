// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("ISO 21496-1 payload") struct ISO21496PayloadTests {
  /// Payloads of an iPhone 17 Pro, of libavif's `seine` pair, of a Samsung phone, and a synthetic
  /// one.
  ///
  /// Each includes its `tmap` version byte.
  static let items: [(name: String, bytes: [UInt8])] = [
    (
      "iPhone 17 Pro",
      hex(
        """
        00 00000000 40 00000000000f4240 0022e605000f4240 fffff855000f4240 0022e605000f4240
        000c9954000f4240 0000000a000f4240 0000000a000f4240
        """)
    ),
    (
      "seine, SDR base",
      hex(
        """
        00 00000000 c0 0000000000000001 0000000d0000000a
        fffc1475000f4240 00137cf9000f4240 0001d1b70001e848 0000000100000040 0000000100000040
        ffff33cf00030d40 00137d13000f4240 0002df3b00030d40 0000000100000040 0000000100000040
        fffeee490003d090 00138011000f4240 000703bf0007a120 0000000100000040 0000000100000040
        """)
    ),
    (
      "Samsung",
      hex(
        """
        00 00000000 40 0000000000000001 0093333300400000 0000000000000001 0093333300400000
        0000000100000001 0000000000000001 0000000000000001
        """)
    ),
    (
      "two stops",
      hex(
        """
        00 00000000 40 0000000000000001 0000000200000001 0000000000000001 0000000200000001
        0000000100000001 0000000100000040 0000000100000040
        """)
    ),
  ]

  private static func read(
    _ bytes: [UInt8], isItem: Bool = false
  ) throws -> (ISO21496Payload, [Notice]) {
    var notices: [Notice] = []
    let payload =
      isItem
      ? try ISO21496Payload(parsingToneMapItem: bytes, notices: &notices)
      : try ISO21496Payload(parsing: bytes, notices: &notices)
    return (payload, notices)
  }

  @Test func writesTheBytesThatItRead() throws {
    for (name, bytes) in Self.items {
      let (item, notices) = try Self.read(bytes, isItem: true)
      #expect(item.toneMapItem == bytes, "\(name)")
      #expect(notices == [], "\(name)")
      let (bare, _) = try Self.read(Array(bytes.dropFirst()))
      #expect(bare == item, "\(name)")
    }
  }

  @Test func numbersOfRealFiles() throws {
    let phone = try Self.read(Self.items[0].bytes, isItem: true).0.metadata
    #expect(phone.alternateHeadroom.value == 2.287109)
    #expect(phone.channels[0].minimum.value == -0.001963)
    #expect(phone.channels[2].gamma.value == 0.825684)
    #expect(phone.usesBaseColorSpace && !phone.isBaseHDR)
    let seine = try Self.read(Self.items[1].bytes, isItem: true).0.metadata
    #expect(seine.alternateHeadroom.value == 1.3)
    #expect(seine.channels.all.map(\.minimum.value) == [-0.256907, -0.261365, -0.280284])
    #expect(seine.channels.all.map(\.gamma.value) == [0.953784, 0.941095, 0.919422])
    #expect(try Self.read(Self.items[2].bytes, isItem: true).0.metadata.largestGain > 2.2999)
  }

  /// The forms with a common denominator, which libultrahdr writes: 37 and 77 bytes.
  @Test func commonDenominator() throws {
    let bytes = hex(
      """
      00000000 08 000003e8 00000000 00000514 00000000 00000514 000003e8 00000010 00000010
      """)
    #expect(bytes.count == 37)
    let (payload, notices) = try Self.read(bytes)
    #expect(payload.metadata.alternateHeadroom.value == 1.3)
    #expect(payload.metadata.channels[0].baseOffset.value == 0.016)
    #expect(!payload.metadata.usesBaseColorSpace)
    #expect(notices.count == 1)
    #expect(payload.serialized.count == 61)
    #expect(payload.serialized[4] == 0)
    let channel = Array(bytes.dropFirst(17))
    let three = Array(bytes.prefix(4)) + [0xC8] + Array(bytes[5..<17]) + channel + channel + channel
    #expect(three.count == 77)
    #expect(try Self.read(three).0.metadata.channels.all.count == 3)
    #expect(try Self.read([0] + three, isItem: true).0 == Self.read(three).0)
    // At any other length, bit 3 is a reserved bit.
    var long = Array(Self.items[3].bytes.dropFirst())
    long[4] |= 0x08
    let (plain, odd) = try Self.read(long)
    #expect(plain.metadata.largestGain == 2)
    #expect(odd.count == 1)
  }

  /// The version byte is for items only; a file that mixes up the two forms is read with a notice.
  @Test func versionByteInTheWrongPlace() throws {
    for (_, bytes) in Self.items {
      let bare = Array(bytes.dropFirst())
      let (withByte, notices) = try Self.read(bytes)
      #expect(withByte.serialized == bare)
      #expect(notices.count == 1)
      let (withoutByte, other) = try Self.read(bare, isItem: true)
      #expect(withoutByte.serialized == bare)
      #expect(other.count == 1)
    }
  }

  @Test func versions() throws {
    var newer = Self.items[0].bytes
    newer[2] = 1
    #expect { try Self.read(newer, isItem: true) } throws: {
      ($0 as? ImageError)?.category == .unsupported
    }
    newer[2] = 0
    newer[4] = 0x63
    let extended = newer + [1, 2, 3, 4]
    let (payload, notices) = try Self.read(extended, isItem: true)
    #expect(payload.writerVersion == 0x63)
    #expect(payload.unknown == [1, 2, 3, 4])
    #expect(payload.toneMapItem == extended)
    #expect(notices.map(\.code.id) == ["gain-map/writer-version"])
    newer[0] = 0x63
    #expect { try Self.read(newer, isItem: true) } throws: {
      ($0 as? ImageError)?.category == .unsupported
    }
    #expect(ISO21496Payload.isVersionOnly(ISO21496Payload.versionOnly))
    #expect(!ISO21496Payload.isVersionOnly([0, 1, 0, 1]))
    #expect(!ISO21496Payload.isVersionOnly([0, 0]))
    // Readers ignore bytes that follow the version of the primary image.
    #expect(ISO21496Payload.isVersionOnly(ISO21496Payload.versionOnly + [0x78, 0x78]))
    #expect(!ISO21496Payload.isVersionOnly([UInt8](repeating: 0, count: 61)))
    #expect(!ISO21496Payload.isSupported([0, 7, 0, 7]))
  }

  /// Outside of HEIF, bytes that follow the fields are ignored, as libultrahdr and Skia do; 13 and 77
  /// of them give the lengths of drafts.
  @Test(arguments: [1, 2, 13, 77]) func trailingBytes(count: Int) throws {
    for (name, item) in Self.items {
      let bare = Array(item.dropFirst())
      let padding = [UInt8](repeating: 7, count: count)
      let (payload, notices) = try Self.read(bare + padding)
      #expect(payload == (try Self.read(bare).0), "\(name)")
      #expect(notices.map(\.code.id) == ["gain-map/trailing-bytes-ignored"], "\(name)")
      #expect(notices.first?.parameters["size"] == .integer(count))
      #expect(throws: ImageError.self) { try Self.read(item + padding, isItem: true) }
      // A later writer, whose metadata readers of version 0 may use.
      var later = bare + padding
      later[3] = 1
      let (written, other) = try Self.read(later)
      #expect(written.metadata == payload.metadata, "\(name)")
      #expect(other.map(\.code.id) == ["gain-map/writer-version"], "\(name)")
    }
  }

  /// With one byte more, metadata of flags 0 have the length and the first bytes of an item.
  @Test(arguments: [UInt8(0), 7]) func oneTrailingByte(byte: UInt8) throws {
    let bare = hex(
      """
      00000000 00 0000000000000001 0000000200000001 fffffffe01000000 0000000200000001
      0000000100000001 0000000100000040 0000000100000040
      """)
    let (payload, notices) = try Self.read(bare + [byte])
    #expect(payload.metadata.alternateHeadroom.value == 2)
    #expect(payload.metadata.channels[0].minimum.value == -2.0 / 16_777_216)
    #expect(notices.map(\.code.id) == ["gain-map/trailing-bytes-ignored"])
    #expect(ISO21496Payload.fieldSize(of: bare + [byte]) == 61)
    let (item, other) = try Self.read([0] + bare)
    #expect(item == payload)
    #expect(other.map(\.code.id) == ["gain-map/item-version-unexpected"])
  }

  /// Only the lengths of the standard are accepted in items; those of drafts have a separate error.
  @Test func malformedLengths() {
    for (_, item) in Self.items {
      for length in 0..<item.count + 8 {
        let bytes = Array((item + [0, 0, 0, 0, 0, 0, 0, 0]).prefix(length))
        if length == item.count { continue }
        #expect { try Self.read(bytes, isItem: true) } throws: { error in
          guard let code = (error as? ImageError)?.category else { return false }
          let isDraft = [58, 138, 34, 74].contains(length - 1)
          return isDraft ? code == .unsupported : code == .truncated || code == .malformed
        }
      }
    }
  }

  @Test func nonsense() {
    var random = SplitMix(seed: 21)
    for (_, item) in Self.items {
      let bare = Array(item.dropFirst())
      for offset in stride(from: 9, to: bare.count, by: 8) {
        var broken = bare
        broken.replaceSubrange(offset..<offset + 4, with: [0, 0, 0, 0])
        #expect("a denominator of 0 at \(offset)") { try Self.read(broken) } throws: {
          ($0 as? ImageError)?.code.id == "invalid-value"
            && ($0 as? ImageError)?.location.offset == offset - 4
        }
      }
      for _ in 0..<2000 {
        var broken = bare
        for _ in 0..<4 {
          broken[Int(random.next() % UInt64(bare.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        guard let payload = try? Self.read(broken).0 else { continue }
        for channel in payload.metadata.channels.all {
          #expect(channel.logGain(ofSample: 0.5).magnitude <= GainMapMetadata.largestStops)
        }
      }
    }
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func corpusMatchesTheManifest() throws {
    var count = 0
    for entry in Corpus.entries where !entry.iso.isEmpty {
      let isJPEG = entry.name.hasSuffix(".jpg")
      let payloads =
        isJPEG
        ? JPEGSegments.named(JPEGSegments.isoGainMap, in: try Corpus.bytes(entry.name))
          .filter { !ISO21496Payload.isVersionOnly($0) }
        : try toneMapItems(of: entry.name)
      guard payloads.count == entry.iso.count, let bytes = payloads.first,
        let expected = entry.iso.first
      else {
        Issue.record("\(entry.name): \(payloads.count) payloads")
        continue
      }
      if entry.expected != "ok" {
        if entry.name.contains("wrong-altr") { continue }
        #expect(throws: ImageError.self, "\(entry.name)") {
          try Self.read(bytes, isItem: !isJPEG)
        }
        continue
      }
      count += 1
      let (payload, notices) = try Self.read(bytes, isItem: !isJPEG)
      #expect(notices == [], "\(entry.name)")
      #expect((isJPEG ? payload.serialized : payload.toneMapItem) == bytes, "\(entry.name)")
      let metadata = payload.metadata
      let channels = metadata.channels.all
      func agrees(_ name: String, _ values: [Double]) -> Bool {
        let wanted = expected[name] ?? []
        return wanted.count == values.count
          && zip(wanted, values).allSatisfy { abs($0 - $1) <= 1e-6 * max(1, abs($0)) }
      }
      #expect(agrees("base_headroom_log2", [metadata.baseHeadroom.value]), "\(entry.name)")
      #expect(agrees("alt_headroom_log2", [metadata.alternateHeadroom.value]), "\(entry.name)")
      #expect(agrees("min", channels.map(\.minimum.value)), "\(entry.name)")
      #expect(agrees("max", channels.map(\.maximum.value)), "\(entry.name)")
      #expect(agrees("gamma", channels.map(\.gamma.value)), "\(entry.name)")
      #expect(agrees("base_offset", channels.map(\.baseOffset.value)), "\(entry.name)")
      #expect(agrees("alt_offset", channels.map(\.alternateOffset.value)), "\(entry.name)")
      #expect(agrees("use_base_cg", [metadata.usesBaseColorSpace ? 1 : 0]), "\(entry.name)")
      #expect(payload.description.numbers.count == 3 + 5 * channels.count)
    }
    #expect(count >= 20)
  }

  private func toneMapItems(of name: String) throws -> [[UInt8]] {
    let file = try Corpus.heif(name)
    return try file.items.filter { $0.type == "tmap" }.map { try file.data(of: $0.id) }
  }
}
