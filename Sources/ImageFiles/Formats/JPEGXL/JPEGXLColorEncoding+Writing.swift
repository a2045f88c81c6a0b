// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension JPEGXLColorEncoding {
  /// Serializes the color encoding of RGB code points; `nil` if JPEG XL does not have them.
  package static func serialized(_ cicp: CICP) -> [UInt8]? {
    var writer = JPEGXLBitWriter()
    guard standing.write(cicp, to: &writer) else { return nil }
    return writer.bytes
  }

  /// Whether the code points can replace those of the color encoding.
  ///
  /// Samples are RGB or gray, of full range.
  package func canStore(_ cicp: CICP) -> Bool {
    var writer = JPEGXLBitWriter()
    return (colorSpace == .rgb || colorSpace == .gray) && cicp.matrix == .identity
      && cicp.isFullRange && write(cicp, to: &writer)
  }

  /// Writes a color encoding with the same color space and rendering intent as this one.
  ///
  /// - Parameters:
  ///   - cicp: Primaries, of which a gray image has the white, and transfer function.
  ///   - writer: Receives the fields.
  /// - Returns: Whether JPEG XL has these code points; nothing is written otherwise.
  ///
  /// Source: ISO/IEC 18181-1, E.2.
  func write(_ cicp: CICP, to writer: inout JPEGXLBitWriter) -> Bool {
    let primaries: UInt32
    switch cicp.primaries {
    case .bt709: primaries = 1
    case .bt2020: primaries = 9
    case .displayP3: primaries = 11
    default: return false
    }
    let transfers: [CICP.Transfer] = [.bt709, .linear, .srgb, .pq, .hlg]
    guard transfers.contains(cicp.transfer) else { return false }
    writer.write(false)  // Not the default.
    writer.write(false)  // No ICC profile.
    writer.writeEnumeration(colorSpace.rawValue)
    writer.writeEnumeration(1)  // D65.
    if colorSpace != .gray { writer.writeEnumeration(primaries) }
    writer.write(false)  // No power function.
    writer.writeEnumeration(UInt32(cicp.transfer.rawValue))
    writer.writeEnumeration(renderingIntent)
    return true
  }
}
