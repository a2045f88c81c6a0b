// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import HDRCore
import ImageCodecs
import TestSupport
import Testing

@testable import Conformance
@testable import HDRConversion
@testable import ImageFiles

@Suite("Fixed files") struct FixedFileTests {
  /// Rules that are satisfied after the structure was corrected.
  private static let corrected: Set<String> = [
    "22028-5/H5-BIT-2", "22028-5/H5-BRAND-1", "22028-5/H5-PROP-1", "22028-5/H5-SIG-4",
    "21496-1/tmap-brand", "21496-1/tmap-extents", "heif/brand-mif1", "heif/brand-listed",
    "heif/brand-hevc", "heif/handler-first", "heif/extents", "heif/extents-once",
    "heif/pixel-depths", "heif/color-once", "heif/property-order", "heif/hvcc-essential",
    "heif/hvcc-once", "heif/hvcc-sequence", "miaf/pixel-information",
    "miaf/transformation-essential", "avif/brand", "avif/av1c-essential", "avif/av1c-once",
    "avif/av1c-sequence", "avif/av1c-units", "avif/profile-brands", "png/checksums",
    "png/chunk-once",
    "png/chunk-order", "png/end", "png/exif", "png/profile-or-srgb", "png/spelling",
    "png/srgb-fallback",
    "heif/gain-map-samples", "jpeg/end", "jpeg/gain-map-samples", "png/gain-map-samples",
    "jpeg/mpf-offsets", "jpeg/mpf-sizes", "uhdr/mpf", "icc/profile-id",
  ]
  private static let breaks = Break.ofStructure.filter { change in
    let rules = change.rules
    // The significant bits of PNG samples are a matter of the samples.
    return !rules.isEmpty && rules.isSubset(of: corrected) && rules != ["22028-5/H5-BIT-2"]
  }

  private static func fixed(_ bytes: [UInt8]) throws -> FixedFile {
    var options = OpeningOptions()
    options.acceptsWrongChecksums = true
    let bad = try CheckedFile(ImageFile(parsing: ByteSource(bytes), options: options))
    return try FixedFile(fixing: bad, by: bad.applicableStandards)
  }

  @Test func everyCorrectionIsBrokenSomewhere() {
    let broken = Set(Self.breaks.flatMap(\.rules))
    #expect(broken.isSuperset(of: Self.corrected), "\(Self.corrected.subtracting(broken))")
  }

  /// Encoded data is compared where the edit is made.
  @Test(arguments: breaks)
  func correctsStructure(change: Break) throws {
    let fixed = try Self.fixed(change.bytes())
    let bytes = try #require(fixed.bytes).allBytes()
    #expect(RuleTests.broken(fixed.judgments) == [])
    #expect(RuleTests.broken(try RuleTests.checked(bytes).judgments()) == [])
  }

  /// Any edit corrects a configuration by which readers would decode another depth or chroma.
  @Test func editsCorrectConfigurations() throws {
    var file = try HEIFFile(parsing: ByteSource(try Fixture.avif.make()))
    let primary = try file.primaryItem
    var box = try #require(primary.property(AV1ConfigurationBox.self))
    box.isSubsampledHorizontally.toggle()
    file.updateItem(primary.id) { $0.setProperty("av1C", to: .av1Configuration(box)) }
    let bytes = try file.serialized()
    #expect(RuleTests.broken(try RuleTests.checked(bytes).judgments()) == ["avif/av1c-sequence"])
    var edit = MetadataEdit()
    edit.dropsLocation = true
    let edited = try ImageFile(parsing: ByteSource(bytes)).edited(by: edit)
    #expect(
      edited.notices.map(\.code.english) == [
        "corrected: configuration, which contradicts the bitstream"
      ])
    let judgments = try RuleTests.checked(try edited.bytes.allBytes()).judgments()
    #expect(RuleTests.broken(judgments) == [])
  }

  /// Lengths have 4 bytes, and the record declares another size.
  @Test(arguments: [1, 2, 3]) func editsCorrectLengthSizes(size: Int) throws {
    var file = try HEIFFile(parsing: ByteSource(try Fixture.heic.make()))
    let primary = try file.primaryItem
    var box = try #require(primary.property(HEVCConfigurationBox.self))
    box.nalLengthSize = size
    file.updateItem(primary.id) { $0.setProperty("hvcC", to: .hevcConfiguration(box)) }
    let bytes = try file.serialized()
    let codes = try SourceImage.open(ImageFile(parsing: ByteSource(bytes))).notices.map(\.code.id)
    #expect(codes.contains("bitstream/length-size-differs"))
    let fixed = try HEIFFile(parsing: ByteSource(try #require(Self.fixed(bytes).bytes).allBytes()))
    #expect(try fixed.primaryItem.property(HEVCConfigurationBox.self)?.nalLengthSize == 4)
  }

  /// The sequence header of an AV1 item, here of 64x48 pixels by avifenc 0.11.1, continues in a second
  /// extent.
  @Test func sequenceHeaderInTwoExtents() throws {
    let data = SourceBytes(hex("12000A0958157FBD8D09120944"))
    var file = HEIFFile(fileType: FileTypeBox(majorBrand: "avif", compatibleBrands: ["avif"]))
    let id = file.addItem("av01", data: .file([data.slice(0..<5), data.slice(5..<data.count)]))
    file.primaryItemID = id
    try file.correctStructure()
    let extents = file.item(id)?.property(ImageSpatialExtentsBox.self)
    #expect(extents == ImageSpatialExtentsBox(width: 64, height: 48))
  }

  @Test(arguments: Fixture.allCases)
  func leavesGoodFilesAlone(fixture: Fixture) throws {
    let fixed = try Self.fixed(try #require(Fixture.bytes[fixture]))
    #expect(fixed.bytes == nil)
    #expect(fixed.judgments.map(\.verdict) == fixed.before.map(\.verdict))
  }

  /// The fixed file is the good one, byte for byte, whatever chunk had the wrong checksum.
  @Test func correctsTheChecksumOfEveryChunk() throws {
    let good = try #require(Fixture.bytes[.png])
    var types: Set<String> = []
    var position = 8
    while position < good.count {
      let length = good[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      types.insert(String(decoding: good[position + 4..<position + 8], as: UTF8.self))
      position += length + 12
      var bad = good
      bad[position - 1] ^= 1
      let fixed = try Self.fixed(bad)
      let before = fixed.before.first { $0.rule.id == "png/checksums" }
      #expect(before?.violation == .broken)
      #expect(try fixed.bytes?.allBytes() == good)
    }
    #expect(types.isSuperset(of: ["IHDR", "cICP", "iCCP", "eXIf", "iTXt", "IDAT", "IEND"]))
  }

  /// Other readers reject wrong checksums of critical chunks, and so does this one by default.
  @Test func wrongChecksumsAreAcceptedOnlyOnRequest() throws {
    var bad = try #require(Fixture.bytes[.png10])
    bad[Break.afterHeader - 1] ^= 1
    #expect(throws: ImageError.self) { try PNGFile(parsing: ByteSource(bad)) }
  }

  /// The first chunk of a type is the one that readers use.
  @Test func removesRepeatedAndRedundantChunks() throws {
    let good = try #require(Fixture.bytes[.png10])
    let file = try PNGFile(parsing: ByteSource(good))
    let cicp = try #require(file.chunks.firstIndex { $0.type == .codePoints })
    var bad = file
    bad.chunks.insert(PNGChunk(.codePoints, [1, 13, 0, 1]), at: cicp + 1)
    bad.chunks.insert(PNGChunk(.standardRGB, [0]), at: cicp)
    #expect(try Self.fixed(bad.serialized().allBytes()).bytes?.allBytes() == good)
  }

  /// A chunk whose content does not fit its type is not given a valid checksum.
  @Test func doesNotCorrectTheChecksumOfInvalidContent() throws {
    var bad = try #require(Fixture.bytes[.png10])
    var chunk = Break.chunk("cLLI", [1, 2, 3])
    chunk[chunk.count - 1] ^= 1
    bad.insert(contentsOf: chunk, at: Break.afterHeader)
    let fixed = try Self.fixed(bad)
    #expect(fixed.bytes == nil)
    #expect(RuleTests.broken(fixed.judgments) == ["png/checksums"])
  }

  /// The fields of the bitstream and the derivations, all wrong at once.
  @Test(arguments: [Fixture.heic, .avif, .avifGrid])
  func restoresPropertiesFromTheBitstream(fixture: Fixture) throws {
    let good = try HEIFFile(parsing: ByteSource(try #require(Fixture.bytes[fixture])))
    var bad = good
    for item in good.items where item.property(ImageSpatialExtentsBox.self) != nil {
      bad.updateItem(item.id) { item in
        item.setProperty("ispe", to: .imageSpatialExtents(.init(width: 66, height: 66)))
        if item.property(PixelInformationBox.self) != nil {
          item.setProperty("pixi", to: .pixelInformation(.init(bitsPerChannel: [8])))
        }
        if var box = item.property(HEVCConfigurationBox.self) {
          (box.lumaBitDepth, box.chromaFormat) = (8, 3)
          item.setProperty("hvcC", to: .hevcConfiguration(box))
        }
        if var box = item.property(AV1ConfigurationBox.self) {
          (box.isHighBitDepth, box.isMonochrome, box.level) = (false, true, 1)
          item.setProperty("av1C", to: .av1Configuration(box))
        }
      }
    }
    let fixed = try Self.fixed(bad.serialized())
    let result = try HEIFFile(parsing: ByteSource(try #require(fixed.bytes)))
    for item in good.items {
      for type: FourCC in ["ispe", "pixi", "hvcC", "av1C"] {
        func boxes(_ file: HEIFFile) -> [ItemProperty.Box] {
          file.properties(of: item.id).filter { $0.type == type }.map(\.box)
        }
        #expect(boxes(result) == boxes(good), "\(type) of item \(item.id)")
      }
    }
  }
}
#endif
