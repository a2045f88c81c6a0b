// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

/// All parts of a broken gain map are removed; the baseline image is unchanged.
@Suite("Dropping broken gain maps") struct BrokenGainMapTests {
  private static let base = [UInt8](repeating: 0xB0, count: 50)

  // MARK: HEIF

  /// A baseline image (item 1), a hidden gain map (item 2) and a `tmap` (item 3) with these inputs.
  private func heif(_ inputs: [UInt32]) -> HEIFFile {
    var file = HEIFFile(
      fileType: FileTypeBox(majorBrand: "heic", compatibleBrands: ["mif1", "heic", "tmap"]))
    file.addItem("hvc1", data: .file(Self.base))
    file.addItem("hvc1", isHidden: true, data: .file([UInt8](repeating: 0x3A, count: 40)))
    file.addItem("tmap", data: .file([0] + GainMapInventoryTests.payload))
    file.primaryItemID = 1
    file.addReference("dimg", from: 3, to: inputs)
    file.addGroup("altr", of: [3, 1])
    return file
  }

  private func flattened(_ bytes: [UInt8]) throws -> (file: ImageFile, notices: [Notice]) {
    let result = try ImageFile(parsing: ByteSource(bytes)).droppingGainMaps()
    return (
      try ImageFile(parsing: ByteSource(try result.bytes.allBytes())), result.notices
    )
  }

  private func heif(_ file: ImageFile) throws -> HEIFFile {
    let heif: HEIFFile? = if case .heif(let file) = file.container { file } else { nil }
    return try #require(heif)
  }

  private func jpeg(_ file: ImageFile) throws -> JPEGFile {
    let jpeg: JPEGFile? = if case .jpeg(let file) = file.container { file } else { nil }
    return try #require(jpeg)
  }

  private func requireBaseAlone(_ file: ImageFile) throws {
    let file = try heif(file)
    #expect(file.items.map(\.id) == [1])
    #expect(try file.data(of: 1) == Self.base)
    #expect(file.references.isEmpty && file.groups.isEmpty && file.damage.isEmpty)
    #expect(!file.fileType.compatibleBrands.contains("tmap"))
  }

  @Test(
    arguments: [[], [1], [1, 3], [3, 2], [1, 99], [98, 99], [1, 1], [1, 2, 2]] as [[UInt32]])
  func toneMapsThatLeadNowhere(inputs: [UInt32]) throws {
    let (file, notices) = try flattened(try heif(inputs).serialized())
    try requireBaseAlone(file)
    #expect(notices.contains { $0.code.id == "gain-map/broken-tone-map-dropped" })
  }

  /// The data of `tmap` and gain map, stored last, may be truncated at any byte.
  @Test func cutMaps() throws {
    let bytes = try heif([1, 2]).serialized()
    let most = 40 + GainMapInventoryTests.payload.count + 1
    for missing in 1...most {
      let (file, notices) = try flattened(Array(bytes.dropLast(missing)))
      try requireBaseAlone(file)
      #expect(notices.contains { $0.parameters["missing"] == .integer(missing) })
    }
    #expect(throws: ImageError.self) { try flattened(Array(bytes.dropLast(most + 1))) }
  }

  /// Edits of other metadata drop a gain map whose data are missing, with a warning.
  @Test func editsOfCutMaps() throws {
    let bytes = try heif([1, 2]).serialized()
    var edit = MetadataEdit()
    edit.orientation = .set(.rotated180)
    let edited = try ImageFile(parsing: ByteSource(bytes.dropLast(3) + [])).edited(by: edit)
    let left = try heif(edited.file)
    #expect(left.items.map(\.id) == [1])
    #expect(edited.notices.contains { $0.severity == .warning })
    // A truncated baseline image is still an error.
    #expect(throws: ImageError.self) {
      try ImageFile(parsing: ByteSource(Array(bytes.dropLast(110)))).edited(by: edit)
    }
  }

  /// Tone maps of other images, and their inputs, are kept.
  @Test func otherToneMapsStay() throws {
    var file = heif([1])
    let other = file.addItem("hvc1", data: .file([1, 2, 3]))
    let map = file.addItem("hvc1", isHidden: true, data: .file([4, 5, 6]))
    let toneMap = file.addItem("tmap", data: .file([0] + GainMapInventoryTests.payload))
    file.addReference("dimg", from: toneMap, to: [other, map])
    let left = try heif(flattened(try file.serialized()).file)
    #expect(left.items.map(\.id) == [1, other, map, toneMap])
  }

  @Test func filesWithoutAMapAreRefused() throws {
    var file = HEIFFile(fileType: FileTypeBox(majorBrand: "heic", compatibleBrands: ["mif1"]))
    file.addItem("hvc1", data: .file(Self.base))
    file.primaryItemID = 1
    file.addGroup("altr", of: [1])
    let bytes = try file.serialized()
    #expect(throws: ImageError.self) { try flattened(bytes) }
    #expect(throws: ImageError.self) { try flattened(image([])) }
  }

  /// A gain map with unreadable properties cannot be described, but it can be removed.
  @Test func unreadableProperties() throws {
    var file = heif([1, 2])
    let error = ImageError(ErrorCode("test", .truncated, "needs 2 bytes, has 0"))
    file.updateItem(2) {
      $0.properties.append(ItemProperty(.unreadable("colr", content: [1], .init(error))))
    }
    let bytes = try file.serialized()
    #expect(throws: ImageError.self) {
      try ImageFile(parsing: ByteSource(bytes)).describingGainMap(in: [.iso])
    }
    try requireBaseAlone(try flattened(bytes).file)
  }

  @Test("a primary image that is marked as a gain map stays")
  func markedPrimaryImage() throws {
    var file = heif([1, 2])
    file.updateItem(1) {
      $0.setProperty("auxC", to: .auxiliaryType(AuxiliaryTypeBox(GainMapAuxiliary.appleType)))
    }
    let flat = try heif(flattened(try file.serialized()).file)
    #expect(flat.items.map(\.id) == [1])
    #expect(try flat.data(of: 1) == Self.base)
  }

  // MARK: JPEG

  private func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
  }

  private func iso(_ body: [UInt8]) -> [UInt8] {
    segment(0xE2, Array(JPEGSegments.isoGainMap.utf8) + [0] + body)
  }

  private func image(_ segments: [UInt8], sample: UInt8 = 0x12) -> [UInt8] {
    [0xFF, 0xD8] + segments + hex("FFC0000B080002000301011100 FFDA0008010100003F00") + [sample]
      + hex("FFD9")
  }

  private func multiPicture(_ count: Int) -> [UInt8] {
    segment(0xE2, Array("MPF\0".utf8) + MultiPictureFormat(count: count).serialized())
  }

  /// For any truncation of the gain map, the first image remains, without gain map metadata.
  @Test func truncatedMapsBehindImages() throws {
    let map = image(iso(GainMapInventoryTests.payload))
    let base = image(iso(ISO21496Payload.versionOnly) + multiPicture(2))
    for length in 0..<map.count {
      let (left, notices) = try flattened(base + map.prefix(length))
      let file = try jpeg(left)
      let written = try file.serialized().allBytes()
      #expect(written.starts(with: image([])), "\(length) bytes: \(written)")
      #expect(file.images.count == 1 && !notices.isEmpty)
      // A single byte cannot be identified as an image.
      #expect(file.trailers.isEmpty || length == 1)
    }
  }

  /// Edits of other metadata drop such a gain map as well; without one, and without an edit, the file
  /// is unchanged.
  @Test func editsOfTruncatedMaps() throws {
    let map = image(iso(GainMapInventoryTests.payload))
    let base = image(iso(ISO21496Payload.versionOnly) + multiPicture(2))
    var edit = MetadataEdit()
    edit.orientation = .set(.rotated180)
    for length in [40, map.count - 1] {
      let cut = try ImageFile(parsing: ByteSource(base + map.prefix(length)))
      let edited = try cut.edited(by: edit)
      let file = try jpeg(edited.file)
      #expect(file.images.count == 1 && file.trailers.isEmpty && file.notices.isEmpty)
      #expect(file.primary.segments(.isoGainMap).isEmpty)
      let codes = edited.notices.map(\.code.id)
      #expect(codes.contains("gain-map/unreadable-bytes-dropped"))
      #expect(edited.notices.contains { $0.severity == .warning })
      #expect(try cut.edited(by: MetadataEdit()).bytes.allBytes() == base + map.prefix(length))
    }
    // What belongs to an image that is a gain map itself stays.
    let alone = try ImageFile(parsing: ByteSource(map)).edited(by: edit)
    #expect(try jpeg(alone.file).primary.isoGainMap == GainMapInventoryTests.payload)
  }

  /// An edit that changes nothing else drops such a gain map, and one without readable metadata.
  @Test func editsWithoutOtherChanges() throws {
    let base = image(iso(ISO21496Payload.versionOnly) + multiPicture(2))
    let newer: [UInt8] = [0, 1] + GainMapInventoryTests.payload.dropFirst(2)
    let short = Array(GainMapInventoryTests.payload.prefix(50))
    var edit = MetadataEdit()
    edit.dropsLocation = true
    for map in [
      image(iso(GainMapInventoryTests.payload)).dropLast(6) + [], image(iso(newer)),
      image(iso(short)),
    ] {
      let edited = try ImageFile(parsing: ByteSource(base + map)).edited(by: edit)
      #expect(!edited.isUnchanged && edited.notices.contains { $0.severity == .warning })
      let file = try jpeg(edited.file)
      #expect(file.images.count == 1 && file.trailers.isEmpty)
      #expect(try edited.file.edited(by: edit).isUnchanged)
    }
  }

  private func xmp(_ packet: [UInt8]) -> [UInt8] {
    segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
  }

  /// Of two descriptions, the one that cannot be read is dropped with a warning; the other is kept.
  @Test func unreadableDescriptions() throws {
    let short = Array(GainMapInventoryTests.payload.prefix(50))
    let newer: [UInt8] = [0, 1] + GainMapInventoryTests.payload.dropFirst(2)
    let (good, bad) = (GainMapInventoryTests.hdrgm("2"), GainMapInventoryTests.hdrgm("x"))
    let base = image(iso(ISO21496Payload.versionOnly))
    var heif = heif([1, 2])
    heif.addXMP(good, describing: [2])
    heif.updateItem(2) {
      $0.setProperty("auxC", to: .auxiliaryType(.init(GainMapAuxiliary.adobeType)))
    }
    heif.addReference("auxl", from: 2, to: [1])
    heif.updateItem(3) { $0.data = .file([0] + short) }
    for (bytes, flavor) in [
      (base + image(iso(short) + xmp(good)), GainMapFlavor.xmp),
      (base + image(iso(newer) + xmp(good)), .xmp),
      (base + image(iso(GainMapInventoryTests.payload) + xmp(bad)), .iso),
      (try heif.serialized(), .xmp),
    ] {
      for change in [
        { $0.dropsLocation = true }, { $0.dropsPersonalData = true },
        { $0.orientation = .set(.rotated180) },
      ] as [(inout MetadataEdit) -> Void] {
        var edit = MetadataEdit()
        change(&edit)
        let edited = try ImageFile(parsing: ByteSource(bytes)).edited(by: edit)
        #expect(
          edited.notices.contains {
            $0.code.english
              == "dropped: {flavor} metadata of the gain map, which cannot be read: {cause}; "
              + "others describe it"
          })
        let inventory = try edited.file.gainMaps()
        #expect(inventory.applicable?.flavors == [flavor])
        #expect(inventory.applicable?.metadata?.alternateHeadroom.value == 2)
        #expect(!inventory.notices.contains { $0.code.id == "gain-map/description-unreadable" })
      }
    }
  }

  /// The directory of a rewritten file lists no image that is missing.
  @Test func entriesWithoutImage() throws {
    var edit = MetadataEdit()
    edit.orientation = .set(.rotated180)
    let bytes = image(multiPicture(3)) + image([], sample: 0x55)
    let file = try jpeg(try ImageFile(parsing: ByteSource(bytes)).edited(by: edit).file)
    #expect(try file.primary.multiPicture()?.format.entries.count == 2)
    #expect(try !file.listsMissingImages)
  }

  /// After any edit, MPF lists a gain map that only its place revealed, behind other images too.
  @Test(arguments: [false, true]) func editsWriteMPF(hasPreview: Bool) throws {
    let map = image(iso(GainMapInventoryTests.payload))
    let preview = hasPreview ? image([], sample: 0x55) : []
    let bytes = image(iso(ISO21496Payload.versionOnly)) + preview + map
    var edit = MetadataEdit()
    edit.orientation = .set(.rotated180)
    let edited = try ImageFile(parsing: ByteSource(bytes)).edited(by: edit)
    let file = try jpeg(edited.file)
    let index = hasPreview ? 2 : 1
    #expect(try JPEGImageDirectories(ofImage: index, in: file).isInMPF)
    let (format, _) = try #require(try file.primary.multiPicture())
    #expect(format.entries.count == index + 1)
    #expect(try edited.file.gainMaps().applicable?.usableFlavors == [.iso])
    // Without a gain map, no directory is made up.
    let plain = image([]) + image([], sample: 0x55)
    let other = try ImageFile(parsing: ByteSource(plain)).edited(by: edit)
    #expect(try jpeg(other.file).primary.segments(.multiPicture).isEmpty)
  }

  /// The types of previews in a directory are kept when the gain map is added to it.
  @Test func typesOfImages() throws {
    let map = image(iso(GainMapInventoryTests.payload))
    let preview = image([], sample: 0x55)
    var arranged = try JPEGFile(parsing: ByteSource(image(multiPicture(2)) + preview))
    arranged.hasStaleDirectory = true
    var bytes = try arranged.serialized().allBytes()
    let (_, header) = try #require(try JPEGFile(parsing: ByteSource(bytes)).primary.multiPicture())
    // The attributes of the second entry: a large thumbnail.
    bytes.replaceSubrange(header + 66..<header + 70, with: [0x80, 0x01, 0x00, 0x01])
    var edit = MetadataEdit()
    edit.orientation = .set(.rotated180)
    let file = try jpeg(try ImageFile(parsing: ByteSource(bytes + map)).edited(by: edit).file)
    let format = try #require(try file.primary.multiPicture()).format
    #expect(format.entries.map(\.attributes) == [0x0003_0000, 0x0001_0001, 0])
  }

  /// A gain map with its own metadata is removed even if it is not declared; other data is kept.
  @Test func whatIsNoMapStays() throws {
    let map = image(iso(GainMapInventoryTests.payload)).dropLast(4)
    #expect(try bytes(flattened(image([]) + map).file) == image([]))
    let preview = image([], sample: 0x77).dropLast(2)
    let whole = image(iso(GainMapInventoryTests.payload))
    #expect(
      try bytes(flattened(image([]) + whole + preview).file) == image([]) + preview)
  }

  /// Padding between images does not belong to either of them.
  @Test(arguments: [0, 1, 7])
  func paddingBetweenImages(count: Int) throws {
    let padding = [UInt8](repeating: 0, count: count)
    let previews = [image([], sample: 0x55), image([], sample: 0x66)]
    let map = image(iso(GainMapInventoryTests.payload))
    let bytes =
      image(iso(ISO21496Payload.versionOnly))
      + [map, previews[0], previews[1]].flatMap { padding + $0 }
    let (left, _) = try flattened(bytes)
    #expect(try jpeg(left).images.count == 3)
    let rest = padding + previews[0] + padding + previews[1]
    #expect(try self.bytes(left).suffix(rest.count) == rest[...])
    let described = try ImageFile(parsing: ByteSource(bytes)).describingGainMap(in: [.iso])
    let again = try ImageFile(parsing: ByteSource(try described.bytes.allBytes()))
    let file = try jpeg(again)
    #expect(file.images.count == 4)
    // Directories that only store sizes locate the gain map there, whatever follows.
    #expect(!file.images[1].segments(.isoGainMap).isEmpty)
  }

  /// Each directory entry refers to a different image, also if the gain map is moved after others.
  @Test func directoriesListAllImages() throws {
    let map = image(iso(GainMapInventoryTests.payload))
    let base = image(iso(ISO21496Payload.versionOnly) + multiPicture(3))
    let bytes = base + map + image([], sample: 0x55)
    // A correct directory.
    var arranged = try JPEGFile(parsing: ByteSource(bytes))
    arranged.hasStaleDirectory = true
    let source = ByteSource(try arranged.serialized().allBytes())
    let described = try ImageFile(parsing: source).describingGainMap(in: [.iso])
    let file = try JPEGFile(parsing: ByteSource(try described.bytes.allBytes()))
    let (format, header) = try #require(try file.primary.multiPicture())
    let starts = format.entries.dropFirst().map { header + Int($0.offset) }
    #expect(Set(starts) == Set(file.images.dropFirst().compactMap { $0.stored?.lowerBound }))
    #expect(file.notices.isEmpty)
  }

  private func bytes(_ file: ImageFile) throws -> [UInt8] {
    try file.container.serialized().allBytes()
  }
}
