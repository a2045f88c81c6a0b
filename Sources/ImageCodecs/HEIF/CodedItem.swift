// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

/// One encoded image: the decoder configuration and the bitstream.
struct CodedItem: Sendable {
  /// `hvcC` or `av1C`.
  var configuration: ItemProperty.Box
  /// Length-prefixed HEVC NAL units, or AV1 OBUs.
  var bytes: [UInt8]
  /// Width of the decoded image.
  var width: Int
  var height: Int
}

extension CodedItem {
  /// Inserts an ITU-T T.35 message before the image data.
  ///
  /// Position: after the sequence header in AV1, before the first slice in HEVC.
  ///
  /// - Throws: Errors of the bitstream.
  mutating func add(registered message: [UInt8]) throws(ImageError) {
    switch configuration {
    case .av1Configuration:
      let header = try AV1OBU.split(bytes, through: .sequenceHeader).last
      bytes.insert(
        contentsOf: AV1Metadata.unit(ofRegistered: message), at: header?.payload.endIndex ?? 0)
    case .hevcConfiguration(let record):
      let unit = try HEVCSEIMessage.unit(ofRegistered: message)
      let first = try HEVCNALUnit.split(bytes, lengthSize: record.nalLengthSize)
        .first { $0.type.isSlice }
      var writer = ByteWriter()
      writer.writeUnsigned(UInt64(unit.bytes.count), bytes: record.nalLengthSize)
      writer.write(unit.bytes)
      bytes.insert(
        contentsOf: writer.bytes, at: (first?.bytes.startIndex ?? 0) - record.nalLengthSize)
    default: break
    }
  }
}
#endif
