// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Inspection") struct FileContentsTests {
  private func png(
    _ chunks: (inout PNGFile) throws -> Void
  ) throws -> FileContents {
    var file = PNGFile(header: PNGHeader(width: 4, height: 2, bitDepth: 16, colorType: .rgb))
    try chunks(&file)
    file.insert(PNGChunk(.imageData, [0]))
    return try ImageFile(parsing: ByteSource(try file.serialized().allBytes())).contents()
  }

  /// Inspection needs the structure only: the single byte of IDAT is not an image.
  @Test func pngCarriers() throws {
    let inspection = try png { file in
      file.set(PNGCodePoints(CICP(primaries: .bt2020, transfer: .pq)))
      file.set(PNGStandardRGB(renderingIntent: 0))
      file.set(PNGGamma(scaled: 45455))
    }
    #expect(inspection.isHighDynamicRange)
    let color = try #require(inspection.primary.color)
    #expect(color.carriers.map(\.name) == ["cICP", "sRGB", "gAMA"])
    #expect(color.primariesSource == "cICP" && color.transferSource == "cICP")
    #expect(color.reason == "overrides iCCP, sRGB, gAMA and cHRM")
    #expect(color.encoding.transfer == .pq && color.encoding.primaries == .bt2020)
  }

  @Test func untaggedPNG() throws {
    let inspection = try png { _ in }
    let color = try #require(inspection.primary.color)
    #expect(!inspection.isHighDynamicRange && color.carriers.isEmpty)
    #expect(color.transferSource == "assumed" && color.reason == "the file does not specify color")
    #expect(inspection.notices.contains { $0.category == .assumed })
  }

  @Test func pngByName() throws {
    let profile = try ICCProfile.generate(for: CICP(primaries: .bt2020, transfer: .srgb))
    let inspection = try png { file throws in
      try file.setProfile(profile, name: "ITUR_2100_PQ_FULL")
    }
    #expect(inspection.primary.color?.transferSource == "iCCP name")
    #expect(inspection.primary.color?.carriers.map(\.name) == ["iCCP name", "iCCP"])
  }

  @Test func unknownBytes() {
    for bytes: [UInt8] in [[], [0], Array("GIF89a, nothing of ours at all...".utf8)] {
      #expect {
        try ImageFile(parsing: ByteSource(bytes)).contents()
      } throws: {
        ($0 as? ImageError)?.category == .malformed
      }
    }
  }

  /// An image whose samples begin in the file and end outside is damaged.
  ///
  /// If all samples are outside, the file was truncated to its headers.
  @Test func tiffData() throws {
    func file(stripAt offset: UInt32) -> [UInt8] {
      let entries: [(UInt16, UInt16, UInt32)] = [
        (256, 4, 4), (257, 4, 4), (258, 3, 16), (259, 3, 1), (262, 3, 1), (273, 4, offset),
        (277, 3, 1), (278, 4, 4), (279, 4, 32),
      ]
      var writer = ByteWriter()
      writer.write("II")
      writer.writeLittleEndian(42 as UInt16)
      writer.writeLittleEndian(8 as UInt32)
      writer.writeLittleEndian(UInt16(entries.count))
      for (tag, type, value) in entries {
        writer.writeLittleEndian(tag)
        writer.writeLittleEndian(type)
        writer.writeLittleEndian(1 as UInt32)
        writer.writeLittleEndian(value)
      }
      writer.writeLittleEndian(0 as UInt32)
      return writer.bytes + [UInt8](repeating: 0, count: 32)
    }
    let start = UInt32(8 + 2 + 9 * 12 + 4)
    let whole = try ImageFile(parsing: ByteSource(file(stripAt: start))).contents()
    #expect(whole.primary.layout.samples == .integer(bits: 16))
    #expect(whole.primary.coding.codec == "uncompressed")
    #expect(!whole.notices.contains { $0.category == .dropped })
    let absent = try ImageFile(parsing: ByteSource(file(stripAt: start + 32))).contents()
    #expect(absent.notices.contains { $0.category == .dropped })
    #expect {
      try ImageFile(parsing: ByteSource(file(stripAt: start + 1))).contents()
    } throws: {
      ($0 as? ImageError)?.category == .truncated
    }
  }

  /// Compares the roles of all images with the manifest of the corpus.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func rolesOfAnIPhoneImage() throws {
    let inspection = try ImageFile(
      parsing: Corpus.source("heic-apple-tmap/iphone16-26-3-mattes.heic")
    ).contents()
    let roles = inspection.images.map(\.role)
    #expect(roles.first == .primary && roles.count { $0 == .gainMap } == 1)
    #expect(roles.contains(.alternate) && roles.contains(.matte) && roles.contains(.thumbnail))
    #expect(inspection.isHighDynamicRange && !inspection.primary.isHighDynamicRange)
    #expect(inspection.primary.uprightSize == (4284, 5712))
    #expect(inspection.primary.color?.primariesSource == "ICC profile")
    #expect(inspection.exif?.model == "iPhone 16" && inspection.exif?.hasLocation == true)
  }

  @Test func inks() throws {
    let file = try ImageFile(parsing: ByteSource(try Vectors.bytes("JPEG/cmyk.jpg"))).contents()
    #expect(file.primary.isCMYK && file.primary.color == nil)
    #expect(file.notices.map(\.category) == [.irregular])
    let error = #expect(throws: ImageError.self) { try file.rejectCMYK() }
    #expect(error?.category == .unsupported && error?.code.id == "color/cmyk")
    let plain = try ImageFile(parsing: ByteSource(try Vectors.bytes("JPEG/rgb.jpg"))).contents()
    #expect(!plain.primary.isCMYK && plain.primary.color != nil)
    #expect(throws: Never.self) { try plain.rejectCMYK() }
  }
}
