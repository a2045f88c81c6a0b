public import HDRCore

/// One JPEG picture from SOI to EOI: its segments and the coded data between them.
///
/// Source: ITU-T T.81, annex B.
public struct JPEGImage: Sendable {
  /// A piece of a picture, in the order of the file.
  public enum Part: Hashable, Sendable {
    case segment(JPEGSegment)
    /// Coded data of a scan, with its restart markers; a range of the source.
    case scan(Range<Int>)
    /// Bytes that belong to nothing; a range of the source.
    case stray(Range<Int>)
    /// Coded or stray bytes that came from another file.
    case copied([UInt8])
  }

  /// What ranges count in.
  let source: ByteSource
  /// Where the picture lay in its file; `nil` if it came from another.
  public internal(set) var stored: Range<Int>?
  /// Everything between SOI and EOI.
  public internal(set) var parts: [Part]
  /// The frame header.
  public let frame: JPEGFrame
  /// What was odd in the picture but could be read.
  public let notices: [Notice]

  /// Parses a picture that stands alone.
  ///
  /// Bytes after its end are ignored.
  ///
  /// - Throws: `.malformed` or `.truncated` if it is not a readable picture, `.limitExceeded` for more
  ///   segments than `limits.items`.
  public init(
    parsing source: ByteSource, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) {
    self = try JPEGParser.parse(source, at: 0, limits: limits)
  }

  init(
    source: ByteSource, stored: Range<Int>?, parts: [Part], frame: JPEGFrame, notices: [Notice]
  ) {
    self.source = source
    self.stored = stored
    self.parts = parts
    self.frame = frame
    self.notices = notices
  }

  /// All segments, in order.
  public var segments: [JPEGSegment] {
    parts.compactMap { if case .segment(let segment) = $0 { segment } else { nil } }
  }

  /// The segments of a kind in front of the first scan, where metadata belong.
  public func segments(_ kind: JPEGSegment.Kind) -> [JPEGSegment] {
    parts[..<endOfHead].compactMap { part in
      if case .segment(let segment) = part, segment.kind == kind { segment } else { nil }
    }
  }

  /// Index of the first scan's header.
  var endOfHead: Int {
    parts.firstIndex {
      if case .segment(let segment) = $0 { segment.marker == .startOfScan } else { false }
    } ?? parts.count
  }

  /// Coded data of all scans, as ranges of the source.
  public var scans: [Range<Int>] {
    parts.compactMap { if case .scan(let range) = $0 { range } else { nil } }
  }

  /// The picture with its edits.
  public func serialized() -> SplicedBytes {
    var output = SplicedBytes(source: source)
    append(to: &output)
    return output
  }

  func append(to output: inout SplicedBytes) {
    if let stored { output.append(stored.prefix(2)) } else { output.append([0xFF, 0xD8]) }
    for part in parts {
      switch part {
      case .segment(let segment):
        if let range = segment.stored {
          output.append(range)
        } else {
          output.append(segment.serialized())
        }
      case .scan(let range), .stray(let range): output.append(range)
      case .copied(let bytes): output.append(bytes)
      }
    }
    if let stored { output.append(stored.suffix(2)) } else { output.append([0xFF, 0xD9]) }
  }

  /// The segments of metadata of this picture before the coded data of another.
  ///
  /// - Throws: `.inputOutput` if the other one's file cannot be read.
  public func withCodedData(of other: JPEGImage) throws(ImageError) -> JPEGImage {
    func isMetadata(_ part: Part) -> Bool {
      guard case .segment(let segment) = part else { return false }
      return segment.marker.isApplication || segment.marker == .comment
    }
    return JPEGImage(
      source: source, stored: stored,
      parts: parts.filter(isMetadata) + (try other.detached().parts.filter { !isMetadata($0) }),
      frame: other.frame, notices: notices)
  }

  /// The same picture, independent of the file it was read from.
  ///
  /// - Throws: `.inputOutput` if that file cannot be read.
  func detached() throws(ImageError) -> JPEGImage {
    var copy = self
    copy.stored = nil
    copy.parts = []
    for part in parts {
      switch part {
      case .segment(let segment):
        copy.parts.append(.segment(JPEGSegment(segment.marker, segment.payload)))
      case .scan(let range), .stray(let range):
        copy.parts.append(.copied(try source.bytes(in: range)))
      case .copied:
        copy.parts.append(part)
      }
    }
    return copy
  }
}

extension Range<Int> {
  fileprivate func prefix(_ length: Int) -> Range { lowerBound..<lowerBound + length }
  fileprivate func suffix(_ length: Int) -> Range { upperBound - length..<upperBound }
}
