// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// An XMP packet: its text and its properties.
///
/// Edits change only the affected text; all other bytes are kept.
///
/// Source: ISO 16684-1 (XMP part 1).
package struct XMPPacket: Sendable {
  /// UTF-8 text, with the packet wrapper if there is one.
  package private(set) var bytes: [UInt8]
  /// Irregularities that did not prevent parsing.
  package internal(set) var notices: [Notice] = []
  let tree: XMLTree

  /// Maximum packet size in bytes; with extended XMP, packets of cameras have a few megabytes.
  private static let largest = 64 << 20

  /// Parses a packet in UTF-8 or UTF-16.
  ///
  /// A packet in UTF-16 is converted to UTF-8, with a notice.
  ///
  /// - Throws: `.malformed` if it is not well-formed XML, `.limitExceeded` for more than 64 MiB,
  ///   for elements that are nested too deeply, and if the budget of the current execution is
  ///   exceeded.
  package init(parsing bytes: [UInt8]) throws(ImageError) {
    self = try Execution.parsing(bytes) { () throws(ImageError) in
      try XMPPacket(interpreting: bytes)
    }
  }

  private init(interpreting bytes: [UInt8]) throws(ImageError) {
    guard bytes.count <= Self.largest else {
      throw ImageError(
        .sizeLimitExceeded,
        ["element": "XMP packet", "size": bytes.count, "limit": Self.largest],
        at: .init(path: ["XMP"]))
    }
    if let converted = try Self.convertedFromUTF16(bytes) {
      self.bytes = converted
      notices.append(Notice(.xmpUTF16, at: .init(path: ["XMP"])))
    } else {
      self.bytes = bytes
    }
    guard String(validating: self.bytes, as: UTF8.self) != nil else {
      throw ImageError(
        .invalidValue, ["field": "text encoding", "value": "not UTF-8"], at: .init(path: ["XMP"]))
    }
    tree = try XMLTree(parsing: self.bytes, nesting: ImageLimits().nesting)
  }

  /// UTF-8 text of a packet without properties.
  package static let empty = Array(
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="\(XMPName.rdfNamespace)">
      <rdf:Description rdf:about=""/>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>
    """.utf8)

  /// Returns the packet converted to UTF-8 if it is in UTF-16, otherwise `nil`.
  private static func convertedFromUTF16(_ bytes: [UInt8]) throws(ImageError) -> [UInt8]? {
    let isBigEndian: Bool
    switch Array(bytes.prefix(2)) {
    case [0xFE, 0xFF], [0, UInt8(ascii: "<")]: isBigEndian = true
    case [0xFF, 0xFE], [UInt8(ascii: "<"), 0]: isBigEndian = false
    default: return nil
    }
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index -> UInt16 in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw ImageError(
        .invalidValue, ["field": "text encoding", "value": "not UTF-16"], at: .init(path: ["XMP"]))
    }
    var converted = Array(text.utf8)
    if converted.starts(with: [0xEF, 0xBB, 0xBF]) { converted.removeFirst(3) }
    // An XML declaration would specify the wrong encoding; UTF-8 does not require one.
    if converted.starts(with: "<?xml ".utf8),
      let end = converted.firstIndex(of: UInt8(ascii: ">"))
    {
      converted.removeFirst(end + 1)
    }
    return converted
  }
}
