// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Positions of the fields in the header of a codestream that can be changed, in bits.
struct JPEGXLHeaderLayout: Hashable, Sendable {
  /// Start of ImageMetadata.
  var metadata = 0
  /// Start of the fields of ImageMetadata, after its flags; `nil` if all have default values.
  var fields: Int?
  /// Whether the fields begin with the orientation, and contain tone mapping.
  var hasExtraFields = false
  /// The color encoding.
  var color = 0..<0
  /// End of CustomTransformData, before an ICC profile or the padding that precedes frames; `nil` if
  /// its fields are invalid.
  var end: Int?

  /// Reads the fields between tone mapping and the end of the header.
  ///
  /// - Throws: `.truncated` or `.malformed` if they are invalid.
  ///
  /// Source: ISO/IEC 18181-1, D.3.1 and E.1; clause 9.3: Extensions.
  mutating func readEnd(
    _ reader: inout BitReader, isXYB: Bool
  ) throws(ImageError) {
    if fields != nil { try reader.skipExtensions() }
    if try !reader.readFlag() {
      if isXYB { try Self.skipOpsinInverse(&reader) }
      let weights = try reader.read(3)
      for (bit, count) in [15, 55, 210].enumerated() where weights >> UInt32(bit) & 1 == 1 {
        try reader.skip(16 * count)
      }
    }
    end = reader.position
  }

  /// Skips the inverse matrix, biases and biases of quantization.
  private static func skipOpsinInverse(_ reader: inout BitReader) throws(ImageError) {
    if try !reader.readFlag() { try reader.skip(16 * (9 + 3 + 4)) }
  }
}
