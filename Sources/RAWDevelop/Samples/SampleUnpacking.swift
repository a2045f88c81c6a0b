// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Unpacks the samples of a row of an uncompressed strip or tile.
///
/// Not through the bit cursor: a check per bit would dominate the time of uncompressed files.
enum SampleUnpacking {
  /// Integers packed from the most significant bit; 16 bits are in the byte order of the file.
  ///
  /// Source: TIFF 6.0, FillOrder 1; DNG 1.7.1, chapter 3, "BitsPerSample".
  static func integers(
    _ bytes: [UInt8], from start: Int, count: Int, bits: Int, order: TIFFFile.ByteOrder
  ) -> [UInt16] {
    let source = bytes.span
    return [UInt16](capacity: count) { row in
      switch bits {
      case 8:
        for index in start..<start + count { row.append(UInt16(source[index])) }
      case 16:
        let pairs = unsafe source.extracting(start..<start + 2 * count).bytes
        for index in 0..<count {
          // SAFETY: the part has `count` pairs of bytes.
          let pair = unsafe pairs.unsafeLoadUnaligned(
            fromUncheckedByteOffset: 2 * index, as: UInt16.self)
          row.append(order == .bigEndian ? UInt16(bigEndian: pair) : UInt16(littleEndian: pair))
        }
      default:
        let mask: UInt32 = 1 << UInt32(bits) - 1
        var (window, available, next): (UInt32, Int, Int) = (0, 0, start)
        for _ in 0..<count {
          while available < bits {
            window = window << 8 | UInt32(source[next])
            next += 1
            available += 8
          }
          available -= bits
          row.append(UInt16(truncatingIfNeeded: window >> UInt32(available) & mask))
        }
      }
    }
  }

  /// Floating point of 2, 3 or 4 bytes.
  static func floats(
    _ bytes: [UInt8], from start: Int, count: Int, size: Int, order: TIFFFile.ByteOrder
  ) -> [Float] {
    let source = bytes.span
    return [Float](capacity: count) { row in
      for sample in 0..<count {
        let first = start + sample * size
        var bits: UInt32 = 0
        for byte in 0..<size {
          let index = order == .bigEndian ? first + byte : first + size - 1 - byte
          bits = bits << 8 | UInt32(source[index])
        }
        switch size {
        case 2: row.append(Float(bits: bits, exponentBits: 5, fractionBits: 10))
        case 3: row.append(Float(bits: bits, exponentBits: 7, fractionBits: 16))
        default: row.append(Float(bitPattern: bits))
        }
      }
    }
  }
}

extension Float {
  /// The value of a short floating-point number: sign, biased exponent, fraction.
  ///
  /// Source: IEEE 754, 3.4; DNG 1.7.1, chapter 3, "SampleFormat", for those of 24 bits.
  init(bits: UInt32, exponentBits: Int, fractionBits: Int) {
    let special = 1 << exponentBits - 1
    let bias = special >> 1
    let exponent = Int(bits >> UInt32(fractionBits)) & special
    let fraction = Float(bits & (1 << UInt32(fractionBits) - 1)) / Float(1 << fractionBits)
    let magnitude: Float =
      switch exponent {
      case 0: Float(sign: .plus, exponent: 1 - bias, significand: fraction)
      case special: fraction == 0 ? .infinity : .nan
      default: Float(sign: .plus, exponent: exponent - bias, significand: 1 + fraction)
      }
    self = bits >> UInt32(exponentBits + fractionBits) & 1 == 0 ? magnitude : -magnitude
  }
}
