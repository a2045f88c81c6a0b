// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The first 128 bytes of a profile.
///
/// Source: ICC.1:2022, 7.2.
package struct ICCHeader: Hashable, Sendable {
  /// Size of the profile in bytes, as stored in the header, which may differ from the number of
  /// bytes.
  package var size: Int
  /// Major version of the specification that the profile follows.
  package var majorVersion: Int
  /// Minor version of the specification that the profile follows.
  package var minorVersion: Int
  /// Device class: `mntr` for displays, `scnr`, `prtr`, `spac`, ….
  package var deviceClass: ICCProfile.Signature
  /// Color space of the samples of an image with this profile.
  package var colorSpace: ICCProfile.Signature
  /// Profile connection space: `XYZ` or `Lab`.
  package var connectionSpace: ICCProfile.Signature
  /// Rendering intent: 0 perceptual, 1 media-relative colorimetric, 2 saturation, 3 ICC-absolute
  /// colorimetric.
  package var renderingIntent: UInt32

  init(parsing reader: inout ByteReader) throws(ImageError) {
    try reader.require(128)
    size = Int(try reader.readBigEndian(as: UInt32.self))
    try reader.skip(4)  // Preferred color management module.
    majorVersion = Int(try reader.readBigEndian(as: UInt8.self))
    minorVersion = Int(try reader.readBigEndian(as: UInt8.self) >> 4)
    try reader.skip(2)
    deviceClass = .init(rawValue: try reader.readBigEndian())
    colorSpace = .init(rawValue: try reader.readBigEndian())
    connectionSpace = .init(rawValue: try reader.readBigEndian())
    try reader.skip(12)  // Date and time.
    let magic = ICCProfile.Signature(rawValue: try reader.readBigEndian())
    guard magic == ICCProfile.Signature("acsp") else {
      throw reader.error(.invalidValue, ["field": "ICC profile signature", "value": "\(magic)"])
    }
    try reader.skip(24)  // Platform, flags, device, attributes.
    renderingIntent = try reader.readBigEndian()
    try reader.skip(60)  // Illuminant, creator, identifier, reserved.
  }
}
