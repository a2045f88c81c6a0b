// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Content credentials and other JUMBF boxes.
///
/// Source: ISO/IEC 19566-5, annex A and B; C2PA Technical Specification 1.3, 11.1.4.
package enum JUMBF {
  /// Whether the boxes may contain a location: they name one, or contain what is not parsed.
  ///
  /// - Throws: Errors that end the whole job.
  package static func mayContainLocation(_ bytes: [UInt8]) throws(ImageError) -> Bool {
    guard isHarmless(bytes[...], depth: 0) else { return true }
    return try LocationEvidence.isPresent(in: bytes)
  }

  private static let deepest = 32

  /// Whether all boxes are of types that are read, and no key in them is that of a location.
  private static func isHarmless(_ bytes: ArraySlice<UInt8>, depth: Int) -> Bool {
    guard depth < deepest else { return false }
    var position = bytes.startIndex
    while position < bytes.endIndex {
      guard bytes.endIndex - position >= 8 else { return false }
      let size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, size <= bytes.endIndex - position else { return false }
      let type = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
      let content = bytes[position + 8..<position + size]
      let isRead =
        switch type {
        case "jumb": isHarmless(content, depth: depth + 1)
        case "jumd": true
        case "free": content.allSatisfy { $0 == 0 }
        case "json": isHarmlessJSON(content)
        case "cbor": isHarmlessCBOR(content, depth: depth + 1)
        default: false
        }
      guard isRead else { return false }
      position += size
    }
    return true
  }

  /// Whether bytes are text, in which digests of up to 64 bytes are usual.
  private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    LocationEvidence.isText(bytes, longestWord: 128)
  }

  private static func isHarmless(key: String) -> Bool { !XMPName.isLocation(keyword: key) }

  /// Whether bytes are text in which no string before a colon is the name of a location, and none is
  /// long data.
  private static func isHarmlessJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard isText(bytes) else { return false }
    let parts = bytes.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    // A string between other characters may begin with any part, as quotes are escaped in strings.
    return zip(parts, parts.dropFirst()).allSatisfy { part, next in
      let text = String(decoding: part, as: UTF8.self)
      guard !LocationSearch.isLongData(text) else { return false }
      guard next.first(where: { $0 > 0x20 }) == UInt8(ascii: ":") else { return true }
      return !part.contains(UInt8(ascii: "\\")) && isHarmless(key: text)
    }
  }

  /// Whether bytes are one item of CBOR with harmless keys and values.
  ///
  /// Source: RFC 8949, 3.
  private static func isHarmlessCBOR(_ bytes: ArraySlice<UInt8>, depth: Int) -> Bool {
    var rest = bytes
    return readItem(&rest, depth: depth) != nil && rest.isEmpty
  }

  /// An item of CBOR, as far as it matters.
  private enum Item {
    case text(String)
    case end
    case other
  }

  /// Reads an item; `nil` if it is not harmless, or malformed.
  private static func readItem(_ bytes: inout ArraySlice<UInt8>, depth: Int) -> Item? {
    guard depth < deepest, let head = bytes.popFirst() else { return nil }
    let (kind, size) = (head >> 5, head & 31)
    var argument: Int? = Int(size)
    switch size {
    case 0..<24: break
    case 24..<28:
      let length = 1 << Int(size - 24)
      guard bytes.count >= length else { return nil }
      argument = Int(exactly: bytes.prefix(length).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
      // Numbers may be larger.
      guard argument != nil || kind < 2 || kind == 7 else { return nil }
      bytes = bytes.dropFirst(length)
    case 31 where kind == 7: return .end
    case 31 where 2...5 ~= kind: argument = nil
    default: return nil
    }
    switch kind {
    case 2, 3:
      guard let argument else { return kind == 2 ? readParts(&bytes, depth: depth) : nil }
      guard argument <= bytes.count else { return nil }
      let content = bytes.prefix(argument)
      bytes = bytes.dropFirst(argument)
      guard kind == 3 else { return isHarmlessData(content, depth: depth) ? .other : nil }
      let text = String(decoding: content, as: UTF8.self)
      return isText(content) ? .text(text) : nil
    case 4, 5:
      var index = 0
      while index != argument.map({ kind == 5 ? 2 &* $0 : $0 }) {
        switch readItem(&bytes, depth: depth + 1) {
        case nil: return nil
        case .end?: return argument == nil && (kind == 4 || index % 2 == 0) ? .other : nil
        case .text(let key)? where kind == 5 && index % 2 == 0:
          guard isHarmless(key: key) else { return nil }
        default: break
        }
        index += 1
      }
      return .other
    case 6: return readItem(&bytes, depth: depth + 1)
    default: return .other
    }
  }

  /// Reads the parts of data of unknown length, each of which is to be harmless.
  private static func readParts(_ bytes: inout ArraySlice<UInt8>, depth: Int) -> Item? {
    while let part = readItem(&bytes, depth: depth + 1) {
      if case .end = part { return .other }
    }
    return nil
  }

  /// Whether bytes are of a size of digests and signatures, padding, a certificate or another structure of
  /// DER, or CBOR again.
  ///
  /// Source: RFC 9052, 4.2; ITU-T X.690, 8.1.
  private static func isHarmlessData(_ bytes: ArraySlice<UInt8>, depth: Int) -> Bool {
    if bytes.count <= 64 || [256, 384, 512].contains(bytes.count) { return !isCompressed(bytes) }
    let isCertificate =
      bytes.starts(with: [0x30, 0x82])
      && bytes.dropFirst(2).prefix(2).reduce(0) { $0 << 8 | Int($1) } == bytes.count - 4
    return isCertificate || bytes.allSatisfy { $0 == 0 } || isHarmlessCBOR(bytes, depth: depth + 1)
  }

  /// Whether bytes begin as a stream of zlib with a window of 32 KiB, or of gzip.
  ///
  /// Source: RFC 1950, 2.2; RFC 1952, 2.3.1.
  private static func isCompressed(_ bytes: ArraySlice<UInt8>) -> Bool {
    let header = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    return header >> 8 == 0x78 && header % 31 == 0 || header == 0x1F8B
  }
}
