// SPDX-License-Identifier: Apache-2.0
internal import CPlatform
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
      add(block.span)
      rest = []
    }
    let end = bytes.count - (bytes.count - start) % 64
    add(bytes.span.extracting(start..<end))
    rest += bytes[end...]
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

  /// Adds whole blocks of 64 bytes.
  private mutating func add(_ blocks: Span<UInt8>) {
    // SAFETY: the pointers are used during the call only, for eight words and as many blocks as there are.
    unsafe blocks.withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress else { return }
      unsafe state.withUnsafeMutableBufferPointer { words in
        guard let state = words.baseAddress else { return }
        unsafe platform_sha256_add(state, first, bytes.count / 64)
      }
    }
  }
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
