// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
