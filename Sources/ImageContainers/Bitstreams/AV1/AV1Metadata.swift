public import HDRCore

/// What a metadata unit of AV1 says about light; in AVIF it must agree with `clli` and `mdcv`.
///
/// Source: AV1 bitstream specification, 5.8; AV1 Image File Format, 2.2.1.
public enum AV1Metadata: Hashable, Sendable {
  case contentLightLevel(ContentLightLevel)
  case masteringDisplay(MasteringDisplay)
  /// metadata_type of another kind.
  case other(UInt32)

  /// Reads a unit of type 5.
  ///
  /// - Throws: `.truncated` if it is too short.
  public init(parsing unit: AV1OBU) throws(ImageError) {
    let bytes = Array(unit.payload)
    var reader = ByteReader(bytes.span)
    do throws(ImageError) {
      switch try reader.readLEB128() {
      case 1:
        self = .contentLightLevel(
          ContentLightLevel(
            maximum: Double(try reader.readBigEndian(as: UInt16.self)),
            maximumAverage: Double(try reader.readBigEndian(as: UInt16.self))))
      case 2: self = .masteringDisplay(try Self.readMasteringDisplay(&reader))
      case let type: self = .other(type)
      }
    } catch {
      throw error.inside("metadata OBU")
    }
  }

  /// Reads red, green, blue and white with 16 bits of fraction, the maximum with 8, the minimum
  /// with 14.
  private static func readMasteringDisplay(
    _ reader: inout ByteReader
  ) throws(ImageError) -> MasteringDisplay {
    func readChromaticity(_ reader: inout ByteReader) throws(ImageError) -> Chromaticity {
      Chromaticity(
        x: Double(try reader.readBigEndian(as: UInt16.self)) / 65_536,
        y: Double(try reader.readBigEndian(as: UInt16.self)) / 65_536)
    }
    return MasteringDisplay(
      primaries: ColorPrimaries(
        red: try readChromaticity(&reader), green: try readChromaticity(&reader),
        blue: try readChromaticity(&reader), white: try readChromaticity(&reader)),
      maximumLuminance: Double(try reader.readBigEndian(as: UInt32.self)) / 256,
      minimumLuminance: Double(try reader.readBigEndian(as: UInt32.self)) / 16_384)
  }
}
