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
    /// Entropy-coded data of a scan, or bytes outside segments and scans, from another file.
    case copied([UInt8], isScan: Bool)
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
  package init(parsing source: ByteSource, limits: ImageLimits = ImageLimits()) throws(ImageError) {
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
      case .copied(let bytes, isScan: true): sum + bytes.count
      case .segment, .stray, .copied: sum
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
      case .copied(let bytes, _): output.append(bytes)
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
        copy.parts.append(.copied(try source.bytes(in: range), isScan: part.isScan))
      case .copied:
        copy.parts.append(part)
      }
    }
    return copy
  }
}

extension JPEGImage.Part {
  /// Whether the part is entropy-coded data.
  var isScan: Bool {
    switch self {
    case .scan, .copied(_, isScan: true): true
    case .segment, .stray, .copied: false
    }
  }
}

extension Range<Int> {
  fileprivate func prefix(_ length: Int) -> Range { lowerBound..<lowerBound + length }
  fileprivate func suffix(_ length: Int) -> Range { upperBound - length..<upperBound }
}

extension JPEGImage {
  /// Updates orientation and size in the metadata of an image whose samples were rotated upright.
  ///
  /// The size in Exif and XMP becomes that of the frame.
  ///
  /// - Parameter keepsThumbnail: Whether the Exif thumbnail still matches the image; it is removed
  ///   otherwise.
  /// - Returns: Notices about dropped metadata.
  /// - Throws: `.malformed` for Exif or XMP that cannot be edited.
  package mutating func describeAsUpright(keepsThumbnail: Bool) throws(ImageError) -> [Notice] {
    var notices: [Notice] = []
    let (width, height) = (frame.width, frame.height)
    if let exif {
      let fitted = try ExifBlock.fitted(
        exif, width: width, height: height, keepsThumbnail: keepsThumbnail, notices: &notices)
      try setExif(try ExifBlock.consistent(fitted, with: .upright))
    }
    try editXMP { packet throws(ImageError) in
      _ = try packet.updateOrientation(.upright)
      try packet.updatePixelSize(width: width, height: height)
    }
    return notices
  }
}

/// Blocks of scans, and bytes between the last one and the next segment, which decoders skip.
extension JPEGImage {
  /// Whether the scans contain all blocks; `nil` for other processes than Huffman coding.
  ///
  /// - Throws: `.inputOutput`; `.limitExceeded` for more work than the budget allows.
  package func hasAllBlocks() throws(ImageError) -> Bool? {
    guard var check = JPEGCompleteness(frame) else { return nil }
    return try check.decodeScans(of: parts, in: source).areAll && check.isComplete
  }

  /// Ends of scans that other bytes than padding follow, by their ranges.
  ///
  /// Scans are decoded. Those of damaged images and of other processes than Huffman coding are not changed.
  ///
  /// - Throws: `.inputOutput`; `.limitExceeded` for more work than the budget allows.
  package func scanEnds() throws(ImageError) -> [Range<Int>: Int] {
    guard var check = JPEGCompleteness(frame) else { return [:] }
    var ends: [Range<Int>: Int] = [:]
    for (scan, end) in try check.decodeScans(of: parts, in: source).ends
    where try !source.bytes(in: end..<scan.upperBound).allSatisfy({ [0, 0xFF].contains($0) }) {
      ends[scan] = end
    }
    return ends
  }

  /// Removes bytes after the last block of scans.
  ///
  /// - Parameter isRemoved: Whether such bytes are removed.
  /// - Throws: As `scanEnds`, and errors of `isRemoved`.
  package mutating func cutScans(
    _ isRemoved: ([UInt8]) throws(ImageError) -> Bool
  ) throws(ImageError) {
    let ends = try scanEnds()
    for (index, part) in parts.enumerated() {
      guard case .scan(let range) = part, let end = ends[range],
        try isRemoved(try source.bytes(in: end..<range.upperBound))
      else { continue }
      parts[index] = .scan(range.lowerBound..<end)
    }
  }
}

/// Bytes of an image that readers ignore: metadata between scans, and what follows the fields of
/// segments.
extension JPEGImage {
  /// Removes such bytes with a location; others are reported.
  mutating func removeLocationFromUnreadData(_ findings: inout PrivacyFindings) throws(ImageError) {
    var found = findings
    for role in [JPEGSegment.Role.xmp, .extendedXMP, .photoshop] {
      _ = try editSegments(role, afterHead: true) { segment throws(ImageError) in
        let packet = role == .xmp ? try ifReadable(try XMPPacket(parsing: segment.body)) : nil
        let name = "\(segment.marker) segment between scans"
        if packet != nil {
          let prefix = segment.payload.dropLast(segment.body.count)
          return try prefix + PrivateBlock.withoutLocation(xmp: segment.body, &found)
        }
        guard try found.keeps(name, segment.body) else { return nil }
        return segment.payload
      }
    }
    try removeSurplus { segment throws(ImageError) in
      try !found.keeps("\(segment.marker) segment", segment.surplus)
    } outside: { range, source throws(ImageError) in
      let name = "\(range.count) bytes between segments"
      guard try LocationEvidence.isPresent(in: range, of: source) else {
        found.keep([name])
        return false
      }
      found.drop(name)
      return true
    }
    let needed = NeededJPEGParts(of: self)
    let name = "tables or scans that decoders do not need"
    // They are removed together.
    var kept = found
    if try kept.keeps(name, needed.unneeded), try kept.keeps(name, in: needed.scans, of: source) {
      found = kept
    } else {
      found.drop(name)
      parts = needed.parts
    }
    try cutScans { bytes throws(ImageError) in
      // Fewer cannot be a position.
      guard bytes.count >= 8 else { return false }
      return try !found.keeps("\(bytes.count) bytes after the last block", bytes)
    }
    if !hasReadProfile, try !found.keeps("ICC profile", segments(.icc).flatMap(\.body)) {
      try trimProfile()
    }
    if try !found.keeps("gain map metadata", gainMapSurplus) { try trimGainMapMetadata() }
    findings = found
  }

  /// Removes segments of ISO 21496-1 that cannot be parsed, and bytes after the metadata.
  ///
  /// - Throws: Errors of editing.
  mutating func trimGainMapMetadata() throws(ImageError) {
    guard let body = isoGainMap else { return }
    try setISOGainMap(ISO21496Payload.fieldSize(of: body).map { Array(body.prefix($0)) })
  }

  private var gainMapSurplus: [UInt8] {
    let bodies = segments(.isoGainMap).map(\.body)
    guard let first = bodies.first else { return [] }
    let size = ISO21496Payload.fieldSize(of: first) ?? 0
    return Array(first.dropFirst(size)) + bodies.dropFirst().joined()
  }
}
