// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// An ICC profile: header, tag table and color description.
///
/// Source: ICC.1:2022 (v4.4).
package struct ICCProfile: Sendable {
  /// A four-character signature of a class, a color space, a tag or a type.
  package struct Signature: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// One entry of the tag table.
  package struct Tag: Hashable, Sendable {
    /// Signature of the tag.
    package var signature: Signature
    /// Range of the tag data in the profile.
    package var range: Range<Int>
  }

  /// The whole profile, including bytes after its declared size.
  package let bytes: [UInt8]
  /// The first 128 bytes.
  package let header: ICCHeader
  /// Tags whose data are within the profile, after the tag table; duplicate signatures are omitted.
  package let tags: [Tag]
  /// Irregularities that did not prevent parsing.
  package private(set) var notices: [Notice] = []
  /// H.273 code points of the `cicp` tag, if it exists and is valid for the color space.
  package private(set) var cicp: CICP?

  /// Parses a profile.
  ///
  /// - Throws: `.malformed` or `.truncated` if header or tag table cannot be parsed,
  ///   `.limitExceeded` for more tags than `limits.items`, 65 536 by default.
  package init(
    parsing bytes: [UInt8], limits: ImageLimits = ImageLimits()
  ) throws(ImageError) {
    self.bytes = bytes
    do throws(ImageError) {
      var reader = ByteReader(bytes.span)
      header = try ICCHeader(parsing: &reader)
      if header.size != bytes.count {
        notices.append(
          Notice(
            .iccSizeDiffers, ["size": bytes.count, "declared": header.size],
            at: .init(path: ["ICC"], offset: 0)))
      }
      tags = try Self.parseTags(&reader, limits: limits, size: bytes.count, notices: &notices)
    } catch {
      throw error.inside("ICC")
    }
    cicp = readCodePoints()
  }

  private static func parseTags(
    _ reader: inout ByteReader, limits: ImageLimits, size: Int, notices: inout [Notice]
  ) throws(ImageError) -> [Tag] {
    let count: UInt32 = try reader.readBigEndian()
    guard count <= reader.remaining / 12 else {
      throw reader.error(
        ErrorCode(.truncated, "truncated: {count tag} in {available byte}"),
        ["count": count, "available": reader.remaining])
    }
    guard count <= limits.items else {
      throw reader.error(.tooManyElements, ["limit": limits.items, "elements": "ICC tags"])
    }
    try Execution.current.budget.debit(
      elements: Int(count), of: "ICC tags", at: .init(offset: reader.fileOffset))
    let tableEnd = reader.fileOffset + Int(count) * 12
    var tags: [Tag] = []
    var seen: Set<Signature> = []
    for _ in 0..<count {
      let place = reader.fileOffset
      let signature = Signature(rawValue: try reader.readBigEndian())
      let start = Int(try reader.readBigEndian(as: UInt32.self))
      let length = Int(try reader.readBigEndian(as: UInt32.self))
      func complain(_ code: NoticeCode, _ parameters: DiagnosticParameters = [:]) {
        notices.append(
          Notice(code, parameters, at: .init(path: ["ICC", "\(signature)"], offset: place)))
      }
      guard start >= tableEnd, start <= size, length <= size - start else {
        complain(.iccTagOutOfRange, ["length": length, "offset": start, "size": size])
        continue
      }
      guard seen.insert(signature).inserted else {
        complain(.iccTagDuplicate)
        continue
      }
      tags.append(Tag(signature: signature, range: start..<start + length))
    }
    notices += overlaps(tags)
    return tags
  }

  /// Returns a notice for each pair of tags whose data overlap without being identical.
  private static func overlaps(_ tags: [Tag]) -> [Notice] {
    let sorted = tags.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    return zip(sorted, sorted.dropFirst()).compactMap { tag, next in
      guard tag.range.upperBound > next.range.lowerBound, tag.range != next.range else {
        return nil
      }
      return Notice(
        .iccTagsOverlap, ["other": "\(next.signature)"],
        at: .init(path: ["ICC", "\(tag.signature)"], offset: next.range.lowerBound))
    }
  }

  /// Parses the code points of the `cicp` tag.
  ///
  /// Little CMS 2.14 to 2.17 wrote the reserved field of the tag data twice.
  ///
  /// Source: 9.2.17 and 10.3.
  private mutating func readCodePoints() -> CICP? {
    guard let tag = tag(.cicp) else { return nil }
    func complain(_ code: NoticeCode, _ parameters: DiagnosticParameters = [:]) {
      notices.append(
        Notice(code, parameters, at: .init(path: ["ICC", "cicp"], offset: tag.range.lowerBound)))
    }
    let data = Array(bytes[tag.range])
    let isDoubled = data.count == 16 && data[8..<12].allSatisfy { $0 == 0 }
    guard data.starts(with: "cicp".utf8), data.count == 12 || isDoubled else {
      complain(NoticeCode(.irregular, "tag ignored: {size byte}"), ["size": data.count])
      return nil
    }
    if isDoubled { complain(.iccCICPPadded) }
    let values = Array(data.suffix(4))
    guard values[2] == 0 || header.colorSpace != .rgb else {
      complain(
        NoticeCode(.irregular, "tag ignored: matrix {matrix} for RGB"), ["matrix": values[2]])
      return nil
    }
    return CICP(
      primaries: .init(rawValue: UInt16(values[0])), transfer: .init(rawValue: UInt16(values[1])),
      matrix: .init(rawValue: UInt16(values[2])), isFullRange: values[3] != 0)
  }
}
