// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Low-overhead files") struct MinimizedFileTests {
  private func parse(_ file: MinimizedFiles) throws -> HEIFFile {
    try HEIFFile(parsing: ByteSource(file.bytes))
  }

  /// Default values that the header omits.
  @Test func simple() throws {
    let file = try parse(MinimizedFiles())
    #expect(file.fileType.majorBrand == "avif" && !file.fileType.contains("mif3"))
    let image = try file.primaryItem
    #expect(file.items == [image] && image.type == "av01")
    #expect(image.property(ImageSpatialExtentsBox.self) == .init(width: 160, height: 96))
    #expect(image.property(PixelInformationBox.self)?.bitsPerChannel == [8, 8, 8])
    #expect(image.cicp == CICP(primaries: .bt709, transfer: .srgb, matrix: .bt601))
    #expect(image.property(AV1ConfigurationBox.self)?.profile == 1)
    #expect(try file.data(of: image.id) == hex("0A0B0C0D0E"))
    #expect(file.notices.map(\.category) == [.irregular])
  }

  /// Small values use narrow fields.
  @Test func narrowFields() throws {
    var sample = MinimizedFiles.full
    sample.width = 100
    let wide = try parse(sample)
    sample.isLarge = false
    #expect(try parse(sample) == wide)
  }

  @Test func everything() throws {
    let file = try parse(.full)
    #expect(file.items.map(\.id) == [1, 2, 3, 4, 6, 7])
    #expect(file.items.map(\.type) == ["av01", "av01", "tmap", "av01", "Exif", "mime"])
    #expect(file.items.map(\.isHidden) == [false, true, false, true, true, true])
    #expect(file.references(from: 2, type: "auxl") == [1])
    #expect(file.references(from: 1, type: "prem") == [2])
    #expect(file.references(from: 3, type: "dimg") == [1, 4])
    #expect(file.references(to: 1, type: "cdsc") == [6, 7])
    #expect(file.groups.map(\.entities) == [[3, 1]])
    #expect(file.fileType.contains("tmap"))
    let image = try file.primaryItem
    #expect(image.cicp == CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant))
    #expect(image.icc == hex("0102030405"))
    #expect(image.orientation == .rotated90)
    let alpha = try #require(file.item(2))
    #expect(alpha.property(AuxiliaryTypeBox.self)?.isAlpha == true)
    #expect(alpha.property(AV1ConfigurationBox.self)?.isMonochrome == true)
    #expect(alpha.property(PixelInformationBox.self)?.bitsPerChannel == [10])
    let map = try #require(file.item(4))
    #expect(map.property(ImageSpatialExtentsBox.self) == .init(width: 80, height: 48))
    #expect(map.cicp == CICP(primaries: .unspecified, transfer: .unspecified, matrix: .bt601))
    #expect(map.property(AV1ConfigurationBox.self) == image.property(AV1ConfigurationBox.self))
    let tone = try #require(file.item(3))
    #expect(tone.cicp == CICP(primaries: .displayP3, transfer: .pq, matrix: .bt601))
    #expect(tone.property(ImageSpatialExtentsBox.self) == .init(width: 96, height: 160))
    #expect(tone.property(ContentLightLevelBox.self)?.maximum == 2000)
    #expect(try file.data(of: 3) == hex("000000000000"))
    #expect(try file.exif(ofItem: 6) == hex("4D4D002A00000008"))
    #expect(try file.data(of: 7) == Array("<x/>".utf8))
    #expect(try [1, 2, 4].map(file.data) == [hex("0A0B0C0D0E"), hex("2122"), hex("1112131415")])
  }

  @Test func lightMetadata() throws {
    let image = try parse(.full).primaryItem
    var notices: [Notice] = []
    let light = image.lightMetadata(notices: &notices)
    #expect(notices.isEmpty)
    #expect(light.contentLightLevel?.maximum == 1000)
    #expect(light.masteringDisplay != nil && light.ambientEnvironment != nil)
    #expect(light.contentColorVolume?.maximumLuminance == 1000)
    #expect(light.referenceEnvironment?.surroundLuminance == 5)
    #expect(light.diffuseWhite == 203)
  }

  /// The serialized file is an equivalent ordinary file.
  @Test(arguments: [MinimizedFiles(), .full])
  func rewrites(_ sample: MinimizedFiles) throws {
    let file = try parse(sample)
    let bytes = try file.serialized()
    let again = try HEIFFile(parsing: ByteSource(bytes))
    #expect(again == file && again.notices.isEmpty)
    for item in file.items { #expect(try again.data(of: item.id) == file.data(of: item.id)) }
    #expect(try boxes(bytes[...]).map(\.type) == ["ftyp", "meta", "mdat"])
  }

  @Test func exifForms() throws {
    var sample = MinimizedFiles()
    for (exif, starts) in [
      ("00000000 4D4D002A 00000008", "4D4D002A"), ("49492A00 08000000", "49492A00"),
      ("457869660000 49492A00", "49492A00"), ("00000002 0000 49492A00", "49492A00"),
    ] {
      sample.exif = hex(exif)
      #expect(try parse(sample).exif(ofItem: 6).prefix(4) == hex(starts)[...], "\(exif)")
    }
  }

  @Test func compressedMetadataIsKept() throws {
    var sample = MinimizedFiles.full
    sample.isCompressed = true
    let file = try parse(sample)
    #expect(file.item(6)?.type == "dExf")
    #expect(file.item(7)?.contentEncoding == "deflate")
    #expect(file.notices.count == 3)
  }

  @Test func codecs() throws {
    var sample = MinimizedFiles()
    sample.codecTypes = ("av01", "av1C")
    sample.brand = "abcd"
    #expect(try parse(sample).primaryItem.type == "av01")
    sample.codecTypes = ("vvc1", "vvcC")
    #expect(throws: ImageError.self) { try parse(sample) }
    sample.codecTypes = nil
    #expect(throws: ImageError.self) { try parse(sample) }
    sample.brand = "heic"
    sample.configuration = hex(
      "01 01 60000000 900000000000 5A F000 FC FD F8 F8 0000 0F 00")
    let file = try parse(sample)
    #expect(file.fileType.majorBrand == "heic")
    #expect(try file.primaryItem.type == "hvc1")
  }

  /// An unreadable configuration is an error of the image that uses it.
  @Test func unreadableConfiguration() throws {
    var sample = MinimizedFiles.full
    sample.configuration = hex("80200000")
    let file = try parse(sample)
    let error = try #require(throws: ImageError.self) {
      try file.primaryItem.requireReadableProperties()
    }
    let bytes = sample.bytes
    let begin = try #require(
      bytes.indices.first { bytes[$0...].starts(with: sample.configuration) })
    #expect(
      error.location == .init(path: ["item 1", "mini", "configuration"], offset: begin + 1))
  }

  @Test func refuses() {
    let changes: [(ImageError.Category, (inout MinimizedFiles) -> Void)] = [
      (.unsupported, { $0.version = 1 }), (.unsupported, { $0.isFloat = true }),
      (.unsupported, { $0.alpha = [] }), (.malformed, { $0.gainMapData = [] }),
    ]
    for (code, change) in changes {
      var sample = MinimizedFiles.full
      change(&sample)
      #expect {
        try parse(sample)
      } throws: { error in
        (error as? ImageError)?.category == code && (error as? ImageError)?.location.offset != nil
          && (error as? ImageError)?.location.path.first == "mini"
      }
    }
  }

  @Test func chunksLieInside() {
    var bytes = MinimizedFiles.full.bytes
    bytes.removeLast()
    bytes[19] -= 1
    #expect {
      try HEIFFile(parsing: ByteSource(bytes))
    } throws: {
      ($0 as? ImageError)?.category == .truncated
    }
  }

  @Test func oneImageOnly() {
    let two = MinimizedFiles().bytes + RawFile().bytes.dropFirst(RawFile.fileType.count)
    #expect(throws: ImageError.self) { try HEIFFile(parsing: ByteSource(two)) }
  }

  @Test func structure() throws {
    let source = ByteSource(MinimizedFiles.full.bytes)
    let fields = try StructureNode.boxes(of: source).last?.fields ?? []
    #expect(fields.contains(.init("image", "160x96, 10 bits")))
    #expect(fields.contains(.init("gain map", "80x48")))
  }
}
