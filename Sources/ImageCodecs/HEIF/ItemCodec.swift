// SPDX-License-Identifier: Apache-2.0
#if HEIF || AVIF
internal import HDRCore
internal import ImageFiles

extension ItemCodec {
  /// Size limit of one item.
  ///
  /// Grids consist of whole chroma samples, and readers, such as libavif 0.11, do not crop a grid to
  /// an odd size.
  /// An AV1 image with such a size is therefore coded as one item, beyond the limits of AV1 levels.
  ///
  /// Source: ISO/IEC 23000-22, 7.3.11.4.2; 7.3.6.7 for crops of subsampled chroma.
  func limit(of format: ImageLayout) -> CodedItemLimit {
    guard self == .av1 else { return .hevc }
    let isWhole =
      format.width % format.chroma.horizontal == 0 && format.height % format.chroma.vertical == 0
    return isWhole ? .av1 : .av1WithoutLevel
  }

  /// Encodes an image without alpha.
  ///
  /// - Throws: `.unsupported` if this build lacks the codec; errors of the encoder; `.cancelled`.
  func encode(
    _ image: ImagePlanes, cicp: CICP, chromaLocation: ChromaLocation, options: EncoderOptions
  ) throws(ImageError) -> CodedItem {
    // Measured: x265 and libaom use up to 16 bytes for each sample of 4:2:0.
    var coded = image.layout
    if coded.components == .gray { coded.components = .ycbcr(.yuv420) }
    let memory = 8 * coded.byteCount
    let traits = (self == .hevc ? FileFormat.heif : .avif).traits
    let seconds = traits.encodingTime(of: coded, options)
    return try Execution.current.callLibrary(seconds: seconds) { () throws(ImageError) in
      try Execution.current.budget.reserving(memory: memory, for: "encoder") {
        () throws(ImageError) in
        try encodeReserved(
          image, cicp: cicp, chromaLocation: chromaLocation, options: options)
      }
    }
  }

  private func encodeReserved(
    _ image: ImagePlanes, cicp: CICP, chromaLocation: ChromaLocation, options: EncoderOptions
  ) throws(ImageError) -> CodedItem {
    switch self {
    case .hevc:
      #if HEIF
      return try HEVCEncoder()
        .encode(image, cicp: cicp, chromaLocation: chromaLocation, options: options)
      #else
      throw FileFormat.heif.missingCodec
      #endif
    case .av1:
      #if AVIF
      return try AV1Encoder(options: options)
        .encode(image, cicp: cicp, chromaLocation: chromaLocation)
      #else
      throw FileFormat.avif.missingCodec
      #endif
    }
  }
}

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
