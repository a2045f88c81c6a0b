internal import ImageContainers

/// The binary metadata of ISO 21496-1: the same bytes in JPEG, HEIF, AVIF and JPEG XL.
///
/// Source: ISO 21496-1:2025, C.2.2.
package struct ISO21496Payload: Hashable, Sendable {
  /// What a JPEG's primary picture holds instead of a payload: only the versions.
  public static let versionOnly: [UInt8] = [0, 0, 0, 0]

  /// Version of the writer; readers of version 0 read any that does not ask for more.
  public var writerVersion: UInt16
  public var metadata: GainMapMetadata
  /// What a later version has added behind the fields of version 0.
  public var unknown: [UInt8]

  public init(_ metadata: GainMapMetadata) {
    writerVersion = 0
    self.metadata = metadata
    unknown = []
  }

  /// The bytes of the payload: 61 for one channel, 141 for three, and what is unknown.
  public var serialized: [UInt8] {
    var writer = ByteWriter()
    writer.writeBigEndian(0 as UInt16)  // Minimum version.
    writer.writeBigEndian(writerVersion)
    let channels = metadata.channels.all
    var flags: UInt8 = channels.count == 3 ? Flags.isMultichannel : 0
    if metadata.usesBaseColorSpace { flags |= Flags.usesBaseColorSpace }
    writer.writeBigEndian(flags)
    writer.write(metadata.baseHeadroom)
    writer.write(metadata.alternateHeadroom)
    for channel in channels {
      writer.write(channel.minimum)
      writer.write(channel.maximum)
      writer.write(channel.gamma)
      writer.write(channel.baseOffset)
      writer.write(channel.alternateOffset)
    }
    writer.write(unknown)
    return writer.bytes
  }

  /// The data of a `tmap` item: a version, and the payload.
  ///
  /// Source: ISO/IEC 23008-12, ToneMapImage.
  public var toneMapItem: [UInt8] { [0] + serialized }

  enum Flags {
    static let isMultichannel: UInt8 = 0x80
    static let usesBaseColorSpace: UInt8 = 0x40
    /// Of drafts only; libultrahdr writes it nevertheless.
    static let hasCommonDenominator: UInt8 = 0x08
    static let reserved: UInt8 = 0x3F
  }
}

extension ByteWriter {
  fileprivate mutating func write<Numerator>(_ fraction: Rational<Numerator>) {
    writeBigEndian(fraction.numerator)
    writeBigEndian(fraction.denominator)
  }
}
