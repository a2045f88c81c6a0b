public import HDRCore

/// Exif, ICC and gain-map metadata of a picture.
extension JPEGImage {
  /// Exif from its TIFF header on.
  public var exif: [UInt8]? { segments(.exif).first?.body }

  /// Replaces all Exif by this block, which begins with its TIFF header, or removes it.
  ///
  /// - Throws: `.invalidArgument` if it does not fit one segment.
  public mutating func setExif(_ exif: [UInt8]?) throws(ImageError) {
    try replace(.exif, with: exif.map { [ExifBlock.withoutPrefix($0)] } ?? [])
  }

  /// The ICC profile, put together from its chunks.
  ///
  /// - Returns: `nil` if there is none, if it is empty, or if chunks are missing.
  public func profile(notices: inout [Notice]) -> [UInt8]? {
    let chunks = segments(.icc).map(\.body).filter { $0.count >= 2 }
    guard let count = chunks.first.map({ Int($0[1]) }) else { return nil }
    var profile: [UInt8] = []
    for number in 1...max(count, 1) {
      guard let chunk = chunks.first(where: { Int($0[0]) == number }) else {
        notices.append(
          Notice(
            .iccChunkMissing, ["number": number, "count": count], at: .init(path: ["APP2", "ICC"])))
        return nil
      }
      profile += chunk[2...]
    }
    guard !profile.isEmpty else {
      notices.append(
        Notice(.iccEmpty, at: .init(path: ["APP2", "ICC"])))
      return nil
    }
    return profile
  }

  /// Replaces the ICC profile, or removes it.
  ///
  /// Source: ICC.1:2010, B.4: chunks count from 1, and there are at most 255.
  ///
  /// - Throws: `.invalidArgument` if it does not fit the segments that a profile may have.
  public mutating func setProfile(_ profile: [UInt8]?) throws(ImageError) {
    guard let profile else { return try replace(.icc, with: []) }
    let longest = JPEGSegment.Kind.icc.longestBody - 2
    let chunks = stride(from: 0, to: profile.count, by: longest).map {
      profile[$0..<min($0 + longest, profile.count)]
    }
    guard (1...255).contains(chunks.count) else {
      throw ImageError(.jpegProfileTooLarge, ["size": profile.count])
    }
    let bodies = chunks.enumerated().map { [UInt8($0 + 1), UInt8(chunks.count)] + $1 }
    try replace(.icc, with: bodies)
  }

  /// The gain-map metadata of ISO 21496-1; only its version in a base picture.
  public var isoGainMap: [UInt8]? { segments(.isoGainMap).first?.body }

  /// Replaces the gain-map metadata of ISO 21496-1, or removes it.
  ///
  /// - Throws: `.invalidArgument` if it does not fit one segment.
  public mutating func setISOGainMap(_ metadata: [UInt8]?) throws(ImageError) {
    try replace(.isoGainMap, with: metadata.map { [$0] } ?? [])
  }

  /// The way that Adobe's segment says colors are transformed: 0 not at all, 1 YCbCr, 2 YCCK.
  ///
  /// Source: ITU-T T.872, 6.5.3.
  public var adobeTransform: UInt8? {
    segments(.adobe).lazy.map(\.body).first { $0.count >= 7 }?[6]
  }

  /// The texts of all comments.
  public var comments: [String] {
    segments(.comment).map { String(decoding: $0.payload.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension JPEGImage {
  /// Replaces all segments of a kind by new ones, in the place of the first or where they belong.
  ///
  /// - Throws: `.invalidArgument` if a body does not fit a segment.
  package mutating func replace(_ kind: JPEGSegment.Kind, with bodies: [[UInt8]]) throws(ImageError)
  {
    for body in bodies where body.count > kind.longestBody {
      throw ImageError(
        .jpegSegmentTooLarge,
        ["kind": kind.rawValue, "size": body.count, "limit": kind.longestBody])
    }
    // What looks like a segment between scans may be damaged data, in which nothing must move.
    let end = endOfHead
    var head = Array(parts[..<end])
    let first = head.firstIndex { $0.kind == kind } ?? usualPlace(of: kind)
    head.removeAll { $0.kind == kind }
    head.insert(
      contentsOf: bodies.map { .segment(JPEGSegment(kind, body: $0)) }, at: first)
    parts.replaceSubrange(..<end, with: head)
  }

  /// Behind the last segment at the head of the picture that goes before this kind.
  private func usualPlace(of kind: JPEGSegment.Kind) -> Int {
    let head = parts.prefix { part in
      guard case .segment(let segment) = part else { return false }
      return segment.marker.isApplication || segment.marker == .comment
    }
    let rank = kind.rank
    return head.lastIndex { ($0.kind?.rank).map { $0 <= rank } ?? false }.map { $0 + 1 } ?? 0
  }
}

extension JPEGImage.Part {
  var kind: JPEGSegment.Kind? {
    if case .segment(let segment) = self { segment.kind } else { nil }
  }
}

extension JPEGSegment.Kind {
  /// The order in which most readers are content: JFIF, Exif, XMP, ICC, ISO 21496-1, MPF.
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
