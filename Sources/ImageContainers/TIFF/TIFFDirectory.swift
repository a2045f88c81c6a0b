/// An image file directory: the entries that describe one picture or one group of metadata.
///
/// Source: TIFF 6.0, section 2; BigTIFF proposal (2004).
public struct TIFFDirectory: Hashable, Sendable {
  /// Where its entry count lies.
  public var offset: Int
  /// The entries, in the order of the file.
  public var entries: [TIFFEntry]
  /// Where the next directory lies; 0 after the last one.
  public var next: Int

  /// The first entry with this tag.
  public subscript(tag: TIFFTag) -> TIFFEntry? { entries.first { $0.tag == tag } }
}

/// One entry of a directory: a tag and where its values lie.
public struct TIFFEntry: Hashable, Sendable {
  /// How a value is stored.
  public enum ValueType: UInt16, Hashable, Sendable {
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

    /// Bytes of one value.
    public var size: Int {
      switch self {
      case .byte, .ascii, .signedByte, .undefined: 1
      case .short, .signedShort: 2
      case .long, .signedLong, .float, .ifd: 4
      case .rational, .signedRational, .double, .long8, .signedLong8, .ifd8: 8
      }
    }
  }

  /// Tag of the entry.
  public var tag: TIFFTag
  /// `nil` for a type that this reader does not know.
  public var type: ValueType?
  /// Number of values.
  public var count: Int
  /// Where the entry itself lies.
  public var offset: Int
  /// Where the values lie; may reach beyond the end of a broken file.
  public var values: Range<Int>
}
