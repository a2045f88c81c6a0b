// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("JPEG XL header editing") struct JPEGXLHeaderEditingTests {
  /// A header with every kind of field; combinations of the options are valid.
  struct Header: CustomTestStringConvertible {
    var hasExtraFields = false
    var hasToneMapping = false
    var hasChannels = false
    var hasExtensions = false
    var isXYB = false
    var hasTransforms = false
    var hasProfile = false

    static let all: [Header] = (0..<128).compactMap { bits in
      func has(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
      guard has(0) || !has(1) else { return nil }
      return Header(
        hasExtraFields: has(0), hasToneMapping: has(1), hasChannels: has(2), hasExtensions: has(3),
        isXYB: has(4), hasTransforms: has(5), hasProfile: has(6))
    }

    var testDescription: String { "\(self)" }

    /// Data after the header, which are neither a frame nor a profile, and not truncated ones.
    static let data = [UInt8](repeating: 0xFF, count: 48) + (1...12)

    /// A codestream of 301x24 pixels.
    var codestream: [UInt8] {
      var writer = JPEGXLBitWriter()
      writer.write(0x0AFF, bits: 16)
      writer.write(0 | 0 << 1 | 23 << 3, bits: 12)  // Height.
      writer.write(0 | 0 << 3 | 300 << 5, bits: 14)  // Ratio, width.
      writer.write(false)
      writer.write(hasExtraFields)
      if hasExtraFields { writeExtraFields(&writer) }
      writer.write(0 | 1 << 1, bits: 3)  // Integers of 10 bits.
      writer.write(false)  // Buffers of 32 bits.
      if hasChannels { writeChannels(&writer) } else { writer.write(0, bits: 2) }
      writer.write(isXYB)
      writer.write(false)
      writer.write(hasProfile)
      writer.writeEnumeration(0)  // RGB.
      if !hasProfile {
        writer.writeEnumeration(2)  // A custom white.
        for _ in 0..<2 { writer.write(0 | 300_000 << 2, bits: 21) }
        writer.writeEnumeration(9)
        writer.write(false)
        writer.writeEnumeration(13)
        writer.writeEnumeration(3)
      }
      if hasExtraFields {
        writer.write(!hasToneMapping)
        if hasToneMapping {
          writer.write(0x63D0, bits: 16)  // 1000.
          writer.write(0, bits: 16)
          writer.write(true)
          writer.write(0x3800, bits: 16)  // 0.5.
        }
      }
      writeEnd(&writer)
      return writer.bytes + Self.data
    }

    private func writeExtraFields(_ writer: inout JPEGXLBitWriter) {
      writer.write(2, bits: 3)  // Rotated by 180 degrees.
      writer.write(true)
      writer.write(1 | 2 << 1 | 1 << 6, bits: 9)  // Intrinsic size: 24x24.
      writer.write(true)
      writer.write(1 | 0 << 1 | 1 << 3, bits: 6)  // Preview: 16x16.
      writer.write(true)
      writer.write(0 | 0 << 2 | 0 << 4 | 1 << 6, bits: 7)  // Animation.
    }

    private func writeChannels(_ writer: inout JPEGXLBitWriter) {
      writer.write(2 | 0 << 2, bits: 6)  // Two.
      writer.write(true)  // Alpha.
      writer.write(false)
      writer.writeEnumeration(2)  // Spot color.
      writer.write(1 | 1 << 1 | 5 << 3, bits: 7)  // Half float.
      writer.write(0, bits: 2)
      writer.write(1 | 2 << 2, bits: 6)  // A name.
      writer.write(UInt32(UInt8(ascii: "s")) | UInt32(UInt8(ascii: "p")) << 8, bits: 16)
      for _ in 0..<4 { writer.write(0x3800, bits: 16) }
    }

    private func writeEnd(_ writer: inout JPEGXLBitWriter) {
      if hasExtensions {
        writer.write(1 | 4 << 2, bits: 6)  // 5: the first and third.
        writer.write(1 | 2 << 2, bits: 6)  // 3 bits.
        writer.write(3 | 17 << 2 | 1 << 14 | 1 << 15 | 0 << 23, bits: 24)  // 17 + 4096 bits.
        for index in 0..<3 + 17 + 4096 { writer.write(index % 3 == 0) }
      } else {
        writer.write(0, bits: 2)
      }
      writer.write(!hasTransforms)
      guard hasTransforms else { return }
      if isXYB {
        writer.write(false)
        for index in 0..<16 { writer.write(UInt32(index), bits: 16) }
      }
      writer.write(0b101, bits: 3)
      for index in 0..<15 + 210 { writer.write(UInt32(index), bits: 16) }
    }
  }

  private static let pq = CICP(
    primaries: .bt2020, transfer: .pq, matrix: .identity, isFullRange: true)

  private func codedData(_ file: JPEGXLFile) throws -> [UInt8] {
    try file.codedData.flatMap { try $0.bytes() }
  }

  /// Fields that no edit changes.
  private func others(_ header: JPEGXLImageHeader) -> [AnyHashable] {
    [
      header.width, header.height, header.preview, header.isAnimation, header.depth,
      header.fits16BitBuffers, header.extraChannels, header.isXYB, header.toneMapping,
      header.color.hasProfile, header.color.renderingIntent,
    ]
  }

  @Test(arguments: Header.all)
  func onlyTheFieldsChange(made: Header) throws {
    let codestream = made.codestream
    let original = try JPEGXLFile(parsing: ByteSource(codestream))
    let header = try original.imageHeader()
    let end = try #require(header.layout.end)
    #expect(header.byteCount == codestream.count - Header.data.count)
    #expect(header.orientation == (made.hasExtraFields ? .rotated180 : .upright))
    for orientation in Orientation.allCases {
      for cicp in made.hasProfile ? [nil] : [nil, Self.pq] {
        var file = original
        try file.setHeader(orientation: orientation, cicp: cicp)
        let written = try JPEGXLFile(parsing: ByteSource(try file.spliced()))
        #expect(try written.wholeCodestream() == file.wholeCodestream())
        let changed = try written.imageHeader()
        #expect(changed.orientation == orientation)
        #expect(changed.color == (cicp == nil ? header.color : changed.color))
        #expect(cicp == nil || changed.color.cicp == cicp)
        #expect(others(changed) == others(header))
        #expect(try codedData(written) == Header.data)
        // The first bits of a profile share a byte with the header.
        let newEnd = try #require(changed.layout.end)
        #expect(!made.hasProfile || newEnd % 8 == end % 8)
        // A second edit of the same value, and of the written file.
        var again = written
        try file.setHeader(orientation: header.orientation)
        try again.setHeader(orientation: header.orientation)
        #expect(try again.spliced().allBytes() == file.spliced().allBytes())
        if made.hasExtraFields, cicp == nil {
          #expect(try file.spliced().allBytes() == codestream)
        }
      }
    }
  }

  /// The bits of a profile that share a byte with the header are copied.
  @Test func bitsOfAProfile() throws {
    var made = Header(hasProfile: true)
    made.hasChannels = true
    var codestream = made.codestream
    let header = try JPEGXLImageHeader(parsing: codestream)
    let (end, count) = (try #require(header.layout.end), try #require(header.byteCount))
    try #require(end % 8 != 0)
    codestream[count - 1] |= 0xFF << UInt8(end % 8)
    let new = try header.serialized(
      replacing: codestream, orientation: .rotated90, cicp: nil)
    #expect(new.count == count + 7)
    #expect(new.last.map { $0 >> UInt8(end % 8) } == 0xFF >> UInt8(end % 8))
    #expect(throws: ImageError.self) {
      try header.serialized(replacing: [], orientation: .rotated90, cicp: nil)
    }
  }

  /// All metadata have default values.
  @Test func defaultMetadata() throws {
    let codestream = hex("FF0A 00A0 01") + [1, 0, 0]
    let original = try JPEGXLFile(parsing: ByteSource(codestream))
    let header = try original.imageHeader()
    #expect(header.layout.fields == nil)
    var file = original
    try file.setHeader(orientation: .transposed)
    let changed = try JPEGXLFile(parsing: ByteSource(try file.spliced())).imageHeader()
    #expect(changed.orientation == .transposed && changed.color == header.color)
    #expect(others(changed) == others(header))
    #expect(try file.wholeCodestream().suffix(3) == [1, 0, 0])
  }

  /// The header may be split into parts, whose boxes stay.
  @Test(arguments: [1, 5, 9])
  func parts(size: Int) throws {
    let codestream = Header(hasExtraFields: true, isXYB: true).codestream
    func part(_ number: UInt8, _ range: Range<Int>) -> [UInt8] {
      let last: UInt8 = range.upperBound == codestream.count ? 0x80 : 0
      return JPEGXLFileTests.box("jxlp", [last, 0, 0, number] + codestream[range])
    }
    var file = try JPEGXLFileTests.parse(
      part(0, 0..<size), part(1, size..<size + 2), JPEGXLFileTests.box("xml ", [1]),
      part(2, size + 2..<codestream.count))
    let payload = try codedData(file)
    try file.setHeader(orientation: .rotated90)
    let written = try JPEGXLFile(parsing: ByteSource(try file.spliced()))
    #expect(written.notices == [])
    #expect(
      written.boxes.map(\.type) == ["JXL ", "ftyp", "jxlp", "jxlp", "xml ", "jxlp"])
    #expect(try written.wholeCodestream() == file.wholeCodestream())
    #expect(try written.imageHeader().orientation == .rotated90)
    #expect(try codedData(written) == payload)
  }

  /// A bare codestream gets boxes after its header has changed.
  @Test func boxesOfAChangedCodestream() throws {
    var file = try JPEGXLFile(parsing: ByteSource(Header().codestream))
    try file.setHeader(orientation: .rotated270)
    file.setXMP([0x3C])
    let written = try JPEGXLFile(parsing: ByteSource(try file.spliced()))
    #expect(written.boxes.map(\.type) == ["JXL ", "ftyp", "xml ", "jxlc"])
    #expect(try written.imageHeader().orientation == .rotated270)
    #expect(try codedData(written) == Header.data)
  }

  @Test func invalidEnd() throws {
    // The codestream ends before CustomTransformData.
    var file = try JPEGXLFile(parsing: ByteSource(Array(JPEGXLFileTests.codestream.prefix(4))))
    #expect(try file.imageHeader().byteCount == nil)
    let error = #expect(throws: ImageError.self) { try file.setHeader(orientation: .rotated90) }
    #expect(error?.category == .malformed)
  }

  /// Metadata edits of orientation and color, and what they refuse.
  @Test func metadataEdits() throws {
    func edited(_ header: Header, _ change: (inout MetadataEdit) -> Void) throws -> EditedFile {
      var edit = MetadataEdit()
      change(&edit)
      return try ImageFile(parsing: ByteSource(header.codestream)).edited(by: edit)
    }
    let rotated = try edited(Header()) { $0.orientation = .set(.rotated90) }
    #expect(!rotated.isUnchanged && rotated.after.orientation == .rotated90)
    #expect(rotated.notices == [])
    let colored = try edited(Header()) { $0.codePoints = .set(Self.pq) }
    #expect(colored.after.codePoints == Self.pq)
    let upright = try edited(Header(hasExtraFields: true)) { $0.orientation = .drop }
    #expect(upright.after.orientation == .upright)
    #expect(try edited(Header()) { $0.orientation = .drop }.isUnchanged)
    let refused: [(Header, String, (inout MetadataEdit) -> Void)] = [
      (Header(isXYB: true), "jpegxl/color-of-xyb", { $0.codePoints = .set(Self.pq) }),
      (Header(hasProfile: true), "jpegxl/color-in-profile", { $0.codePoints = .set(Self.pq) }),
      (Header(), "jpegxl/codestream-metadata", { $0.codePoints = .drop }),
      (Header(), "jpegxl/codestream-metadata", { $0.profile = .drop }),
      (
        Header(), "jpegxl/code-points-not-storable",
        { $0.codePoints = .set(CICP(primaries: .bt2020, transfer: .pq, matrix: .bt709)) }
      ),
      (
        Header(), "jpegxl/code-points-not-storable",
        { $0.codePoints = .set(CICP(primaries: .bt601, transfer: .pq, matrix: .identity)) }
      ),
    ]
    for (header, code, change) in refused {
      let error = #expect(throws: ImageError.self) { try edited(header, change) }
      #expect(error?.code.id == code)
    }
  }

  /// Exif and XMP follow, unless a JPEG file is reconstructed from them.
  @Test(arguments: [false, true])
  func orientationOfMetadata(isTranscoded: Bool) throws {
    let exif = ExifBlock.minimal(orientation: .upright)
    let xmp = Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="1"/></rdf:RDF></x:xmpmeta>
      """.utf8)
    var file = try JPEGXLFile(parsing: ByteSource(Header().codestream))
    file.setExif(exif)
    file.setXMP(xmp)
    if isTranscoded { file.setBox("jbrd", [1]) }
    let edited = try ImageFile(parsing: ByteSource(try file.spliced())).rotated(by: .rotated90)
    #expect(edited.after.orientation == .rotated90 && edited.notices == [])
    let stored = try ExifBlock(parsing: try #require(edited.after.exif)).orientation
    let packet = String(decoding: try #require(edited.after.xmp), as: UTF8.self)
    #expect(stored == (isTranscoded ? .upright : .rotated90))
    #expect(packet.contains(isTranscoded ? #"Orientation="1""# : #"Orientation="6""#))
    guard case .jpegXL(let written) = edited.file.container else {
      Issue.record("no JPEG XL file")
      return
    }
    #expect(written.boxes("jbrd").count == (isTranscoded ? 1 : 0))
  }

  /// The gain map gets the orientation of the image; its frames stay.
  @Test func gainMap() throws {
    var file = try JPEGXLFile(parsing: ByteSource(Header().codestream))
    let map = try JPEGXLGainMapBox.serialized(
      metadata: [1, 2], colorEncoding: [3], compressedProfile: [4, 5],
      codestream: Header(hasExtraFields: true, isXYB: true).codestream)
    file.setBox("jhgm", map, followsCodestream: true)
    try file.setHeader(orientation: .transposed)
    try file.setGainMapOrientation(.transposed)
    let written = try JPEGXLFile(parsing: ByteSource(try file.spliced()))
    let box = try written.gainMapBox(try #require(written.boxes("jhgm").first))
    #expect(box.metadata == [1, 2] && box.colorEncoding == [3])
    #expect(try box.compressedProfile.bytes() == [4, 5])
    #expect(try box.imageHeader().orientation == .transposed)
    #expect(try box.codedData.bytes() == Header.data)
    // Nothing is known about another version.
    var other = written
    other.setBox("jhgm", [9] + map.dropFirst(), followsCodestream: true)
    let before = other.boxes("jhgm")
    try other.setGainMapOrientation(.mirrored)
    #expect(other.boxes("jhgm") == before)
  }
}
