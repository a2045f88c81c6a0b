// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// A channel of a JPEG XL image in addition to color.
///
/// Source: ISO/IEC 18181-1, D.3.6: ExtraChannelInfo.
package struct JPEGXLExtraChannel: Hashable, Sendable {
  /// Types of channels; others are reserved.
  package enum ChannelType: UInt32, Hashable, Sendable {
    case alpha = 0
    case depth = 1
    case spotColor = 2
    case selectionMask = 3
    /// The K of CMYK; 1 is no ink.
    case black = 4
    case filterColor = 5
    case thermal = 6
    case unknown = 15
    case optional = 16
  }

  /// Type of the channel; `nil` for reserved types.
  package var type: ChannelType?
  package var depth = JPEGXLImageHeader.BitDepth(bits: 8, isFloat: false)
  /// Base-2 logarithm of the subsampling in both directions.
  package var subsamplingShift = 0
  /// Name of the channel; empty if missing.
  package var name = ""
  /// Whether color is premultiplied by this alpha channel.
  package var isPremultiplied = false

  /// Type of the equivalent auxiliary image of HEIF; `nil` for other channels.
  ///
  /// Channels are named by their type in files of this program, because JPEG XL distinguishes only
  /// depth and masks.
  package var auxiliaryType: String? {
    switch type {
    case .depth: isNamedByType ? name : AuxiliaryTypeBox.hevcDepth
    case .selectionMask: isNamedByType ? name : nil
    default: nil
    }
  }

  private var isNamedByType: Bool { name.hasPrefix("urn:") }

  init(_ reader: inout BitReader) throws(ImageError) {
    if try reader.readFlag() {
      type = .alpha
      return
    }
    type = ChannelType(rawValue: try reader.readEnumeration())
    depth = try JPEGXLImageHeader.depth(&reader)
    subsamplingShift = Int(try reader.read(.value(0), .value(3), .value(4), .bits(3, offset: 1)))
    let length = try reader.read(.value(0), .bits(4), .bits(5, offset: 16), .bits(10, offset: 48))
    var bytes: [UInt8] = []
    for _ in 0..<length { bytes.append(UInt8(truncatingIfNeeded: try reader.read(8))) }
    name = String(decoding: bytes, as: UTF8.self)
    switch type {
    case .alpha: isPremultiplied = try reader.readFlag()
    case .spotColor: for _ in 0..<4 { _ = try reader.readHalf() }
    case .filterColor:
      _ = try reader.read(.value(1), .bits(2), .bits(4, offset: 3), .bits(8, offset: 19))
    default: break
    }
  }
}
