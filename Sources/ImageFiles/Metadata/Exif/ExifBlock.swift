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
    try replace(with: edited, moving: [main])
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

extension ExifBlock {
  /// Returns Exif that is consistent with the orientation and color of the image.
  ///
  /// - Parameters:
  ///   - exif: The block to edit; `nil` if missing.
  ///   - orientation: Orientation to store.
  ///   - isSRGB: Whether the color is sRGB; `nil` to leave ColorSpace unchanged.
  /// - Returns: The block with this orientation; a minimal block if there was none and the image is
  ///   not upright; `nil` if Exif is not needed.
  /// - Throws: `.malformed` if the block cannot be edited.
  package static func consistent(
    _ exif: [UInt8]?, with orientation: Orientation, isSRGB: Bool? = nil
  ) throws(ImageError) -> [UInt8]? {
    guard let exif else {
      return orientation == .upright ? nil : minimal(orientation: orientation)
    }
    var block = try ExifBlock(parsing: exif)
    try block.setOrientation(orientation)
    if isSRGB == false { try block.markUncalibrated() }
    return block.bytes
  }

  /// Sets ColorSpace to uncalibrated if the entry exists.
  ///
  /// Source: Exif 3.0, 4.6.6.2.1 (ColorSpace): 1 is sRGB, 0xFFFF uncalibrated.
  ///
  /// - Throws: `.malformed` if the edited block cannot be parsed.
  package mutating func markUncalibrated() throws(ImageError) {
    var edited = bytes
    let field =
      encoded(TIFFTag.colorSpace.rawValue) + encoded(TIFFEntry.ValueType.short.rawValue)
      + encoded(1 as UInt32) + encoded(0xFFFF as UInt16) + [0, 0]
    for directory in [main, exposure] {
      guard let entry = directory?[.colorSpace] else { continue }
      edited.replaceSubrange(entry.offset..<entry.offset + field.count, with: field)
    }
    if edited != bytes { self = try ExifBlock(parsing: edited) }
  }
}

extension ExifBlock {
  /// Reads the data block in which HEIF and JPEG XL store Exif.
  ///
  /// - Parameters:
  ///   - bytes: The data block, which begins with the offset of the TIFF header.
  ///   - location: Of the data block, for the error.
  /// - Returns: Exif from the TIFF header on.
  /// - Throws: `.malformed` if the header offset exceeds the data block.
  ///
  /// Source: ISO/IEC 23008-12, A.2.1 (ExifDataBlock); ISO/IEC 18181-2, 9.4.
  package static func content(
    ofDataBlock bytes: [UInt8], at location: ImageError.Location
  ) throws(ImageError) -> [UInt8] {
    var reader = ByteReader(bytes.span)
    do throws(ImageError) {
      let offset: UInt32 = try reader.readBigEndian()
      try reader.skip(Int(offset))
      return reader.readRest()
    } catch {
      throw ImageError(
        .malformed, "no TIFF header in {size byte}", ["size": bytes.count], at: location)
    }
  }

  /// Returns the data block for Exif that begins with its TIFF header.
  package static func dataBlock(_ tiff: [UInt8]) -> [UInt8] { [0, 0, 0, 0] + tiff }
}

extension ExifBlock {
  /// Returns Exif with the entries that are mandatory in JPEG.
  ///
  /// Existing entries are kept.
  ///
  /// Source: Exif 2.3 (CIPA DC-008), 4.6.8, support levels for compressed primary pictures.
  ///
  /// - Parameters:
  ///   - exif: The block to complete.
  ///   - width: Width of the coded image, in pixels.
  ///   - height: Height of the coded image, in pixels.
  ///   - isGray: Whether the image has luma only.
  ///   - isSRGB: Whether the color is sRGB.
  /// - Returns: The completed block; unchanged if no entry is missing.
  /// - Throws: `.malformed` if the block cannot be edited.
  package static func completed(
    _ exif: [UInt8], width: Int, height: Int, isGray: Bool, isSRGB: Bool
  ) throws(ImageError) -> [UInt8] {
    var block = try ExifBlock(parsing: exif)
    // Centered, as in JFIF.
    let positioning = NewEntry(
      tag: .chromaPositioning, type: .short, values: block.encoded(1 as UInt16))
    let main = (block.entries(of: SIMD2(72, 72)) + [positioning])
      .filter { block.main[$0.tag] == nil }
    if !main.isEmpty { try block.addToMain(main) }
    let colorSpace: UInt16 = isSRGB ? 1 : 0xFFFF
    let exposure = [
      NewEntry(tag: .exifVersion, type: .undefined, values: Array("0230".utf8)),
      NewEntry(
        tag: .componentsConfiguration, type: .undefined,
        values: isGray ? [1, 0, 0, 0] : [1, 2, 3, 0]),
      NewEntry(tag: .flashpixVersion, type: .undefined, values: Array("0100".utf8)),
      NewEntry(tag: .colorSpace, type: .short, values: block.encoded(colorSpace)),
      NewEntry(
        tag: .pixelXDimension, type: .long, values: block.encoded(UInt32(clamping: width))),
      NewEntry(
        tag: .pixelYDimension, type: .long, values: block.encoded(UInt32(clamping: height))),
    ].filter { block.exposure?[$0.tag] == nil }
    if !exposure.isEmpty { try block.addToExposure(exposure) }
    return block.bytes
  }
}

extension ExifBlock {
  /// Applies an edit to the Exif of an image whose container stores the orientation only in Exif.
  ///
  /// - Parameters:
  ///   - old: The present block.
  ///   - edit: The edit.
  ///   - notices: Receives a notice if the orientation must be kept.
  /// - Returns: The block to write; `nil` for none.
  /// - Throws: `.malformed` if the block cannot be edited.
  static func edited(
    _ old: [UInt8]?, by edit: MetadataEdit, notices: inout [Notice]
  ) throws(ImageError) -> [UInt8]? {
    guard edit.exif != .keep || edit.orientation != .keep else { return old }
    let stored = try orientation(of: old)
    let orientation: Orientation =
      switch edit.orientation {
      case .keep: stored
      case .drop: .upright
      case .set(let new): new
      }
    if edit.exif == .drop, orientation != .upright {
      notices.append(
        Notice(.irregular, "kept: orientation in Exif", at: .init(path: ["Exif"])))
    }
    return try consistent(edit.exif.applied(to: old), with: orientation)
  }

  /// The orientation of a block; upright if the block is missing or unreadable.
  ///
  /// - Throws: Errors that end the whole job.
  static func orientation(of exif: [UInt8]?) throws(ImageError) -> Orientation {
    guard let exif else { return .upright }
    return try ifReadable(try ExifBlock(parsing: exif))?.orientation ?? .upright
  }
}

extension ExifBlock {
  /// The JPEG thumbnail of the second directory (IFD 1); `nil` if missing, truncated or not JPEG.
  ///
  /// Source: Exif 3.0, 4.5.8.
  package var thumbnail: [UInt8]? {
    guard let range = thumbnailRange else { return nil }
    let thumbnail = Array(bytes[range])
    return thumbnail.starts(with: [0xFF, 0xD8]) ? thumbnail : nil
  }

  /// Range of the thumbnail, as specified by the second directory.
  var thumbnailRange: Range<Int>? {
    guard structure.directories.count > 1,
      let start = integer(TIFFTag(rawValue: 0x0201), of: structure.directories[1]),
      let length = integer(TIFFTag(rawValue: 0x0202), of: structure.directories[1]),
      length > 0, start <= bytes.count, length <= bytes.count - start
    else { return nil }
    return start..<start + length
  }

  private func integer(_ tag: TIFFTag, of directory: TIFFDirectory) -> Int? {
    guard let entry = directory[tag], let value = try? structure.unsigned(entry).first else {
      return nil
    }
    return Int(exactly: value)
  }
}
