// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Exif, ICC profile and gain map metadata of an image.
extension JPEGImage {
  /// Exif of the first segment, from its TIFF header on; `nil` if missing.
  package var exif: [UInt8]? { segments(.exif).first?.body }

  /// Replaces all Exif, or removes it.
  ///
  /// - Parameter exif: Exif from its TIFF header on; `nil` to remove it.
  /// - Throws: `.invalidArgument` if the block does not fit one segment.
  package mutating func setExif(_ exif: [UInt8]?) throws(ImageError) {
    try replace(.exif, with: exif.map { [ExifBlock.withoutPrefix($0)] } ?? [])
  }

  /// Assembles the ICC profile from its chunks, in the order of their numbers.
  ///
  /// - Parameter notices: Receives a notice if chunks are missing or the profile is empty.
  /// - Returns: The profile; `nil` if it is missing, empty or incomplete.
  package func profile(notices: inout [Notice]) -> [UInt8]? {
    let chunks = segments(.icc).map(\.body).filter { $0.count >= 2 }
    guard let count = chunks.first.map({ Int($0[1]) }) else { return nil }
    var profile: [UInt8] = []
    for number in 1...max(count, 1) {
      guard let chunk = chunks.first(where: { Int($0[0]) == number }) else {
        notices.append(
          Notice(
            .irregular, "ICC profile ignored: chunk {number} of {count} is missing",
            ["number": number, "count": count], at: .init(path: ["APP2", "ICC"])))
        return nil
      }
      profile += chunk[2...]
    }
    guard !profile.isEmpty else {
      notices.append(Notice(.iccEmpty, at: .init(path: ["APP2", "ICC"])))
      return nil
    }
    return profile
  }

  /// Replaces the ICC profile, or removes it.
  ///
  /// Source: ICC.1:2010, B.4: chunk numbers start at 1; at most 255 chunks.
  ///
  /// - Parameter profile: The profile; `nil` to remove it.
  /// - Throws: `.invalidArgument` if the profile is empty or does not fit 255 segments.
  package mutating func setProfile(_ profile: [UInt8]?) throws(ImageError) {
    guard let profile else { return try replace(.icc, with: []) }
    let longest = JPEGSegment.Role.icc.longestBody - 2
    let chunks = stride(from: 0, to: profile.count, by: longest).map {
      profile[$0..<min($0 + longest, profile.count)]
    }
    guard (1...255).contains(chunks.count) else {
      throw ImageError(
        .invalidArgument, "an ICC profile of {size byte} does not fit JPEG segments",
        ["size": profile.count])
    }
    let bodies = chunks.enumerated().map { [UInt8($0 + 1), UInt8(chunks.count)] + $1 }
    try replace(.icc, with: bodies)
  }

  /// Gain map metadata of ISO 21496-1, in a baseline image only the version; `nil` if missing.
  package var isoGainMap: [UInt8]? { segments(.isoGainMap).first?.body }

  /// Replaces the gain map metadata of ISO 21496-1, or removes it.
  ///
  /// - Parameter metadata: The metadata; `nil` to remove it.
  /// - Throws: `.invalidArgument` if the metadata does not fit one segment.
  package mutating func setISOGainMap(_ metadata: [UInt8]?) throws(ImageError) {
    try replace(.isoGainMap, with: metadata.map { [$0] } ?? [])
  }

  /// Color transform of the Adobe segment: 0 none, 1 YCbCr, 2 YCCK; `nil` without the segment.
  ///
  /// Other values are returned as they are stored.
  ///
  /// Source: ITU-T T.872, 6.5.3.
  package var adobeTransform: UInt8? {
    segments(.adobe).lazy.map(\.body).first { $0.count >= 7 }?[6]
  }

}

extension JPEGImage {
  /// Replaces all segments with a role, at the position of the first or at the usual position.
  ///
  /// - Throws: `.invalidArgument` if a body does not fit a segment.
  package mutating func replace(_ role: JPEGSegment.Role, with bodies: [[UInt8]]) throws(ImageError)
  {
    for body in bodies where body.count > role.longestBody {
      throw ImageError(
        .invalidArgument, "{segment} of {size byte}; a segment stores {limit}",
        ["segment": role.rawValue, "size": body.count, "limit": role.longestBody])
    }
    let new = bodies.map { JPEGSegment(role, body: $0) }
    guard segments(role).map(\.payload) != new.map(\.payload) else { return }
    // Only the head is edited: segments between scans may be damaged data, which must not move.
    let end = endOfHead
    var head = Array(parts[..<end])
    let first = head.firstIndex { $0.role == role } ?? usualPlace(of: role)
    head.removeAll { $0.role == role }
    head.insert(contentsOf: new.map { .segment($0) }, at: first)
    parts.replaceSubrange(..<end, with: head)
  }

  /// Index after the last segment of the head that precedes segments with this role.
  private func usualPlace(of role: JPEGSegment.Role) -> Int {
    let head = parts.prefix { part in
      guard case .segment(let segment) = part else { return false }
      return segment.marker.isApplication || segment.marker == .comment
    }
    let rank = role.rank
    return head.lastIndex { ($0.role?.rank).map { $0 <= rank } ?? false }.map { $0 + 1 } ?? 0
  }
}

extension JPEGImage.Part {
  var role: JPEGSegment.Role? {
    if case .segment(let segment) = self { segment.role } else { nil }
  }
}

extension JPEGSegment.Role {
  /// Segment order that most readers accept: JFIF, Exif, XMP, ICC, ISO 21496-1, MPF.
  fileprivate var rank: Int {
    switch self {
    case .jfif: 0
    case .jfifExtension: 1
    case .exif: 2
    case .xmp: 3
    case .extendedXMP: 4
    case .icc: 5
    case .isoGainMap: 6
    case .multiPicture: 7
    case .photoshop, .adobe, .comment, .other: 8
    }
  }
}

/// XMP, which is split if it exceeds a segment.
///
/// Source: XMP specification part 3 (2020), 1.1.3.1.
extension JPEGImage {
  /// Returns the XMP packet, merged with extended XMP.
  ///
  /// Extended XMP that cannot be read is omitted with a notice.
  ///
  /// - Parameter notices: Receives notices about irregularities.
  /// - Returns: The packet, UTF-8; `nil` if missing.
  /// - Throws: `.malformed` or `.limitExceeded` if the main packet cannot be parsed; errors that
  ///   end the whole job.
  package func xmp(notices: inout [Notice]) throws(ImageError) -> [UInt8]? {
    let packets = segments(.xmp)
    guard let main = packets.first?.body else { return nil }
    if packets.count > 1 {
      notices.append(
        Notice(
          .irregular, "{count XMP packet}; the first is used", ["count": packets.count],
          at: .init(path: ["APP1", "XMP"])))
    }
    let packet = try XMPPacket(parsing: main)
    notices += packet.notices
    guard let identifier = packet[XMPPacket.hasExtended]?.text else { return packet.bytes }
    do throws(ImageError) {
      let extended = try extendedXMP(identifier, notices: &notices)
      return try packet.merged(with: try XMPPacket(parsing: extended)).bytes
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(
        Notice(.xmpExtendedUnreadable, ["cause": error], at: .init(path: ["APP1", "XMP"])))
      return packet.bytes
    }
  }

  /// The parsed XMP packet, merged with extended XMP; `nil` if missing or unreadable.
  ///
  /// - Throws: Errors that end the whole job.
  package func readableXMP() throws(ImageError) -> XMPPacket? {
    var ignored: [Notice] = []
    guard let whole = try ifReadable(try xmp(notices: &ignored)) else { return nil }
    return try ifReadable(try XMPPacket(parsing: whole))
  }

  /// Replaces all XMP, or removes it.
  ///
  /// - Parameter packet: The packet; `nil` to remove XMP.
  /// - Throws: `.malformed` if the packet exceeds a segment and cannot be parsed,
  ///   `.invalidArgument` if it cannot be split.
  package mutating func setXMP(_ packet: [UInt8]?) throws(ImageError) {
    guard let packet else {
      try replace(.xmp, with: [])
      return try replace(.extendedXMP, with: [])
    }
    let longest = JPEGSegment.Role.xmp.longestBody
    guard packet.count > longest else {
      try replace(.xmp, with: [packet])
      return try replace(.extendedXMP, with: [])
    }
    let (main, extended) = try XMPPacket(parsing: packet).split(mainSize: longest)
    try replace(.xmp, with: [main.bytes])
    try replace(.extendedXMP, with: Self.extendedBodies(extended))
  }

  /// Replaces the packet in the main segment; extended XMP is unchanged.
  mutating func replaceMainXMP(with packet: [UInt8]) throws(ImageError) {
    try replace(.xmp, with: [packet])
  }

  /// Size of the digest, full length and offset before the data of a chunk.
  private static let chunkHead = 32 + 4 + 4

  private func extendedXMP(
    _ identifier: String, notices: inout [Notice]
  ) throws(ImageError) -> [UInt8] {
    let chunks = segments(.extendedXMP).map(\.body).filter {
      $0.count >= Self.chunkHead && $0.starts(with: identifier.utf8)
    }
    guard let length = chunks.first.map({ Self.number(in: $0, at: 32) }) else {
      throw ImageError(.xmpExtendedMissing, ["identifier": identifier])
    }
    var extended: [UInt8] = []
    for chunk in chunks.sorted(by: { Self.number(in: $0, at: 36) < Self.number(in: $1, at: 36) }) {
      let offset = Self.number(in: chunk, at: 36)
      if offset < extended.count { continue }  // Duplicate chunk.
      guard offset == extended.count else { break }
      extended += chunk[Self.chunkHead...]
    }
    guard extended.count == length else {
      throw ImageError(.xmpExtendedTruncated, ["size": extended.count, "needed": length])
    }
    if Self.identifier(of: extended) != identifier.uppercased() {
      notices.append(Notice(.xmpExtendedDigestMismatch, at: .init(path: ["APP1", "XMP"])))
    }
    return extended
  }

  private static func extendedBodies(_ packet: [UInt8]) -> [[UInt8]] {
    let identifier = Array(identifier(of: packet).utf8)
    let longest = JPEGSegment.Role.extendedXMP.longestBody - chunkHead
    return stride(from: 0, to: packet.count, by: longest).map { offset in
      var writer = ByteWriter()
      writer.write(identifier)
      writer.writeBigEndian(UInt32(clamping: packet.count))
      writer.writeBigEndian(UInt32(clamping: offset))
      writer.write(packet[offset..<min(offset + longest, packet.count)])
      return writer.bytes
    }
  }

  private static func number(in body: [UInt8], at offset: Int) -> Int {
    body[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  static func identifier(of packet: [UInt8]) -> String {
    MD5.digest(of: packet).map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}

extension JPEGImage {
  /// Edits the merged packet; extended XMP is split again if it could be read.
  package mutating func editXMP(
    _ change: (inout XMPPacket) throws(ImageError) -> Void
  ) throws(ImageError) {
    var ignored: [Notice] = []
    guard let whole = try xmp(notices: &ignored) else { return }
    var packet = try XMPPacket(parsing: whole)
    try change(&packet)
    guard packet.bytes != whole else { return }
    // A packet keeps its reference to extended XMP that cannot be read.
    guard packet[XMPPacket.hasExtended] == nil else {
      return try replaceMainXMP(with: packet.bytes)
    }
    try setXMP(packet.bytes)
  }
}
