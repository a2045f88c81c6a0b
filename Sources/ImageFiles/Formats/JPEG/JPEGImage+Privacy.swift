// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension JPEGSegment {
  /// Whether the segment is not needed to show the image: metadata and data of unknown formats.
  ///
  /// Needed are those of the coded image, JFIF, ICC profiles, the Adobe segment, ISO 21496-1 and MPF.
  package var isPrivate: Bool {
    switch role {
    case .jfif, .icc, .adobe, .isoGainMap, .multiPicture: false
    case .jfifExtension, .exif, .xmp, .extendedXMP, .photoshop, .comment: true
    case .other: !marker.isOfCodedImage
    }
  }

  /// The segment without what readers do not need: thumbnails in JFIF, bytes after the fields.
  package var minimal: JPEGSegment {
    if role == .jfif, payload.count > Self.jfifSize {
      return JPEGSegment(marker, Array(payload[..<(Self.jfifSize - 2)]) + [0, 0])
    }
    guard let size = fieldSize, payload.count > size else { return self }
    return JPEGSegment(marker, Array(payload[..<size]))
  }

  /// Bytes after the fields; for MPF, those that no known entry refers to.
  package var surplus: [UInt8] {
    role == .multiPicture
      ? MultiPictureFormat.unknownBytes(of: body)
      : fieldSize.map { Array(payload.dropFirst($0)) } ?? []
  }

  /// Size of the fields of a segment that is needed; `nil` if it depends on the content.
  ///
  /// Source: JFIF 1.02; ITU-T T.872, 6.5.3; ITU-T T.81, B.2.
  private var fieldSize: Int? {
    switch role {
    case .jfif where payload.count >= Self.jfifSize: sizeOfJFIF
    case .adobe: 12
    case .other where marker.isFrame && payload.count > 5: 6 + 3 * Int(payload[5])
    case .other where marker == .startOfScan: payload.first.map { 4 + 2 * Int($0) }
    case .other where marker.rawValue == 0xDC || marker.rawValue == 0xDD: 2
    case .other where [0xC4, 0xCC, 0xDB].contains(marker.rawValue): sizeOfTables
    default: nil
    }
  }

  /// Size with the thumbnail, and with the mark that Apple's files with several images have there.
  private var sizeOfJFIF: Int {
    let size = Self.jfifSize + 3 * Int(payload[12]) * Int(payload[13])
    return payload.dropFirst(size).elementsEqual("AMPF".utf8) ? size + 4 : size
  }

  /// Size of the complete tables of DHT, DAC or DQT.
  private var sizeOfTables: Int { tables.last?.upperBound ?? 0 }

  /// Ranges of the complete tables of DHT, DAC or DQT, which follow one another; none of other segments.
  ///
  /// Source: ITU-T T.81, B.2.4.
  var tables: [Range<Int>] {
    guard [0xC4, 0xCC, 0xDB].contains(marker.rawValue) else { return [] }
    var tables: [Range<Int>] = []
    var position = 0
    while position < payload.count {
      let (kind, number) = (payload[position] >> 4, payload[position] & 15)
      guard kind <= 1, number <= 3 else { break }
      let lengths = payload[(position + 1)...].prefix(16)
      let size =
        switch marker.rawValue {
        case 0xC4: 17 + lengths.reduce(0) { $0 + Int($1) }
        case 0xDB: kind == 0 ? 65 : 129
        default: 2
        }
      guard size <= payload.count - position else { break }
      tables.append(position..<position + size)
      position += size
    }
    return tables
  }

  /// Size without a thumbnail.
  fileprivate static let jfifSize = 14
}

extension JPEGImage {
  /// Removes the thumbnail of JFIF segments.
  ///
  /// Source: JFIF 1.02: width and height of the thumbnail, and its samples, are last.
  mutating func dropThumbnailOfJFIF() {
    for (index, part) in parts.enumerated() {
      guard case .segment(let segment) = part, segment.role == .jfif,
        segment.payload.count > JPEGSegment.jfifSize, segment.payload[12] > 0,
        segment.payload[13] > 0
      else { continue }
      parts[index] = .segment(segment.minimal)
    }
  }
}

extension JPEGImage {
  /// Removes all segments that are not needed to show the image, before and between its scans, and
  /// the bytes outside of segments and scans.
  ///
  /// - Parameter kept: Roles of segments that are kept before the first scan.
  package mutating func removePrivateSegments(except kept: Set<JPEGSegment.Role> = []) {
    let head = endOfHead
    var copy: [Part] = []
    for (index, part) in parts.enumerated() {
      switch part {
      case .segment(let segment):
        let isKept =
          index < head
          ? !segment.isPrivate || kept.contains(segment.role) : segment.marker.isOfCodedImage
        if isKept { copy.append(.segment(segment.minimal)) }
      case .stray, .copied(_, isScan: false): continue
      case .scan, .copied: copy.append(part)
      }
    }
    parts = copy
  }

  /// Replaces segments of a role one by one; those for which `edit` returns `nil` are removed.
  ///
  /// Segments between scans are included.
  ///
  /// - Parameters:
  ///   - role: The role.
  ///   - isAfterHead: Whether segments before the first scan stay as they are.
  ///   - edit: The payload that replaces that of a segment.
  /// - Returns: Whether a segment changed.
  /// - Throws: Errors of `edit`.
  package mutating func editSegments(
    _ role: JPEGSegment.Role, afterHead isAfterHead: Bool = false,
    _ edit: (JPEGSegment) throws(ImageError) -> [UInt8]?
  ) throws(ImageError) -> Bool {
    let head = endOfHead
    return try editParts { (index, part) throws(ImageError) in
      guard case .segment(let segment) = part, segment.role == role, segment.isPrivate,
        !isAfterHead || index > head
      else { return part }
      return try edit(segment).map { payload in
        payload == segment.payload ? part : .segment(JPEGSegment(segment.marker, payload))
      }
    }
  }

  /// Removes the surplus of segments that are needed, and bytes outside of segments and scans.
  ///
  /// - Parameters:
  ///   - isSegmentTrimmed: Whether the surplus of a segment is removed.
  ///   - isRangeRemoved: Whether bytes outside are removed.
  /// - Throws: Errors of the arguments.
  package mutating func removeSurplus(
    of isSegmentTrimmed: (JPEGSegment) throws(ImageError) -> Bool,
    outside isRangeRemoved: (Range<Int>, ByteSource) throws(ImageError) -> Bool
  ) throws(ImageError) {
    let source = source
    _ = try editParts { (_, part) throws(ImageError) in
      switch part {
      case .segment(let segment) where !segment.isPrivate:
        return try isSegmentTrimmed(segment) ? .segment(segment.minimal) : part
      case .stray(let range): return try isRangeRemoved(range, source) ? nil : part
      case .segment, .scan, .copied: return part
      }
    }
  }

  private mutating func editParts(
    _ edit: (Int, Part) throws(ImageError) -> Part?
  ) throws(ImageError) -> Bool {
    var copy: [Part] = []
    for (index, part) in parts.enumerated() {
      if let new = try edit(index, part) { copy.append(new) }
    }
    defer { parts = copy }
    return copy != parts
  }

  /// Whether the ICC segments contain a profile in order, and nothing that is not read.
  package var hasReadProfile: Bool { hasProfile { ICCProfile.trimmed($0, keepsTexts: true) } }

  private func hasProfile(_ trimmed: ([UInt8]) -> [UInt8]?) -> Bool {
    var ignored: [Notice] = []
    let profile = profile(notices: &ignored).flatMap(trimmed)
    return segments(.icc).flatMap { $0.body.dropFirst(2) } == profile ?? []
  }

  /// Removes ICC segments that are not part of a profile, and bytes after the profile.
  ///
  /// - Throws: `.invalidArgument` if the profile does not fit 255 segments.
  package mutating func trimProfile() throws(ImageError) {
    guard !hasProfile({ ICCProfile.trimmed($0) }) else { return }
    var ignored: [Notice] = []
    try setProfile(profile(notices: &ignored).flatMap { ICCProfile.trimmed($0) })
  }
}

extension JPEGImage {
  /// Removes a part of the metadata.
  ///
  /// - Throws: `.malformed` for metadata that cannot be edited.
  mutating func remove(_ part: DroppedPart, _ notices: inout [Notice]) throws(ImageError) {
    var found: [Notice] = []
    _ = try editSegments(.exif) { segment throws(ImageError) in
      let new = try part.removed(fromExif: segment.body, &found)
      return new == segment.body ? segment.payload : segment.payload.prefix(6) + new
    }
    let old = segments(.photoshop).flatMap(\.body)
    let new = try part.removed(fromResources: old, &found)
    if new != old { try setPhotoshop(new) }
    _ = try editSegments(.photoshop, afterHead: true) { segment throws(ImageError) in
      let new = try part.removed(fromResources: segment.body, &found)
      return new.isEmpty ? nil : segment.payload.dropLast(segment.body.count) + new
    }
    notices += found
    guard part == .thumbnails else { return }
    try editXMP { packet throws(ImageError) in try packet.remove(XMPPacket.thumbnails) }
    _ = try editSegments(.xmp, afterHead: true) { segment throws(ImageError) in
      try segment.payload.dropLast(segment.body.count) + part.removed(fromXMP: segment.body)
    }
    try removeUnreadExtendedXMP(&notices)
    _ = try editSegments(.jfifExtension) { _ in nil }
    dropThumbnailOfJFIF()
  }
}
