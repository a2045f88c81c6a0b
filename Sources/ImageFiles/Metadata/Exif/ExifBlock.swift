// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// An Exif block: a TIFF structure with metadata of the camera.
///
/// Source: Exif 3.0 (CIPA DC-008).
package struct ExifBlock: Sendable {
  /// Bytes from the TIFF header on, as stored in HEIF, AVIF, PNG and JPEG XL.
  package private(set) var bytes: [UInt8]
  private var file: TIFFFile
  /// The Exif directory with exposure metadata; `nil` if missing.
  package private(set) var exposure: TIFFDirectory?

  /// Parses Exif with or without the prefix of JPEG.
  ///
  /// - Throws: `.malformed` or `.truncated` if the first directory cannot be parsed, `.unsupported`
  ///   for BigTIFF, `.limitExceeded` for more than 16 384 entries.
  package init(parsing bytes: [UInt8]) throws(ImageError) {
    let bytes = Self.withoutPrefix(bytes)
    self.bytes = bytes
    do throws(ImageError) {
      file = try TIFFFile(parsing: ByteSource(bytes), limits: ImageLimits(items: 1 << 14))
      guard !file.isBig else {
        throw ImageError(.unsupportedValue, ["field": "form of TIFF", "value": "BigTIFF"])
      }
      if let entry = file.directories[0][.exifDirectory] {
        exposure = try file.firstSubdirectory(entry)
      }
    } catch {
      throw error.inside("Exif")
    }
  }

  /// Returns a minimal Exif block that contains only the orientation.
  package static func minimal(orientation: Orientation) -> [UInt8] {
    var writer = ByteWriter()
    writer.write("MM")
    writer.writeBigEndian(42 as UInt16)
    writer.writeBigEndian(8 as UInt32)  // Offset of the directory.
    writer.writeBigEndian(1 as UInt16)  // Number of entries.
    writer.writeBigEndian(TIFFTag.orientation.rawValue)
    writer.writeBigEndian(TIFFEntry.ValueType.short.rawValue)
    writer.writeBigEndian(1 as UInt32)
    writer.writeBigEndian(UInt16(orientation.rawValue))
    writer.writeBigEndian(0 as UInt16)
    writer.writeBigEndian(0 as UInt32)  // Offset of the next directory: none.
    return writer.bytes
  }

  private static let prefix: [UInt8] = Array("Exif\0".utf8)
  /// Size of the prefix of JPEG.
  static let prefixSize = 6

  /// Returns whether the bytes begin with the `Exif\0\0` of JPEG's APP1 segment.
  ///
  /// Readers ignore the sixth byte, which is 0xFF in files of some writers.
  package static func hasPrefix(_ bytes: [UInt8]) -> Bool {
    bytes.count >= prefixSize && bytes.starts(with: prefix)
  }

  /// Returns the block without the prefix of JPEG, which some writers add in other containers.
  package static func withoutPrefix(_ bytes: [UInt8]) -> [UInt8] {
    hasPrefix(bytes) ? Array(bytes[prefixSize...]) : bytes
  }
}

extension ExifBlock {
  /// The parsed TIFF structure, for access to other entries.
  package var structure: TIFFFile { file }

  /// The main directory (IFD 0).
  package var main: TIFFDirectory { file.directories[0] }

  /// Returns a text of the main directory, else of the Exif directory; `nil` if missing.
  ///
  /// - Throws: Errors that end the whole job.
  package func text(_ tag: TIFFTag) throws(ImageError) -> String? {
    guard let entry = main[tag] ?? exposure?[tag] else { return nil }
    return try file.text(entry)
  }

  /// Returns the first number of an entry of the main directory, else of the Exif directory; `nil`
  /// if missing or not a number.
  ///
  /// A rational with denominator 0 is infinite or NaN.
  package func number(_ tag: TIFFTag) -> Double? {
    guard let entry = main[tag] ?? exposure?[tag] else { return nil }
    return try? file.numbers(entry).first
  }

  /// Whether ColorSpace is 1, sRGB.
  package var isMarkedSRGB: Bool { number(.colorSpace) == 1 }

  /// Orientation of the image; `nil` without a valid entry.
  package var orientation: Orientation? {
    guard let entry = main[.orientation], let value = try? file.unsigned(entry).first else {
      return nil
    }
    return Orientation(rawValue: Int(clamping: value))
  }

  /// Sets the orientation; no other byte changes.
  ///
  /// If the entry is missing, a copy of the main directory that includes it is appended, so that no
  /// offset within the block changes; nothing changes if the orientation is upright.
  ///
  /// - Throws: `.malformed` if the edited block cannot be parsed, `.limitExceeded` for a directory
  ///   of 65 535 entries.
  package mutating func setOrientation(_ orientation: Orientation) throws(ImageError) {
    guard self.orientation != orientation else { return }
    var edited = bytes
    if let entry = main[.orientation] {
      if entry.type == .short, entry.count == 1 {
        edited.replaceSubrange(entry.values, with: encoded(UInt16(orientation.rawValue)))
      } else {
        edited.replaceSubrange(entry.offset..<entry.offset + 12, with: encodedEntry(orientation))
      }
    } else {
      guard orientation != .upright else { return }
      try appendMain(adding: [encodedEntry(orientation)], to: &edited)
    }
    self = try ExifBlock(parsing: edited)
  }

  private func encodedEntry(_ orientation: Orientation) -> [UInt8] {
    encoded(TIFFTag.orientation.rawValue) + encoded(TIFFEntry.ValueType.short.rawValue)
      + encoded(1 as UInt32) + encoded(UInt16(orientation.rawValue)) + [0, 0]
  }

  func encoded(_ value: some FixedWidthInteger) -> [UInt8] {
    var writer = ByteWriter()
    writer.writeBigEndian(value)
    return file.byteOrder == .bigEndian ? writer.bytes : writer.bytes.reversed()
  }
}
