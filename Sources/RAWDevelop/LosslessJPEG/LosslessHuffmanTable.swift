internal import HDRCore

/// A Huffman table whose symbols are the numbers of bits of differences, made for quick decoding.
///
/// Source: ITU-T T.81, annex C, F.2.2 and H.1.2.2.
struct LosslessHuffmanTable: Sendable {
  /// Bits that are looked at at once.
  static let lookahead = 12

  /// For every `lookahead` bits what they begin with.
  ///
  /// Bits 0...7 are how many bits that is, 0 if the code is longer; bits 8...15 how many bits of
  /// the difference follow; bits 16...31 the difference if none do.
  let entries: [UInt32]
  /// For each length the first code beyond those of this length, as the upper of 16 bits.
  private let limits: [UInt32]
  /// What turns a code of a length into the place of its symbol.
  private let offsets: [Int]
  private let symbols: [UInt8]

  /// Makes a table of the number of codes of each length from 1, and of their symbols in turn.
  ///
  /// - Throws: `.malformed` for lengths that do not make a prefix code, and for symbols above 16.
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

  /// Fills the entries that begin with a code; with the difference, where that fits too.
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

  /// The difference that is coded by some bits: those that begin with 0 are negative.
  ///
  /// Source: T.81, F.2.2.1, EXTEND.
  static func difference(of value: Int, bits: Int) -> Int {
    value >> (bits - 1) == 0 ? value - (1 << bits) + 1 : value
  }

  /// Finds a code that is longer than `lookahead`.
  ///
  /// - Parameter word: The next 16 bits.
  /// - Returns: Its length, and the number of bits of the difference; `nil` if no code begins so.
  func longCode(_ word: UInt32) -> (length: Int, bits: Int)? {
    for length in Self.lookahead + 1...16 where word < limits[length] {
      let place = Int(word >> UInt32(16 - length)) + offsets[length]
      guard symbols.indices.contains(place) else { return nil }
      return (length, Int(symbols[place]))
    }
    return nil
  }
}
