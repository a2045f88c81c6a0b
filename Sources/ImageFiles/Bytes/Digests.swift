// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// SHA-256 digest, for comparing coded images before and after an edit.
///
/// Source: FIPS 180-4, 6.2.
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var schedule = [UInt32](repeating: 0, count: 64)
  /// Bytes that do not yet fill a block.
  private var rest: [UInt8] = []
  private var count: UInt64 = 0

  package init() {}

  /// Returns the digest of `message` in hexadecimal.
  package static func hexadecimal(_ message: [UInt8]) -> String {
    var digest = SHA256()
    digest.update(message)
    return digest.hexadecimal()
  }

  /// Adds bytes to the message.
  package mutating func update(_ bytes: [UInt8]) {
    count &+= UInt64(bytes.count)
    var start = 0
    if !rest.isEmpty {
      start = min(64 - rest.count, bytes.count)
      rest += bytes[..<start]
      guard rest.count == 64 else { return }
      let block = rest
      compress(block, at: 0)
      rest = []
    }
    while bytes.count - start >= 64 {
      compress(bytes, at: start)
      start += 64
    }
    rest += bytes[start...]
  }

  /// Returns the digest of all bytes added, in hexadecimal.
  package func hexadecimal() -> String {
    var last = self
    let bits = count &* 8
    last.update([0x80] + [UInt8](repeating: 0, count: (119 - rest.count) % 64))
    last.update((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) })
    return last.state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private mutating func compress(_ bytes: [UInt8], at start: Int) {
    for t in 0..<16 {
      let i = start + 4 * t
      schedule[t] =
        UInt32(bytes[i]) << 24 | UInt32(bytes[i + 1]) << 16 | UInt32(bytes[i + 2]) << 8
        | UInt32(bytes[i + 3])
    }
    for t in 16..<64 {
      let (w15, w2) = (schedule[t - 15], schedule[t - 2])
      let s0 = Self.rotated(w15, 7) ^ Self.rotated(w15, 18) ^ w15 >> 3
      let s1 = Self.rotated(w2, 17) ^ Self.rotated(w2, 19) ^ w2 >> 10
      schedule[t] = schedule[t - 16] &+ s0 &+ schedule[t - 7] &+ s1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for t in 0..<64 {
      let s1 = Self.rotated(e, 6) ^ Self.rotated(e, 11) ^ Self.rotated(e, 25)
      let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ Self.constants[t] &+ schedule[t]
      let s0 = Self.rotated(a, 2) ^ Self.rotated(a, 13) ^ Self.rotated(a, 22)
      let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e) = (g, f, e, d &+ t1)
      (d, c, b, a) = (c, b, a, t1 &+ t2)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() {
      state[index] = state[index] &+ word
    }
  }

  private static func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 {
    value >> count | value << (32 - count)
  }

  /// First 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
    0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
    0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
    0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
    0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

/// MD5 digest, which identifies ICC profiles and extended XMP; not cryptographically secure.
///
/// Source: RFC 1321.
struct MD5 {
  private var (a, b, c, d): (UInt32, UInt32, UInt32, UInt32) = (
    0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476
  )

  static func digest(of message: [UInt8]) -> [UInt8] {
    let whole = message.count / 64 * 64
    var rest = message[whole...] + [0x80]
    rest += [UInt8](repeating: 0, count: (120 - rest.count % 64) % 64)
    var writer = ByteWriter()
    writer.writeLittleEndian(UInt64(message.count) &* 8)
    rest += writer.bytes

    var digest = MD5()
    digest.mix(message.span.extracting(first: whole))
    digest.mix(Array(rest).span)
    writer = ByteWriter()
    for word in [digest.a, digest.b, digest.c, digest.d] { writer.writeLittleEndian(word) }
    return writer.bytes
  }

  /// Adds whole blocks of 64 bytes.
  private mutating func mix(_ blocks: Span<UInt8>) {
    let constants = Self.constants
    var words = [UInt32](repeating: 0, count: 16)
    for block in stride(from: 0, to: blocks.count, by: 64) {
      for index in words.indices {
        let byte = block + 4 * index
        words[index] =
          UInt32(blocks[byte]) | UInt32(blocks[byte + 1]) << 8 | UInt32(blocks[byte + 2]) << 16
          | UInt32(blocks[byte + 3]) << 24
      }
      let before = self
      for step in 0..<16 {
        let function = b & c | ~b & d
        turn(function &+ words[step] &+ constants[step], Self.rotations.0[step % 4])
      }
      for step in 16..<32 {
        let function = b & d | c & ~d
        turn(function &+ words[(5 * step + 1) % 16] &+ constants[step], Self.rotations.1[step % 4])
      }
      for step in 32..<48 {
        let function = b ^ c ^ d
        turn(function &+ words[(3 * step + 5) % 16] &+ constants[step], Self.rotations.2[step % 4])
      }
      for step in 48..<64 {
        let function = c ^ (b | ~d)
        turn(function &+ words[7 * step % 16] &+ constants[step], Self.rotations.3[step % 4])
      }
      (a, b, c, d) = (a &+ before.a, b &+ before.b, c &+ before.c, d &+ before.d)
    }
  }

  private mutating func turn(_ addend: UInt32, _ rotation: UInt32) {
    let sum = a &+ addend
    (a, b, c, d) = (d, b &+ (sum &<< rotation | sum &>> (32 &- rotation)), b, c)
  }

  private static let rotations: (SIMD4<UInt32>, SIMD4<UInt32>, SIMD4<UInt32>, SIMD4<UInt32>) = (
    [7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]
  )
  private static let constants = (1...64).map {
    UInt32(clamping: abs(sin(Double($0))) * 4_294_967_296)
  }
}
