// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Positions as people, cameras and map services write them in texts.
///
/// Two decimal numbers in the range of latitudes and longitudes, in either order, with a point or a comma,
/// or angles in degrees, minutes and seconds. Numbers of up to 1, such as relative places in an image, are
/// not positions.
///
/// Source: RFC 5870; ISO 6709, annex D; addresses of maps of Google, Apple, Bing and OpenStreetMap.
struct WrittenPosition {
  private let bytes: [UInt8]
  private var place: Int
  /// The decimal point or comma.
  private var point = UInt8(ascii: ".")

  /// The decimal point and comma, and signs of degrees: `°` and `º` in Latin-1 or as the last byte in UTF-8, and the
  /// first letter of `deg` or `d`.
  static let signs: [UInt8] = [0x2E, 0x2C, 0xB0, 0xBA, 0x64]

  /// Whether the first number of a position is written around a decimal point or before a sign of degrees.
  ///
  /// - Parameters:
  ///   - bytes: A text, or bytes of any kind.
  ///   - index: Index of the point or of the sign.
  ///   - findsAngles: Whether angles count, which occur in coded samples by chance.
  /// - Returns: Whether it is; `false` for other bytes.
  static func isPresent(in bytes: [UInt8], at index: Int, findsAngles: Bool) -> Bool {
    let isPoint = [UInt8(ascii: "."), UInt8(ascii: ",")].contains(bytes[index])
    guard index > 0, isPoint || findsAngles && signs.contains(bytes[index]) else { return false }
    var end = index
    if !isPoint, end > 0, bytes[end - 1] == 0xC2 { end -= 1 }
    if !isPoint, end > 0, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
    var start = end
    while start > 0, end - start < 24,
      isDigit(bytes[start - 1]) || bytes[start - 1] == (isPoint ? bytes[index] : 0x2E)
    {
      start -= 1
    }
    guard start < end else { return false }
    let signed = start > 0 && [0x2B, 0x2D].contains(bytes[start - 1]) ? start - 1 : start
    var text = WrittenPosition(bytes: bytes, place: signed)
    guard isPoint else { return text.isAngle() }
    text.point = bytes[index]
    return text.isPair() || findsAngles && WrittenPosition(bytes: bytes, place: start).isLastPart
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  // MARK: - Decimal numbers

  private mutating func isPair() -> Bool {
    let start = place
    // Map services need not write three decimals, of about 100 m.
    let decimals = isAddress ? 1 : 3
    guard let first = number(), first.decimals >= decimals, skipSeparator(),
      let second = number(), second.decimals >= decimals
    else { return false }
    let (least, most) = (min(first.size, second.size), max(first.size, second.size))
    guard least <= 90, most <= 180, most > 1 else { return false }
    // Numbers of three decimals are often colors or sizes.
    let isPrecise = decimals == 1 || min(first.decimals, second.decimals) > 3
    return isPrecise && most >= 10 || isAlone(from: start, altitude: isPrecise)
  }

  /// Whether the numbers are not part of a list, such as a matrix; an altitude may follow.
  private mutating func isAlone(from start: Int, altitude: Bool) -> Bool {
    let before = bytes[..<start].reversed().drop { [0x20, 0x2C, 0x3B].contains($0) }
    if before.prefix(24).prefix(while: { Self.isDigit($0) || $0 == 0x2E }).contains(0x2E) {
      return false
    }
    guard skipSeparator(), number() != nil else { return true }
    return altitude && (!skipSeparator() || number() == nil)
  }

  /// A number with its count of decimals; `nil` for others, such as versions, and without a number.
  private mutating func number() -> (size: Double, decimals: Int)? {
    if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
    var (size, digits, scale, decimals) = (0.0, 0, 1.0, 0)
    while let digit = next, Self.isDigit(digit), digits < 4 {
      size = 10 * size + Double(digit - 0x30)
      (place, digits) = (place + 1, digits + 1)
    }
    guard (1...3).contains(digits) else { return nil }
    guard next == point, place + 1 < bytes.count, Self.isDigit(bytes[place + 1]) else {
      return (size, 0)
    }
    place += 1
    while let digit = next, Self.isDigit(digit), decimals < 24 {
      scale /= 10
      size += scale * Double(digit - 0x30)
      (place, decimals) = (place + 1, decimals + 1)
    }
    let isVersion = next == point && place + 1 < bytes.count && Self.isDigit(bytes[place + 1])
    return isVersion ? nil : (size, decimals)
  }

  /// Skips what separates two numbers of a position: punctuation, also percent-encoded, characters other than
  /// ASCII, letters of directions, and names of latitude and longitude.
  private mutating func skipSeparator() -> Bool {
    let start = place
    while let byte = next, place - start < 24 {
      if Self.isLetter(byte) {
        let word = bytes[place...].prefix(10).prefix(while: Self.isLetter).map { $0 | 0x20 }
        let name = word.first == UInt8(ascii: "m") ? word.dropFirst() : word[...]
        guard
          word.count == 1 && Self.directions.contains(word[0]) || word == Array("deg".utf8)
            || ["lat", "lon", "lng"].contains(where: { name.starts(with: $0.utf8) })
        else { return false }
        place += word.count
      } else if byte == UInt8(ascii: "%"), place + 2 < bytes.count,
        ["2C", "2c", "20", "3B", "3b"].contains(where: {
          bytes[(place + 1)...].starts(with: $0.utf8)
        })
      {
        place += 3
      } else if byte >= 0x80 || Self.punctuation.contains(byte) {
        place += 1
      } else {
        break
      }
    }
    return place > start
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private static let punctuation = Set(" ,;:/=&\"'|()[]{}\t\r\n".utf8)
  /// Letters of north, south, east and west, which French, Italian and Spanish begin with an O.
  private static let directions = Set("nsewo".utf8)

  /// Whether the text before a number is that of a position in an address.
  private var isAddress: Bool {
    var before = bytes[max(place - 32, 0)..<place]
    if before.last == UInt8(ascii: "/") {
      // The zoom level of OpenStreetMap.
      let end = before.dropLast().reversed().drop { Self.isDigit($0) || $0 == 0x2E }
      if end.starts(with: "=pam".utf8) { return true }
    }
    if [0x2B, 0x2D].contains(before.last) { before.removeLast() }
    let text = before.map { Self.isLetter($0) ? $0 | 0x20 : $0 }
    return Self.addresses.contains { text.suffix($0.utf8.count).elementsEqual($0.utf8) }
  }

  private static let addresses = [
    "geo:", "/@", "?q=", "&q=", "ll=", "query=", "loc:", "center=", "destination=", "daddr=", "cp=",
  ]

  // MARK: - Degrees

  /// Whether a number is the last part of an angle without signs, as 48,51.4620N in XMP or 48 51 27.7 N.
  private var isLastPart: Bool {
    var text = self
    guard place > 1, [0x20, 0x2C, 0x3A].contains(bytes[place - 1]), Self.isDigit(bytes[place - 2]),
      let part = text.number(), part.size < 60, part.decimals > 0
    else { return false }
    text.skipSpace()
    guard let letter = text.next, "NSEW".utf8.contains(letter) else { return false }
    return text.place + 1 == bytes.count || !Self.isLetter(bytes[text.place + 1])
  }

  /// Whether an angle has seconds or parts of minutes, and a direction, or another one follows.
  private mutating func isAngle() -> Bool {
    guard let first = angle(), first.hasMinutes || first.hasDirection else { return false }
    if first.isPrecise, first.hasDirection { return true }
    guard skipSeparator(), let second = angle() else { return false }
    return second.hasMinutes || second.hasDirection
  }

  private mutating func angle() -> (hasMinutes: Bool, isPrecise: Bool, hasDirection: Bool)? {
    guard let degrees = number(), degrees.size <= 180 else { return nil }
    skipSpace()
    let isSign = skip(["°", "º", "deg"]) || skip(bytes: [0xB0]) || skip(bytes: [0xBA])
    guard isSign || skip(["d"]) else { return nil }
    var (marks, isPrecise) = (0, false)
    while marks < 2 {
      let start = place
      skipSpace()
      guard let part = number(), part.size < 60, skipMark() else {
        place = start
        break
      }
      marks += 1
      isPrecise = marks == 2 || part.decimals > 0
    }
    skipSpace()
    guard let letter = next, Self.directions.contains(letter | 0x20), Self.isLetter(letter),
      place + 1 == bytes.count || !Self.isLetter(bytes[place + 1])
    else {
      // Days also begin with a d.
      return isSign ? (marks > 0, isPrecise, false) : nil
    }
    place += 1
    return (marks > 0, isPrecise, true)
  }

  /// Skips the sign of minutes or seconds, also as entities of XML.
  private mutating func skipMark() -> Bool {
    skipSpace()
    return skip([
      "''", "'", "\"", "′′", "′", "″", "’’", "’", "”", "´", "&apos;", "&quot;", "min", "m", "s",
    ])
  }

  private mutating func skip(_ texts: [String]) -> Bool { texts.contains { skip(bytes: $0.utf8) } }

  private mutating func skip(bytes sign: some Collection<UInt8>) -> Bool {
    guard bytes[place...].starts(with: sign) else { return false }
    place += sign.count
    return true
  }

  private mutating func skipSpace() { while next == UInt8(ascii: " ") { place += 1 } }
}
