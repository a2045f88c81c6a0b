// SPDX-License-Identifier: Apache-2.0
/// An image file directory (IFD): entries that describe an image or a group of metadata.
///
/// Source: TIFF 6.0, section 2; BigTIFF proposal (2004).
package struct TIFFDirectory: Hashable, Sendable {
  /// Offset of the entry count in the source.
  package var offset: Int
  /// The entries, in the order of the file.
  package var entries: [TIFFEntry]
  /// Offset of the next directory in the source; 0 for the last one.
  package var next: Int

  /// Returns the first entry with a tag; `nil` if missing.
  package subscript(tag: TIFFTag) -> TIFFEntry? { entries.first { $0.tag == tag } }
}

/// An entry of a directory: a tag and the range of its values.
///
/// `TIFFFile` returns the values.
package struct TIFFEntry: Hashable, Sendable {
  /// Storage type of a value; the raw value is that of the file.
  ///
  /// Source: TIFF 6.0, section 2; TIFF Technical Note 1 for `ifd`; BigTIFF proposal (2004) for
  /// types of 8-byte integers.
  package enum ValueType: UInt16, Hashable, Sendable {
    case byte = 1
    case ascii = 2
    case short = 3
    case long = 4
    case rational = 5
    case signedByte = 6
    case undefined = 7
    case signedShort = 8
    case signedLong = 9
    case signedRational = 10
    case float = 11
    case double = 12
    case ifd = 13
    case long8 = 16
    case signedLong8 = 17
    case ifd8 = 18

    /// Size of a value in bytes: 1, 2, 4 or 8.
    package var size: Int {
      switch self {
      case .byte, .ascii, .signedByte, .undefined: 1
      case .short, .signedShort: 2
      case .long, .signedLong, .float, .ifd: 4
      case .rational, .signedRational, .double, .long8, .signedLong8, .ifd8: 8
      }
    }
  }

  /// Tag of the entry.
  package var tag: TIFFTag
  /// Storage type; `nil` if unknown.
  package var type: ValueType?
  /// Number of values, as declared; for `.ascii`, bytes including the final zero byte.
  package var count: Int
  /// Offset of the entry in the source.
  package var offset: Int
  /// Range of the values in the source; may exceed a truncated file, and is empty for an unknown
  /// type.
  package var values: Range<Int>
}
