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

/// Prediction of samples before deflate.
///
/// Source: TIFF 6.0, section 14; TIFF Technical Note 3; DNG 1.7.1, chapter 3, "Predictor".
struct TIFFPredictor: Hashable, Sendable {
  enum Method: Hashable, Sendable {
    case none
    /// Differences to the preceding sample of the plane.
    case horizontal
    /// The first bytes of all samples of a row, then the second bytes and so on, as differences.
    case floatingPoint
  }

  let method: Method
  /// Distance of the subtracted samples in the plane; 2 and 4 are for mosaics.
  let distance: Int

  static let none = TIFFPredictor(method: .none, distance: 1)

  private init(method: Method, distance: Int) {
    self.method = method
    self.distance = distance
  }

  /// - Throws: `.unsupported` for an unknown predictor.
  init(_ directory: DNGDirectory, compression: RawLayout.Compression) throws(ImageError) {
    guard compression == .deflate, let code = try directory.integer(.predictor) else {
      self = .none
      return
    }
    switch code {
    case 1: self = .none
    case 2: self.init(method: .horizontal, distance: 1)
    case 3: self.init(method: .floatingPoint, distance: 1)
    case 34_892: self.init(method: .horizontal, distance: 2)
    case 34_893: self.init(method: .horizontal, distance: 4)
    case 34_894: self.init(method: .floatingPoint, distance: 2)
    case 34_895: self.init(method: .floatingPoint, distance: 4)
    default:
      throw directory.error(
        .unsupportedValue, .predictor, ["field": "predictor", "value": "\(code)"])
    }
  }

  /// Undoes the prediction of a row of integers.
  func undo(_ row: inout [UInt16], planes: Int, bits: Int) {
    guard method == .horizontal, planes * distance < row.count else { return }
    let mask: UInt16 = bits == 8 ? 0xFF : 0xFFFF
    for index in planes * distance..<row.count {
      row[index] = (row[index] &+ row[index - planes * distance]) & mask
    }
  }

  /// Undoes the prediction of a row of floating-point samples.
  ///
  /// - Parameters:
  ///   - row: The bytes of the row.
  ///   - planes: Samples per pixel.
  ///   - size: Bytes per sample.
  /// - Returns: The bytes of the samples, most significant byte first.
  func undoFloatingPoint(_ row: [UInt8], planes: Int, size: Int) -> [UInt8] {
    var sums = row
    if planes * distance < row.count {
      for index in planes * distance..<row.count { sums[index] &+= sums[index - planes * distance] }
    }
    let count = row.count / size
    var bytes = [UInt8](repeating: 0, count: row.count)
    for sample in 0..<count {
      for byte in 0..<size { bytes[sample * size + byte] = sums[byte * count + sample] }
    }
    return bytes
  }
}
