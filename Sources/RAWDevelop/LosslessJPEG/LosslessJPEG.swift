// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Lossless JPEG (SOF3, Huffman), as raw files use it.
///
/// Source: ITU-T T.81, annex H; DNG 1.7.1, chapter 3, "Compression".
package struct LosslessJPEG {
  let header: LosslessJPEGHeader
  /// Whether 16 unused bits follow a difference of 32768, as before DNG 1.1.
  private let hasBitsAfter32768: Bool
  private let bytes: [UInt8]
  private let fileOffset: Int

  /// Parses the header.
  ///
  /// - Parameters:
  ///   - bytes: A lossless JPEG.
  ///   - fileOffset: Offset of the bytes in the file, for errors.
  ///   - hasBitsAfter32768: Whether 16 bits follow a difference of 32768.
  /// - Throws: `.unsupported` for a JPEG of another process, `.malformed` and `.truncated`.
  package init(
    parsing bytes: [UInt8], fileOffset: Int = 0, hasBitsAfter32768: Bool = false
  ) throws(ImageError) {
    header = try LosslessJPEGHeader(parsing: bytes, fileOffset: fileOffset)
    self.bytes = bytes
    self.fileOffset = fileOffset
    self.hasBitsAfter32768 = hasBitsAfter32768
  }

  /// Number of samples of all components: width times height times number of components.
  package var sampleCount: Int { header.width * header.height * header.componentCount }

  /// Decodes the samples, interleaved, row by row.
  ///
  /// Each sample takes at least one bit, which limits memory by the size of the data.
  ///
  /// - Returns: `sampleCount` samples, shifted by the point transform.
  /// - Throws: `.truncated` if the bits end early, `.malformed` for an invalid code.
  package func decode() throws(ImageError) -> [UInt16] {
    let (samples, damage) = try salvage()
    if let damage { throw damage }
    return samples
  }

  /// As `decode()`, with the samples of the rows before an error; the others are 0.
  ///
  /// - Throws: Errors of the first row.
  func salvage() throws(ImageError) -> (samples: [UInt16], damage: ImageError?) {
    guard sampleCount <= 8 * (bytes.count - header.scanStart) else {
      throw ImageError(
        .truncated, "truncated: {samples sample} in {size byte}",
        ["size": bytes.count - header.scanStart, "samples": sampleCount],
        at: .init(offset: fileOffset + header.scanStart))
    }
    let coded = EntropyCodedSegments(bytes, from: header.scanStart)
    var samples = [UInt16](repeating: 0, count: sampleCount)
    var scan = LosslessJPEGScan(header, coded, hasBitsAfter32768: hasBitsAfter32768)
    var damage: ImageError?
    do throws(ImageError) {
      var span = samples.mutableSpan
      try scan.decode(into: &span)
    } catch {
      damage = error.at(.init(offset: fileOffset + header.scanStart))
      if samples.allSatisfy({ $0 == 0 }) { throw damage ?? error }
    }
    if header.pointTransform > 0 {
      for index in samples.indices { samples[index] <<= UInt16(header.pointTransform) }
    }
    return (samples, damage)
  }
}

/// Decoder of the entropy-coded data of a lossless JPEG.
///
/// Source: ITU-T T.81, H.1.2 and H.2.
struct LosslessJPEGScan {
  private let header: LosslessJPEGHeader
  private let coded: EntropyCodedSegments
  /// Lookup tables of all components, concatenated.
  private let entries: [UInt32]
  private let hasBitsAfter32768: Bool

  /// The next bits, first bit on top, and the number of valid bits.
  private var window: UInt64 = 0
  private var available = 0
  /// Index of the next word, and its segment.
  private var index = 0
  private var segment = EntropyCodedSegments.Segment(words: 0..<0, bitCount: 0)
  private var hasInvalidCode = false

  init(_ header: LosslessJPEGHeader, _ coded: EntropyCodedSegments, hasBitsAfter32768: Bool) {
    self.header = header
    self.coded = coded
    self.hasBitsAfter32768 = hasBitsAfter32768
    entries = header.tables.flatMap(\.entries)
  }

  /// Decodes all rows; the samples of one with an error, and of those after it, are 0.
  ///
  /// - Throws: `.truncated` if the bits end early, `.malformed` for an invalid code.
  mutating func decode(into samples: inout MutableSpan<UInt16>) throws(ImageError) {
    let rowsPerSegment =
      header.restartInterval == 0 ? header.height : header.restartInterval / header.width
    for row in 0..<header.height {
      let isFirst = row % rowsPerSegment == 0
      if isFirst {
        guard coded.segments.indices.contains(row / rowsPerSegment) else {
          throw ImageError(.rawScanTruncated, ["row": row])
        }
        segment = coded.segments[row / rowsPerSegment]
        (index, window, available) = (segment.words.lowerBound, 0, 0)
      }
      decode(row, isFirst: isFirst, into: &samples)
      // Beyond the end, words are 0.
      let isWhole = 32 * (index - segment.words.lowerBound) - available <= segment.bitCount
      guard hasInvalidCode || !isWhole else { continue }
      let count = header.width * header.componentCount
      for place in row * count..<(row + 1) * count { samples[place] = 0 }
      throw hasInvalidCode
        ? ImageError(.malformed, "invalid Huffman code in row {row}", ["row": row])
        : ImageError(.rawScanTruncated, ["row": row])
    }
  }

  private mutating func decode(_ row: Int, isFirst: Bool, into samples: inout MutableSpan<UInt16>) {
    // Table H.1: left, above, and above left.
    switch isFirst ? 1 : header.predictor {
    case 1: decodeRow(row, isFirst, &samples) { left, _, _ in left }
    case 2: decodeRow(row, isFirst, &samples) { _, above, _ in above }
    case 3: decodeRow(row, isFirst, &samples) { _, _, corner in corner }
    case 4: decodeRow(row, isFirst, &samples) { left, above, corner in left + above - corner }
    case 5:
      decodeRow(row, isFirst, &samples) { left, above, corner in left + (above - corner) >> 1 }
    case 6:
      decodeRow(row, isFirst, &samples) { left, above, corner in above + (left - corner) >> 1 }
    default: decodeRow(row, isFirst, &samples) { left, above, _ in (left + above) >> 1 }
    }
  }

  @inline(__always)
  private mutating func decodeRow(
    _ row: Int, _ isFirst: Bool, _ samples: inout MutableSpan<UInt16>,
    predict: (_ left: Int, _ above: Int, _ corner: Int) -> Int
  ) {
    let components = header.componentCount
    let stride = header.width * components
    let start = row * stride
    let initial = 1 << (header.precision - header.pointTransform - 1)
    for component in 0..<components {
      let predicted = isFirst ? initial : Int(samples[start - stride + component])
      samples[start + component] = UInt16(truncatingIfNeeded: predicted + next(component))
    }
    var component = 0
    for place in start + components..<start + stride {
      let left = Int(samples[place - components])
      let above = isFirst ? 0 : Int(samples[place - stride])
      let corner = isFirst ? 0 : Int(samples[place - stride - components])
      samples[place] = UInt16(truncatingIfNeeded: predict(left, above, corner) + next(component))
      component += 1
      if component == components { component = 0 }
    }
  }

  /// The next difference of a component.
  @inline(__always)
  private mutating func next(_ component: Int) -> Int {
    // A code and its difference take at most 32 bits.
    if available < 32 {
      let word = index < segment.words.upperBound ? coded.words[index] : 0
      index += 1
      window |= UInt64(word) << UInt64(32 - available)
      available += 32
    }
    let size = LosslessHuffmanTable.lookahead
    let entry = entries[component << size + Int(window >> UInt64(64 - size))]
    let (length, bits) = (Int(entry & 0xFF), Int(entry >> 8 & 0xFF))
    if length != 0, bits == 0 {
      consume(length)
      return Int(Int16(truncatingIfNeeded: entry >> 16))
    }
    return longDifference(component, length, bits)
  }

  private mutating func longDifference(_ component: Int, _ length: Int, _ bits: Int) -> Int {
    var (length, bits) = (length, bits)
    if length == 0 {
      guard let code = header.tables[component].longCode(UInt32(window >> 48)) else {
        hasInvalidCode = true
        return 0
      }
      (length, bits) = code
    }
    consume(length)
    guard bits > 0 else { return 0 }
    guard bits < 16 else {
      if hasBitsAfter32768 { consume(16) }
      return 32_768
    }
    let value = Int(window >> UInt64(64 - bits))
    consume(bits)
    return LosslessHuffmanTable.difference(of: value, bits: bits)
  }

  @inline(__always)
  private mutating func consume(_ bits: Int) {
    window <<= UInt64(bits)
    available -= bits
  }
}

/// Entropy-coded segments between restart markers, without stuffed zero bytes.
///
/// Not read through `ByteReader` and a bit cursor: unstuffing into 32-bit words once lets the
/// decoder refill its window without a branch per byte, which sets the speed of raw decoding.
///
/// Source: ITU-T T.81, B.1.1.5 and F.1.2.3.
struct EntropyCodedSegments {
  struct Segment {
    var words: Range<Int>
    var bitCount: Int
  }

  /// Words of 32 bits, first bit on top; each segment begins with a new word.
  private(set) var words: [UInt32] = []
  private(set) var segments: [Segment] = []

  /// Reads up to the first marker other than a restart marker.
  init(_ bytes: [UInt8], from start: Int) {
    words.reserveCapacity((bytes.count - start) / 4 + 2)
    let source = bytes.span
    var (first, index) = (0, start)
    var word: UInt32 = 0
    var filled = 0
    func flush() {
      let bitCount = 32 * (words.count - first) + 8 * filled
      if filled > 0 { words.append(word << UInt32(32 - 8 * filled)) }
      segments.append(Segment(words: first..<words.count, bitCount: bitCount))
      (first, word, filled) = (words.count, 0, 0)
    }
    while index < source.count {
      let byte = source[index]
      index += 1
      if byte == 0xFF {
        // A marker may be preceded by any number of fill bytes FF.
        while index < source.count, source[index] == 0xFF { index += 1 }
        let next = index < source.count ? source[index] : 0xD9
        index += 1
        if 0xD0...0xD7 ~= next {
          flush()
          continue
        }
        guard next == 0 else { break }
      }
      word = word << 8 | UInt32(byte)
      filled += 1
      if filled == 4 {
        words.append(word)
        (word, filled) = (0, 0)
      }
    }
    flush()
  }
}

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
      entries[index] = UInt32(UInt16(truncatingIfNeeded: difference)) << 16 | UInt32(length + bits)
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
