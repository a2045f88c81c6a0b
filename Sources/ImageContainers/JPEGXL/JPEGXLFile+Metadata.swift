package import HDRCore

extension JPEGXLFile {
  /// The boxes of a type, compressed ones too.
  package func boxes(_ type: FourCC) -> [Box] { boxes.filter { $0.type == type } }

  /// Exif from its TIFF header on; `nil` if there is none, or only compressed.
  ///
  /// - Throws: `.malformed` if the header would lie outside, `.inputOutput` if it cannot be read.
  ///
  /// Source: ISO/IEC 18181-2, 9.4: as in HEIF, the distance to the TIFF header comes first.
  package func exif() throws(ImageError) -> [UInt8]? {
    guard let box = boxes("Exif").first(where: { !$0.isCompressed }) else { return nil }
    let bytes = try box.content.bytes()
    var reader = ByteReader(bytes.span, fileOffset: box.content.offset)
    do throws(ImageError) {
      let offset: UInt32 = try reader.readBigEndian()
      try reader.skip(Int(offset))
      return reader.readRest()
    } catch {
      throw ImageError(
        .exifHeaderMissing, ["size": bytes.count], at: .init(path: ["Exif"], offset: box.offset))
    }
  }

  /// The XMP packet; `nil` if there is none, or only compressed.
  ///
  /// - Throws: `.inputOutput` if it cannot be read.
  package func xmp() throws(ImageError) -> [UInt8]? {
    guard let box = boxes("xml ").first(where: { !$0.isCompressed }) else { return nil }
    return try box.content.bytes()
  }

  /// What the codestream says about its picture.
  ///
  /// - Throws: `.malformed` or `.truncated` if it does not begin as a codestream must.
  package func imageHeader() throws(ImageError) -> JPEGXLImageHeader {
    do throws(ImageError) {
      return try JPEGXLImageHeader(parsing: try Self.head(of: codestream))
    } catch {
      throw error.inside("codestream")
    }
  }

  /// The beginning of a codestream, long enough for any header that says something new.
  static func head(of codestream: [SourceBytes]) throws(ImageError) -> [UInt8] {
    var head: [UInt8] = []
    for part in codestream where head.count < longestHeader {
      head += try part.slice(0..<min(part.count, longestHeader - head.count)).bytes()
    }
    return head
  }

  private static let longestHeader = 1 << 14
}
