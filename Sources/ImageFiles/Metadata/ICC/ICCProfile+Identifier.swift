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

  /// Returns a profile without bytes after its declared size; `nil` for bytes that are not one.
  package static func trimmed(_ bytes: [UInt8]) -> [UInt8]? {
    guard let profile = try? ICCProfile(parsing: bytes),
      bytes[36..<40].elementsEqual("acsp".utf8)
    else { return nil }
    return Array(bytes.prefix(max(Int(profile.header.size), 128)))
  }

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
