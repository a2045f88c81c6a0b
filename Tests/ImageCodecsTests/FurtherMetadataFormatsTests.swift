#if JPEG && TIFF
@testable import HDRConversion
import HDRCore
import ImageContainers
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Metadata that formats carry, or lose with a notice") struct FurtherMetadataFormatsTests {
  /// IPTC with a caption, as Photoshop's resource.
  private static let resources: [UInt8] =
    Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 10, 0x1C, 2, 120, 0, 5] + Array("Hello".utf8)

  private static var further: FurtherMetadata {
    var further = FurtherMetadata()
    further.resources = resources
    further.comments = [Array("a comment".utf8)]
    further.bound = ["seals"]
    return further
  }

  private static let bound = "metadata that belong to the old coding: seals"
  private static func lost(_ names: String, _ format: FileFormat) -> String {
    "metadata without a place in the new \(format.title) file: \(names)"
  }

  @Test(arguments: [
    (FileFormat.jpeg, nil as String?), (.tiff, "a comment"), (.avif, "IPTC, a comment"),
    (.png, "IPTC, a comment"),
  ])
  func notices(format: FileFormat, names: String?) throws {
    let notices = Self.further.lost(in: format).map(\.message)
    #expect(notices == [names.map { Self.lost($0, format) }, Self.bound].compactMap { $0 })
    #expect(FurtherMetadata().lost(in: format).isEmpty)
  }

  private func document() -> PictureDocument {
    var document = PictureDocument.white()
    document.furtherMetadata = Self.further
    return document
  }

  @Test(arguments: [FileFormat.jpeg, .tiff, .png])
  func converted(format: FileFormat) throws {
    var options = ConversionOptions.plain(format)
    if format == .jpeg { (options.transfer, options.primaries) = (.srgb, .bt709) }
    let sink = MemorySink()
    let written = try ImageConverter(options).write(document(), to: sink)
    let told = written.notices.map(\.message)
    #expect(told.contains(Self.bound))
    let again = try PictureDocument.open(ByteSource(sink.bytes), options: OpeningOptions())
    #expect(again.furtherMetadata.resources == (format == .png ? nil : Self.resources))
    #expect(
      again.furtherMetadata.comments == (format == .jpeg ? Self.further.comments : []))
    #expect(told.contains(Self.lost("IPTC, a comment", format)) == (format == .png))
    #expect(told.contains(Self.lost("a comment", format)) == (format == .tiff))
    // IPTC goes the way of XMP.
    options.xmp = .none
    let bare = try ImageConverter(options).run(document())
    #expect(bare.output.furtherMetadata == FurtherMetadata())
    #expect(bare.notices.map(\.message).contains(Self.lost("IPTC, a comment", format)))
  }

  /// A picture of which nothing says what it is for is named among what stays behind.
  @Test func furtherPictures() throws {
    var options = ConversionOptions.plain(.jpeg)
    (options.transfer, options.primaries) = (.srgb, .bt709)
    let sink = MemorySink()
    _ = try ImageConverter(options).write(.white(), to: sink)
    for (count, names) in [(1, []), (2, ["a further picture"]), (3, ["2 further pictures"])] {
      let bytes = (0..<count).flatMap { _ in sink.bytes }
      #expect(try ImageFile(parsing: ByteSource(bytes)).companions == names)
    }
  }

  /// TIFF keeps what Exif says, without the small picture in it.
  @Test(arguments: [FileFormat.tiff, .png])
  func thumbnail(format: FileFormat) throws {
    var document = PictureDocument.white()
    document.exif = [
      0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 26,
      0, 1, 1, 3, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
    ]
    let notices = try ImageConverter(.plain(format)).run(document).notices
    #expect(notices.contains { $0.message.contains("thumbnail in Exif") } == (format == .tiff))
  }
}
#endif
