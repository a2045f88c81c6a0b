// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// MD5 digest, which identifies ICC profiles and extended XMP; not cryptographically secure.
///
/// Source: RFC 1321.
enum MD5 {
  static func digest(of message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    var length = ByteWriter()
    length.writeLittleEndian(UInt64(message.count) &* 8)
    padded += length.bytes

    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    for block in stride(from: 0, to: padded.count, by: 64) {
      let words = stride(from: block, to: block + 64, by: 4).map { index in
        (0..<4).reduce(0 as UInt32) { $0 | UInt32(padded[index + $1]) << UInt32(8 * $1) }
      }
      mix(words, into: &state)
    }
    var writer = ByteWriter()
    for word in state { writer.writeLittleEndian(word) }
    return writer.bytes
  }

  private static func mix(_ words: [UInt32], into state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let function: UInt32
      let index: Int
      switch step / 16 {
      case 0: (function, index) = (b & c | ~b & d, step)
      case 1: (function, index) = (b & d | c & ~d, (5 * step + 1) % 16)
      case 2: (function, index) = (b ^ c ^ d, (3 * step + 5) % 16)
      default: (function, index) = (c ^ (b | ~d), 7 * step % 16)
      }
      let sum = a &+ function &+ words[index] &+ constants[step]
      let shift = shifts[step / 16][step % 4]
      (a, b, c, d) = (d, b &+ (sum << shift | sum >> (32 - shift)), b, c)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
  }

  private static let shifts: [[UInt32]] = [
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21],
  ]
  private static let constants = (1...64).map {
    UInt32(clamping: abs(sin(Double($0))) * 4_294_967_296)
  }
}
