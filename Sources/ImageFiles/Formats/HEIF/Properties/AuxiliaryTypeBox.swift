// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Type of an auxiliary image (`auxC`).
///
/// Source: ISO/IEC 23008-12, 6.5.8.
package struct AuxiliaryTypeBox: BoxContent {
  package static let boxType: FourCC = "auxC"

  /// URN of alpha in AVIF and newer HEIF files.
  package static let alpha = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
  /// URN of alpha in HEVC-coded HEIF files.
  package static let hevcAlpha = "urn:mpeg:hevc:2015:auxid:1"

  /// URN of depth in AVIF and newer HEIF files.
  package static let depth = "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"
  /// URN of depth in HEVC-coded HEIF files.
  package static let hevcDepth = "urn:mpeg:hevc:2015:auxid:2"

  /// URN of the auxiliary type.
  package var auxiliaryType: String
  /// Subtype bytes that follow the URN.
  package var subtype: [UInt8]

  package init(_ auxiliaryType: String, subtype: [UInt8] = []) {
    self.auxiliaryType = auxiliaryType
    self.subtype = subtype
  }

  /// Whether the auxiliary image is alpha, by either URN.
  package var isAlpha: Bool { auxiliaryType == Self.alpha || auxiliaryType == Self.hevcAlpha }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    try FullBoxHeader(parsing: &reader).require(version: 0...0, reader)
    auxiliaryType = try reader.readCString(isTerminated: false)
    subtype = reader.readRest()
  }

  package func write(to writer: inout ByteWriter) {
    FullBoxHeader().write(to: &writer)
    writer.write(auxiliaryType, isTerminated: true)
    writer.write(subtype)
  }
}
