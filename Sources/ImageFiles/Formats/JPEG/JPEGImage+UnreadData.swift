// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Bytes of an image that readers ignore: metadata between scans, and what follows the fields of
/// segments.
extension JPEGImage {
  /// Removes such bytes with a location; others are reported.
  mutating func removeLocationFromUnreadData(
    _ findings: inout PrivacyFindings
  ) throws(ImageError) {
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
    try cutScans { bytes throws(ImageError) in
      try !found.keeps("\(bytes.count) bytes after the last block", bytes)
    }
    if !hasWholeProfile, try !found.keeps("ICC profile", segments(.icc).flatMap(\.body)) {
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
}
