// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

extension JPEGXLImageHeader {
  /// Number of bytes that contain the header; `nil` if its end cannot be determined.
  ///
  /// The last one may contain the first bits of an ICC profile.
  package var byteCount: Int? { layout.end.map { ($0 + 7) / 8 } }

  /// Serializes the header with another orientation and color; all other fields are copied.
  ///
  /// An ICC profile follows the header without padding, and only decoding it would find its end.
  /// Therefore, the header then grows by whole bytes: new extra fields have 7 bits, and 56 with the
  /// default values of tone mapping.
  ///
  /// - Parameters:
  ///   - codestream: The codestream that the header was parsed from, or its beginning.
  ///   - orientation: The new orientation.
  ///   - cicp: New code points, which `color.canStore(_:)` accepts; `nil` to copy the color. They
  ///     must be `nil` if the color is an ICC profile.
  /// - Returns: Bytes that replace the first `byteCount` ones.
  /// - Throws: `.malformed` if the end of the header cannot be determined.
  ///
  /// Source: ISO/IEC 18181-1, D.3.1: ImageMetadata.
  func serialized(
    replacing codestream: [UInt8], orientation: Orientation, cicp: CICP?
  ) throws(ImageError) -> [UInt8] {
    guard let end = layout.end, let byteCount, byteCount <= codestream.count else {
      throw ImageError(.jpegxlHeaderInvalid)
    }
    var writer = JPEGXLBitWriter()
    writer.copy(0..<layout.metadata, of: codestream)
    writer.write(false)  // Not the default.
    writer.write(true)  // Extra fields.
    writer.write(UInt32(orientation.rawValue - 1), bits: 3)
    if !layout.hasExtraFields { writer.write(0, bits: 3) }  // Intrinsic size, preview, animation.
    if let fields = layout.fields {
      writer.copy(
        fields + (layout.hasExtraFields ? 3 : 0)..<layout.color.lowerBound, of: codestream)
    } else {
      Self.writeDefaultFields(to: &writer)
    }
    if let cicp {
      guard color.write(cicp, to: &writer) else { throw ImageError(.jpegxlHeaderInvalid) }
    } else if layout.fields != nil {
      writer.copy(layout.color, of: codestream)
    } else {
      writer.write(true)  // sRGB.
    }
    if !layout.hasExtraFields { writeDefaultToneMapping(to: &writer) }
    if layout.fields == nil {
      writer.write(0, bits: 2)  // No extensions.
      writer.copy(layout.metadata + 1..<end, of: codestream)
    } else {
      writer.copy(layout.color.upperBound..<end, of: codestream)
    }
    if color.hasProfile { writer.copy(end..<8 * byteCount, of: codestream) }
    return writer.bytes
  }

  /// Writes the default values of the fields between extra fields and color encoding.
  private static func writeDefaultFields(to writer: inout JPEGXLBitWriter) {
    writer.write(0, bits: 3)  // Integers of 8 bits.
    writer.write(true)  // Buffers of 16 bits.
    writer.write(0, bits: 2)  // No extra channels.
    writer.write(true)  // XYB.
  }

  private func writeDefaultToneMapping(to writer: inout JPEGXLBitWriter) {
    guard color.hasProfile else { return writer.write(true) }
    writer.write(false)
    writer.write(0x5BF8, bits: 16)  // Intensity target: 255.
    writer.write(0, bits: 16 + 1 + 16)
  }
}
