// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Signs of a location in bytes whose format is not parsed.
///
/// The absence of signs proves nothing: such bytes may be compressed or encrypted.
package enum LocationEvidence {
  /// Whether bytes contain Exif or XMP with a location, a position as of ISO 6709 or as people write it, an
  /// address of a map, or a name under which formats store positions; also as text in UTF-16.
  ///
  /// - Throws: Errors that end the whole job, such as `.limitExceeded` for the work.
  package static func isPresent(in bytes: [UInt8]) throws(ImageError) -> Bool {
    if try firstIndex(in: bytes, leastLength: 4) != nil { return true }
    let others = bytes.filter { $0 != 0 }
    guard others.count < bytes.count else { return false }
    if try firstIndex(in: others, leastLength: 4) != nil { return true }
    // Numerals and spaces have a zero, marks of other scripts do not.
    guard 4 * (bytes.count - others.count) >= bytes.count else { return false }
    for isBigEndian in [false, true] {
      let units = bytes.utf16Units(isBigEndian: isBigEndian)
      let text = Array(String(decoding: units, as: UTF16.self).utf8)
      if try firstIndex(in: text, leastLength: 4) != nil { return true }
    }
    return false
  }

  /// Whether bytes are text without encoded data, so that all of it was searched for signs.
  ///
  /// - Parameters:
  ///   - bytes: Bytes, also with zeros at the end.
  ///   - longestWord: Count of characters up to which a word may be a digest.
  /// - Returns: Whether they are UTF-8 without control characters, are not data in Base64, and do not
  ///   contain a longer word of its digits that has both letters and numerals.
  package static func isText(
    _ bytes: some BidirectionalCollection<UInt8>, longestWord: Int = 64
  ) -> Bool {
    let end = bytes.lastIndex { $0 != 0 }.map(bytes.index(after:)) ?? bytes.startIndex
    let characters = bytes[..<end]
    let text = String(decoding: characters, as: UTF8.self)
    return text.utf8.elementsEqual(characters)
      && characters.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
      && !LocationSearch.isLongData(text) && !hasWord(in: characters, longerThan: longestWord)
  }

  /// Whether a word of the digits of Base64 is longer than digests, and not only letters or dashes.
  private static func hasWord(in bytes: some Sequence<UInt8>, longerThan most: Int) -> Bool {
    var (count, hasDigit, hasLetter) = (0, false, false)
    for byte in bytes {
      switch byte {
      case 0x30...0x39: hasDigit = true
      case 0x41...0x5A, 0x61...0x7A: hasLetter = true
      case 0x2B, 0x2D, 0x2F, 0x5F: break
      default:
        (count, hasDigit, hasLetter) = (0, false, false)
        continue
      }
      count += 1
      if count > most, hasDigit, hasLetter { return true }
    }
    return false
  }

  /// The index of the first sign.
  ///
  /// - Parameters:
  ///   - bytes: Bytes of any kind.
  ///   - leastLength: Length of the shortest name; those of four bytes occur in coded samples by chance.
  /// - Returns: The index; `nil` without a sign.
  /// - Throws: As `isPresent(in:)`.
  private static func firstIndex(in bytes: [UInt8], leastLength: Int) throws(ImageError) -> Int? {
    try Execution.current.budget.debit(steps: bytes.count >> 6, for: "bytes of other formats")
    var attempts = 8
    for index in bytes.indices where beginnings[Int(bytes[index])] {
      let byte = bytes[index]
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-"), isPosition(bytes, index) {
        return index
      }
      if WrittenPosition.isPresent(in: bytes, at: index, findsAngles: leastLength == 4) {
        return index
      }
      let isName = names[Int(lowercased(byte))].contains {
        $0.count >= leastLength && isText($0, bytes, index)
      }
      if isName { return index }
      // The first bytes of the headers and of a packet.
      guard attempts > 0, byte == 0x49 || byte == 0x4D || byte == 0x3C else { continue }
      if headers.contains(where: { bytes[index...].starts(with: $0) }) {
        attempts -= 1
        // Other blocks do not contain a location that readers find.
        let isLocated = try ifReadable(try ExifBlock(parsing: Array(bytes[index...])).hasPosition)
        if isLocated == true { return index }
      } else if bytes[index...].starts(with: packetStart) {
        attempts -= 1
        // The bytes of its values are searched as well.
        if try packet(bytes[index...])?.namesLocation == true { return index }
      }
    }
    return nil
  }

  /// Whether a range of a file contains such signs; it is read in blocks that overlap.
  ///
  /// - Throws: Errors of reading, and `.limitExceeded` for the work.
  package static func isPresent(
    in range: Range<Int>, of source: ByteSource
  ) throws(ImageError) -> Bool {
    try firstOffset(in: range, of: source, leastLength: 4) != nil
  }

  /// The offset of the first sign in a whole file, coded samples included; `nil` without one.
  ///
  /// - Throws: Errors of reading, and `.limitExceeded` for the work.
  package static func firstOffset(inFile source: ByteSource) throws(ImageError) -> Int? {
    try firstOffset(in: 0..<source.count, of: source, leastLength: 6)
  }

  private static func firstOffset(
    in range: Range<Int>, of source: ByteSource, leastLength: Int
  ) throws(ImageError) -> Int? {
    let (step, overlap) = (1 << 20, 1 << 16)
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start + step + overlap, range.upperBound)
      let bytes = try source.bytes(in: start..<end)
      if let index = try firstIndex(in: bytes, leastLength: leastLength) { return start + index }
      start += step
    }
    return nil
  }

  /// Headers of TIFF, with which Exif begins.
  private static let headers: [[UInt8]] = [[0x49, 0x49, 42, 0], [0x4D, 0x4D, 0, 42]]
  private static let packetStart = Array("<rdf:RDF".utf8)
  private static let packetEnd = Array("</rdf:RDF>".utf8)

  /// Names in lower case, by their first byte.
  ///
  /// Source: Exif 3.0; QuickTime File Format; 3GPP TS 26.244, 8.2; GoPro GPMF; names of drones and
  /// of XMP schemas.
  private static let names: [[[UInt8]]] = {
    let words = [
      "gpslat", "gpslon", "gpsalt", "gpspos", "gpscoord", "gpsinfo", "gpsarea", "gpsprocess",
      "gps5",
      "gps9", "gpsu", "latitude", "longitude", "longtitude", "iso6709", "geotag", "geolocation",
      "shotlocation", "locationcreated", "locationshown", "locationname", "quicktime.location",
      "photoshop:city", "photoshop:state", "photoshop:country", "dc:coverage", "contentlocation",
      "iptc4xmpcore:location", "provincestate", "countryname", "worldregion",
      // Addresses of maps, which may also name a place, or stand for one.
      "google.com/maps", "maps.google.", "maps.app.goo.gl/", "goo.gl/maps", "maps.apple.com/",
      "bing.com/maps", "openstreetmap.org/#", "openstreetmap.org/?", "osm.org/go/",
    ]
    let all = words.map { Array($0.utf8) } + [[0xA9, 0x78, 0x79, 0x7A]]
    return (UInt8.min...UInt8.max).map { first in all.filter { $0.first == first } }
  }()

  /// First bytes of signs, and those that are examined together with the bytes before them.
  private static let beginnings = (UInt8.min...UInt8.max).map { byte in
    !names[Int(lowercased(byte))].isEmpty || "+-IM<".utf8.contains(byte)
      || WrittenPosition.signs.contains(byte)
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  private static func isText(_ name: [UInt8], _ bytes: [UInt8], _ index: Int) -> Bool {
    guard name.count <= bytes.count - index else { return false }
    return name.indices.allSatisfy { name[$0] == lowercased(bytes[index + $0]) }
  }

  /// Whether text as `+48.8577+002.2950` begins here.
  ///
  /// Source: ISO 6709, annex H: two digits of latitude and three of longitude, in degrees.
  private static func isPosition(_ bytes: [UInt8], _ index: Int) -> Bool {
    var position = index
    func isDigit(_ place: Int) -> Bool {
      place < bytes.count && (0x30...0x39).contains(bytes[place])
    }
    for digits in [2, 3] {
      guard position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-"),
        (1...digits).allSatisfy({ isDigit(position + $0) })
      else { return false }
      position += digits + 1
      guard position < bytes.count, bytes[position] == UInt8(ascii: "."), isDigit(position + 1)
      else { return false }
      position += 1
      while isDigit(position) { position += 1 }
    }
    return true
  }

  private static func packet(_ bytes: ArraySlice<UInt8>) throws(ImageError) -> XMPPacket? {
    try Execution.current.budget.debit(steps: bytes.count >> 5, for: "bytes of other formats")
    var end = bytes.startIndex
    while end < bytes.endIndex, !bytes[end...].starts(with: packetEnd) { end += 1 }
    return try ifReadable(
      try XMPPacket(parsing: Array(bytes[..<min(end + packetEnd.count, bytes.endIndex)])))
  }
}
