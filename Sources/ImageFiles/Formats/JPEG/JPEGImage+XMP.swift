// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
