// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// A bounds-checked cursor over the bits of a bitstream header.
struct BitReader {
  /// Order of the bits within a byte and a field.
  enum BitOrder {
    /// Bit 7 is read first and is the most significant bit of a field: HEVC and AV1.
    case mostSignificantFirst
    /// Bit 0 is read first and is the least significant bit of a field: JPEG XL.
    case leastSignificantFirst
  }

  private let bytes: [UInt8]
  private let order: BitOrder
  private let offset: Int?
  /// Number of bits read.
  private(set) var position = 0

  /// Creates a reader at the first bit of `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: Bytes to read.
  ///   - order: Order of the bits within a byte.
  ///   - offset: Offset of the bytes in their stream, for error locations; `nil` if unknown.
  init(_ bytes: [UInt8], order: BitOrder = .mostSignificantFirst, offset: Int? = nil) {
    self.bytes = bytes
    self.order = order
    self.offset = offset
  }

  var remaining: Int { 8 * bytes.count - position }

  private func require(_ count: Int) throws(ImageError) {
    guard count <= remaining else {
      throw ImageError(
        .bitsTruncated, ["needed": count, "available": remaining],
        at: .init(offset: offset.map { $0 + position / 8 }))
    }
  }

  mutating func skip(_ count: Int) throws(ImageError) {
    try require(count)
    position += count
  }

  /// Reads an unsigned integer of `count` bits, 0...32: u(n) in H.265, f(n) in AV1.
  mutating func read(_ count: Int) throws(ImageError) -> UInt32 {
    try require(count)
    var value: UInt32 = 0
    for index in 0..<count {
      let (byte, bit) = (bytes[position >> 3], UInt8(position & 7))
      switch order {
      case .mostSignificantFirst: value = value << 1 | UInt32(byte >> (7 - bit) & 1)
      case .leastSignificantFirst: value |= UInt32(byte >> bit & 1) << UInt32(index)
      }
      position += 1
    }
    return value
  }

  mutating func readFlag() throws(ImageError) -> Bool { try read(1) == 1 }

  /// Reads an unsigned Exp-Golomb code with at most 31 leading zeros: ue(v) in H.265, uvlc() in
  /// AV1.
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

  /// Reads an unsigned Exp-Golomb code that must not exceed `limit`.
  mutating func readExpGolomb(upTo limit: UInt32, _ name: String) throws(ImageError) -> UInt32 {
    let value = try readExpGolomb()
    guard value <= limit else {
      throw ImageError(
        .malformed, "{field} is {value}; the limit is {limit}",
        ["field": "\(name)", "value": value, "limit": limit])
    }
    return value
  }
}
