// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Width and height of a coded or derived image, before cropping and rotation (`ispe`).
///
/// Source: ISO/IEC 23008-12, 6.5.3.
package struct ImageSpatialExtentsBox: BoxContent {
  package static let boxType: FourCC = "ispe"

  /// Width of the image before its transformations, in pixels.
  package var width: UInt32
  /// Height of the image before its transformations, in pixels.
  package var height: UInt32

  package init(width: UInt32, height: UInt32) {
    self.width = width
    self.height = height
  }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    try FullBoxHeader(parsing: &reader).require(version: 0...0, reader)
    width = try reader.readBigEndian()
    height = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) {
    FullBoxHeader().write(to: &writer)
    writer.writeBigEndian(width)
    writer.writeBigEndian(height)
  }
}

/// Bits per channel of the reconstructed image (`pixi`).
///
/// Source: ISO/IEC 23008-12, 6.5.6.
package struct PixelInformationBox: BoxContent {
  package static let boxType: FourCC = "pixi"

  /// Bits of each channel, in the order of the channels; at most 255 channels.
  package var bitsPerChannel: [UInt8]

  package init(bitsPerChannel: [UInt8]) { self.bitsPerChannel = bitsPerChannel }

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    try FullBoxHeader(parsing: &reader).require(version: 0...0, reader)
    let count: UInt8 = try reader.readBigEndian()
    bitsPerChannel = try reader.readBytes(Int(count))
  }

  package func write(to writer: inout ByteWriter) {
    FullBoxHeader().write(to: &writer)
    writer.writeBigEndian(UInt8(bitsPerChannel.count))
    writer.write(bitsPerChannel)
  }
}

/// Relative width and height of a pixel (`pasp`); square if both are equal.
///
/// Source: ISO/IEC 14496-12, 12.1.4; ISO/IEC 23008-12, 6.5.4.
package struct PixelAspectRatioBox: BoxContent {
  package static let boxType: FourCC = "pasp"

  /// Relative width of a pixel.
  package var horizontalSpacing: UInt32
  /// Relative height of a pixel.
  package var verticalSpacing: UInt32

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    horizontalSpacing = try reader.readBigEndian()
    verticalSpacing = try reader.readBigEndian()
  }

  package func write(to writer: inout ByteWriter) {
    writer.writeBigEndian(horizontalSpacing)
    writer.writeBigEndian(verticalSpacing)
  }
}

/// Color description of samples (`colr`): code points or an ICC profile.
///
/// Source: ISO/IEC 14496-12, 12.1.5; ISO/IEC 23008-12, 6.5.5.
package enum ColorInformationBox: BoxContent {
  package static let boxType: FourCC = "colr"

  /// `nclx`: code points of primaries, transfer function and matrix, and the range.
  case nclx(CICP)
  /// `prof`: any ICC profile.
  case unrestrictedICC([UInt8])
  /// `rICC`: an ICC profile of the monochrome or three-component matrix-based class.
  case restrictedICC([UInt8])
  /// Another color type, with the bytes after it.
  case other(FourCC, [UInt8])

  @_lifetime(reader: copy reader)
  package init(parsing reader: inout ByteReader) throws(ImageError) {
    let colorType = FourCC(rawValue: try reader.readBigEndian())
    switch colorType {
    case "nclx":
      var cicp = CICP(
        primaries: .init(rawValue: try reader.readBigEndian()),
        transfer: .init(rawValue: try reader.readBigEndian()),
        matrix: .init(rawValue: try reader.readBigEndian()))
      cicp.isFullRange = try reader.readBigEndian(as: UInt8.self) & 0x80 != 0
      self = .nclx(cicp)
    case "prof": self = .unrestrictedICC(reader.readRest())
    case "rICC": self = .restrictedICC(reader.readRest())
    default: self = .other(colorType, reader.readRest())
    }
  }

  package func write(to writer: inout ByteWriter) {
    func write(_ colorType: FourCC, _ bytes: [UInt8]) {
      writer.writeBigEndian(colorType.rawValue)
      writer.write(bytes)
    }
    switch self {
    case .nclx(let cicp):
      write("nclx", [])
      writer.writeBigEndian(cicp.primaries.rawValue)
      writer.writeBigEndian(cicp.transfer.rawValue)
      writer.writeBigEndian(cicp.matrix.rawValue)
      writer.writeBigEndian(UInt8(cicp.isFullRange ? 0x80 : 0))
    case .unrestrictedICC(let profile): write("prof", profile)
    case .restrictedICC(let profile): write("rICC", profile)
    case .other(let colorType, let bytes): write(colorType, bytes)
    }
  }
}

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
