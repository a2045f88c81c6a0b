// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension HEVCConfigurationBox {
  /// Returns the configuration record with the coded picture cropped at the right and bottom.
  ///
  /// The conformance window of the sequence parameter set is changed; coded samples are not. The
  /// window consists of whole chroma samples, so with subsampled chroma an odd width or height is
  /// rounded up to an even one.
  ///
  /// - Parameters:
  ///   - width: Width of the cropped image, in luma samples; at most the coded width less the left
  ///     edge of the present window, else nothing is cropped at the right.
  ///   - height: Height of the cropped image, in luma samples; as `width`.
  /// - Returns: The record with the changed sequence parameter sets.
  /// - Throws: Errors of parsing the sequence parameter set.
  ///
  /// Source: ITU-T H.265, 7.4.3.2.1 (conf_win_right_offset).
  package func cropped(width: Int, height: Int) throws(ImageError) -> HEVCConfigurationBox {
    let set = try sequenceParameterSet
    var window = set.conformanceWindow
    window.right = set.codedWidth - window.left - width
    window.bottom = set.codedHeight - window.top - height
    var cropped = self
    for (index, array) in arrays.enumerated() where array.type == .sequenceParameterSet {
      var units: [[UInt8]] = []
      for unit in array.units {
        units.append(Array(try HEVCNALUnit(unit[...]).replacing(window, in: set).bytes))
      }
      cropped.arrays[index].units = units
    }
    // Parse the result: a parameter set that was parsed beyond its final bit is now malformed.
    _ = try cropped.sequenceParameterSet
    return cropped
  }
}

extension HEVCNALUnit {
  /// Returns a copy of a sequence parameter set with another conformance window.
  ///
  /// Source: ITU-T H.265, 7.3.2.2.1.
  fileprivate func replacing(
    _ window: HEVCSequenceParameterSet.Window, in set: HEVCSequenceParameterSet
  ) throws(ImageError) -> HEVCNALUnit {
    let payload = rbsp
    var reader = BitReader(payload)
    try reader.skip(8)
    _ = try HEVCProfileTierLevel(parsing: &reader, layers: set.temporalLayerCount)
    for _ in 0..<2 { _ = try reader.readExpGolomb() }
    if set.chromaFormat == 3 { try reader.skip(1) }
    for _ in 0..<2 { _ = try reader.readExpGolomb() }
    let start = reader.position
    if try reader.readFlag() { for _ in 0..<4 { _ = try reader.readExpGolomb() } }

    var bits = BitAppender()
    bits.append(payload, from: 0, to: start)
    bits.append(1, count: 1)
    let (horizontal, vertical) = (set.chroma.horizontal, set.chroma.vertical)
    for (length, unit) in [
      (window.left, horizontal), (window.right, horizontal), (window.top, vertical),
      (window.bottom, vertical),
    ] {
      bits.appendExpGolomb(UInt32(clamping: length / unit))
    }
    // rbsp_stop_one_bit ends the payload; zero bits up to the next byte follow it.
    guard let last = payload.lastIndex(where: { $0 != 0 }) else {
      throw ImageError(.invalidValue, ["field": "parameter set", "value": "empty"])
    }
    let end = 8 * last + 7 - payload[last].trailingZeroBitCount
    bits.append(payload, from: reader.position, to: end)
    bits.append(1, count: 1)
    return try HEVCNALUnit(header: bytes.prefix(2), rbsp: bits.bytes)
  }
}

/// Appends bits, most significant bit of each byte first.
private struct BitAppender {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  /// Appends the low `count` bits of `value`.
  mutating func append(_ value: UInt64, count: Int) {
    for bit in stride(from: count - 1, through: 0, by: -1) {
      if self.count & 7 == 0 { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> UInt64(bit) & 1) << UInt8(7 - self.count & 7)
      self.count += 1
    }
  }

  /// Appends the bits `start..<end` of `source`.
  mutating func append(_ source: [UInt8], from start: Int, to end: Int) {
    for position in start..<max(start, end) {
      append(UInt64(source[position >> 3] >> UInt8(7 - position & 7) & 1), count: 1)
    }
  }

  /// Source: ITU-T H.265, 9.2.
  mutating func appendExpGolomb(_ value: UInt32) {
    let code = UInt64(value) + 1
    let length = 64 - code.leadingZeroBitCount
    append(code, count: 2 * length - 1)
  }
}
