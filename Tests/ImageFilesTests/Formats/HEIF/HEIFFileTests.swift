// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
@testable import ImageFiles
import Testing
import TestSupport

/// Corpus files that must be parsed.
let readableFiles = Corpus.files(
  in: [
    "avif-gainmap", "avif-gainmap-broken", "avif-hdr", "avif-sdr-deep", "heic-apple",
    "heic-apple-tmap", "heic-gainmap-other", "heic-hdr", "peer-made",
  ], extensions: ["avif", "heic", "hif"])

/// Corpus files that are malformed or of another format.
let brokenFiles = Corpus.files(in: ["malformed-heif", "malformed-any", "heic-broken"])

@Suite("HEIF and AVIF corpus files", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct HEIFFileCorpusTests {
  @Test(arguments: readableFiles)
  func rewritesUnchanged(name: String) throws {
    let file = try HEIFFile(parsing: Corpus.source(name))
    let again = try HEIFFile(parsing: ByteSource(file.serialized()))
    #expect(again == file)
    for item in file.items where item.data != .absent {
      #expect(try again.data(of: item.id) == file.data(of: item.id))
    }
  }

  /// Item data are unchanged by edits that move them.
  @Test(arguments: readableFiles)
  func editsKeepPayloads(name: String) throws {
    let file = try HEIFFile(parsing: Corpus.source(name))
    var edited = file
    edited.fileType.compatibleBrands.append("abcd")
    let primary = try #require(file.primaryItemID)
    edited.updateItem(primary) { item in
      item.setLightMetadata(HEIFItemLightMetadataTests.full, transfer: .pq)
    }
    edited.addXMP(Array("<x:xmpmeta/>".utf8), describing: [primary])
    let removed = file.metadataItems(describing: primary, type: "Exif").map(\.id)
    for id in removed { edited.removeItem(id) }
    let again = try HEIFFile(parsing: ByteSource(edited.serialized()))
    #expect(again == edited)
    #expect(again.properties(of: primary).contains { $0.type == "reve" })
    for item in file.items where item.data != .absent && !removed.contains(item.id) {
      #expect(try again.data(of: item.id) == file.data(of: item.id))
    }
  }

  /// Parameter sets and sequence headers agree with item properties, except for known errors of
  /// writers.
  @Test(arguments: readableFiles)
  func bitstreams(name: String) throws {
    let file = try HEIFFile(parsing: Corpus.source(name))
    for item in file.items {
      let size = try ImageSize(item)
      if let box = item.property(HEVCConfigurationBox.self) {
        let set = try box.sequenceParameterSet
        // Canon codes the 320x214 thumbnail as a square.
        #expect(set.width == size.width, "\(item.id)")
        #expect(set.height == size.height || (set.height, size.height) == (320, 214), "\(item.id)")
        if let cicp = item.cicp, let coded = set.usability?.cicp, coded.primaries != .unspecified {
          #expect(coded == cicp, "\(item.id)")
        }
        #expect(
          Set(try box.inconsistentFields).isSubset(of: [
            "general_constraint_indicator_flags", "general_profile_compatibility_flags",
          ]), "\(item.id)")
        let units = try HEVCNALUnit.split(file.data(of: item.id), lengthSize: box.nalLengthSize)
        #expect(units.contains { $0.type.isSlice })
      }
      if let box = item.property(AV1ConfigurationBox.self) {
        let header = try AV1SequenceHeader(ofItem: file.data(of: item.id))
        #expect(header.maximumWidth == size.width && header.maximumHeight == size.height)
        #expect(
          Set(box.inconsistentFields(with: header)).isSubset(of: [
            "seq_level_idx_0", "chroma_sample_position",
          ]))
        if let cicp = item.cicp, ![cicp.transfer, header.cicp.transfer].contains(.unspecified) {
          #expect(header.cicp == cicp)
        }
      }
    }
  }

  /// Values found by the independent parser that wrote the manifest of the corpus.
  @Test(arguments: HEIFManifest.entries)
  func agreesWithManifest(_ entry: HEIFManifest.Entry) throws {
    let file = try HEIFFile(parsing: Corpus.source(entry.name))
    let brands = [file.fileType.majorBrand] + file.fileType.compatibleBrands
    #expect(brands.map(\.description) == entry.brands)
    let types = Dictionary(grouping: file.items, by: \.type.description).mapValues(\.count)
    #expect(types == entry.types)
    let primary = try file.primaryItem
    let size = try #require(primary.property(ImageSpatialExtentsBox.self))
    #expect("\(size.width)x\(size.height)" == entry.dimensions)
    #expect(primary.type.description == entry.primary["type"] as? String)
    #expect(primary.name == entry.primary["name"] as? String ?? "")
    #expect(primary.isHidden == (entry.primary["hidden"] as? Int == 1))
    let bits = try #require(primary.property(PixelInformationBox.self)).bitsPerChannel
    #expect(bits.map(Int.init) == entry.primary["pixi"] as? [Int])
    let rotation = primary.property(ImageRotationBox.self).map { Int($0.quarterTurns) * 90 }
    #expect(rotation == entry.primary["irot"] as? Int)
    let level = primary.property(ContentLightLevelBox.self)
      .map { "maxcll=\($0.maximum),maxfall=\($0.maximumAverage)" }
    #expect(level == entry.primary["clli"] as? String)
    // Canon stores the color description of a grid only in its tiles.
    let tile = file.references(from: primary.id, type: "dimg").first.flatMap(file.item)
    let color = primary.cicp == nil && primary.icc == nil ? tile : primary
    #expect(color?.cicp.map(HEIFManifest.text) == entry.codePoints)
    #expect((color?.icc != nil) == entry.color.contains("prof:"))
    let coded = primary.type == "grid" ? tile : primary
    if let box = coded?.property(AV1ConfigurationBox.self) {
      #expect(String(box.bitDepth) == entry.depth)
    } else {
      let box = try #require(coded?.property(HEVCConfigurationBox.self))
      #expect(String(box.lumaBitDepth) == entry.depth)
    }
  }
}

private struct ImageSize {
  var width: Int?
  var height: Int?

  init(_ item: HEIFItem) throws {
    let box = item.property(ImageSpatialExtentsBox.self)
    width = box.map { Int($0.width) }
    height = box.map { Int($0.height) }
  }
}

@Suite("Malformed HEIF and AVIF files") struct HEIFFileDamageTests {
  /// Calls all operations on a file that can be parsed.
  @discardableResult
  static func exercise(_ bytes: ByteSource) -> HEIFFile? {
    guard let file = try? HEIFFile(parsing: bytes) else { return nil }
    for item in file.items {
      let data = (try? file.data(of: item.id)) ?? []
      _ = try? ItemGeometry(width: 64, height: 48, properties: item.properties)
      var notices: [Notice] = []
      _ = item.lightMetadata(notices: &notices)
      if let box = item.property(HEVCConfigurationBox.self) {
        _ = try? box.markedMain10
        _ = try? HEVCNALUnit.split(data, lengthSize: box.nalLengthSize)
      }
      if item.type == "av01" { _ = try? AV1SequenceHeader(ofItem: data) }
      if item.type == "grid" { _ = try? ImageGrid(parsing: data) }
      _ = try? file.standalone(item.id).serialized()
    }
    if let written = try? file.serialized() {
      #expect(throws: Never.self) {
        let again = try HEIFFile(parsing: ByteSource(written))
        var expected = file
        expected.layout.surplus = []
        #expect(again == expected)
      }
    }
    return file
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"), arguments: brokenFiles)
  func brokenFile(name: String) throws {
    let source = try Corpus.source(name)
    // About a hundred times the duration of the slowest file.
    let time = ContinuousClock().measure { Self.exercise(source) }
    #expect(time < .seconds(5))
    if name.hasPrefix("heic-broken") {
      #expect(throws: ImageError.self) { try HEIFFile(parsing: source) }
    }
  }

  static let samples = [
    Named("items", (try? HEIFWriterTests.sample().serialized()) ?? []),
    Named("movie", MovieBoxTests.file()), Named("low overhead", MinimizedFiles.full.bytes),
  ]

  @Test(arguments: samples)
  func everyByteChanged(_ named: Named<[UInt8]>) {
    let sample = named.value
    #expect(Self.exercise(ByteSource(sample)) != nil)
    for index in sample.indices {
      for value in [0, 0xFF, sample[index] ^ 1] where value != sample[index] {
        var broken = sample
        broken[index] = value
        Self.exercise(ByteSource(broken))
      }
    }
  }

  /// A truncated file is rejected, or one of its items is, or the truncation is reported.
  @Test(arguments: samples)
  func everyLength(_ named: Named<[UInt8]>) {
    let sample = named.value
    for length in 0..<sample.count {
      guard let file = try? HEIFFile(parsing: ByteSource(Array(sample.prefix(length)))),
        file.items.allSatisfy({ (try? file.data(of: $0.id)) != nil })
      else { continue }
      #expect(!file.damage.isEmpty, "\(length)")
    }
  }

  /// The low-overhead sample is excluded, since it has too few items.
  @Test func limits() {
    let limits = ImageLimits(items: 3)
    for sample in Self.samples.dropLast() {
      #expect {
        try HEIFFile(parsing: ByteSource(sample.value), limits: limits)
      } throws: {
        ($0 as? ImageError)?.category == .limitExceeded
      }
    }
  }

  @Test(arguments: [
    ("00000010 66747970 6D696633 61766966 00000008 6D696E69", ImageError.Category.truncated),
    ("00000010 66747970 6D736631 00000000 00000008 6D6F6F76", .unsupported),
    ("00000010 66747970 61766966 00000000", .unsupported),
    ("0000000C 6D657461 00000000", .malformed),
    ("00000008 6D646174", .malformed),
    ("", .malformed),
  ])
  func notAnImage(digits: String, code: ImageError.Category) {
    #expect {
      try HEIFFile(parsing: ByteSource(hex(digits)))
    } throws: {
      ($0 as? ImageError)?.category == code
    }
  }

  @Test func errorsNameThePlace() throws {
    var bytes = RawFile().bytes
    let place = try #require(bytes.firstRange(of: Array("av1C".utf8))?.lowerBound) - 4
    bytes[place + 3] = 0x40
    #expect {
      try HEIFFile(parsing: ByteSource(bytes))
    } throws: { error in
      guard let error = error as? ImageError else { return false }
      return error.category == .truncated && error.location.offset == place
        && error.location.path == ["meta", "iprp", "ipco", "av1C"]
    }
  }

  /// Parsing does not read samples: the file has 64 GiB of them as a hole.
  @Test func readsOnlyStructure() throws {
    let path = FileManager.default.temporaryDirectory
      .appending(path: "structure-\(UInt64.random(in: 0...UInt64.max)).avif").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let raw = RawFile()
    var bytes = RawFile.fileType + raw.meta(dataOffset: 0)
    bytes = RawFile.fileType + raw.meta(dataOffset: bytes.count + 16)
    let size = 1 << 36
    bytes += hex("00000001 6D646174 0000001000000010") + raw.payload
    try #require(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: UInt64(bytes.count - raw.payload.count + size))
    let file = try HEIFFile(parsing: ByteSource(path: path))
    #expect(try file.data(of: 1) == raw.payload)
  }
}

@Suite("Extraction of images") struct StandaloneTests {
  @Test func tile() throws {
    let file = HEIFWriterTests.sample()
    let tile = try file.standalone(3)
    let again = try HEIFFile(parsing: ByteSource(tile.serialized()))
    #expect(again == tile)
    #expect(again.items.count == 1 && again.references.isEmpty && again.groups.isEmpty)
    #expect(try again.primaryItem.isHidden == false)
    #expect(try again.data(of: 1) == file.data(of: 3))
    #expect(again.properties(of: 1) == file.properties(of: 3))
    #expect(again.fileType == .avif(HEIFWriterTests.configuration))
  }

  @Test func grid() throws {
    let file = HEIFWriterTests.sample()
    let grid = try file.standalone(1)
    #expect(grid.items.map(\.type) == ["av01", "av01", "grid"])
    #expect(grid.items.map(\.isHidden) == [true, true, false])
    #expect(grid.references(from: 3, type: "dimg") == [1, 2])
    #expect(try grid.data(of: 3) == file.data(of: 1))
    #expect(grid.primaryItemID == 3)
  }

  @Test func auxiliary() throws {
    var file = HEIFWriterTests.sample()
    file.updateItem(2) { $0.setProperty("auxC", to: .auxiliaryType(.init(AuxiliaryTypeBox.alpha))) }
    #expect(try file.standalone(2).primaryItem.property(AuxiliaryTypeBox.self) == nil)
  }

  @Test func unrecognizedBytes() {
    var file = HEIFWriterTests.sample()
    #expect { try file.standalone(4) } throws: { ($0 as? ImageError)?.category == .invalidArgument }
    #expect { try file.standalone(99) } throws: { ($0 as? ImageError)?.category == .malformed }
    file.addReference("dimg", from: 1, to: [1])
    #expect { try file.standalone(1) } throws: { ($0 as? ImageError)?.category == .malformed }
  }
}

@Suite("Truncated and partly corrupt HEIF files") struct HEIFFileParsingTests {
  private let bytes: [UInt8]
  private let mediaData: Int

  init() throws {
    bytes = try HEIFWriterTests.sample().serialized()
    mediaData = try boxes(bytes[...])[2].content.lowerBound - 8
  }

  private func cut(_ missing: Int) throws(ImageError) -> HEIFFile {
    try HEIFFile(parsing: ByteSource(Array(bytes.dropLast(missing))))
  }

  /// Order of the media data: first tile, second tile, Exif, XMP.
  @Test(arguments: [
    (1, [5]), (4, [5]), (5, [4, 5]), (16, [4, 5]), (17, [3, 4, 5]), (117, [3, 4, 5]),
    (118, [2, 3, 4, 5]),
  ])
  func mediaDataIsReadAsFarAsItGoes(missing: Int, items: [UInt32]) throws {
    var file = try cut(missing)
    #expect(file.cutItems.map(\.id) == items)
    #expect(file.cutBox == .init(type: "mdat", offset: mediaData, missing: missing))
    #expect(file.notices == file.damage && file.damage.count == 1)
    let damage = file.damage[0]
    #expect(
      damage.code.english
        == "truncated: {missing} of {size byte} of '{type}' missing, with data of {items item}")
    #expect(damage.parameters["missing"] == .integer(missing))
    #expect(damage.parameters["size"] == .integer(bytes.count - mediaData))
    #expect(damage.parameters["type"] == .text("mdat"))
    for item in file.items {
      if items.contains(item.id) {
        #expect(throws: ImageError.self) { try file.data(of: item.id) }
      } else {
        #expect(try file.data(of: item.id) == cut(0).data(of: item.id))
      }
    }
    // A truncated item prevents serialization; without truncated items the file can be serialized.
    do {
      _ = try file.serialized()
      Issue.record("a file that is cut was written")
    } catch {
      #expect(error.category == .truncated)
    }
    #expect(
      try ImageFile(.heif(file)).wholePayloads().count == 3 - Set(items).intersection([2, 3]).count)
    for id in items { file.removeItem(id) }
    let again = try HEIFFile(parsing: ByteSource(try file.serialized()))
    #expect(again == file && again.notices.isEmpty)
  }

  /// A file with truncated `ftyp` or `meta` is rejected.
  @Test func boxesThatAreNeededAreWhole() throws {
    for length in 0..<mediaData {
      #expect(throws: ImageError.self) {
        try HEIFFile(parsing: ByteSource(Array(bytes.prefix(length))))
      }
    }
    // From here on, all structural boxes are complete.
    for length in mediaData..<bytes.count {
      let file = try HEIFFile(parsing: ByteSource(Array(bytes.prefix(length))))
      #expect(!file.cutItems.isEmpty)
    }
  }

  /// Unknown boxes are kept byte for byte, including a size that exceeds the file.
  @Test func otherBoxesStayAsTheyAre() throws {
    let video = box("mpvd", [UInt8](repeating: 7, count: 90)).dropLast(30)
    let file = try HEIFFile(parsing: ByteSource(bytes + video))
    #expect(file.cutBox == .init(type: "mpvd", offset: bytes.count, missing: 30))
    #expect(try file.serialized() == bytes + video)
  }

  /// The offsets in the tracks of a truncated sequence would be invalid.
  @Test func cutSequencesAreNotWritten() throws {
    let file = try HEIFFile(
      parsing: ByteSource(bytes + box("moov", [UInt8](repeating: 0, count: 90)).dropLast(30)))
    #expect(throws: ImageError.self) { try file.serialized() }
  }

  @Test func absurdSizesAreSurvived() throws {
    let giant = hex("00000001 6D646174 FFFFFFFFFFFFFFFF 0102")
    let file = try HEIFFile(parsing: ByteSource(bytes + giant))
    #expect(file.cutBox?.missing == Int.max - giant.count)
  }

  /// An unreadable property concerns only the items that use it.
  @Test func unreadablePropertiesConcernTheirItems() throws {
    var file = HEIFWriterTests.sample()
    let error = ImageError(.dataTruncated, ["needed": 2, "available": 0])
    let content = hex("6E636C78 0001")
    file.updateItem(3) {
      $0.properties.append(ItemProperty(.unreadable("colr", content: content, .init(error))))
    }
    let bytes = try file.serialized()
    let again = try HEIFFile(parsing: ByteSource(bytes))
    #expect(again == file)
    #expect(
      again.damage.map(\.code.english) == ["'{type}' of item {item} is not readable: {cause}"]
        && again.damage[0].parameters["item"] == .integer(3))
    // The box contains 6 of 11 bytes: color type and primaries, but not the transfer
    // characteristics.
    let begin = try #require(
      bytes.indices.first { bytes[$0...].starts(with: Array("colr".utf8) + content) })
    let place = ImageError.Location(path: ["meta", "iprp", "ipco", "colr"], offset: begin + 10)
    #expect(again.damage.map(\.location) == [place])
    let failure = ImageError(.dataTruncated, ["needed": 2, "available": 0], at: place).inside(
      "item 3")
    #expect(throws: failure) {
      try again.item(3)?.requireReadableProperties()
    }
    try again.item(2)?.requireReadableProperties()
    #expect(again.item(3)?.properties.last?.contentBytes == content)
  }
}
