package import HDRCore

extension JPEGXLFile {
  /// Returns the boxes of a type, including compressed ones.
  package func boxes(_ type: FourCC) -> [Box] { boxes.filter { $0.type == type } }

  /// Returns Exif from its TIFF header on; `nil` if it is missing or compressed.
  ///
  /// - Throws: `.malformed` if the header offset exceeds the box, `.inputOutput` if the box cannot
  ///   be read.
  ///
  /// Source: ISO/IEC 18181-2, 9.4: as in HEIF, the offset of the TIFF header precedes it.
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

  /// Returns the XMP packet; `nil` if it is missing or compressed.
  ///
  /// - Throws: `.inputOutput` if the box cannot be read.
  package func xmp() throws(ImageError) -> [UInt8]? {
    guard let box = boxes("xml ").first(where: { !$0.isCompressed }) else { return nil }
    return try box.content.bytes()
  }

  /// Returns the level that the file declares: 5 unless a level box specifies another.
  ///
  /// - Throws: `.truncated` for an empty box, `.inputOutput` if it cannot be read.
  ///
  /// Source: ISO/IEC 18181-2, 9.3: `jxll`.
  package func level() throws(ImageError) -> Int {
    guard let box = boxes("jxll").first else { return 5 }
    let bytes = try box.content.slice(0..<min(box.content.count, 1)).bytes()
    var reader = ByteReader(bytes.span, fileOffset: box.content.offset)
    return Int(try reader.readBigEndian(as: UInt8.self))
  }

  /// Parses the image header of the codestream.
  ///
  /// - Throws: `.malformed` or `.truncated` if the codestream does not begin with a valid header.
  package func imageHeader() throws(ImageError) -> JPEGXLImageHeader {
    do throws(ImageError) {
      return try JPEGXLImageHeader(parsing: try Self.head(of: codestream))
    } catch {
      throw error.inside("codestream")
    }
  }

  /// Returns the start of a codestream, at least as long as any supported header.
  static func head(of codestream: [SourceBytes]) throws(ImageError) -> [UInt8] {
    var head: [UInt8] = []
    for part in codestream where head.count < longestHeader {
      head += try part.slice(0..<min(part.count, longestHeader - head.count)).bytes()
    }
    return head
  }

  private static let longestHeader = 1 << 14
}
