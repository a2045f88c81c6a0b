// SPDX-License-Identifier: Apache-2.0
#if PNG
internal import HDRCore
internal import ImageFiles
internal import PixelKernels

/// A block of rows as a deflate stream.
struct PNGBlock: Sendable {
  /// Starts and ends at byte boundaries; its last block is final if `isLast`.
  let stream: [UInt8]
  /// Number and checksum of the bytes before compression.
  let count: Int
  let checksum: Adler32
  let isFirst: Bool
  let isLast: Bool
}

/// Filters and deflates blocks of rows.
struct PNGBlockEncoder: Sendable {
  private let channels: Int
  private let height: Int
  private let bytesPerSample: Int
  private let speed: Int
  /// A widened sample is `code * multiplier >> shift`.
  private let multiplier: UInt32
  private let shift: UInt32

  /// Size of a row without its filter, in bytes.
  let rowSize: Int
  /// Size of a pixel, in bytes, which precedes each row as its left neighbor.
  private let step: Int

  init(bits: Int, header: PNGHeader, speed: Int) {
    (channels, height) = (header.colorType.channels, header.height)
    self.speed = speed
    bytesPerSample = header.bitDepth / 8
    step = channels * bytesPerSample
    rowSize = header.width * step
    let repeats = (header.bitDepth + bits - 1) / bits
    multiplier = (0..<repeats).reduce(0) { $0 | 1 << UInt32($1 * bits) }
    shift = UInt32(repeats * bits - header.bitDepth)
  }

  /// Encodes some rows; the row above them is in memory as well.
  func encode(_ rows: Range<Int>, of image: PNGSampleRows) throws(ImageError) -> PNGBlock {
    let samples = interleaved(rows, of: image)
    let deflater = try Deflater(speed: speed)
    let estimator = try LibDeflate(level: 1)
    var filtered = [UInt8](repeating: 0, count: rows.count * (rowSize + 1))
    // Groups of equal size.
    let groups = (rows.count - 1) / Self.rowsPerFilter + 1
    let size = (rows.count - 1) / groups + 1
    for start in stride(from: 0, to: rows.count, by: size) {
      let group = start..<min(start + size, rows.count)
      let filter = try bestFilter(for: group, of: samples, estimator)
      for row in group {
        apply(filter, to: row, of: samples, at: row * (rowSize + 1), of: &filtered)
      }
    }
    let isLast = rows.upperBound == height
    return PNGBlock(
      stream: try deflater.block(filtered, isLast: isLast), count: filtered.count,
      checksum: Adler32(filtered), isFirst: rows.lowerBound == 0, isLast: isLast)
  }

  /// Returns the samples as stored in the file, each row after the pixel to its left, and after the
  /// row above the first one.
  private func interleaved(_ rows: Range<Int>, of image: PNGSampleRows) -> [UInt8] {
    let stride = step + rowSize
    var bytes = [UInt8](repeating: 0, count: (rows.count + 1) * stride)
    let above = max(rows.lowerBound - 1, 0)
    // SAFETY: the kernels write `width` samples of one component in the row that starts here.
    unsafe bytes.withUnsafeMutableBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return }
      for channel in 0..<channels {
        for y in above..<rows.upperBound {
          let (plane, row) = image.plane(channel, withRow: y)
          let offset = (y + 1 - rows.lowerBound) * stride + step + channel * bytesPerSample
          unsafe plane.row(row).withUnsafeBufferPointer { codes in
            guard let first = codes.baseAddress else { return }
            let interleave =
              unsafe bytesPerSample == 1 ? pk_interleave_bytes : pk_interleave_network16
            unsafe interleave(first, start + offset, codes.count, channels, multiplier, shift)
          }
        }
      }
    }
    return bytes
  }
}

// MARK: Filters

extension PNGBlockEncoder {
  /// Source: PNG Third Edition, 9.2.
  private enum Filter: UInt8, CaseIterable {
    case none, sub, up, average, paeth
  }

  /// Number of consecutive rows with the same filter, at most.
  ///
  /// Deflate finds matches across rows only if they have the same filter.
  private static let rowsPerFilter = 32
  /// The filters are compared on a row of so many.
  private static let sampledRows = 16
  /// Bytes on which they are compared at least.
  private static let sampleSize = 1 << 15

  /// Returns the filter with the smallest deflated size, measured on some of the rows.
  private func bestFilter(
    for group: Range<Int>, of samples: [UInt8], _ estimator: borrowing LibDeflate
  ) throws(ImageError) -> Filter {
    let size = group.count * (rowSize + 1)
    let interval = min(max(size / Self.sampleSize, 1), Self.sampledRows, group.count)
    let chosen = Array(
      stride(from: group.lowerBound + interval / 2, to: group.upperBound, by: interval))
    var bytes = [UInt8](repeating: 0, count: chosen.count * (rowSize + 1))
    var (best, least) = (Filter.none, Int.max)
    for filter in Filter.allCases {
      for (index, row) in chosen.enumerated() {
        apply(filter, to: row, of: samples, at: index * (rowSize + 1), of: &bytes)
      }
      let size = try estimator.block(bytes, isLast: true).count
      if size < least { (best, least) = (filter, size) }
    }
    return best
  }

  /// Writes a row after its filter type.
  private func apply(
    _ filter: Filter, to row: Int, of samples: [UInt8], at offset: Int, of bytes: inout [UInt8]
  ) {
    let above = row * (step + rowSize) + step
    bytes[offset] = filter.rawValue
    // SAFETY: `samples` has the row, the row above it and the pixels to their left; `bytes` has
    // `rowSize` bytes after the filter type.
    unsafe samples.withUnsafeBufferPointer { samples in
      unsafe bytes.withUnsafeMutableBufferPointer { bytes in
        guard let source = samples.baseAddress, let target = bytes.baseAddress else { return }
        let output = unsafe target + offset + 1
        let previous = unsafe source + above
        let current = unsafe previous + step + rowSize
        switch filter {
        case .none: unsafe output.update(from: current, count: rowSize)
        case .sub: unsafe pk_png_sub(current, output, rowSize, step)
        case .up: unsafe pk_png_up(current, previous, output, rowSize)
        case .average: unsafe pk_png_average(current, previous, output, rowSize, step)
        case .paeth: unsafe pk_png_paeth(current, previous, output, rowSize, step)
        }
      }
    }
  }
}
#endif
