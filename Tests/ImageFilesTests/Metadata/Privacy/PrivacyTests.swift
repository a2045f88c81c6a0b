// SPDX-License-Identifier: Apache-2.0
import GainMap
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Removal of private data") struct PrivacyTests {
  private func edited(
    _ bytes: [UInt8], _ change: (inout MetadataEdit) -> Void
  ) throws -> EditedFile {
    var edit = MetadataEdit()
    change(&edit)
    return try ImageFile(parsing: ByteSource(bytes)).edited(by: edit)
  }

  /// Whether the marker is in bytes, also as hexadecimal digits and in text chunks of PNG.
  private func isMarked(_ bytes: [UInt8]) -> Bool {
    let digits = PrivateCarrier.text.map { String($0, radix: 16) }.joined()
    if LocationFixtures.contains(bytes, PrivateCarrier.text) { return true }
    if LocationFixtures.contains(bytes, Array(digits.utf8)) { return true }
    guard let file = try? PNGFile(parsing: ByteSource(bytes)) else { return false }
    return file.chunks.contains { chunk in
      guard case .bytes(let data) = chunk.content else { return false }
      return (0..<min(data.count, 100)).contains { start in
        (try? Zlib.inflate(Array(data[start...]), limit: 1 << 20))
          .map { LocationFixtures.contains($0, PrivateCarrier.text) } ?? false
      }
    }
  }

  @Test func carriersAreMarked() throws {
    let all = try PrivateCarrier.all()
    #expect(all.count >= 40)
    for carrier in all where carrier.name != "raw Exif text" {
      #expect(isMarked(carrier.bytes), "\(carrier)")
    }
  }

  @Test(arguments: try PrivateCarrier.all()) func everythingIsRemoved(carrier: PrivateCarrier)
    throws
  {
    let edited = try edited(carrier.bytes) { $0.dropsPersonalData = true }
    let bytes = try edited.bytes.allBytes()
    #expect(!isMarked(bytes))
    #expect(!edited.after.hasLocation)
    let both = try self.edited(carrier.bytes) {
      ($0.dropsPersonalData, $0.dropsLocation) = (true, true)
    }
    #expect(try both.bytes.allBytes() == bytes)
    // A second removal finds nothing.
    #expect(try self.edited(bytes) { $0.dropsPersonalData = true }.bytes.allBytes() == bytes)
  }

  /// Structural properties keep their order, so that removing again changes nothing.
  @Test func orderOfStructuralProperties() throws {
    let xmp = JPEGFixtures.xmp(
      """
      <rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" rdf:about="" \
      hdrgm:Version="1.0" hdrgm:GainMapMin="0" hdrgm:GainMapMax="2" hdrgm:Gamma="1"/>
      """)
    let once = try #require(try PrivateBlock.structure(ofXMP: xmp))
    #expect(try PrivateBlock.structure(ofXMP: once) == once)
    let names = try XMPPacket(parsing: once).properties.map(\.name.local)
    #expect(names == ["Version", "GainMapMin", "GainMapMax", "Gamma"])
  }

  @Test(arguments: try PrivateCarrier.all()) func locationsAreRemoved(carrier: PrivateCarrier)
    throws
  {
    let edited = try edited(carrier.bytes) { $0.dropsLocation = true }
    let bytes = try edited.bytes.allBytes()
    #expect(isMarked(bytes) == [.reported, .kept].contains(carrier.effect))
    let codes = edited.notices.map(\.code)
    #expect(
      codes.contains(.locationPartsNotRead)
        == [.reported, .goneFromReported].contains(carrier.effect))
    #expect(!edited.after.hasLocation)
  }

  /// An image that cannot be parsed is removed unless it is needed.
  @Test func imagesThatCannotBeParsed() throws {
    var file = try HEIFFileMetadataEditTests.file()
    file.removeItems([7, 8])
    let position = Array("+48.8577+002.2950/".utf8)
    for id: UInt32 in [2, 6] {
      var broken = file
      broken.updateItem(id) { $0.data = .file([0xFF] + position) }
      let bytes = try broken.serialized()
      for change in [{ $0.dropsLocation = true }, { $0.dropsPersonalData = true }]
        as [@Sendable (inout MetadataEdit) -> Void]
      {
        if id == 2 {
          let error = #expect(throws: ImageError.self) { try edited(bytes, change) }
          #expect(error?.description.contains("item 2") == true)
        } else {
          let written = try edited(bytes, change).bytes.allBytes()
          #expect(try HEIFFile(parsing: ByteSource(written)).items.map(\.id) == [1, 2, 3, 4, 5])
        }
      }
    }
  }

  /// Content with a position and its size without bytes after the fields; the sizes are those of the
  /// syntax in ISO/IEC 23008-12.
  @Test(
    arguments: [
      ("rloc", "00000000", 12), ("cmin", "00000000", 16), ("cmin", "00000001", 24),
      ("cmex", "0000003F", 32), ("cmex", "0000000F", 22), ("cmex", "01000008", 16),
      ("iscl", "00000000", nil), ("mskC", "00000000", nil),
    ] as [(FourCC, String, Int?)])
  func sizesOfProperties(type: FourCC, header: String, size: Int?) throws {
    var heif = try HEIFFileMetadataEditTests.file()
    let content = hex(header) + [UInt8](repeating: 0, count: 60)
    heif.updateItem(6) {
      $0.properties.append(ItemProperty(.unknown(type, userType: nil, content: content)))
    }
    let bytes = try edited(heif.serialized()) { $0.dropsPersonalData = true }.bytes.allBytes()
    let written = try HEIFFile(parsing: ByteSource(bytes)).item(6)?.properties ?? []
    #expect(written.first { $0.type == type }?.contentBytes.count == size)
  }

  /// A position in the fields of a property that readers need, but not to show the image.
  @Test func positionOfTheCamera() throws {
    var heif = try HEIFFileMetadataEditTests.file()
    let content = [0, 0, 0, 0x3F] + Array("+48.8577+002.2950/          ".utf8)
    heif.updateItem(6) {
      $0.properties.append(ItemProperty(.unknown("cmex", userType: nil, content: content)))
    }
    let written = try edited(heif.serialized()) { $0.dropsLocation = true }
    #expect(written.notices.contains { $0.code == .locationPartsDropped })
    let file = try HEIFFile(parsing: ByteSource(written.bytes.allBytes()))
    #expect(file.item(6)?.properties.contains { $0.type == "cmex" } == false)
  }

  /// Data that are parts of the data of another item cannot be edited, so that the command ends.
  @Test func userDataInAnotherItem() throws {
    var heif = try HEIFFileMetadataEditTests.file()
    heif.removeItems([7, 8])
    let part = ItemLocationBox.Extent(index: 1, offset: 0, length: 0)
    let image = heif.addItem("av01", data: .items([part]))
    // A frame and padding.
    let source = heif.addItem("av01", data: .file([0x32, 1, 0x80, 0x7A, 1, 0x80]))
    heif.addReference("iloc", from: image, to: [source])
    let bytes = try heif.serialized()
    let error = #expect(throws: ImageError.self) {
      try edited(bytes) { $0.dropsPersonalData = true }
    }
    #expect(error?.code.english == "metadata stored in other items or files")
  }

  /// An image that others need is not shown without a property that it requires.
  @Test func essentialPropertyOfTheImage() throws {
    var heif = try HEIFFileMetadataEditTests.file()
    heif.removeItems([7, 8])
    heif.updateItem(2) {
      $0.properties.append(
        ItemProperty(.unknown("abcd", userType: nil, content: [1]), isEssential: true))
    }
    let bytes = try heif.serialized()
    let error = #expect(throws: ImageError.self) {
      try edited(bytes) { $0.dropsPersonalData = true }
    }
    #expect(error?.description.contains("abcd") == true)
    let kept = try edited(bytes) { $0.dropsLocation = true }
    #expect(kept.notices.contains { $0.code == .locationPartsNotRead })
  }

  /// The samples of images stay where they are, the rest becomes zeros.
  @Test func samplesOfASequenceHold() throws {
    let carrier = try #require(
      try PrivateCarrier.all().first { $0.name == "unused media data of a sequence" })
    let bytes = try edited(carrier.bytes) { $0.dropsPersonalData = true }.bytes.allBytes()
    #expect(bytes.suffix(11) == [7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  }

  /// Samples that only fragments locate are not unused.
  @Test func samplesOfFragments() throws {
    let carrier = try #require(
      try PrivateCarrier.all().first { $0.name == "unused position of a sequence" })
    for (rest, count) in [([], 1), (PrivateCarrier.box("moof", []), 0)] {
      let file = try HEIFFile(parsing: ByteSource(carrier.bytes + rest))
      var movie = try #require(file.layout.movie)
      let media = try #require(try file.removeMetadata(of: &movie, .all).media)
      #expect(media.replacements.count == count)
    }
  }

  /// Metadata that cannot be told from images and sound are not kept with them.
  @Test func videoWithMetadataThatAreNotLocated() throws {
    let carrier = try #require(
      try PrivateCarrier.all().first { $0.name == "metadata track without tables" })
    let edited = try edited(carrier.bytes) { $0.dropsPersonalData = true }
    #expect(try !edited.file.containsVideo)
    #expect(edited.notices.map(\.code) == [.locationPartsDropped])
    let file = try ImageFile(parsing: ByteSource(carrier.bytes))
    #expect(throws: ImageError.self) { try file.video(removing: .all) }
    #expect(try file.video(removing: .location)?.unread.isEmpty == false)
  }

  /// Text of more than 64 MiB is dropped, and is not held in memory.
  @Test func textThatInflatesWithoutEnd() throws {
    var file = try PNGFile(parsing: ByteSource(PNGFileTests.pixel()))
    let zeros = try Zlib.deflate([UInt8](repeating: 0x41, count: PNGText.inflationLimit + 1))
    for keyword in ["Comment", "Raw profile type exif"] {
      let data = Array(keyword.utf8) + [0, 0] + zeros
      file.chunks.insert(PNGChunk(.compressedText, data), at: 1)
    }
    let bytes = try file.serialized().allBytes()
    for change in [{ $0.dropsLocation = true }, { $0.dropsPersonalData = true }]
      as [@Sendable (inout MetadataEdit) -> Void]
    {
      let written = try edited(bytes, change).bytes
      #expect(
        try PNGFile(parsing: ByteSource(written.allBytes())).chunks.count == file.chunks.count - 2)
    }
  }

  /// Samsung's data outside of the blocks are searched in parts, which are not joined in memory.
  @Test(arguments: [[], PrivateCarrier.sign]) func longDataOfSamsung(end: [UInt8]) throws {
    let rest = [UInt8](repeating: 7, count: 8 << 20) + end
    let samsung = PrivateCarrier.samsung("MotionPhoto_Version", [1], rest: rest)
    var file = try JPEGFixtures.parse(JPEGFixtures.image() + samsung)
    #expect(file.trailers.map(\.content) == [.samsung])
    let execution = Execution(budget: Execution.Budget(memory: 2 << 20))
    let notices = try execution.perform { try file.removeLocation() }
    #expect(notices.map(\.code) == [end.isEmpty ? .locationPartsNotRead : .locationPartsDropped])
    #expect(file.trailers[0].count == (end.isEmpty ? samsung.count : samsung.count - rest.count))
  }

  @Test func offsetsOfAVideoHold() throws {
    let video = PrivateCarrier.video(PrivateCarrier.xyz)
    let image = JPEGFixtures.gainMapFile()
    for change in [{ $0.dropsLocation = true }, { $0.dropsPersonalData = true }]
      as [@Sendable (inout MetadataEdit) -> Void]
    {
      let edited = try edited(image + video, change)
      let bytes = try edited.bytes.allBytes()
      #expect(
        bytes.count - (try JPEGFixtures.parse(bytes).trailers[0].range.lowerBound) == video.count)
      #expect(LocationFixtures.contains(bytes, Array("the samples".utf8)))
      #expect(try edited.file.containsVideo)
    }
  }

  @Test func videoIsDropped() throws {
    let announced = JPEGFixtures.image(
      JPEGFixtures.segment(
        .xmp,
        PrivateCarrier.xmp("MotionPhoto", of: "http://ns.google.com/photos/1.0/camera/", "1")))
    let video = PrivateCarrier.video([])
    for file in [
      announced + video, announced + PrivateCarrier.samsung("MotionPhoto_Data", video),
      try HEIFFileMetadataEditTests.file().serialized() + PrivateCarrier.box("mpvd", video),
      try HEIFFileMetadataEditTests.file().serialized()
        + PrivateCarrier.box("sefd", PrivateCarrier.samsung("MotionPhoto_Data", video)),
      try PNGFileTests.pixel() + video,
    ] {
      let whole = try ImageFile(parsing: ByteSource(file))
      #expect(try whole.containsVideo && whole.videoByteCount == video.count)
      let edited = try edited(file) { $0.dropsVideo = true }
      let bytes = try edited.bytes.allBytes()
      #expect(
        try !edited.file.containsVideo && !LocationFixtures.contains(bytes, Array("moov".utf8)))
      #expect(!LocationFixtures.contains(bytes, Array("MotionPhoto".utf8)))
    }
  }

  /// The headroom of the numbers 1 and 0 is 3 stops (Apple, "Applying Apple HDR effect to your photos").
  @Test func appleHeadroomOfTheMakerNote() throws {
    var exif = ExifBlock.minimal(orientation: .rotated90)
    try AppleMakerNote(hdrHeadroom: 1, hdrGain: 0).write(into: &exif)
    let map = JPEGFixtures.xmp(
      """
      <rdf:Description xmlns:h="http://ns.apple.com/HDRGainMap/1.0/" \
      xmlns:a="http://ns.apple.com/pixeldatainfo/1.0/" h:HDRGainMapVersion="65536" \
      a:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap"/>
      """)
    let bytes =
      JPEGFixtures.image(JPEGFixtures.segment(.exif, exif))
      + JPEGFixtures.image(JPEGFixtures.segment(.xmp, map))
    var heif = try HEIFFileMetadataEditTests.file()
    heif.removeItems([5, 7, 8])
    heif.addExif(exif, describing: [1])
    heif.updateItem(4) {
      $0.properties.append(
        ItemProperty(
          .auxiliaryType(AuxiliaryTypeBox(GainMapAuxiliary.apple.auxiliaryType))))
    }
    heif.addReference("auxl", from: 4, to: [1])
    let changes: [(inout MetadataEdit) -> Void] = [
      { $0.dropsPersonalData = true }, { $0.exif = .drop },
      { $0.exif = .set(ExifBlock.minimal(orientation: .upright)) },
      { $0.dropsLocation = true }, { ($0.exif, $0.xmp) = (.drop, .drop) },
    ]
    for file in [bytes, try heif.serialized()] {
      for change in changes {
        let edited = try edited(file, change)
        let found = try edited.file.gainMaps().applicable?.metadata
        #expect(found?.alternateHeadroom.value == 3)
      }
    }
  }
}
