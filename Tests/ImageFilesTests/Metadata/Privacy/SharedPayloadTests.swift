// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

/// Many elements that share one payload: it is read once, and all work is debited.
@Suite("Shared payloads") struct SharedPayloadTests {
  /// XMP with a place and 200 other properties, which are debited one by one.
  private static let packet = JPEGFixtures.xmp(
    """
    <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
    exif:GPSLatitude="48,15.1234567N">\((0..<200).map { "<exif:p\($0)>1</exif:p\($0)>" }.joined())\
    </rdf:Description>
    """)

  /// Payloads with a location that entries of TIFF contain.
  static let values: [(tag: TIFFTag, bytes: [UInt8])] = [
    (.xmp, packet),
    (.xmp, Array(repeatElement("<rdf:RDF GPSLatitude ", count: 400).joined().utf8)),
    (.iptc, Array(repeatElement([0x1C, 2, 90, 0, 1, 0x41] as [UInt8], count: 1000).joined())),
    (
      .photoshop,
      Array(repeatElement(hex("3842494D 0404 0000 00000006 1C025A000141"), count: 8).joined())
    ),
    (
      .makerNote,
      Array("Panasonic\0\0\0".utf8) + hex("0001 006D 0007 00000004 41414141 00000000")
    ),
  ]

  /// Exif whose entries share one value.
  private static func exif(_ value: (tag: TIFFTag, bytes: [UInt8]), count: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(hex("4D4D002A 00000008"))
    writer.writeBigEndian(UInt16(count))
    for _ in 0..<count {
      writer.writeBigEndian(value.tag.rawValue)
      writer.writeBigEndian(TIFFEntry.ValueType.undefined.rawValue)
      writer.writeBigEndian(UInt32(value.bytes.count))
      writer.writeBigEndian(UInt32(14 + 12 * count))
    }
    writer.writeBigEndian(0 as UInt32)
    return writer.bytes + value.bytes
  }

  private func steps(_ body: () throws -> Void) rethrows -> Int {
    let execution = Execution(budget: Execution.Budget())
    try execution.perform(body)
    return execution.budget.spentSteps
  }

  @Test(arguments: values.indices) func entriesOfExif(index: Int) throws {
    let value = Self.values[index]
    func work(_ count: Int) throws -> Int {
      try steps {
        var block = try ExifBlock(parsing: Self.exif(value, count: count))
        #expect(try block.hasLocation)
        #expect(try block.removeLocation())
        #expect(try !block.hasLocation)
      }
    }
    // Each entry is parsed some times; the value of all is parsed as often as that of one.
    #expect(try work(1001) - work(1) <= 1000 * 32)
  }

  @Test(arguments: values.indices) func budgetErrorsPass(index: Int) throws {
    let bytes = Self.exif(Self.values[index], count: 1)
    let needed = try steps { _ = try ExifBlock(parsing: bytes) }
    let block = try ExifBlock(parsing: bytes)
    for (budget, code) in [
      (Execution.Budget(steps: 0), "budget/work-exceeded"),
      (Execution.Budget(timeLimit: .zero), "budget/time-exceeded"),
    ] {
      let error = #expect(throws: ImageError.self) {
        try Execution(budget: budget).perform { try block.hasLocation }
      }
      #expect(error?.code.id == code && needed > 0)
    }
    var file = PNGFile(header: PNGHeader(width: 1, height: 1, bitDepth: 8, colorType: .gray))
    file.setExif(bytes)
    let error = #expect(throws: ImageError.self) {
      try Execution(budget: Execution.Budget(timeLimit: .zero)).perform {
        try ImageFile(.png(file)).metadataSummary()
      }
    }
    #expect(error?.code.id == "budget/time-exceeded")
  }

  /// An output contains a payload once, as the input does.
  @Test(arguments: ["Exif", "XMP"], [MetadataEdit.Change<Orientation>.keep, .set(.rotated90)])
  func itemsOfHEIF(kind: String, orientation: MetadataEdit.Change<Orientation>) throws {
    var file = HEIFFile(fileType: FileTypeBox(majorBrand: "mif1", compatibleBrands: ["mif1"]))
    let size = ItemProperty.Box.imageSpatialExtents(.init(width: 64, height: 64))
    let primary = file.addItem("hvc1", properties: [size], data: .file([0]))
    file.primaryItemID = primary
    let padding = [UInt8](repeating: 0x20, count: 20_000)
    let payload = SourceBytes(
      kind == "Exif"
        ? ExifBlock.dataBlock(LocationFixtures.exif) + padding : LocationFixtures.xmp + padding)
    for _ in 0..<50 {
      let id =
        kind == "Exif"
        ? file.addItem("Exif", isHidden: true, data: .file([payload]))
        : file.addItem(
          "mime", isHidden: true, contentType: HEIFFile.xmpContentType, data: .file([payload]))
      file.addReference("cdsc", from: id, to: [primary])
    }
    let bytes = try file.serialized()
    var edit = MetadataEdit()
    edit.orientation = orientation
    edit.dropsLocation = orientation == .keep
    var output: [UInt8] = []
    let work = try steps {
      output = try ImageFile(parsing: ByteSource(bytes)).edited(by: edit).bytes.allBytes()
    }
    #expect(output.count < bytes.count + 25_000 && output != bytes)
    #expect(edit.dropsLocation != LocationFixtures.isShown(in: output))
    let one = try steps { _ = try ImageFile(parsing: ByteSource(bytes)).metadataSummary() }
    #expect(work < one + 50 * 500)
  }

  /// The same bytes in two extents are one payload, wherever the extents meet.
  @Test func splitExtents() throws {
    var file = HEIFFile(fileType: FileTypeBox(majorBrand: "mif1", compatibleBrands: ["mif1"]))
    let payload = SourceBytes(JPEGFixtures.gainMapFile())
    for place in [0, 1, 2, payload.count] {
      file.addItem(
        "jpeg",
        data: .file([payload.slice(0..<place), payload.slice(place..<payload.count)]))
    }
    var results = PayloadResults<Int>()
    var count = 0
    for item in file.items {
      _ = try results.result(of: item.id, in: file) { () throws(ImageError) in
        count += 1
        return count
      }
    }
    #expect(count == 1)
    let payloads = try file.codedPayloads()
    #expect(payloads.count == 4 && Set(payloads.map(\.parts.identities)).count == 1)
    // Other parts in another order are other data.
    #expect([payload.slice(2..<4), payload.slice(0..<2)].identities.count == 2)
  }

  /// An exceeded limit is not taken for an image that cannot be parsed.
  @Test func budgetErrorsOfJPEGItems() throws {
    var file = HEIFFile(fileType: FileTypeBox(majorBrand: "mif1", compatibleBrands: ["mif1"]))
    file.addItem("jpeg", data: .file([SourceBytes(JPEGFixtures.gainMapFile())]))
    for read in [{ try file.codedPayloads() }, { try file.wholePayloads() }]
      as [() throws -> [CodedPayload]]
    {
      let error = #expect(throws: ImageError.self) {
        try Execution(budget: Execution.Budget(memory: 100)).perform(read)
      }
      #expect(error?.code.id == "budget/memory-exceeded")
    }
  }

  /// Segments with the same number are one box, which is removed as a whole.
  @Test func segmentsOfJUMBF() throws {
    let unreadable = Array("JP".utf8) + hex("0001 00000001 00000064") + Array("jumbII*\0".utf8)
    let readable =
      Array("JP".utf8) + hex("0002 00000001 00000010") + Array("jumb".utf8) + hex("00000008")
      + Array("free".utf8)
    let segments = [unreadable, unreadable, readable].flatMap { payload -> [UInt8] in
      [0xFF, 0xEB, 0, UInt8(payload.count + 2)] + payload
    }
    let plain = JPEGFixtures.gainMapFile()
    var edit = MetadataEdit()
    edit.dropsLocation = true
    let edited = try ImageFile(
      parsing: ByteSource(Array(plain[..<2]) + segments + plain[2...])
    ).edited(by: edit)
    let output = try edited.bytes.allBytes()
    #expect(!LocationFixtures.contains(output, unreadable))
    #expect(LocationFixtures.contains(output, readable))
  }

  #if JPEGXL
  @Test func compressedBoxes() throws {
    let file = try JPEGXLFileTests.parse(
      JPEGXLFileTests.box("brob", Array("xml ".utf8) + BrotliTests.packet),
      JPEGXLFileTests.box("jxlc", JPEGXLFileTests.codestream))
    let execution = Execution(budget: Execution.Budget())
    try execution.perform {
      let box = try #require(file.boxes("xml ").first)
      let content = try file.content(of: box)
      let (memory, steps) = (execution.budget.usedMemory, execution.budget.spentSteps)
      #expect(try file.content(of: box) == content && memory > 0)
      #expect(execution.budget.usedMemory == memory && execution.budget.spentSteps == steps)
    }
    let damaged = try JPEGXLFileTests.parse(
      JPEGXLFileTests.box("brob", Array("xml ".utf8) + BrotliTests.packet.dropLast(4)),
      JPEGXLFileTests.box("jxlc", JPEGXLFileTests.codestream))
    try execution.perform {
      let box = try #require(damaged.boxes("xml ").first)
      #expect(throws: ImageError.self) { try damaged.content(of: box) }
      let (memory, steps) = (execution.budget.usedMemory, execution.budget.spentSteps)
      #expect(throws: ImageError.self) { try damaged.content(of: box) }
      #expect(execution.budget.usedMemory == memory && execution.budget.spentSteps == steps)
    }
    let bombs = try JPEGXLFileTests.parse(
      JPEGXLFileTests.box("brob", Array("xml ".utf8) + BrotliTests.bomb),
      JPEGXLFileTests.box("jxlc", JPEGXLFileTests.codestream))
    let small = Execution(budget: Execution.Budget(memory: 1 << 20))
    for drops in [{ $0.dropsPersonalData = true }, { $0.orientation = .set(.rotated90) }]
      as [(inout MetadataEdit) -> Void]
    {
      var edit = MetadataEdit()
      drops(&edit)
      let error = #expect(throws: ImageError.self) {
        try small.perform {
          var file = bombs
          _ = try file.apply(edit)
          _ = try ImageFile(.jpegXL(file)).metadataSummary()
        }
      }
      #expect(error?.code.id == "budget/memory-exceeded")
    }
  }
  #endif
}
