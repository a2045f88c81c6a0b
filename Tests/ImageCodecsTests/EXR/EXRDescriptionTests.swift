// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if EXR
@Suite("EXR description") struct EXRDescriptionTests {
  private func description(
    _ attributes: [(name: String, value: EXRBytes.Value)]
  ) throws -> EXRDescription {
    var file = EXRBytes()
    file.channels([("B", 1), ("G", 1), ("R", 1)])
    file.windows(data: (0, 0, 7, 7), display: (0, 0, 7, 7))
    for (name, value) in attributes { file.attribute(name, value) }
    return try EXRDescription(try EXRLayout(of: try file.header()).part)
  }

  /// Attribute values as in OpenEXR's test image `Desk.exr`.
  @Test func standardAttributes() throws {
    let description = try description([
      ("owner", .text("Copyright 2004 Industrial Light & Magic")),
      ("comments", .text("Fog in the Presidio")), ("cameraMake", .text("Maker")),
      ("capDate", .text("2004:01:04 18:10:00")), ("utcOffset", .number(28_800)),
      ("expTime", .number(0.008)), ("aperture", .number(2.8)), ("isoSpeed", .number(50)),
      ("focus", .number(.infinity)), ("latitude", .number(37.797_345)),
      ("longitude", .number(-122.476_12)), ("altitude", .number(-274.5)),
      ("xDensity", .number(100)),
    ])
    #expect(description.notices.isEmpty)
    let exif = try ExifBlock(parsing: try #require(description.exif))
    #expect(try exif.text(.copyright) == "Copyright 2004 Industrial Light & Magic")
    #expect(try exif.text(TIFFTag(rawValue: 270)) == "Fog in the Presidio")
    #expect(try exif.text(.make) == "Maker")
    #expect(try exif.text(.dateTimeOriginal) == "2004:01:04 18:10:00")
    #expect(try exif.text(TIFFTag(rawValue: 36881)) == "-08:00")
    #expect(exif.number(.isoSpeed) == 50)
    #expect(exif.number(.xResolution) == 100)
    let file = exif.structure
    let exposure = try #require(exif.exposure)
    func integers(_ tag: TIFFTag, _ directory: TIFFDirectory) throws -> [UInt64] {
      let bytes = try file.bytes(of: try #require(directory[tag]))
      return stride(from: 0, to: bytes.count, by: 4).map { start in
        bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt64($1) }
      }
    }
    #expect(try integers(.exposureTime, exposure) == [1, 125])
    #expect(try integers(.fNumber, exposure) == [14, 5])
    #expect(try integers(TIFFTag(rawValue: 37382), exposure) == [0xFFFF_FFFF, 1])
    let pointer = try #require(exif.main[.gpsDirectory])
    let gps = try #require(try file.firstSubdirectory(pointer))
    #expect(try integers(TIFFTag(rawValue: 2), gps) == [37, 1, 47, 1, 50_439, 1000])
    #expect(try file.text(try #require(gps[TIFFTag(rawValue: 3)])) == "W")
    #expect(try integers(TIFFTag(rawValue: 4), gps) == [122, 1, 28, 1, 34_032, 1000])
    #expect(try file.bytes(of: try #require(gps[TIFFTag(rawValue: 5)])) == [1])
    #expect(try integers(TIFFTag(rawValue: 6), gps) == [549, 2])
  }

  /// One notice lists the attributes that Exif cannot store, without those about sample storage.
  @Test func whatIsLost() throws {
    let description = try description([
      ("pixelAspectRatio", .number(1)), ("screenWindowWidth", .number(1)),
      ("wrapmodes", .text("periodic")), ("capDate", .text("yesterday")),
      ("isoSpeed", .number(0.5)), ("latitude", .number(91)), ("expTime", .number(.nan)),
      ("owner", .text("one")), ("Copyright", .text("another")),
      ("worldToCamera", .other),
    ])
    #expect(description.notices.map(\.category) == [.dropped])
    let names = [
      "wrapmodes", "capDate", "isoSpeed", "latitude", "expTime", "Copyright", "worldToCamera",
    ]
    #expect(description.notices[0].parameters["attributes"] == names.diagnosticValue)
    #expect(try ExifBlock(parsing: try #require(description.exif)).text(.copyright) == "one")
  }

  @Test func blockOfTheFileWins() throws {
    let block = ExifBlock.minimal(orientation: .upright)
    let description = try description([
      ("exif", .blob(block)), ("owner", .text("somebody")),
    ])
    #expect(description.exif == block)
    #expect(description.notices.first?.parameters["attributes"] == .list([.text("owner")]))
  }

  @Test func emptyDescription() throws {
    let description = try description([])
    #expect(description.exif == nil)
    #expect(description.notices.isEmpty)
  }
}

extension EXRBytes {
  enum Value {
    case text(String)
    case number(Float)
    case blob([UInt8])
    /// A value of another type, such as a matrix.
    case other
  }

  mutating func attribute(_ name: String, _ value: Value) {
    switch value {
    case .text(let text): attribute(name, "string", Array(text.utf8))
    case .number(let number):
      attribute(name, "float", Self.bytes(of: Int32(bitPattern: number.bitPattern)))
    case .blob(let bytes): attribute(name, "blob", Self.bytes(of: Int32(bytes.count)) + bytes)
    case .other: attribute(name, "m44f", [UInt8](repeating: 0, count: 64))
    }
  }
}
#endif
