// SPDX-License-Identifier: Apache-2.0
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
