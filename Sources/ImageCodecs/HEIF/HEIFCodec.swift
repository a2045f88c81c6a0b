// SPDX-License-Identifier: Apache-2.0
#if HEIF
internal import CLibDE265
internal import CLibHEIF
#endif
#if AVIF
internal import CDav1d
internal import CShims
#endif
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// A codec of HEIF and AVIF files, which differ only in the coding of their items.
protocol HEIFItemCodec: ImageDecoder, ItemEncoder {
  /// The bitstream of the items.
  static var codec: ItemCodec { get }
}

#if HEIF || AVIF
extension HEIFItemCodec {
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .item(let item) = image.samples else { throw file.format.missingCodec }
    return try HEIFReader(file).image(of: item, notices: &notices)
  }

  static func decodeGainMap(
    _ place: FoundGainMap.Location, in file: ImageFile
  ) throws(ImageError) -> Image {
    try HEIFReader(file).decodeGainMap(place)
  }

  static func auxiliaries(
    of image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> [AuxiliaryImage] {
    guard case .item(let item) = image.samples, let reader = try ifReadable(try HEIFReader(file))
    else {
      return []
    }
    return try reader.auxiliaries(of: item, notices: &notices)
  }

  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError) {
    var writer = HEIFImageWriter(output, codec: codec, options: options)
    try writer.write(to: sink)
  }

  static func addItem(
    _ output: OutputImage, to file: inout HEIFFile, options: EncoderOptions
  ) throws(ImageError) -> UInt32 {
    try HEIFImageWriter.add(output, to: &file, codec: codec, options: options)
  }
}
#endif

#if HEIF
/// HEIF images: HEVC in HEIF items.
enum HEIFCodec: HEIFItemCodec {
  static let format = FileFormat.heif
  static let codec = ItemCodec.hevc

  /// The libraries that encode and decode items, with their versions.
  static var libraries: [String] {
    [
      // SAFETY: constant strings.
      unsafe "libheif \(String(cString: heif_get_version()))",
      unsafe "libde265 \(String(cString: de265_get_version()))",
    ] + encoders
  }

  /// The encoder of HEVC that libheif uses, with its version.
  private static var encoders: [String] {
    var encoder: OpaquePointer?
    // SAFETY: libheif writes at most one descriptor, whose name is a constant string.
    let count = unsafe heif_get_encoder_descriptors(heif_compression_HEVC, nil, &encoder, 1)
    guard count == 1, let encoder = unsafe encoder else { return [] }
    return unsafe [String(cString: heif_encoder_descriptor_get_name(encoder))]
  }
}
#endif

#if AVIF
/// AVIF images: AV1 in HEIF items.
enum AVIFCodec: HEIFItemCodec {
  static let format = FileFormat.avif
  static let codec = ItemCodec.av1

  /// The libraries that encode and decode items, with their versions.
  static var libraries: [String] {
    [
      // SAFETY: constant strings.
      unsafe "libaom \(String(cString: av1_encoder_version()))",
      unsafe "dav1d \(String(cString: dav1d_version()))",
    ]
  }
}
#endif
