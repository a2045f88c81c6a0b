// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension JPEGXLColorEncoding {
  /// Serializes the color encoding of RGB code points; `nil` if JPEG XL does not have them.
  ///
  /// Source: ISO/IEC 18181-1, E.2.
  package static func serialized(_ cicp: CICP) -> [UInt8]? {
    let primaries: UInt32
    switch cicp.primaries {
    case .bt709: primaries = 1
    case .bt2020: primaries = 9
    case .displayP3: primaries = 11
    default: return nil
    }
    let transfers: [CICP.Transfer] = [.bt709, .linear, .srgb, .pq, .hlg]
    guard transfers.contains(cicp.transfer) else { return nil }
    var writer = LeastSignificantFirstWriter()
    writer.write(0, bits: 1)  // Not the default.
    writer.write(0, bits: 1)  // No ICC profile.
    writer.writeEnumeration(ColorSpace.rgb.rawValue)
    writer.writeEnumeration(1)  // D65.
    writer.writeEnumeration(primaries)
    writer.write(0, bits: 1)  // No power function.
    writer.writeEnumeration(UInt32(cicp.transfer.rawValue))
    writer.writeEnumeration(1)  // Relative colorimetric.
    return writer.bytes
  }
}

/// Writes fields whose least significant bit comes first.
private struct LeastSignificantFirstWriter {
  private(set) var bytes: [UInt8] = []
  private var count = 0

  mutating func write(_ value: UInt32, bits: Int) {
    for bit in 0..<bits {
      if count.isMultiple(of: 8) { bytes.append(0) }
      bytes[bytes.count - 1] |= UInt8(value >> UInt32(bit) & 1) << UInt8(count % 8)
      count += 1
    }
  }

  /// Source: ISO/IEC 18181-1, 9.2.5: Enum.
  mutating func writeEnumeration(_ value: UInt32) {
    switch value {
    case 0, 1: write(value, bits: 2)
    case 2..<18:
      write(2, bits: 2)
      write(value - 2, bits: 4)
    default:
      write(3, bits: 2)
      write(value - 18, bits: 6)
    }
  }
}
