// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Decodes the entropy-coded integers of a codestream that its structure depends on.
///
/// Source: ISO/IEC 18181-1, C.2 and C.3.
struct JPEGXLEntropyDecoder {
  /// Representation of integers by symbols; some of the bits of large ones follow the symbol.
  private struct IntegerCode {
    let splitExponent: Int
    var significantBits = 0
    var lowBits = 0

    init(_ reader: inout BitReader, alphabetBits: Int) throws(ImageError) {
      splitExponent = Int(try reader.read(Self.bits(alphabetBits)))
      guard splitExponent != alphabetBits else { return }
      significantBits = Int(try reader.read(Self.bits(splitExponent)))
      guard significantBits <= splitExponent else { throw .invalidEntropyCode }
      lowBits = Int(try reader.read(Self.bits(splitExponent - significantBits)))
      guard significantBits + lowBits <= splitExponent else { throw .invalidEntropyCode }
    }

    /// Number of bits that can store 0...`maximum`.
    private static func bits(_ maximum: Int) -> Int { Int.bitWidth - maximum.leadingZeroBitCount }

    func read(_ symbol: Int, _ reader: inout BitReader) throws(ImageError) -> UInt32 {
      let split = 1 << splitExponent
      guard symbol >= split else { return UInt32(truncatingIfNeeded: symbol) }
      let known = significantBits + lowBits
      let count = splitExponent - known + (symbol - split) >> known
      guard count < 32 else { throw .invalidEntropyCode }
      let high = symbol >> lowBits & (1 << significantBits - 1) | 1 << significantBits
      let value = (high << count | Int(try reader.read(count))) << lowBits
      return UInt32(truncatingIfNeeded: value | symbol & (1 << lowBits - 1))
    }
  }

  /// Repetitions of earlier integers.
  private struct Repetition {
    let firstSymbol: Int
    let shortest: Int
    let length: IntegerCode

    /// Reads the parameters; `nil` if integers are not repeated.
    init?(_ reader: inout BitReader) throws(ImageError) {
      guard try reader.readFlag() else { return nil }
      firstSymbol = Int(
        try reader.read(.value(224), .value(512), .value(4096), .bits(15, offset: 8)))
      shortest = Int(
        try reader.read(.value(3), .value(4), .bits(2, offset: 5), .bits(8, offset: 9)))
      length = try IntegerCode(&reader, alphabetBits: 8)
    }
  }

  /// The cluster of each context; the last one is that of distances if integers are repeated.
  private var clusters: [Int]
  private let repetition: Repetition?
  private var integerCodes: [IntegerCode] = []
  private var codes: [JPEGXLSymbolCode] = []
  private var state = JPEGXLANSCode.signature
  /// The last integers, by their number modulo the size of the window.
  private var window: [UInt32] = []
  private var count = 0
  private var remainingCopies = 0
  private var copied = 0

  private static let windowSize = 1 << 20

  /// Reads the distributions of some contexts, and the initial state.
  init(_ reader: inout BitReader, contexts: Int, allowsRepetition: Bool = true) throws(ImageError) {
    repetition = try Repetition(&reader)
    guard allowsRepetition || repetition == nil else { throw .invalidEntropyCode }
    let contexts = contexts + (repetition == nil ? 0 : 1)
    clusters = [Int](repeating: 0, count: contexts)
    if contexts > 1 { clusters = try Self.clusters(&reader, contexts) }
    let clusterCount = (clusters.max() ?? 0) + 1
    let isPrefixCode = try reader.readFlag()
    let alphabetBits = isPrefixCode ? JPEGXLPrefixCode.longestCode : 5 + Int(try reader.read(2))
    for _ in 0..<clusterCount {
      integerCodes.append(try IntegerCode(&reader, alphabetBits: alphabetBits))
    }
    guard isPrefixCode else {
      for _ in 0..<clusterCount {
        codes.append(.ans(try JPEGXLANSCode(&reader, alphabetBits: alphabetBits)))
      }
      state = try reader.read(32)
      return
    }
    var sizes: [Int] = []
    for _ in 0..<clusterCount {
      sizes.append(try reader.readNumber(4) + 1)
      guard sizes.allSatisfy({ $0 <= 1 << alphabetBits }) else { throw .invalidEntropyCode }
    }
    for size in sizes { codes.append(.prefix(try JPEGXLPrefixCode(&reader, alphabetSize: size))) }
  }

  /// Reads the cluster of each context.
  ///
  /// Source: ISO/IEC 18181-1, C.2.2.
  private static func clusters(
    _ reader: inout BitReader, _ contexts: Int
  ) throws(ImageError) -> [Int] {
    var clusters: [Int] = []
    if try reader.readFlag() {
      let bits = Int(try reader.read(2))
      for _ in 0..<contexts { clusters.append(Int(try reader.read(bits))) }
      return clusters
    }
    let movesToFront = try reader.readFlag()
    var decoder = try Self(&reader, contexts: 1, allowsRepetition: contexts > 2)
    for _ in 0..<contexts {
      let cluster = try decoder.read(&reader, context: 0)
      guard cluster < 256 else { throw .invalidEntropyCode }
      clusters.append(Int(cluster))
    }
    try decoder.finish()
    guard movesToFront else { return clusters }
    var recent = Array(0..<256)
    return clusters.map { place in
      let cluster = recent.remove(at: place)
      recent.insert(cluster, at: 0)
      return cluster
    }
  }

  /// Reads an integer.
  mutating func read(_ reader: inout BitReader, context: Int) throws(ImageError) -> UInt32 {
    guard let repetition else { return try readInteger(&reader, context) }
    if remainingCopies == 0 {
      let symbol = try readSymbol(&reader, clusters[context])
      guard symbol >= repetition.firstSymbol else {
        return append(try integerCodes[clusters[context]].read(symbol, &reader))
      }
      let length = try repetition.length.read(symbol - repetition.firstSymbol, &reader)
      remainingCopies = Int(length) + repetition.shortest
      let distance = 1 + Int(try readInteger(&reader, clusters.count - 1))
      copied = count - min(distance, count, Self.windowSize)
    }
    remainingCopies -= 1
    // Copies that begin before the first integer consist of zeros, as in libjxl.
    let place = copied % Self.windowSize
    let value = place < window.count ? window[place] : 0
    copied += 1
    return append(value)
  }

  /// Checks the final state.
  ///
  /// - Throws: `.malformed` if it is not that of a complete sequence.
  func finish() throws(ImageError) {
    guard state == JPEGXLANSCode.signature else { throw .invalidEntropyCode }
  }

  private mutating func readInteger(
    _ reader: inout BitReader, _ context: Int
  ) throws(ImageError) -> UInt32 {
    let cluster = clusters[context]
    return try integerCodes[cluster].read(try readSymbol(&reader, cluster), &reader)
  }

  private mutating func readSymbol(
    _ reader: inout BitReader, _ cluster: Int
  ) throws(ImageError) -> Int {
    switch codes[cluster] {
    case .prefix(let code): try code.read(&reader)
    case .ans(let code): try code.read(&state, &reader)
    }
  }

  private mutating func append(_ value: UInt32) -> UInt32 {
    if window.count < Self.windowSize {
      window.append(value)
    } else {
      window[count % Self.windowSize] = value
    }
    count += 1
    return value
  }
}

/// Field types of JPEG XL headers.
extension BitReader {
  /// One of the four distributions of a U32 field, selected by two bits.
  enum Distribution {
    case value(UInt32)
    /// A field of this many bits, to which the offset is added.
    case bits(Int, offset: UInt32 = 0)
  }

  /// Reads a U32 field.
  ///
  /// Source: ISO/IEC 18181-1, 9.2.1: U32.
  mutating func read(
    _ a: Distribution, _ b: Distribution, _ c: Distribution, _ d: Distribution
  ) throws(ImageError) -> UInt32 {
    switch [a, b, c, d][Int(try read(2))] {
    case .value(let value): return value
    // The sum fits 32 bits for all distributions in use.
    case .bits(let count, let offset): return offset &+ (try read(count))
    }
  }

  /// Reads a U64 field.
  ///
  /// Source: ISO/IEC 18181-1, 9.2.2: U64.
  mutating func readVariable() throws(ImageError) -> UInt64 {
    switch try read(2) {
    case 0: return 0
    case 1: return 1 + UInt64(try read(4))
    case 2: return 17 + UInt64(try read(8))
    default: break
    }
    var value = UInt64(try read(12))
    var shift: UInt64 = 12
    while try readFlag() {
      guard shift < 60 else { return value | UInt64(try read(4)) << shift }
      value |= UInt64(try read(8)) << shift
      shift += 8
    }
    return value
  }

  /// Reads an enumerated field.
  ///
  /// Source: ISO/IEC 18181-1, 9.2.5: Enum.
  mutating func readEnumeration() throws(ImageError) -> UInt32 {
    try read(.value(0), .value(1), .bits(4, offset: 2), .bits(6, offset: 18))
  }

  /// Reads a finite half-precision number.
  ///
  /// Source: ISO/IEC 18181-1, 9.2.6: F16.
  mutating func readHalf() throws(ImageError) -> Double {
    let bits = try read(16)
    let (sign, exponent, mantissa) = (bits >> 15, bits >> 10 & 31, Double(bits & 1023))
    guard exponent < 31 else {
      throw ImageError(.invalidValue, ["field": "half-precision number", "value": "not finite"])
    }
    let magnitude =
      exponent == 0
      ? Double(sign: .plus, exponent: -24, significand: mantissa)
      : Double(sign: .plus, exponent: Int(exponent) - 25, significand: 1024 + mantissa)
    return sign == 1 ? -magnitude : magnitude
  }

  /// Skips the extensions of a header.
  ///
  /// Source: ISO/IEC 18181-1, 9.3: Extensions.
  mutating func skipExtensions() throws(ImageError) {
    let extensions = try readVariable()
    var size = 0
    for _ in 0..<extensions.nonzeroBitCount {
      let (sum, overflow) = size.addingReportingOverflow(Int(clamping: try readVariable()))
      size = overflow ? .max : sum
    }
    try skip(size)
  }

  /// Skips the bits before the next byte.
  mutating func alignToByte() throws(ImageError) { try skip(-position & 7) }
}
