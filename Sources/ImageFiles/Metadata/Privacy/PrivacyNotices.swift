// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Parts of one file that the removal of private metadata dropped or did not read.
package struct PrivacyFindings {
  /// Names of parts that were not read, and are kept.
  private var unread: [String] = []
  /// Names of parts that were dropped since they contain a location, or since it cannot be ruled out.
  private var dropped: [String] = []
  /// Other notices.
  package var notices: [Notice] = []

  package init() {}

  /// Notes parts that may contain a location and are kept.
  package mutating func keep(_ names: [String]) { unread += names }

  /// Notes a dropped part.
  package mutating func drop(_ name: String) { dropped.append(name) }

  /// All notices.
  package var all: [Notice] {
    func distinct(_ names: [String]) -> [String] {
      var known: Set<String> = []
      return names.filter { known.insert($0).inserted }
    }
    var all = notices
    if !dropped.isEmpty { all.append(Notice(.locationPartsDropped, ["items": distinct(dropped)])) }
    if !unread.isEmpty { all.append(Notice(.locationPartsNotRead, ["items": distinct(unread)])) }
    return all
  }
}

extension ImageError {
  /// The error for unreadable metadata that may contain a location.
  var unreadableLocation: ImageError {
    endsJob ? self : ImageError(.locationNotRemovable, ["cause": self], at: location)
  }
}

/// Exif and XMP without private data, from bytes of any carrier.
package enum PrivateBlock {
  /// Exif without locations, and names of its parts that are not read.
  ///
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  package static func withoutLocation(
    exif bytes: [UInt8], _ findings: inout PrivacyFindings
  ) throws(ImageError) -> [UInt8] {
    do throws(ImageError) {
      var block = try ExifBlock(parsing: bytes)
      for name in try block.textsWithLocation { findings.drop(name) }
      let isChanged = try block.removeLocation()
      findings.keep(try block.unreadParts)
      return isChanged ? block.bytes : bytes
    } catch {
      throw error.unreadableLocation
    }
  }

  /// XMP without locations, and names of its properties that are not read.
  ///
  /// - Throws: `.malformed` for unreadable metadata that may contain a location.
  package static func withoutLocation(
    xmp bytes: [UInt8], _ findings: inout PrivacyFindings
  ) throws(ImageError) -> [UInt8] {
    do throws(ImageError) {
      var packet = try XMPPacket(parsing: bytes)
      for name in try packet.textsWithLocation { findings.drop(name) }
      let steps = [try packet.removeLocation(), try packet.removeLocationOutsideOfProperties()]
      findings.keep(try packet.unreadParts)
      return steps.contains(true) ? packet.bytes : bytes
    } catch {
      throw error.unreadableLocation
    }
  }

  /// XMP with only the properties that readers need; `nil` for none and for unreadable XMP.
  static func structure(ofXMP bytes: [UInt8]?) throws(ImageError) -> [UInt8]? {
    guard let bytes else { return nil }
    return try ifReadable(try XMPPacket(parsing: bytes))?.structureOnly()
  }
}

extension PhotoshopResources {
  /// Removes locations, and notes the parts that are not read.
  ///
  /// - Throws: As `removeLocation()`.
  package mutating func removeLocation(_ findings: inout PrivacyFindings) throws(ImageError) {
    for name in try textsWithLocation { findings.drop(name) }
    try removeLocation()
    findings.keep(try unreadParts)
  }
}

extension PrivacyFindings {
  /// Notes bytes that are not read: dropped with signs of a location, else reported.
  ///
  /// - Returns: Whether they are kept.
  mutating func keeps(_ name: String, _ bytes: [UInt8]) throws(ImageError) -> Bool {
    guard bytes.contains(where: { $0 != 0 }) else { return true }
    guard try LocationEvidence.isPresent(in: bytes) else {
      keep([name])
      return true
    }
    drop(name)
    return false
  }

  /// Notes bytes of a file as `keeps(_:_:)`, and reads them in blocks.
  mutating func keeps(
    _ name: String, in ranges: [Range<Int>], of source: ByteSource
  ) throws(ImageError) -> Bool {
    for range in ranges where try LocationEvidence.isPresent(in: range, of: source) {
      drop(name)
      return false
    }
    for range in ranges where try source.hasData(in: range) {
      keep([name])
      return true
    }
    return true
  }
}

extension ByteSource {
  /// Whether bytes other than zeros are in a range, which is read in blocks.
  func hasData(in range: Range<Int>) throws(ImageError) -> Bool {
    let step = 1 << 20
    for start in stride(from: range.lowerBound, to: range.upperBound, by: step) {
      let block = try bytes(in: start..<min(start + step, range.upperBound))
      if block.contains(where: { $0 != 0 }) { return true }
    }
    return false
  }
}
