// SPDX-License-Identifier: Apache-2.0
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
