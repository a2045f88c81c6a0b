// SPDX-License-Identifier: Apache-2.0
#if TIFF
internal import HDRCore
internal import ImageFiles

/// Unpacks decompressed TIFF samples into planes.
struct TIFFUnpacker {
  private let layout: TIFFLayout
  /// Number of consecutive samples of one pixel.
  private let channels: Int
  private let mask: UInt32

  init(_ layout: TIFFLayout, isPlanar: Bool) {
    self.layout = layout
    channels = isPlanar ? 1 : layout.channels
    if case .unsigned(let bits) = layout.coding { mask = 1 << UInt32(bits) - 1 } else { mask = 0 }
  }

  /// Size of a row, or of a row of a tile, in bytes.
  func rowSize(pixels: Int) -> Int { (pixels * channels * layout.coding.bits + 7) / 8 }

  /// Unpacks samples of one row into planes.
  ///
  /// - Parameters:
  ///   - bytes: A decompressed strip or tile.
  ///   - start: Offset of the row in `bytes`.
  ///   - columns: Columns of the image that the samples cover.
  ///   - plane: The plane of the samples; `nil` if the samples of all planes are interleaved.
  ///   - planes: The planes to fill.
  ///   - y: The row in `planes`.
  func unpack(
    _ bytes: [UInt8], from start: Int, columns: Range<Int>, plane: Int?,
    _ planes: inout ImagePlanes.Planes, _ y: Int
  ) {
    let channelsOfPlanes =
      plane.map { [($0, 0)] }
      ?? layout.usedChannels.enumerated().map { ($0.offset, $0.element) }
    switch planes {
    case .integer(var integers):
      planes = .integer([])
      for (index, channel) in channelsOfPlanes {
        var row = integers[index].mutableRow(y)
        fill(&row, columns, channel, integers: bytes, from: start)
        guard layout.isInverted, index == 0 else { continue }
        for x in columns { row[x] ^= UInt16(truncatingIfNeeded: mask) }
      }
      if let palette = layout.palette { color(&integers, y, columns, palette) }
      planes = .integer(integers)
    case .float(var floats):
      planes = .float([])
      for (index, channel) in channelsOfPlanes {
        var row = floats[index].mutableRow(y)
        fill(&row, columns, channel, floats: bytes, from: start)
        guard layout.isInverted, index == 0 else { continue }
        for x in columns { row[x] = 1 - row[x] }
      }
      planes = .float(floats)
    case .half: preconditionFailure("samples of 16 bits are widened")
    }
  }

  /// Replaces palette indices, stored in the first plane, by colors.
  private func color(
    _ planes: inout [Plane<UInt16>], _ y: Int, _ columns: Range<Int>,
    _ palette: [SIMD3<UInt16>]
  ) {
    let indices = planes[0].strip(rows: y..<y + 1)
    for component in 0..<3 {
      var row = planes[component].mutableRow(y)
      // A color map has a color for each possible index.
      for x in columns { row[x] = palette[Int(indices.row(0)[x])][component] }
    }
  }

  /// Whether kernels can read the samples.
  private func isWhole(_ row: borrowing MutableSpan<UInt16>, _ columns: Range<Int>) -> Bool {
    columns == 0..<row.count && channels <= 4
  }

  /// Stores samples of one plane; samples of 16 bits and more are in native byte order.
  private func fill(
    _ row: inout MutableSpan<UInt16>, _ columns: Range<Int>, _ channel: Int,
    integers bytes: [UInt8], from start: Int
  ) {
    let (bits, native) = (layout.coding.bits, NativeBytes(bytes: bytes))
    var index = channel
    switch bits {
    case 8 where isWhole(row, columns):
      bytes.read(from: start + channel, every: channels, mask: 0xFF, into: &row)
    case 16 where isWhole(row, columns):
      bytes.readNative16(from: start + 2 * channel, every: channels, into: &row)
    case 8:
      for x in columns {
        row[x] = UInt16(bytes[start + index])
        index += channels
      }
    case 16:
      for x in columns {
        row[x] = native.word(at: start + 2 * index)
        index += channels
      }
    default:
      for x in columns {
        // A sample of at most 15 bits is within three bytes, at any bit offset.
        let position = index * bits
        var window: UInt32 = 0
        for offset in start + position / 8..<start + position / 8 + 3 {
          window = window << 8 | UInt32(offset < bytes.count ? bytes[offset] : 0)
        }
        row[x] = UInt16(truncatingIfNeeded: window >> UInt32(24 - position % 8 - bits) & mask)
        index += channels
      }
    }
  }

  private func fill(
    _ row: inout MutableSpan<Float>, _ columns: Range<Int>, _ channel: Int,
    floats bytes: [UInt8], from start: Int
  ) {
    let native = NativeBytes(bytes: bytes)
    var index = channel
    switch layout.coding {
    case .half:
      for x in columns {
        row[x] = Float(halfBits: native.word(at: start + 2 * index))
        index += channels
      }
    case .double:
      for x in columns {
        row[x] = Float(Double(bitPattern: native.doubleWord(at: start + 8 * index)))
        index += channels
      }
    case .float, .unsigned:
      for x in columns {
        row[x] = Float(bitPattern: native.longWord(at: start + 4 * index))
        index += channels
      }
    }
  }
}

/// Numbers in native byte order.
private struct NativeBytes {
  let bytes: [UInt8]

  func word(at offset: Int) -> UInt16 {
    let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
    #if _endian(little)
    return second << 8 | first
    #else
    return first << 8 | second
    #endif
  }

  func longWord(at offset: Int) -> UInt32 {
    let (first, second) = (UInt32(word(at: offset)), UInt32(word(at: offset + 2)))
    #if _endian(little)
    return second << 16 | first
    #else
    return first << 16 | second
    #endif
  }

  func doubleWord(at offset: Int) -> UInt64 {
    let (first, second) = (UInt64(longWord(at: offset)), UInt64(longWord(at: offset + 4)))
    #if _endian(little)
    return second << 32 | first
    #else
    return first << 32 | second
    #endif
  }
}

extension Float {
  /// The value of a half-float with these bits.
  ///
  /// Source: IEEE 754, binary16: 1 bit sign, 5 bits exponent with a bias of 15, 10 bits fraction.
  init(halfBits bits: UInt16) {
    let sign: Float = bits & 0x8000 == 0 ? 1 : -1
    let (exponent, fraction) = (Int(bits >> 10 & 31), Float(bits & 0x3FF))
    switch exponent {
    case 0: self = sign * Float(sign: .plus, exponent: -24, significand: fraction)
    case 31: self = fraction == 0 ? sign * .infinity : .nan
    default:
      self = sign * Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
    }
  }
}
#endif
