internal import HDRCore

/// A bounds-checked cursor over the bits of a coded header, highest bit first.
struct BitReader {
  private let bytes: [UInt8]
  /// Bits read.
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var remaining: Int { 8 * bytes.count - position }

  private func require(_ count: Int) throws(ImageError) {
    guard count <= remaining else {
      throw ImageError(.bitsTruncated, ["needed": count, "available": remaining])
    }
  }

  mutating func skip(_ count: Int) throws(ImageError) {
    try require(count)
    position += count
  }

  /// An unsigned integer of `count` bits, 0...32: u(n) in H.265, f(n) in AV1.
  mutating func read(_ count: Int) throws(ImageError) -> UInt32 {
    try require(count)
    var value: UInt32 = 0
    for _ in 0..<count {
      value = value << 1 | UInt32(bytes[position >> 3] >> UInt8(7 - position & 7) & 1)
      position += 1
    }
    return value
  }

  mutating func readFlag() throws(ImageError) -> Bool { try read(1) == 1 }

  /// An unsigned Exp-Golomb code of less than 32 leading zeros: ue(v) in H.265, uvlc() in AV1.
  ///
  /// Source: ITU-T H.265, 9.2.
  mutating func readExpGolomb() throws(ImageError) -> UInt32 {
    var zeros = 0
    while try !readFlag() {
      zeros += 1
      guard zeros < 32 else {
        throw ImageError(.invalidValue, ["field": "Exp-Golomb code", "value": "more than 32 bits"])
      }
    }
    return UInt32(truncatingIfNeeded: (1 << UInt64(zeros)) - 1 + UInt64(try read(zeros)))
  }

  /// An unsigned Exp-Golomb code that must not exceed `limit`.
  mutating func readExpGolomb(
    upTo limit: UInt32, _ name: String
  ) throws(ImageError) -> UInt32 {
    let value = try readExpGolomb()
    guard value <= limit else {
      throw ImageError(.valueAboveLimit, ["field": "\(name)", "value": value, "limit": limit])
    }
    return value
  }
}
