// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A JPEG image from SOI to EOI: its segments and the entropy-coded data between them.
///
/// Source: ITU-T T.81, annex B.
package struct JPEGImage: Sendable {
  /// A part of an image, in file order.
  package enum Part: Hashable, Sendable {
    case segment(JPEGSegment)
    /// Entropy-coded data of a scan, including restart markers; a range of the source.
    case scan(Range<Int>)
    /// Bytes outside segments and scans; a range of the source.
    case stray(Range<Int>)
    /// Entropy-coded or stray bytes from another file.
    case copied([UInt8])
  }

  /// The file that ranges refer to.
  let source: ByteSource
  /// Range of the image in its file, from SOI to EOI, which may be missing; `nil` if it comes from
  /// another file.
  package internal(set) var stored: Range<Int>?
  /// Everything between SOI and EOI.
  package internal(set) var parts: [Part]
  /// Whether the image in its file ends with EOI.
  package let hasEnd: Bool
  /// The frame header.
  package let frame: JPEGFrame
  /// Irregularities that did not prevent parsing.
  package let notices: [Notice]

  /// Parses a single image.
  ///
  /// Bytes after its end are ignored; `JPEGFile` parses them as well. A missing EOI
  /// is a notice if the scans are complete.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file; the image begins at offset 0.
  ///   - limits: Limits; `items` applies to the number of segments.
  /// - Throws: `.malformed` or `.truncated` if it is not a valid JPEG image, `.limitExceeded` for
  ///   more segments than `limits.items`.
  package init(
    parsing source: ByteSource, limits: ImageLimits = ImageLimits()
  ) throws(ImageError) {
    self = try JPEGParser.parse(source, at: 0, limits: limits)
  }

  init(
    source: ByteSource, stored: Range<Int>?, parts: [Part], frame: JPEGFrame, notices: [Notice],
    hasEnd: Bool = true
  ) {
    self.hasEnd = hasEnd
    self.source = source
    self.stored = stored
    self.parts = parts
    self.frame = frame
    self.notices = notices
  }

  /// All segments, in order.
  package var segments: [JPEGSegment] {
    parts.compactMap { if case .segment(let segment) = $0 { segment } else { nil } }
  }

  /// Returns the segments with a role before the first scan, where metadata is stored, in order.
  package func segments(_ role: JPEGSegment.Role) -> [JPEGSegment] {
    parts[..<endOfHead].compactMap { part in
      if case .segment(let segment) = part, segment.role == role { segment } else { nil }
    }
  }

  /// Index of the header of the first scan.
  var endOfHead: Int {
    parts.firstIndex {
      if case .segment(let segment) = $0 { segment.marker == .startOfScan } else { false }
    } ?? parts.count
  }

  /// Entropy-coded data of all scans, as ranges of the source.
  package var scans: [Range<Int>] {
    parts.compactMap { if case .scan(let range) = $0 { range } else { nil } }
  }

  /// Number of scans.
  package var scanCount: Int {
    parts.count {
      if case .segment(let segment) = $0 { segment.marker == .startOfScan } else { false }
    }
  }

  /// Size of the entropy-coded data of all scans, in bytes.
  package var codedByteCount: Int {
    parts.reduce(0) { sum, part in
      switch part {
      case .scan(let range): sum + range.count
      case .copied(let bytes): sum + bytes.count
      case .segment, .stray: sum
      }
    }
  }

  /// Serializes the image with its edits, from SOI to EOI; unchanged parts are ranges of its file.
  package func serialized() -> SplicedBytes {
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
    if let stored, hasEnd {
      output.append(stored.suffix(2))
    } else {
      output.append([0xFF, 0xD9])
    }
  }

  /// Returns the metadata segments of this image with the coded data of another.
  ///
  /// - Parameter other: The image whose frame and scans are used.
  /// - Returns: The combined image.
  /// - Throws: `.inputOutput` if the file of the other image cannot be read.
  package func withCodedData(of other: JPEGImage) throws(ImageError) -> JPEGImage {
    func isMetadata(_ part: Part) -> Bool {
      guard case .segment(let segment) = part else { return false }
      return segment.marker.isApplication || segment.marker == .comment
    }
    return JPEGImage(
      source: source, stored: stored,
      parts: parts.filter(isMetadata) + (try other.detached().parts.filter { !isMetadata($0) }),
      frame: other.frame, notices: notices, hasEnd: hasEnd)
  }

  /// Returns a copy of the image that does not depend on the file it was parsed from.
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
