// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("JPEG images") struct JPEGImageTests {
  typealias F = JPEGFixtures

  static func parse(_ bytes: [UInt8]) throws(ImageError) -> JPEGImage {
    try JPEGImage(parsing: ByteSource(bytes))
  }

  @Test func partsInOrder() throws {
    let bytes = F.image(
      F.segment(.jfif, [1, 2]), [0xFF, 0xFF], F.segment(.comment, Array("hello\0x".utf8)))
    let image = try Self.parse(bytes)
    #expect(image.segments.map(\.marker.description) == ["APP0", "COM", "SOF0", "SOS"])
    #expect(image.segments(.comment).map(\.body) == [Array("hello\0x".utf8)])
    let scan = try #require(image.scans.first)
    #expect(Array(bytes[scan]) == hex("1234 FF00 56 FFD0 789A"))
    #expect(try image.serialized().allBytes() == bytes)
    #expect(image.notices == [])
    let frame = image.frame
    #expect(frame.width == 3 && frame.height == 2 && frame.precision == 8)
    #expect(frame.components.map(\.horizontalSampling) == [1])
  }

  @Test func strayBytesAreKept() throws {
    var bytes = F.image(F.segment(.jfif, []), [0x11, 0x22, 0xFF, 0x00], F.segment(.comment, []))
    bytes.insert(0xFF, at: bytes.count - 2)  // A fill byte before EOI is valid.
    let image = try Self.parse(bytes)
    #expect(image.notices.map(\.category) == [.irregular])
    #expect(try image.serialized().allBytes() == bytes)
    #expect(F.roles(image).prefix(2) == [.jfif, .comment])
  }

  @Test func everyRoleIsKnown() throws {
    for role in JPEGSegment.Role.allCases where role != .other {
      let image = try Self.parse(F.image(F.segment(role, [1, 2, 3])))
      #expect(image.segments(role).first?.body == [1, 2, 3])
    }
    let other = try Self.parse(F.image(F.segment(0xE2, Array("FPXR".utf8))))
    #expect(F.roles(other).first == .other)
  }

  /// Bytes of Ultra HDR files: the version in a baseline image.
  @Test func isoGainMapSegment() throws {
    var image = try Self.parse(F.image())
    try image.setISOGainMap([0, 0, 0, 0])
    let segment = hex(
      """
      ffe20022 75726e3a69736f3a7374643a69736f3a74733a32313439363a2d3100 00000000
      """)
    #expect(try image.serialized().allBytes() == F.image(segment))
    #expect(image.isoGainMap == [0, 0, 0, 0])
  }

  @Test func newSegmentsAreInTheUsualOrder() throws {
    var image = try Self.parse(
      F.image(F.segment(.jfif, []), F.segment(.photoshop, []), F.segment(.comment, [])))
    try image.replace(.multiPicture, with: [[1]])
    try image.setProfile([1, 2, 3])
    try image.setISOGainMap([0])
    try image.setXMP(Array("<x/>".utf8))
    try image.setExif(ExifBlock.minimal(orientation: .flipped))
    #expect(
      F.roles(image).prefix(8) == [
        .jfif, .exif, .xmp, .icc, .isoGainMap, .multiPicture, .photoshop, .comment,
      ])
    try image.setExif(nil)
    try image.setXMP(nil)
    try image.setProfile(nil)
    try image.setISOGainMap(nil)
    #expect(F.roles(image).prefix(4) == [.jfif, .multiPicture, .photoshop, .comment])
  }

  @Test func replacesInPlace() throws {
    let exif = F.segment(.exif, [1])
    var image = try Self.parse(F.image(F.segment(.icc, [1, 1]), exif, exif))
    try image.setExif([9])
    #expect(F.roles(image).prefix(2) == [.icc, .exif])
    #expect(image.exif == [9])
    #expect(image.segments(.exif).count == 1)
  }

  @Test func metadataBehindAScanAreNotTouched() throws {
    let exif = F.segment(.exif, [1])
    let source = F.image()
    let bytes = Array(source[..<(source.count - 2)]) + exif + [0xFF, 0xD9]
    var image = try Self.parse(bytes)
    #expect(image.exif == nil)
    try image.setExif([2])
    #expect(
      try image.serialized().allBytes().suffix(exif.count + 2) == bytes.suffix(exif.count + 2))
    #expect(image.exif == [2])
  }

  @Test func profileInManyChunks() throws {
    let profile = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 11) }
    var image = try Self.parse(F.image())
    try image.setProfile(profile)
    #expect(
      image.segments(.icc).map { Array($0.body.prefix(2)) } == [[1, 4], [2, 4], [3, 4], [4, 4]])
    #expect(image.segments(.icc)[0].payload.count == 65533)
    var notices: [Notice] = []
    #expect(image.profile(notices: &notices) == profile)
    let again = try Self.parse(try image.serialized().allBytes())
    #expect(again.profile(notices: &notices) == profile)

    image.parts.swapAt(0, 2)
    #expect(image.profile(notices: &notices) == profile)
    #expect(notices == [])
    image.parts.remove(at: 1)
    #expect(image.profile(notices: &notices) == nil)
    #expect(notices.count == 1)
    #expect(throws: ImageError.self) {
      try image.setProfile([UInt8](repeating: 0, count: 65519 * 255 + 1))
    }
    #expect(throws: ImageError.self) { try image.setProfile([]) }
  }

  @Test func whatDoesNotFitIsRefused() throws {
    var image = try Self.parse(F.image())
    try image.setExif([UInt8](repeating: 0, count: 65527))
    #expect(throws: ImageError.self) { try image.setExif([UInt8](repeating: 0, count: 65528)) }
  }

  @Test func adobeTransform() throws {
    let image = try Self.parse(F.image(F.segment(.adobe, hex("0064 0000 0000 01"))))
    #expect(image.adobeTransform == 1)
    #expect(try Self.parse(F.image(F.segment(.adobe, [1]))).adobeTransform == nil)
  }

  @Test(arguments: [
    ("", ImageError.Category.malformed), ("FFD9", .malformed), ("FFD8", .truncated),
    ("FFD8 FFD9", .malformed), ("FFD8 FFE0 0001 FFD9", .malformed),
    ("FFD8 FFE0 0010 00", .truncated),
    ("FFD8 FFD8", .malformed), ("FFD8 FFC0 0005 08 0001 FFD9", .truncated),
    ("FFD8 FFC0 0008 08 0001 0001 00 FFD9", .malformed),
    ("FFD8 FFC0 000B 08 0002 0003 01 01 01 00 FFD9", .malformed),
    ("FFD8 FFC0 000B 08 0002 0003 01 01 11 00 FFDA 0002 1234", .truncated),
  ])
  func brokenImagesAreTypedErrors(digits: String, code: ImageError.Category) {
    #expect { try Self.parse(hex(digits)) } throws: { ($0 as? ImageError)?.category == code }
  }

  @Test func limitsTheNumberOfSegments() {
    let bytes = F.image(F.segment(.comment, []), F.segment(.comment, []), F.segment(.comment, []))
    #expect { try JPEGImage(parsing: ByteSource(bytes), limits: ImageLimits(items: 3)) } throws: {
      ($0 as? ImageError)?.category == .limitExceeded
    }
  }

  /// A progressive image of 65500 x 65500 whose data are one byte takes no memory for its blocks.
  @Test func blocksWithoutData() throws {
    let bytes = hex(
      """
      FFD8 FFC2000B08FFDCFFDC01011100 FFC40014 00 01000000000000000000000000000000 00
      FFDA0008010100000000 00 FFD9
      """)
    let image = try JPEGFile(parsing: ByteSource(bytes)).primary
    let execution = Execution(budget: Execution.Budget(memory: 1 << 20))
    #expect(try execution.run { try image.hasAllBlocks() } == false)
  }

  /// Apple's mark after the fields of JFIF is known, other bytes there are not.
  @Test(arguments: [("AMPF", 0), ("48,2", 4)]) func bytesAfterJFIF(text: String, count: Int) throws
  {
    let fields: [UInt8] = [1, 1, 1, 1, 44, 1, 44, 0, 0]
    let image = try Self.parse(F.image(F.segment(.jfif, fields + Array(text.utf8))))
    #expect(image.segments(.jfif).first?.surplus.count == count)
  }
}
