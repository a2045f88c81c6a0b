// SPDX-License-Identifier: Apache-2.0
#if JPEG && TIFF
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Auxiliary metadata of each format") struct AuxiliaryMetadataFormatsTests {
  /// IPTC with a caption, as a Photoshop image resource.
  private static let resources: [UInt8] =
    Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 10, 0x1C, 2, 120, 0, 5] + Array("Hello".utf8)

  private static var auxiliary: AuxiliaryMetadata {
    var auxiliary = AuxiliaryMetadata()
    auxiliary.resources = resources
    auxiliary.comments = [Array("a comment".utf8)]
    auxiliary.bound = ["seals"]
    return auxiliary
  }

  private static let bound = [DiagnosticValue.text("seals")]

  /// The values of the notice with this code, for metadata that is not copied.
  private static func items(_ code: String, _ notices: [Notice]) -> [DiagnosticValue]? {
    guard let notice = notices.first(where: { $0.code.id == code }),
      case .list(let items) = notice.parameters["items"]
    else { return nil }
    return items
  }

  private static func dropped(_ notices: [Notice]) -> [DiagnosticValue]? {
    items("metadata/not-portable", notices)
  }

  @Test(arguments: [
    (FileFormat.jpeg, nil as [String]?), (.tiff, ["comment"]), (.avif, ["comment"]), (.png, nil),
  ])
  func notices(format: FileFormat, names: [String]?) throws {
    let notices = try Self.auxiliary.fitted(to: format, xmp: nil).notices
    #expect(notices.count == (names == nil ? 1 : 2))
    #expect(Self.dropped(notices) == names?.map { .text($0) })
    #expect(Self.items("metadata/of-old-coding", notices) == Self.bound)
    #expect(try AuxiliaryMetadata().fitted(to: format, xmp: nil).notices.isEmpty)
  }

  @Test func `IPTC that would become XMP is named if XMP is dropped`() throws {
    var auxiliary = Self.auxiliary
    auxiliary.becomesXMP = false
    let fitted = try auxiliary.fitted(to: .avif, xmp: nil)
    #expect(fitted.xmp == nil)
    #expect(Self.items("metadata/not-copied-with-xmp", fitted.notices) == [.text("IPTC")])
    #expect(Self.dropped(fitted.notices) == [.text("comment")])
    #expect(Self.items("metadata/of-old-coding", fitted.notices) == Self.bound)
  }

  @Test func `character set, version and dates that XMP repeats are not reported`() throws {
    func dataSet(_ record: UInt8, _ number: UInt8, _ value: String) -> [UInt8] {
      [0x1C, record, number, 0, UInt8(value.utf8.count)] + value.utf8
    }
    func fitted(_ sets: [UInt8]...) throws -> [Notice] {
      let data = sets.flatMap { $0 }
      var auxiliary = AuxiliaryMetadata()
      auxiliary.resources =
        Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, UInt8(data.count)] + data
        + (data.count % 2 == 1 ? [0] : [])
      let xmp = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
        xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
        photoshop:DateCreated="2023-08-05T17:16:53.939+02:00"/></rdf:RDF></x:xmpmeta>
        """
      return try auxiliary.fitted(to: .avif, xmp: Array(xmp.utf8)).notices
    }
    let head = dataSet(1, 90, "\u{1B}%G") + dataSet(2, 0, "\0\u{4}")
    #expect(try fitted(head).isEmpty)
    let day = dataSet(2, 55, "20230805")
    #expect(try fitted(head, day, dataSet(2, 60, "171653+0200")).isEmpty)
    // Digital creation, without a time zone.
    #expect(
      try fitted(head, dataSet(2, 62, "20230805"), dataSet(2, 63, "171653")).isEmpty)
    #expect(
      try Self.dropped(fitted(head, day, dataSet(2, 60, "171654+0200"))) == [.text("IPTC")])
    #expect(try Self.dropped(fitted(head, dataSet(2, 200, "x"))) == [.text("IPTC")])
  }

  private func document() -> SourceImage {
    var document = SourceImage.white()
    document.auxiliaryMetadata = Self.auxiliary
    return document
  }

  @Test(arguments: [FileFormat.jpeg, .tiff, .png])
  func converted(format: FileFormat) throws {
    var options = ConversionOptions.plain(format)
    if format == .jpeg { (options.transfer, options.primaries) = (.srgb, .bt709) }
    let sink = MemorySink()
    let written = try ImageConverter(options).write(document(), to: sink)
    #expect(Self.items("metadata/of-old-coding", written.notices) == Self.bound)
    let again = try SourceImage(decoding: ByteSource(sink.bytes), options: OpeningOptions())
    #expect(again.auxiliaryMetadata.resources == Self.resources)
    #expect(
      again.auxiliaryMetadata.comments == (format == .jpeg ? Self.auxiliary.comments : []))
    #expect(again.auxiliaryMetadata.texts.count == (format == .png ? 1 : 0))
    #expect(Self.dropped(written.notices) == (format == .tiff ? [.text("comment")] : nil))
    // Without XMP, IPTC stays where the format stores it.
    options.xmp = .drop
    let bare = try ImageConverter(options).run(document())
    #expect(bare.output.auxiliaryMetadata.resources == Self.resources)
    #expect(Self.items("metadata/not-copied-with-xmp", bare.notices) == nil)
    #expect(Self.dropped(bare.notices) == (format == .tiff ? [.text("comment")] : nil))
  }

  /// Embedded images without a declared purpose are listed as not copied.
  @Test func furtherImages() throws {
    var options = ConversionOptions.plain(.jpeg)
    (options.transfer, options.primaries) = (.srgb, .bt709)
    let sink = MemorySink()
    _ = try ImageConverter(options).write(.white(), to: sink)
    for (count, names) in [(1, []), (2, ["further image"]), (3, ["2 further images"])] {
      let bytes = (0..<count).flatMap { _ in sink.bytes }
      #expect(try ImageFile(parsing: ByteSource(bytes)).embeddedItems == names)
    }
  }

  /// A thumbnail shows the image before it was edited and re-encoded.
  @Test(arguments: [FileFormat.tiff, .png])
  func thumbnail(format: FileFormat) throws {
    var document = SourceImage.white()
    document.exif = [
      0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 26,
      0, 1, 1, 3, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
    ]
    let notices = try ImageConverter(.plain(format)).run(document).notices
    #expect(notices.contains { $0.code.id == "exif/thumbnail-dropped" })
  }
}
#endif
