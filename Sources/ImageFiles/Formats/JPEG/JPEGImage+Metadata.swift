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
