public import HDRCore

/// Exif: a small TIFF structure with what a camera says about a picture.
///
/// Source: Exif 3.0 (CIPA DC-008).
public struct ExifBlock: Sendable {
  /// From the TIFF header on, as HEIF, AVIF, PNG and JPEG XL hold it.
  public private(set) var bytes: [UInt8]
  private var file: TIFFFile

  /// Parses Exif with or without the `Exif\0\0` of JPEG before it.
  ///
  /// - Throws: `.malformed` or `.truncated` without a readable first directory.
  public init(parsing bytes: [UInt8]) throws(ImageError) {
    let bytes = Self.withoutPrefix(bytes)
    self.bytes = bytes
    do throws(ImageError) {
      file = try TIFFFile(parsing: ByteSource(bytes), limits: ImageLimits(items: 1 << 14))
      guard !file.isBig else {
        throw ImageError(.unsupportedValue, ["field": "form of TIFF", "value": "BigTIFF"])
      }
    } catch {
      throw error.inside("Exif")
    }
  }

  /// The smallest Exif that says how a picture is turned.
  public static func minimal(orientation: Orientation) -> [UInt8] {
    var writer = ByteWriter()
    writer.write("MM")
    writer.writeBigEndian(42 as UInt16)
    writer.writeBigEndian(8 as UInt32)  // Where the directory begins,
    writer.writeBigEndian(1 as UInt16)  // which has one entry,
    writer.writeBigEndian(TIFFTag.orientation.rawValue)
    writer.writeBigEndian(TIFFEntry.ValueType.short.rawValue)
    writer.writeBigEndian(1 as UInt32)
    writer.writeBigEndian(UInt16(orientation.rawValue))
    writer.writeBigEndian(0 as UInt16)
    writer.writeBigEndian(0 as UInt32)  // and no successor.
    return writer.bytes
  }

  private static let prefix: [UInt8] = Array("Exif\0\0".utf8)

  /// Whether the bytes begin with the `Exif\0\0` of JPEG's APP1 segment.
  public static func hasPrefix(_ bytes: [UInt8]) -> Bool { bytes.starts(with: prefix) }

  /// The block without the prefix of JPEG, which some programs put into other containers too.
  public static func withoutPrefix(_ bytes: [UInt8]) -> [UInt8] {
    hasPrefix(bytes) ? Array(bytes[prefix.count...]) : bytes
  }
}

extension ExifBlock {
  /// The structure, for whoever looks for more than is offered here.
  public var structure: TIFFFile { file }

  /// The picture's own directory.
  public var main: TIFFDirectory { file.directories[0] }

  /// The directory with the circumstances of the exposure.
  public var exposure: TIFFDirectory? {
    main[.exifDirectory].flatMap { file.subdirectories($0).first }
  }

  /// Whether the block says where the picture was taken.
  public var hasLocation: Bool {
    guard let entry = main[.gpsDirectory], let gps = file.subdirectories(entry).first else {
      return false
    }
    return gps.entries.contains { $0.tag.rawValue != 0 }  // Tag 0 is a version.
  }

  /// A text of the main or the exposure directory.
  public func text(_ tag: TIFFTag) -> String? {
    (main[tag] ?? exposure?[tag]).flatMap { file.text($0) }
  }

  /// A number of the main or the exposure directory.
  public func number(_ tag: TIFFTag) -> Double? {
    guard let entry = main[tag] ?? exposure?[tag] else { return nil }
    return try? file.numbers(entry).first
  }

  /// Whether ColorSpace says sRGB.
  public var isMarkedSRGB: Bool { number(.colorSpace) == 1 }

  /// How the picture is turned; `nil` without a valid entry.
  public var orientation: Orientation? {
    guard let entry = main[.orientation], let value = try? file.unsigned(entry).first else {
      return nil
    }
    return Orientation(rawValue: Int(clamping: value))
  }

  /// Changes the orientation and no other byte.
  ///
  /// Where there is no such entry yet, a copy of the first directory with it goes to the end,
  /// so that no offset within the block changes.
  ///
  /// - Throws: `.malformed` if the block would not be readable afterwards.
  public mutating func setOrientation(_ orientation: Orientation) throws(ImageError) {
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
