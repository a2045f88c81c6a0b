// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Serialization of new HEIF files") struct HEIFWriterTests {
  static let configuration = AV1ConfigurationBox(
    profile: 0, level: 8, isHighTier: false, isHighBitDepth: true, isTwelveBit: false,
    isMonochrome: false, isSubsampledHorizontally: true, isSubsampledVertically: true,
    chromaSamplePosition: 0)
  static let size = ImageSpatialExtentsBox(width: 64, height: 48)

  /// A file with a 2x1 grid, Exif, XMP and an `altr` group.
  static func sample() -> HEIFFile {
    var file = HEIFFile(fileType: .avif(configuration, hasGainMap: true))
    let grid = ImageGrid(rows: 1, columns: 2, width: 128, height: 48)
    let primary = file.addItem(
      "grid", name: "Color",
      properties: [
        .imageRotation(.init(quarterTurns: 1)),
        .colorInformation(.nclx(CICP(primaries: .bt2020, transfer: .pq, matrix: .identity))),
        .imageSpatialExtents(.init(width: 128, height: 48)),
      ],
      data: .itemDataBox(grid.bytes))
    var tiles: [UInt32] = []
    for index in 0..<2 {
      tiles.append(
        file.addItem(
          "av01", isHidden: true,
          properties: [.imageSpatialExtents(size), .av1Configuration(configuration)],
          data: .file([UInt8](repeating: UInt8(0x10 + index), count: 100 + index))))
    }
    file.addReference("dimg", from: primary, to: tiles)
    file.addExif(hex("4D4D002A00000008"), describing: [primary])
    file.addXMP(Array("<x/>".utf8), describing: [primary])
    file.addGroup("altr", of: [primary, tiles[0]])
    file.primaryItemID = primary
    return file
  }

  @Test func readsBack() throws {
    let file = Self.sample()
    let bytes = try file.serialized()
    let again = try HEIFFile(parsing: ByteSource(bytes))
    #expect(again == file)
    #expect(again.notices.isEmpty)
    #expect(try again.serialized() == bytes)
    #expect(try again.primaryItem.name == "Color")
    #expect(again.references(from: 1, type: "dimg") == [2, 3])
    #expect(again.references(to: 1, type: "cdsc") == [4, 5])
    #expect(try again.exif(ofItem: 4) == hex("4D4D002A00000008"))
    #expect(again.xmpItems(describing: 1).map(\.id) == [5])
    #expect(again.groups[0].id == 6 && again.groups[0].entities == [1, 2])
  }

  @Test func boxOrder() throws {
    let bytes = try Self.sample().serialized()
    let top = try boxes(bytes[...])
    #expect(top.map(\.type) == ["ftyp", "meta", "mdat"])
    let meta = try boxes(bytes[top[1].content.dropFirst(4)])
    #expect(
      meta.map(\.type) == ["hdlr", "pitm", "iloc", "iinf", "iref", "iprp", "idat", "grpl"])
    // Tiles share their properties, and each property is stored once.
    let properties = try boxes(bytes[meta[5].content])
    let container = try boxes(bytes[properties[0].content])
    #expect(container.map(\.type) == ["ispe", "colr", "irot", "av1C", "ispe"])
    #expect(top[2].content.count == 100 + 101 + 4 + 8 + 4)
  }

  /// Data in `idat` may be large, and are copied only when the file is written.
  @Test func keepsItemData() throws {
    let bytes = try Self.sample().serialized()
    let top = try boxes(bytes[...])
    let meta = try boxes(bytes[top[1].content.dropFirst(4)])
    let data = try #require(meta.first { $0.type == "idat" }?.content)
    let file = try HEIFFile(parsing: ByteSource(bytes))
    #expect(try file.spliced().pieces.contains(.kept(data)))
  }

  /// The video of a motion photo remains the last box after edits.
  @Test func videosStayAtTheEnd() throws {
    let video = box("ftyp", hex("6D703432 00000000")) + box("mdat", [1, 2, 3]) + box("moov", [])
    let bytes = try Self.sample().serialized() + box("mpvd", video)
    var file = try HEIFFile(parsing: ByteSource(bytes))
    #expect(try ImageFile(.heif(file)).containsVideo)
    #expect(try ImageFile(.heif(file)).attachments == ["video"])
    #expect(try file.serialized() == bytes)
    file.addXMP([UInt8](repeating: 0x20, count: 3000), describing: [1])
    let edited = try file.serialized()
    #expect(try boxes(edited[...]).map(\.type) == ["ftyp", "meta", "mdat", "mdat", "mpvd"])
    #expect(Array(edited.suffix(video.count)) == video)
    let again = try HEIFFile(parsing: ByteSource(edited))
    #expect(again == file)
    for item in again.items { #expect(try again.data(of: item.id) == file.data(of: item.id)) }
  }

  /// The video may also be a separate file after the image's file, with offsets relative to itself.
  @Test func filesBehind() throws {
    let offsets = box("stco", hex("00000000 00000001 00000018"))
    let movie = box("moov", box("trak", box("mdia", box("minf", box("stbl", offsets)))))
    let video = box("ftyp", hex("6D703432 00000000")) + box("mdat", [1, 2, 3]) + movie
    let bytes = try Self.sample().serialized() + video
    var file = try HEIFFile(parsing: ByteSource(bytes))
    #expect(try ImageFile(.heif(file)).containsVideo)
    #expect(try ImageFile(.heif(file)).attachments == ["video"])
    file.addXMP([UInt8](repeating: 0x20, count: 3000), describing: [1])
    let edited = try file.serialized()
    #expect(Array(edited.suffix(video.count)) == video)
    #expect(try HEIFFile(parsing: ByteSource(edited)) == file)
  }

  @Test func recommendedOrderAndEssentialFlags() throws {
    let again = try HEIFFile(parsing: ByteSource(Self.sample().serialized()))
    #expect(again.properties(of: 1).map(\.type) == ["ispe", "colr", "irot"])
    #expect(again.properties(of: 1).map(\.isEssential) == [false, false, true])
    #expect(again.properties(of: 2).map(\.type) == ["av1C", "ispe"])
  }

  @Test func manyProperties() throws {
    var file = HEIFFile(fileType: .avif(Self.configuration))
    for index in 0..<200 {
      file.addItem(
        "av01", properties: [.imageSpatialExtents(.init(width: UInt32(index), height: 1))],
        data: .file([UInt8(index)]))
    }
    let again = try HEIFFile(parsing: ByteSource(file.serialized()))
    #expect(again == file)
    #expect(again.item(200)?.property(ImageSpatialExtentsBox.self)?.width == 199)
  }

  @Test func wideIdentifiers() throws {
    var file = Self.sample()
    file.items[4].id = 100_000
    file.references = file.references.map { reference in
      var reference = reference
      if reference.from == 5 { reference.from = 100_000 }
      return reference
    }
    let again = try HEIFFile(parsing: ByteSource(file.serialized()))
    #expect(again == file)
    #expect(again.unusedID == 100_001)
    file.items[4].id = .max
    #expect(file.unusedID == 5)
  }

  /// Offsets beyond 4 GiB require 64 bits, including those of extents that cannot be resolved.
  @Test func wideOffsets() throws {
    var file = Self.sample()
    let cut = file.addItem("av01", data: .items([.init(offset: 1 << 33, length: 1 << 34)]))
    file.addReference("iloc", from: cut, to: [1])
    let again = try HEIFFile(parsing: ByteSource(file.serialized()))
    #expect(again == file)
    #expect(throws: ImageError.self) { try again.data(of: cut) }
  }

  @Test func itemsCutFromOthers() throws {
    var file = Self.sample()
    let cut = file.addItem(
      "av01",
      data: .items([.init(index: 2, offset: 1, length: 2), .init(index: 1, offset: 0, length: 0)]))
    file.addReference("iloc", from: cut, to: [1, 4])
    let again = try HEIFFile(parsing: ByteSource(file.serialized()))
    #expect(again == file)
    #expect(try again.data(of: cut) == hex("0000") + again.data(of: 1))
  }

  @Test func dataInCircles() throws {
    var file = Self.sample()
    let first = file.addItem("av01", data: .items([.init(offset: 0, length: 0)]))
    let second = file.addItem("av01", data: .items([.init(offset: 0, length: 0)]))
    file.addReference("iloc", from: first, to: [second])
    file.addReference("iloc", from: second, to: [first])
    let again = try HEIFFile(parsing: ByteSource(file.serialized()))
    #expect { try again.data(of: first) } throws: { ($0 as? ImageError)?.category == .malformed }
  }

  @Test func whatCannotBeWritten() throws {
    var twice = Self.sample()
    twice.items[1].id = 1
    #expect(throws: ImageError.self) { try twice.serialized() }
    var many = Self.sample()
    many.items[0].properties = (0..<256).map {
      ItemProperty(.metadata(ContentLightLevelBox(maximum: $0, maximumAverage: 0)))
    }
    #expect(throws: ImageError.self) { try many.serialized() }
  }
}

@Suite("Rewriting of HEIF files") struct HEIFRewritingTests {
  func edited(
    _ bytes: [UInt8], _ edit: (inout HEIFFile) -> Void = { _ in }
  ) throws -> (file: HEIFFile, bytes: [UInt8]) {
    var file = try HEIFFile(parsing: ByteSource(bytes))
    edit(&file)
    let written = try file.serialized()
    let again = try HEIFFile(parsing: ByteSource(written))
    #expect(again == file)
    return (again, written)
  }

  @Test func unchanged() throws {
    let raw = RawFile().bytes
    #expect(try edited(raw).bytes == raw)
  }

  /// Layouts of other writers: media data first, 64-bit sizes, a size of 0, additional boxes, and
  /// bytes after the last box.
  @Test func layouts() throws {
    let raw = RawFile()
    let free = box("free", [1, 2, 3])
    let start = RawFile.fileType.count
    let meta = raw.meta(dataOffset: 0).count
    let large = hex("00000001 6D646174 00000000 00000018") + raw.payload
    let open = hex("00000000 6D646174") + raw.payload
    let layouts: [[UInt8]] = [
      RawFile.fileType + box("mdat", raw.payload) + raw.meta(dataOffset: start + 8),
      RawFile.fileType + raw.meta(dataOffset: start + meta + 16) + large,
      RawFile.fileType + raw.meta(dataOffset: start + meta + 8) + open,
      RawFile.fileType + free + raw.meta(dataOffset: start + 2 * free.count + meta + 8) + free
        + box("mdat", raw.payload) + box("abcd", [9]),
      RawFile.fileType + raw.meta(dataOffset: start + meta + 8) + box("mdat", raw.payload)
        + hex("00FF00FF00FF"),
    ]
    for layout in layouts {
      let (file, bytes) = try edited(layout) { file in
        file.fileType.compatibleBrands.append("tmap")
        file.updateItem(1) { item in
          item.setLightMetadata(LightMetadata(diffuseWhite: 203))
        }
      }
      #expect(try file.data(of: 1) == raw.payload)
      #expect(bytes.count == layout.count + 4 + 16 + 1)
      #expect(
        try boxes(layout[...].dropLast(file.layout.trailer?.count ?? 0)).map(\.type)
          == boxes(bytes[...].dropLast(file.layout.trailer?.count ?? 0)).map(\.type))
    }
  }

  @Test func unknownBoxesStay() throws {
    let uuid = box("uuid", Array(0...15), [0xAA])
    var raw = RawFile()
    raw.metaBoxes = uuid + box("wxyz", [7])
    let (file, bytes) = try edited(raw.bytes) { $0.addXMP([1, 2, 3], describing: [1]) }
    #expect(file.otherMetaBoxes.map(\.type) == ["uuid", "wxyz"])
    let top = try boxes(bytes[...])
    let meta = try boxes(bytes[top[1].content.dropFirst(4)])
    #expect(
      meta.map(\.type) == ["hdlr", "pitm", "iloc", "iinf", "iref", "iprp", "uuid", "wxyz"])
    #expect(bytes.contains(sequence: uuid))
  }

  /// Removed data do not occur in the file: images are published without their location.
  @Test func removedDataIsGone() throws {
    let secret = Array("48.2082 N 16.3738 E".utf8)
    var file = HEIFWriterTests.sample()
    file.addExif(secret, describing: [1])
    file.addItem("uri ", data: .itemDataBox(secret.reversed()))
    let bytes = try file.serialized()
    #expect(bytes.contains(sequence: secret) && bytes.contains(sequence: secret.reversed()))
    let (again, written) = try edited(bytes) { file in
      for item in file.items.suffix(2) { file.removeItem(item.id) }
    }
    #expect(again.items.count == 5)
    #expect(!written.contains(sequence: secret) && !written.contains(sequence: secret.reversed()))
    for item in again.items {
      #expect(try again.data(of: item.id) == file.data(of: item.id))
    }
  }

  @Test func replacedData() throws {
    let bytes = try HEIFWriterTests.sample().serialized()
    let (again, written) = try edited(bytes) { file in
      file.updateItem(2) { $0.data = .file([UInt8](repeating: 0x77, count: 500)) }
      file.updateItem(1) { $0.data = .itemDataBox([1, 2, 3]) }
    }
    #expect(try again.data(of: 2).count == 500 && again.data(of: 3).count == 101)
    #expect(try again.data(of: 1) == [1, 2, 3])
    #expect(try boxes(written[...]).map(\.type) == ["ftyp", "meta", "mdat", "mdat"])
    #expect(!written.contains(sequence: [UInt8](repeating: 0x10, count: 100)))
  }

  /// An item without data in `idat` does not need the box.
  @Test func itemWithoutData() throws {
    let (again, written) = try edited(try HEIFWriterTests.sample().serialized()) { file in
      file.updateItem(1) { $0.data = .itemDataBox([] as [SourceBytes]) }
    }
    #expect(try again.data(of: 1).isEmpty)
    #expect(!written.contains(sequence: Array("idat".utf8)))
  }

  /// Replaced again, the data do not leave an empty box behind.
  @Test func replacedDataTwice() throws {
    var file = try HEIFFile(parsing: ByteSource(HEIFWriterTests.sample().serialized()))
    for value in 0..<3 {
      file.updateItem(5) { $0.data = .file([UInt8(value)]) }
      file = try HEIFFile(parsing: ByteSource(file.serialized()))
    }
    #expect(try boxes(file.serialized()[...]).map(\.type) == ["ftyp", "meta", "mdat", "mdat"])
  }

  /// Bytes shared by two items are kept until neither item uses them.
  @Test func sharedData() throws {
    var file = HEIFWriterTests.sample()
    file.items[2].data = file.items[1].data
    let bytes = try file.serialized()
    let (again, _) = try edited(bytes) { $0.removeItem(2) }
    #expect(try again.data(of: 3) == [UInt8](repeating: 0x10, count: 100))
  }

  @Test func itemsFromAnotherFile() throws {
    let other = try HEIFFile(parsing: ByteSource(HEIFWriterTests.sample().serialized()))
    let (again, _) = try edited(RawFile().bytes) { file in
      var item = other.items[1]
      item.id = 9
      file.items.append(item)
    }
    #expect(try again.data(of: 9) == other.data(of: 2))
    #expect(try again.data(of: 1) == RawFile().payload)
  }

  @Test func externalData() throws {
    var raw = RawFile().bytes
    let iloc = try #require(raw.firstRange(of: Array("iloc".utf8))?.upperBound)
    raw[iloc + 11] = 1
    let (file, _) = try edited(raw)
    #expect { try file.data(of: 1) } throws: { ($0 as? ImageError)?.category == .unsupported }
    // A data reference to the file itself.
    var known = RawFile()
    known.metaBoxes = box(
      "dinf", box("dref", hex("00000000 00000001"), box("url ", hex("00000001"))))
    var bytes = known.bytes
    bytes[iloc + 11] = 1
    #expect(try HEIFFile(parsing: ByteSource(bytes)).data(of: 1) == known.payload)
  }
}

extension [UInt8] {
  func contains(sequence: [UInt8]) -> Bool { firstRange(of: sequence) != nil }
}
