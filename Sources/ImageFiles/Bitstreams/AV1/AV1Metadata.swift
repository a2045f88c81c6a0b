// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Light levels, mastering display or registered message of an AV1 metadata OBU.
///
/// In AVIF, light levels and mastering display must agree with `clli` and `mdcv`.
///
/// Source: AV1 bitstream specification, 5.8; AV1 Image File Format, 2.2.1.
package enum AV1Metadata: Hashable, Sendable {
  case contentLightLevel(LightMetadata.ContentLightLevel)
  case masteringDisplay(LightMetadata.MasteringDisplay)
  /// An ITU-T T.35 message from the country code on; trailing bits may follow it.
  case registered([UInt8])
  /// Another metadata_type.
  case other(UInt32)

  /// Parses a unit of obu_type 5.
  ///
  /// - Throws: `.truncated` if the unit is too short.
  package init(parsing unit: AV1OBU) throws(ImageError) {
    let bytes = Array(unit.payload)
    var reader = ByteReader(bytes.span)
    do throws(ImageError) {
      switch try reader.readLEB128() {
      case 1:
        self = .contentLightLevel(
          LightMetadata.ContentLightLevel(
            maximum: Double(try reader.readBigEndian(as: UInt16.self)),
            maximumAverage: Double(try reader.readBigEndian(as: UInt16.self))))
      case 2: self = .masteringDisplay(try Self.readMasteringDisplay(&reader))
      case Self.registeredType: self = .registered(reader.readRest())
      case let type: self = .other(type)
      }
    } catch {
      throw error.inside("metadata OBU")
    }
  }

  /// metadata_type METADATA_TYPE_ITUT_T35.
  private static let registeredType: UInt32 = 4

  /// Returns the metadata OBU of an ITU-T T.35 message, including its header.
  ///
  /// Source: AV1 bitstream specification, 5.3.1 and 5.8.2.
  package static func unit(ofRegistered message: [UInt8]) -> [UInt8] {
    // The header is followed by a size; trailing_bits (a one bit, then zeros) end the payload.
    let payload = [UInt8(registeredType)] + message + [0x80]
    return [AV1OBU.UnitType.metadata.rawValue << 3 | 2] + leb128(payload.count) + payload
  }

  private static func leb128(_ value: Int) -> [UInt8] {
    var (bytes, rest): ([UInt8], Int) = ([], value)
    repeat {
      bytes.append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
      rest >>= 7
    } while rest > 0
    return bytes
  }

  /// Reads primaries and white point as 0.16, maximum luminance as 24.8 and minimum luminance as
  /// 18.14 fixed-point numbers.
  private static func readMasteringDisplay(
    _ reader: inout ByteReader
  ) throws(ImageError) -> LightMetadata.MasteringDisplay {
    func readChromaticity(_ reader: inout ByteReader) throws(ImageError) -> Chromaticity {
      Chromaticity(
        x: Double(try reader.readBigEndian(as: UInt16.self)) / 65_536,
        y: Double(try reader.readBigEndian(as: UInt16.self)) / 65_536)
    }
    return LightMetadata.MasteringDisplay(
      primaries: ColorPrimaries(
        red: try readChromaticity(&reader), green: try readChromaticity(&reader),
        blue: try readChromaticity(&reader), white: try readChromaticity(&reader)),
      maximumLuminance: Double(try reader.readBigEndian(as: UInt32.self)) / 256,
      minimumLuminance: Double(try reader.readBigEndian(as: UInt32.self)) / 16_384)
  }
}
