// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("CR3 files") struct CR3FileTests {
  private static func box(_ type: FourCC, _ parts: [UInt8]...) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeBox(type) { writer in for part in parts { writer.write(part) } }
    return writer.bytes
  }

  private static func track(_ width: String, _ height: String, _ codec: [UInt8]) -> [UInt8] {
    let entry = box(
      "CRAW", hex("000000000000000100000000000000000000000000000000" + width + height),
      [UInt8](repeating: 0, count: 54), codec)
    let table = box("stbl", box("stsd", hex("0000000000000001"), entry))
    return box("trak", box("tkhd", hex("00000007")), box("mdia", box("minf", table)))
  }

  /// A file with a full-size JPEG, a 14-bit raw image, a thumbnail and a preview.
  private static let sample: [UInt8] = {
    let crx = box(
      "CMP1", hex("FF00003001000000 00001890 00000FD8 00000C48 00000FD8 0E41 0000 00000000"))
    let metadata = box(
      "uuid", hex("85C0B687820F11E08111F4CE462B6A48"), box("CNCV", Array("CanonCR3".utf8)),
      box("CMT1", ExifBlock.minimal(orientation: .rotated90)),
      box("CMT2", ExifBlock.minimal(orientation: .upright)),
      box("THMB", hex("00000000 00A0 0078 00000000 0001 0000")))
    let preview = box(
      "uuid", hex("EAF42B5E1C984B88B9FBB7DC406E4D16 0000000000000001"),
      box("PRVW", hex("00000000 0001 0654 0438 0001 00000000")))
    return box("ftyp", hex("63727820 00000001 63727820 69736F6D"))
      + box(
        "moov", metadata, track("1770", "0FA0", box("JPEG", hex("0000000A"))),
        track("1890", "0FD8", crx))
      + box("uuid", hex("BE7ACFCB97A942E89C71999491E3AFAC"), Array("<x/>".utf8)) + preview
      + box("mdat", [1, 2, 3])
  }()

  @Test func images() throws {
    let file = try CR3File(parsing: ByteSource(Self.sample))
    #expect(
      file.images == [
        .init(place: .thumbnail, width: 160, height: 120, coding: .jpeg),
        .init(place: .track(1), width: 6000, height: 4000, coding: .jpeg),
        .init(place: .track(2), width: 6288, height: 4056, coding: .crx(bits: 14)),
        .init(place: .preview, width: 1620, height: 1080, coding: .jpeg),
      ])
  }

  @Test func metadata() throws {
    let file = try CR3File(parsing: ByteSource(Self.sample))
    #expect(file.exif == ExifBlock.minimal(orientation: .rotated90))
    #expect(file.exposure != nil && file.location == nil)
    #expect(file.xmp == Array("<x/>".utf8))
  }

  @Test func structure() throws {
    func names(_ nodes: [StructureNode]) -> [String] {
      nodes.flatMap { [$0.name] + names($0.children) }
    }
    let found = names(try StructureNode.boxes(of: ByteSource(Self.sample)))
    #expect(Set(["CMT1", "Orientation", "CMP1", "JPEG", "PRVW", "THMB"]).isSubset(of: found))
  }

  /// Truncated and mutated files are parsed in part or rejected.
  @Test func damage() throws {
    for length in 0..<Self.sample.count {
      _ = try? CR3File(parsing: ByteSource(Array(Self.sample.prefix(length))))
    }
    for index in Self.sample.indices {
      for value: UInt8 in [0, 0xFF] {
        var broken = Self.sample
        broken[index] = value
        _ = try? CR3File(parsing: ByteSource(broken))
        _ = try StructureNode.boxes(of: ByteSource(broken))
      }
    }
    #expect(throws: ImageError.self) { try CR3File(parsing: ByteSource(Self.box("ftyp", []))) }
  }

  @Test func limits() {
    #expect {
      try CR3File(parsing: ByteSource(Self.sample), limits: ImageLimits(items: 3))
    } throws: {
      ($0 as? ImageError)?.category == .limitExceeded
    }
  }

  /// The bytes of the preview of this file were removed; its size was not.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func realFile() throws {
    let file = try CR3File(
      parsing: Corpus.source("raw/exiftool-stub-m50.cr3"))
    #expect(file.images.map(\.coding) == [.jpeg, .jpeg, .crx(bits: 14), .crx(bits: 14), .jpeg])
    #expect(file.images.map(\.width) == [160, 6000, 1624, 6288, 1620])
    #expect(file.notices.count == 1)
  }
}
