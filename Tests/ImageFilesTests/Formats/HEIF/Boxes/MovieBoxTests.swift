// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Image sequences in HEIF files") struct MovieBoxTests {
  /// A file with a still image and tracks whose chunks and items share its media data.
  static func file() -> [UInt8] {
    func movie(_ offset: Int) -> [UInt8] {
      func number(_ value: Int, bytes: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeUnsigned(UInt64(value), bytes: bytes)
        return writer.bytes
      }
      let small = box(
        "stco", hex("00000000 00000002"), number(offset, bytes: 4), number(offset + 4, bytes: 4))
      let wide = box("co64", hex("00000000 00000001"), number(offset + 8, bytes: 8))
      let location = box(
        "iloc", hex("00000000 4440 0001 0001 0000"), number(offset, bytes: 4), hex("0001"),
        number(10, bytes: 4), hex("00000002"))
      let based = box(
        "iloc", hex("01000000 0440 0001 0001 0000 0000"), number(offset + 11, bytes: 4),
        hex("0001 00000001"))
      func track(_ table: [UInt8], _ location: [UInt8]) -> [UInt8] {
        box(
          "trak", box("tkhd", hex("0000")), box("meta", hex("00000000"), location),
          box("mdia", box("minf", box("stbl", table))))
      }
      return box("moov", box("mvhd", hex("0001")), track(small, location), track(wide, based))
    }
    var raw = RawFile()
    raw.payload = Array(1...8)
    let size = RawFile.fileType.count + movie(0).count + raw.meta(dataOffset: 0).count
    let data = box("mdat", raw.payload, [9, 10, 11, 12])
    return RawFile.fileType + movie(size + 8) + raw.meta(dataOffset: size + 8) + data
  }

  /// The bytes that the offsets in `moov` refer to.
  static func targets(_ bytes: [UInt8]) throws -> [UInt8] {
    let movie = try #require(try boxes(bytes[...]).first { $0.type == "moov" })
    var found: [UInt8] = []
    func number(_ offset: Int, _ size: Int) -> Int {
      bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
    }
    for track in try boxes(bytes[movie.content]).dropFirst() {
      let parts = try boxes(bytes[track.content])
      let location = try boxes(bytes[parts[1].content.dropFirst(4)])[0].content
      let base = location.lowerBound + (bytes[location.lowerBound] == 0 ? 12 : 14)
      found.append(
        bytes[number(base, 4) + (bytes[location.lowerBound] == 0 ? number(base + 6, 4) : 0)])
      var tables = parts[2].content
      for _ in 0..<2 { tables = try boxes(bytes[tables])[0].content }
      let table = try boxes(bytes[tables])[0]
      let size = table.type == "stco" ? 4 : 8
      for index in 0..<number(table.content.lowerBound + 4, 4) {
        found.append(bytes[number(table.content.lowerBound + 8 + size * index, size)])
      }
    }
    return found
  }

  @Test func offsetsFollow() throws {
    let bytes = Self.file()
    #expect(try Self.targets(bytes) == [11, 1, 5, 12, 9])
    var file = try HEIFFile(parsing: ByteSource(bytes))
    #expect(try file.serialized() == bytes)
    file.fileType.compatibleBrands += ["miaf", "MA1B"]
    file.addXMP([0xEE], describing: [1])
    let written = try file.serialized()
    #expect(written.count > bytes.count)
    #expect(try Self.targets(written) == [11, 1, 5, 12, 9])
    let again = try HEIFFile(parsing: ByteSource(written))
    #expect(again == file)
  }

  /// Samples of a removed image are kept, since tracks may share them.
  @Test func imagesStay() throws {
    var file = try HEIFFile(parsing: ByteSource(Self.file()))
    file.removeItem(1)
    file.addItem("av01", data: .file([0xEE]))
    #expect(try Self.targets(file.serialized()) == [11, 1, 5, 12, 9])
  }

  /// libavif lets image and track share Exif: removing it must remove it from both.
  @Test func sharedMetadataIsGone() throws {
    var file = try HEIFFile(parsing: ByteSource(Self.file()))
    let origin = try #require(file.layout.origin)
    let shared = try #require(Self.file().firstRange(of: [11, 12]))
    let part = SourceBytes(origin, shared.lowerBound..<shared.upperBound)
    let exif = file.addItem("Exif", data: .file([part]))
    let both = try file.serialized()
    #expect(try Self.targets(both) == [11, 1, 5, 12, 9])

    var edited = try HEIFFile(parsing: ByteSource(both))
    #expect(try edited.data(of: exif) == [11, 12])
    edited.removeItem(exif)
    let written = try edited.serialized()
    #expect(!written.contains(sequence: [11, 12]))
    let movie = try #require(try boxes(written[...]).first { $0.type == "moov" })
    let types = try boxes(written[movie.content]).dropFirst().map { track in
      try boxes(written[track.content]).map(\.type)
    }
    #expect(types == [["tkhd", "free", "mdia"], ["tkhd", "free", "mdia"]])
    #expect(try HEIFFile(parsing: ByteSource(written)).data(of: 1) == RawFile().payload)
  }

  @Test func nesting() throws {
    var inner = box("trak", [])
    for _ in 0..<100 { inner = box("meta", hex("00000000"), inner) }
    let bytes = RawFile.fileType + box("moov", inner)
    #expect {
      try HEIFFile(parsing: ByteSource(bytes))
    } throws: {
      ($0 as? ImageError)?.category == .limitExceeded
    }
  }

  @Test func fragments() throws {
    let file = try HEIFFile(parsing: ByteSource(RawFile().bytes + box("moof", [])))
    #expect { try file.serialized() } throws: { ($0 as? ImageError)?.category == .unsupported }
  }
}
