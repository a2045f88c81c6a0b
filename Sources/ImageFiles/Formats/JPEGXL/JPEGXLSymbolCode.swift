// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// A code for the symbols of one cluster of contexts.
///
/// Source: ISO/IEC 18181-1, C.2.
enum JPEGXLSymbolCode: Sendable {
  case prefix(JPEGXLPrefixCode)
  case ans(JPEGXLANSCode)
}

/// A canonical prefix code, stored as in Brotli.
///
/// Source: ISO/IEC 18181-1, C.2.4; RFC 7932, 3.4 and 3.5.
struct JPEGXLPrefixCode: Sendable {
  /// Number of codes of each length.
  private var counts = [Int](repeating: 0, count: Self.longestCode + 1)
  /// Symbols in the order of their codes.
  private var symbols: [Int] = []

  static let longestCode = 15

  /// A code for one symbol, which does not have bits.
  init(onlySymbol symbol: Int) {
    counts[0] = 1
    symbols = [symbol]
  }

  /// Creates a code; lengths of 0 are those of symbols that do not occur.
  private init(lengths: [Int]) throws(ImageError) {
    for length in lengths where length > 0 { counts[length] += 1 }
    for length in 1...Self.longestCode {
      symbols += lengths.indices.filter { lengths[$0] == length }
    }
    let used = (1...Self.longestCode).reduce(0) { $0 + counts[$1] << (Self.longestCode - $1) }
    if symbols.count == 1 {
      self = Self(onlySymbol: symbols[0])
    } else if used != 1 << Self.longestCode {
      throw .invalidEntropyCode
    }
  }

  /// Reads the code of an alphabet.
  init(_ reader: inout BitReader, alphabetSize: Int) throws(ImageError) {
    guard alphabetSize > 1 else {
      self.init(onlySymbol: 0)
      return
    }
    let skipped = Int(try reader.read(2))
    self =
      skipped == 1
      ? try Self.simple(&reader, alphabetSize)
      : try Self.complex(&reader, alphabetSize, skipped: skipped)
  }

  private static func simple(
    _ reader: inout BitReader, _ alphabetSize: Int
  ) throws(ImageError) -> Self {
    let bits = Int.bitWidth - (alphabetSize - 1).leadingZeroBitCount
    let count = Int(try reader.read(2)) + 1
    var symbols: [Int] = []
    for _ in 0..<count {
      let symbol = Int(try reader.read(bits))
      guard symbol < alphabetSize, !symbols.contains(symbol) else { throw .invalidEntropyCode }
      symbols.append(symbol)
    }
    let isDeep = count == 4 ? try reader.readFlag() : false
    let lengths: [Int] =
      switch count {
      case 1: [0]
      case 2: [1, 1]
      case 3: [1, 2, 2]
      default: isDeep ? [1, 2, 3, 3] : [2, 2, 2, 2]
      }
    guard count > 1 else { return Self(onlySymbol: symbols[0]) }
    var all = [Int](repeating: 0, count: alphabetSize)
    for (symbol, length) in zip(symbols, lengths) { all[symbol] = length }
    return try Self(lengths: all)
  }

  /// Order in which the lengths of the codes for lengths are stored.
  private static let order = [1, 2, 3, 4, 0, 5, 17, 6, 16, 7, 8, 9, 10, 11, 12, 13, 14, 15]

  private static func complex(
    _ reader: inout BitReader, _ alphabetSize: Int, skipped: Int
  ) throws(ImageError) -> Self {
    var lengths = [Int](repeating: 0, count: order.count)
    var space = 32
    for place in order.dropFirst(skipped) where space > 0 {
      lengths[place] = try codeLength(&reader)
      if lengths[place] > 0 { space -= 32 >> lengths[place] }
    }
    return try Self(lengths: try Self(lengths: lengths).lengths(&reader, count: alphabetSize))
  }

  /// Reads the length of a code for lengths: 0 to 5, with a fixed code.
  private static func codeLength(_ reader: inout BitReader) throws(ImageError) -> Int {
    switch try reader.read(2) {
    case 0: return 0
    case 1: return 4
    case 2: return 3
    default: break
    }
    guard try reader.readFlag() else { return 2 }
    return try reader.readFlag() ? 5 : 1
  }

  /// Reads the lengths of other codes, in which this code represents lengths and repetitions.
  private func lengths(_ reader: inout BitReader, count: Int) throws(ImageError) -> [Int] {
    var lengths: [Int] = []
    var space = 1 << Self.longestCode
    var (previous, repeated, repetitions) = (8, 0, 0)
    while lengths.count < count, space > 0 {
      let symbol = try read(&reader)
      guard symbol >= 16 else {
        lengths.append(symbol)
        repetitions = 0
        if symbol > 0 {
          previous = symbol
          space -= 1 << (Self.longestCode - symbol)
        }
        continue
      }
      let length = symbol == 16 ? previous : 0
      if repeated != length { (repeated, repetitions) = (length, 0) }
      let old = repetitions
      let bits = symbol - 14
      if repetitions > 0 { repetitions = (repetitions - 2) << bits }
      repetitions += Int(try reader.read(bits)) + 3
      guard lengths.count + repetitions - old <= count else { throw .invalidEntropyCode }
      lengths += repeatElement(length, count: repetitions - old)
      if length > 0 { space -= (repetitions - old) << (Self.longestCode - length) }
    }
    guard space == 0 else { throw .invalidEntropyCode }
    return lengths
  }

  /// Reads a symbol.
  func read(_ reader: inout BitReader) throws(ImageError) -> Int {
    if counts[0] == 1 { return symbols[0] }
    var (code, first, index) = (0, 0, 0)
    for length in 1...Self.longestCode {
      code |= Int(try reader.read(1))
      let count = counts[length]
      if code - first < count { return symbols[index + code - first] }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    throw .invalidEntropyCode
  }
}

/// A distribution of symbols for asymmetric numeral systems (ANS), as an alias table.
///
/// Source: ISO/IEC 18181-1, C.2.5 and C.2.6.
struct JPEGXLANSCode: Sendable {
  /// A bucket of the table: states below `cutoff` are those of its own symbol.
  private struct Bucket: Sendable {
    var cutoff = 0
    var alias = 0
    /// Added to the position of states of the alias.
    var offset = 0
  }

  private var frequencies: [Int]
  private var buckets: [Bucket]
  private let bucketBits: Int

  private static let precision = 12
  private static let total = 1 << precision
  /// The final state.
  static let signature: UInt32 = 0x130000

  init(_ reader: inout BitReader, alphabetBits: Int) throws(ImageError) {
    bucketBits = Self.precision - alphabetBits
    let size = 1 << alphabetBits
    frequencies = try Self.frequencies(&reader)
    while frequencies.last == 0 { frequencies.removeLast() }
    if frequencies.isEmpty { frequencies = [Self.total] }
    guard frequencies.count <= size else { throw .invalidEntropyCode }
    frequencies += repeatElement(0, count: size - frequencies.count)
    let full = 1 << bucketBits
    buckets = [Bucket](repeating: Bucket(), count: size)
    if let only = frequencies.firstIndex(of: Self.total) {
      for index in buckets.indices { buckets[index] = Bucket(alias: only, offset: full * index) }
      return
    }
    var cutoffs = frequencies
    var over = cutoffs.indices.filter { cutoffs[$0] > full }
    var under = cutoffs.indices.filter { cutoffs[$0] < full }
    while let from = over.popLast() {
      guard let to = under.popLast() else { throw .invalidEntropyCode }
      cutoffs[from] -= full - cutoffs[to]
      buckets[to].alias = from
      buckets[to].offset = cutoffs[from]
      if cutoffs[from] < full {
        under.append(from)
      } else if cutoffs[from] > full {
        over.append(from)
      }
    }
    for index in buckets.indices {
      if cutoffs[index] == full {
        buckets[index] = Bucket(alias: index)
      } else {
        buckets[index].offset -= cutoffs[index]
        buckets[index].cutoff = cutoffs[index]
      }
    }
  }

  private static func frequencies(_ reader: inout BitReader) throws(ImageError) -> [Int] {
    if try reader.readFlag() {
      let hasTwo = try reader.readFlag()
      let first = try reader.readByte()
      guard hasTwo else { return [Int](repeating: 0, count: first) + [total] }
      let second = try reader.readByte()
      guard first != second else { throw .invalidEntropyCode }
      var frequencies = [Int](repeating: 0, count: max(first, second) + 1)
      frequencies[first] = Int(try reader.read(precision))
      frequencies[second] = total - frequencies[first]
      return frequencies
    }
    if try reader.readFlag() {
      let count = try reader.readByte() + 1
      return (0..<count).map { total / count + ($0 < total % count ? 1 : 0) }
    }
    return try logarithmicFrequencies(&reader)
  }

  /// Reads frequencies that are stored as a logarithm and some of the bits after the first.
  private static func logarithmicFrequencies(
    _ reader: inout BitReader
  ) throws(ImageError) -> [Int] {
    var bits = 0
    while bits < 3, try reader.readFlag() { bits += 1 }
    let shift = (Int(try reader.read(bits)) | 1 << bits) - 1
    guard shift <= precision + 1 else { throw .invalidEntropyCode }
    let count = try reader.readByte() + 3
    // A symbol that repeats the frequency before it, so many times.
    var repetitions: [Int: Int] = [:]
    var logarithms = [Int](repeating: 0, count: count)
    var largest: Int?
    var index = 0
    while index < count {
      let logarithm = try logarithmPlusOne(&reader)
      if logarithm == precision + 1 {
        let length = min(try reader.readByte() + 4, count - index)
        repetitions[index] = length
        index += length
        continue
      }
      logarithms[index] = logarithm
      if logarithm > largest.map({ logarithms[$0] }) ?? -1 { largest = index }
      index += 1
    }
    guard let largest else { throw .invalidEntropyCode }
    var frequencies = [Int](repeating: 0, count: count)
    index = 0
    while index < count {
      if let length = repetitions[index] {
        let value = index > 0 ? frequencies[index - 1] : 0
        for place in index..<index + length { frequencies[place] = value }
        index += length
        continue
      }
      let logarithm = logarithms[index] - 1
      if index != largest, logarithm >= 0 {
        let stored = max(0, min(logarithm, shift - (precision - logarithm) / 2))
        frequencies[index] = 1 << logarithm + Int(try reader.read(stored)) << (logarithm - stored)
      }
      index += 1
    }
    frequencies[largest] = 0
    frequencies[largest] = total - frequencies.reduce(0, +)
    guard frequencies[largest] > 0 else { throw .invalidEntropyCode }
    return frequencies
  }

  /// Reads the logarithm of a frequency plus 1, 0 for a frequency of 0, or 13 for a repetition,
  /// with a fixed code.
  private static func logarithmPlusOne(_ reader: inout BitReader) throws(ImageError) -> Int {
    switch try reader.read(3) {
    case 0: return 10
    case 2: return 7
    case 4: return 6
    case 5: return 8
    case 6: return 9
    case 3: return try reader.readFlag() ? 5 : 3
    case 7: return try reader.readFlag() ? 2 : 4
    default: break
    }
    if try reader.readFlag() { return 1 }
    if try reader.readFlag() { return 0 }
    if try reader.readFlag() { return 11 }
    return try reader.readFlag() ? 13 : 12
  }

  /// Reads a symbol.
  func read(_ state: inout UInt32, _ reader: inout BitReader) throws(ImageError) -> Int {
    let value = Int(state) & (Self.total - 1)
    let (index, position) = (value >> bucketBits, value & (1 << bucketBits - 1))
    let bucket = buckets[index]
    let isOwn = position < bucket.cutoff
    let symbol = isOwn ? index : bucket.alias
    let offset = isOwn ? position : bucket.offset + position
    state =
      UInt32(truncatingIfNeeded: frequencies[symbol]) &* (state >> UInt32(Self.precision))
      &+ UInt32(truncatingIfNeeded: offset)
    if state < 1 << 16 { state = state << 16 | (try reader.read(16)) }
    return symbol
  }
}

extension BitReader {
  /// Reads a number of 0...255.
  fileprivate mutating func readByte() throws(ImageError) -> Int { try readNumber(3) }

  /// Reads a number with a variable number of bits, whose length has this many bits.
  mutating func readNumber(_ lengthBits: Int) throws(ImageError) -> Int {
    guard try readFlag() else { return 0 }
    let bits = Int(try read(lengthBits))
    return 1 << bits + Int(try read(bits))
  }
}

extension ImageError {
  static let invalidEntropyCode = ImageError(
    .invalidValue, ["field": "entropy code", "value": "not a distribution"])
}
