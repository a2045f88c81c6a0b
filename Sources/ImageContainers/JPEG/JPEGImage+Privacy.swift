// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension JPEGSegment {
  /// Whether the segment is not needed to show the image: metadata and data of unknown formats.
  ///
  /// Needed are JFIF, ICC profiles, the Adobe segment, ISO 21496-1 and MPF.
  package var isPrivate: Bool {
    guard marker.isApplication || marker == .comment else { return false }
    switch role {
    case .jfif, .icc, .adobe, .isoGainMap, .multiPicture: return false
    case .jfifExtension, .exif, .xmp, .extendedXMP, .photoshop, .comment, .other: return true
    }
  }

  /// The segment without fields that are not needed: thumbnails in JFIF, bytes after the fields.
  fileprivate var minimal: JPEGSegment {
    let size: Int
    switch role {
    case .jfif where payload.count > Self.jfifSize:
      return JPEGSegment(marker, Array(payload[..<(Self.jfifSize - 2)]) + [0, 0])
    case .adobe: size = Self.adobeSize
    default: return self
    }
    return payload.count > size ? JPEGSegment(marker, Array(payload[..<size])) : self
  }

  /// Sizes without a thumbnail.
  ///
  /// Source: JFIF 1.02; ITU-T T.872, 6.5.3.
  private static let (jfifSize, adobeSize) = (14, 12)
}

extension JPEGImage {
  /// Removes all segments that are not needed to show the image, before and between its scans, and
  /// the bytes between segments.
  ///
  /// - Parameter kept: Roles of segments that are kept before the first scan.
  package mutating func removePrivateSegments(except kept: Set<JPEGSegment.Role> = []) {
    let head = endOfHead
    var copy: [Part] = []
    for (index, part) in parts.enumerated() {
      switch part {
      case .segment(let segment):
        let isKept = !segment.isPrivate || index < head && kept.contains(segment.role)
        if isKept { copy.append(.segment(segment.minimal)) }
      // After the first scan, they may be its damaged data.
      case .stray where index < head: continue
      case .stray, .scan, .copied: copy.append(part)
      }
    }
    parts = copy
  }

  /// Replaces segments of a role one by one; those for which `edit` returns `nil` are removed.
  ///
  /// Segments between scans are included.
  ///
  /// - Returns: Whether a segment changed.
  package mutating func editSegments(
    _ role: JPEGSegment.Role, _ edit: (JPEGSegment) throws(ImageError) -> [UInt8]?
  ) throws(ImageError) -> Bool {
    var copy: [Part] = []
    for part in parts {
      guard case .segment(let segment) = part, segment.role == role, segment.isPrivate else {
        copy.append(part)
        continue
      }
      guard let payload = try edit(segment) else { continue }
      copy.append(
        payload == segment.payload ? part : .segment(JPEGSegment(segment.marker, payload)))
    }
    defer { parts = copy }
    return copy != parts
  }
}
