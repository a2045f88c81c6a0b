// SPDX-License-Identifier: Apache-2.0
package import GainMap

/// Binary metadata of ISO 21496-1, equal in JPEG, HEIF, AVIF and JPEG XL.
///
/// Source: ISO 21496-1:2025, C.2.2.
package struct ISO21496Payload: Hashable, Sendable {
  /// Payload of the primary image of JPEG: only the versions.
  package static let versionOnly: [UInt8] = [0, 0, 0, 0]

  /// Version of the writer; readers of version 0 parse any.
  package var writerVersion: UInt16
  /// The metadata, not of an Apple gain map.
  package var metadata: GainMapMetadata
  /// Fields of later versions, after those of version 0.
  package var unknown: [UInt8]

  package init(_ metadata: GainMapMetadata) {
    writerVersion = 0
    self.metadata = metadata
    unknown = []
  }

  /// The bytes of the payload: 61 for one channel, 141 for three, and unknown fields.
  package var serialized: [UInt8] {
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

  /// The data of a `tmap` item: a version and the payload.
  ///
  /// Source: ISO/IEC 23008-12, ToneMapImage.
  package var toneMapItem: [UInt8] { [0] + serialized }

  enum Flags {
    static let isMultichannel: UInt8 = 0x80
    static let usesBaseColorSpace: UInt8 = 0x40
    /// In drafts only, but written by libultrahdr.
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
