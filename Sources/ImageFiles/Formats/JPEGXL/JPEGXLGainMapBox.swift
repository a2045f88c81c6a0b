// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The gain map of a JPEG XL file: metadata, color of the alternate image, and gain map image.
///
/// Source: ISO/IEC 18181-2:2026, `jhgm`; libjxl, gain_map.h.
package struct JPEGXLGainMapBox: Sendable {
  package static let boxType: FourCC = "jhgm"

  package let version: UInt8
  /// Gain map metadata of ISO 21496-1.
  package let metadata: [UInt8]
  /// Serialized color encoding of the alternate image; empty if missing.
  package let colorEncoding: [UInt8]
  /// ICC profile of the alternate image, in JPEG XL's own compression; empty if missing.
  package let compressedProfile: SourceBytes
  /// Bare codestream of the gain map.
  package let codestream: SourceBytes

  /// Parses a box that is not compressed.
  ///
  /// - Throws: `.truncated` if a length exceeds the box.
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
          .truncated, "truncated: profile of {size byte}, {available byte} available",
          ["size": profileSize, "available": content.count - start])
      }
      compressedProfile = content.slice(start..<start + profileSize)
      codestream = content.slice(start + profileSize..<content.count)
    } catch {
      throw error.inside(Self.boxType.description)
    }
  }

  /// Returns the content of a box.
  ///
  /// - Parameters:
  ///   - metadata: Gain map metadata of ISO 21496-1.
  ///   - colorEncoding: Serialized color encoding of the alternate image; may be empty.
  ///   - compressedProfile: ICC profile of the alternate image, in JPEG XL's own compression; may be
  ///     empty.
  ///   - codestream: Bare codestream of the gain map.
  /// - Returns: The content.
  /// - Throws: `.invalidArgument` for metadata that exceed their field.
  package static func serialized(
    metadata: [UInt8], colorEncoding: [UInt8], compressedProfile: [UInt8] = [],
    codestream: [UInt8]
  ) throws(ImageError) -> [UInt8] {
    guard let size = UInt16(exactly: metadata.count),
      let colorSize = UInt8(exactly: colorEncoding.count),
      let profileSize = UInt32(exactly: compressedProfile.count)
    else {
      throw ImageError(
        .invalidArgument, "gain map metadata of {size byte} exceed a gain map box",
        ["size": metadata.count])
    }
    var writer = ByteWriter()
    writer.writeBigEndian(UInt8(0))  // Version.
    writer.writeBigEndian(size)
    writer.write(metadata)
    writer.writeBigEndian(colorSize)
    writer.write(colorEncoding)
    writer.writeBigEndian(profileSize)
    writer.write(compressedProfile)
    writer.write(codestream)
    return writer.bytes
  }

  /// Maximum size of the fields before the profile.
  private static let longestHead = 1 + 2 + Int(UInt16.max) + 1 + Int(UInt8.max) + 4

  /// The content of a box without bytes after the last frame, if that is known.
  ///
  /// - Throws: `.inputOutput`; `.limitExceeded` if the budget does not suffice.
  package func withoutSurplus() throws(ImageError) -> [UInt8] {
    let count = try codestream.count - JPEGXLFile.surplusSize(of: [codestream])
    return try Self.serialized(
      metadata: metadata, colorEncoding: colorEncoding,
      compressedProfile: try compressedProfile.bytes(),
      codestream: try codestream.slice(0..<count).bytes())
  }

  /// Parses the image header of the gain map.
  ///
  /// - Throws: `.malformed` or `.truncated` if the codestream does not begin with a valid header.
  package func imageHeader() throws(ImageError) -> JPEGXLImageHeader {
    try JPEGXLImageHeader(parsing: try JPEGXLFile.head(of: [codestream]))
  }

  /// The codestream after its header, which changes of the orientation do not change.
  ///
  /// - Throws: Errors that end the whole job.
  package var codedData: SourceBytes {
    get throws(ImageError) {
      let header = try ifReadable(try imageHeader().byteCount) ?? 0
      return codestream.slice(min(header, codestream.count)..<codestream.count)
    }
  }
}
