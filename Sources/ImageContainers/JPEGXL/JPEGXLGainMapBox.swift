package import HDRCore

/// The gain map of a JPEG XL file: its metadata, the color of the alternate rendition, and the map.
///
/// Source: ISO/IEC 18181-2:2026, `jhgm`; libjxl, gain_map.h.
package struct JPEGXLGainMapBox: Sendable {
  package static let boxType: FourCC = "jhgm"

  package let version: UInt8
  /// The payload of ISO 21496-1.
  package let metadata: [UInt8]
  /// The coded color encoding of the alternate rendition; empty if there is none.
  package let colorEncoding: [UInt8]
  /// The ICC profile of the alternate rendition, in JPEG XL's own compression; empty if there is
  /// none.
  package let compressedProfile: SourceBytes
  /// The map, without boxes around it.
  package let codestream: SourceBytes

  /// Reads a box that is not compressed.
  ///
  /// - Throws: `.truncated` if a length reaches beyond the box.
  package init(parsing content: SourceBytes) throws(ImageError) {
    do throws(ImageError) {
      let head = try content.slice(0..<min(content.count, Self.longestHead)).bytes()
      var reader = ByteReader(head.span, fileOffset: content.offset)
      version = try reader.readBigEndian()
      metadata = try reader.readBytes(Int(try reader.readBigEndian(as: UInt16.self)))
      colorEncoding = try reader.readBytes(Int(try reader.readBigEndian(as: UInt8.self)))
      let profileSize = Int(try reader.readBigEndian(as: UInt32.self))
      let start = reader.fileOffset - content.offset
      guard profileSize <= content.count - start else {
        throw reader.error(
          .iccProfileTruncated, ["size": profileSize, "available": content.count - start])
      }
      compressedProfile = content.slice(start..<start + profileSize)
      codestream = content.slice(start + profileSize..<content.count)
    } catch {
      throw error.inside(Self.boxType.description)
    }
  }

  /// Everything before the profile, at its longest.
  private static let longestHead = 1 + 2 + Int(UInt16.max) + 1 + Int(UInt8.max) + 4

  /// What the codestream says about the map.
  ///
  /// - Throws: `.malformed` or `.truncated` if it does not begin as a codestream must.
  package func imageHeader() throws(ImageError) -> JPEGXLImageHeader {
    try JPEGXLImageHeader(parsing: try JPEGXLFile.head(of: [codestream]))
  }
}
