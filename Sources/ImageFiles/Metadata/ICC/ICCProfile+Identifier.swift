// SPDX-License-Identifier: Apache-2.0
/// The profile ID.
///
/// Source: ICC.1:2022, 7.2.18.
extension ICCProfile {
  private static let identifierRange = 84..<100

  /// Returns the MD5 digest that identifies a profile.
  ///
  /// - Parameter bytes: A profile of at least 128 bytes; its flags, rendering intent and profile ID
  ///   do not affect the digest.
  /// - Returns: The 16 bytes of the digest.
  static func identifier(of bytes: [UInt8]) -> [UInt8] {
    var identified = bytes
    for range in [44..<48, 64..<68, identifierRange] {
      identified.replaceSubrange(range, with: repeatElement(0, count: range.count))
    }
    return MD5.digest(of: identified)
  }

  /// Returns a profile without bytes after its declared size, and with zeros in place of tags that
  /// describe neither its colors nor itself; `nil` for bytes that are not one.
  ///
  /// All other tags keep their places.
  package static func trimmed(_ bytes: [UInt8]) -> [UInt8]? {
    guard let profile = try? ICCProfile(parsing: bytes),
      bytes[36..<40].elementsEqual("acsp".utf8)
    else { return nil }
    let whole = Array(bytes.prefix(max(Int(profile.header.size), 128)))
    let tags = profile.tags.filter {
      needed.contains("\($0.signature)") && $0.range.upperBound <= whole.count
    }
    var table = ByteWriter()
    table.writeBigEndian(UInt32(clamping: tags.count))
    for tag in tags {
      table.writeBigEndian(tag.signature.rawValue)
      table.writeBigEndian(UInt32(clamping: tag.range.lowerBound))
      table.writeBigEndian(UInt32(clamping: tag.range.count))
    }
    // The rest of the header is reserved.
    var trimmed = whole[..<100] + [UInt8](repeating: 0, count: whole.count - 100)
    guard table.count <= whole.count - 128 else { return whole }
    trimmed.replaceSubrange(128..<128 + table.count, with: table.bytes)
    for tag in tags { trimmed.replaceSubrange(tag.range, with: whole[tag.range]) }
    return trimmed.elementsEqual(whole) ? whole : correctingIdentifier(of: Array(trimmed))
  }

  /// Tags with colors, and description and copyright, which each profile has.
  ///
  /// Source: ICC.1:2022, 9.2; ICC.1:2001-04, 6.4; `HAGC` as written by Apple.
  private static let needed: Set = [
    "desc", "cprt", "wtpt", "bkpt", "lumi", "chad", "chrm", "cicp", "ciis", "HAGC", "meas", "view",
    "tech", "rig0", "rig2", "gamt", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "A2B0",
    "A2B1", "A2B2", "B2A0", "B2A1", "B2A2", "D2B0", "D2B1", "D2B2", "D2B3", "B2D0", "B2D1", "B2D2",
    "B2D3", "pre0", "pre1", "pre2", "clro", "clrt", "clot", "ncl2", "resp",
  ]

  /// Returns a profile with a correct profile ID.
  ///
  /// - Parameter bytes: A profile.
  /// - Returns: The profile; unchanged if its ID is correct or zero, that is, not calculated.
  package static func correctingIdentifier(of bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 128, bytes[identifierRange].contains(where: { $0 != 0 }) else {
      return bytes
    }
    var corrected = bytes
    corrected.replaceSubrange(identifierRange, with: identifier(of: bytes))
    return corrected
  }
}
