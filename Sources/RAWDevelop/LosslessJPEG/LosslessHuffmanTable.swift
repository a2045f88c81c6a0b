// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// A Huffman table for the sizes of differences, arranged for fast decoding.
///
/// Source: ITU-T T.81, annex C, F.2.2 and H.1.2.2.
struct LosslessHuffmanTable: Sendable {
  /// Bits of a lookup.
  static let lookahead = 12

  /// Entry for each value of `lookahead` bits.
  ///
  /// Bits 0...7: length of the code, with its difference if that fits; 0 if the code is longer.
  /// Bits 8...15: bits of the difference that follow. Bits 16...31: the difference if none follow.
  let entries: [UInt32]
  /// For each length, the first code beyond the codes of this length, aligned to the top of 16
  /// bits.
  private let limits: [UInt32]
  /// For each length, the offset from a code to the index of its symbol.
  private let offsets: [Int]
  private let symbols: [UInt8]

  /// A table from the number of codes of each length from 1, and their symbols in order.
  ///
  /// - Throws: `.malformed` for lengths without a prefix code, and for symbols above 16.
  init(counts: [UInt8], symbols: [UInt8]) throws(ImageError) {
    guard symbols.allSatisfy({ $0 <= 16 }) else {
      throw ImageError(
        .invalidValue, ["field": "Huffman table", "value": "differences of more than 16 bits"])
    }
    var entries = [UInt32](repeating: 0, count: 1 << Self.lookahead)
    var limits: [UInt32] = [0]
    var offsets = [0]
    var (code, first) = (0, 0)
    for (length, count) in zip(1..., counts) {
      let count = Int(count)
      offsets.append(first - code)
      guard code + count <= 1 << length else {
        throw ImageError(
          .invalidValue,
          ["field": "number of Huffman codes", "value": "too many of \(length) bits"])
      }
      for index in 0..<count where length <= Self.lookahead {
        Self.fill(&entries, code: code + index, length: length, bits: Int(symbols[first + index]))
      }
      (code, first) = (code + count, first + count)
      limits.append(UInt32(code << (16 - length)))
      code <<= 1
    }
    self.entries = entries
    self.limits = limits
    self.offsets = offsets
    self.symbols = symbols
  }

  /// Fills the entries that begin with a code, including the difference if it fits.
  private static func fill(_ entries: inout [UInt32], code: Int, length: Int, bits: Int) {
    let free = lookahead - length
    for rest in 0..<1 << free {
      let index = code << free | rest
      if bits == 0 || bits > free {
        entries[index] = UInt32(bits << 8 | length)
        continue
      }
      let difference = Self.difference(of: rest >> (free - bits), bits: bits)
      entries[index] =
        UInt32(UInt16(truncatingIfNeeded: difference)) << 16 | UInt32(length + bits)
    }
  }

  /// The difference for its bits; negative if the first bit is 0.
  ///
  /// Source: T.81, F.2.2.1, EXTEND.
  static func difference(of value: Int, bits: Int) -> Int {
    value >> (bits - 1) == 0 ? value - (1 << bits) + 1 : value
  }

  /// Decodes a code that is longer than `lookahead`.
  ///
  /// - Parameter word: The next 16 bits.
  /// - Returns: Length of the code, and the number of bits of the difference; `nil` for an invalid
  ///   code.
  func longCode(_ word: UInt32) -> (length: Int, bits: Int)? {
    for length in Self.lookahead + 1...16 where word < limits[length] {
      let place = Int(word >> UInt32(16 - length)) + offsets[length]
      guard symbols.indices.contains(place) else { return nil }
      return (length, Int(symbols[place]))
    }
    return nil
  }
}
