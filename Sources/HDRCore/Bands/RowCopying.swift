// SPDX-License-Identifier: Apache-2.0
// Copies of rows from and to planes.

internal import PixelKernels

extension [UInt8] {
  /// Writes a row of an 8-bit plane as bytes, starting at `offset`.
  ///
  /// - Precondition: The row fits.
  package mutating func write(_ plane: Plane<UInt16>, row y: Int, at offset: Int) {
    var bytes = mutableSpan
    bytes.write(plane, row: y, at: offset)
  }
}

extension MutableSpan<UInt8> {
  /// Writes a row of an 8-bit plane as bytes, starting at `offset`.
  ///
  /// - Precondition: The row fits.
  mutating func write(_ plane: Plane<UInt16>, row y: Int, at offset: Int = 0) {
    let codes = plane.row(y)
    precondition(offset >= 0 && codes.count <= count - offset)
    unsafe withUnsafeMutableBufferPointer { bytes in
      unsafe codes.withUnsafeBufferPointer { codes in
        guard let start = bytes.baseAddress, let from = codes.baseAddress else { return }
        // SAFETY: both rows are `codes.count` long from there.
        unsafe pk_codes_to_bytes(from, start + offset, codes.count)
      }
    }
  }
}

extension MutableSpan<UInt16> {
  /// Copies a row of a plane of the same width.
  mutating func copy(_ plane: Plane<UInt16>, row y: Int) {
    let codes = plane.row(y)
    precondition(codes.count == count)
    unsafe withUnsafeMutableBufferPointer { row in
      // SAFETY: both rows are `count` long.
      unsafe codes.withUnsafeBufferPointer { unsafe _ = row.update(fromContentsOf: $0) }
    }
  }

  /// Reads a row of bytes.
  mutating func read(_ plane: Plane<UInt8>, row y: Int) {
    let bytes = plane.row(y)
    precondition(bytes.count == count)
    unsafe withUnsafeMutableBufferPointer { codes in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let to = codes.baseAddress, let from = bytes.baseAddress else { return }
        // SAFETY: both rows are `bytes.count` long.
        unsafe pk_deinterleave_bytes(from, to, bytes.count, 1, 0xFF)
      }
    }
  }
}

extension [UInt8] {
  /// Reads a row of one of 1 to 4 interleaved components.
  ///
  /// - Parameters:
  ///   - offset: Index of the first sample.
  ///   - channels: Number of components.
  ///   - mask: The significant bits.
  ///   - row: Receives the samples.
  /// - Precondition: All samples are inside.
  package func read(
    from offset: Int, every channels: Int, mask: UInt16, into row: inout MutableSpan<UInt16>
  ) {
    unsafe read(from: offset, every: channels, sampleSize: 1, into: &row) { bytes, codes, count in
      // SAFETY: the caller checked that the samples are inside both rows.
      unsafe pk_deinterleave_bytes(bytes, codes, count, channels, mask)
    }
  }

  /// Reads the upper bits of 16-bit samples in network byte order, without the lowest `shift` ones.
  ///
  /// - Precondition: All samples are inside.
  package func readNetwork16(
    from offset: Int, every channels: Int, shift: UInt16, into row: inout MutableSpan<UInt16>
  ) {
    unsafe read(from: offset, every: channels, sampleSize: 2, into: &row) { bytes, codes, count in
      // SAFETY: the caller checked that the samples are inside both rows.
      unsafe pk_deinterleave_network16(bytes, codes, count, channels, UInt32(shift))
    }
  }

  /// Reads 16-bit samples in native byte order.
  ///
  /// - Precondition: All samples are inside.
  package func readNative16(
    from offset: Int, every channels: Int, into row: inout MutableSpan<UInt16>
  ) {
    unsafe read(from: offset, every: channels, sampleSize: 2, into: &row) { bytes, codes, count in
      // SAFETY: the caller checked that the samples are inside both rows.
      let samples = unsafe UnsafeRawPointer(bytes)
      for index in 0..<count {
        unsafe codes[index] = samples.loadUnaligned(
          fromByteOffset: 2 * index * channels, as: UInt16.self)
      }
    }
  }

  private func read(
    from offset: Int, every channels: Int, sampleSize: Int, into row: inout MutableSpan<UInt16>,
    with kernel: (UnsafePointer<UInt8>, UnsafeMutablePointer<UInt16>, Int) -> Void
  ) {
    let samples = row.count
    guard samples > 0 else { return }
    let last = offset + (samples - 1) * channels * sampleSize
    precondition((1...4).contains(channels) && offset >= 0 && last + sampleSize <= count)
    unsafe withUnsafeBufferPointer { bytes in
      unsafe row.withUnsafeMutableBufferPointer { codes in
        guard let from = bytes.baseAddress, let to = codes.baseAddress else { return }
        unsafe kernel(from + offset, to, samples)
      }
    }
  }
}

extension Array where Element: BitwiseCopyable & Sendable {
  /// Assigns a row of a plane.
  package mutating func assign(_ plane: Plane<Element>, row y: Int) {
    let source = plane.row(y)
    // SAFETY: the row is read before the closure returns.
    unsafe source.withUnsafeBufferPointer { unsafe assign($0) }
  }

  /// Assigns another row without reallocating memory.
  mutating func assign(_ other: [Element]) {
    // SAFETY: the row is read before the closure returns.
    unsafe other.withUnsafeBufferPointer { unsafe assign($0) }
  }

  private mutating func assign(_ samples: UnsafeBufferPointer<Element>) {
    precondition(samples.count == count)
    unsafe withUnsafeMutableBufferPointer { row in
      // SAFETY: both rows are `count` long.
      unsafe _ = row.update(fromContentsOf: samples)
    }
  }

  /// Writes this row into another of the same length.
  @inlinable
  package func copy(into row: inout MutableSpan<Element>) {
    precondition(row.count == count)
    unsafe row.withUnsafeMutableBufferPointer { row in
      // SAFETY: both rows are `count` long.
      unsafe withUnsafeBufferPointer { unsafe _ = row.update(fromContentsOf: $0) }
    }
  }
}
