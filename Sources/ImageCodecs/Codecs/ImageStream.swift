package import HDRCore
package import ImageContainers
package import ImageFiles

/// A file that is encoded while the rows of its image are made.
package protocol ImageStream: AnyObject {
  /// Encodes the next rows: 16 or a multiple of that, except for the last ones.
  ///
  /// - Throws: Errors of the codec and of the sink, also those of earlier rows.
  func append(_ rows: ImagePlanes) throws(ImageError)

  /// Completes the file, whose rows have all been appended.
  ///
  /// - Parameter header: The image, with all metadata; formats that store metadata first took those
  ///   of the beginning.
  /// - Throws: Errors of the codec and of the sink.
  func finish(_ header: StreamedImage) throws(ImageError)
}

/// The content of a file that is encoded row by row, apart from the samples.
package struct StreamedImage: Sendable {
  /// Layout, color, light metadata and orientation.
  package var image: ImageDescription
  /// An ICC profile to embed.
  package var icc: [UInt8]?
  /// Exif from its TIFF header on; its orientation is made consistent.
  package var exif: [UInt8]?
  package var xmp: [UInt8]?
  /// IPTC and comments.
  package var auxiliaryMetadata: AuxiliaryMetadata

  /// Describes the content of a file.
  package init(
    _ image: ImageDescription, icc: [UInt8]? = nil, exif: [UInt8]? = nil, xmp: [UInt8]? = nil,
    auxiliaryMetadata: AuxiliaryMetadata = AuxiliaryMetadata()
  ) {
    self.image = image
    self.icc = icc
    self.exif = exif
    self.xmp = xmp
    self.auxiliaryMetadata = auxiliaryMetadata
  }

  /// The content of an image in memory.
  init(_ output: OutputImage) {
    self.init(
      output.image.description, icc: output.icc, exif: output.exif, xmp: output.xmp,
      auxiliaryMetadata: output.auxiliaryMetadata)
  }

  /// Begins the file.
  ///
  /// - Parameters:
  ///   - sink: Takes the bytes of the file.
  ///   - format: The format.
  ///   - options: Quality and speed.
  ///   - isTurned: Whether the rows come in pieces of any height, because the image is turned.
  /// - Returns: `nil` if the encoder needs the whole image.
  /// - Throws: `.missingCodec` if no codec of this build writes the format, `.invalidArgument` for
  ///   an image that it cannot store; errors of the codec and of the sink.
  package func makeStream(
    to sink: any ByteSink, as format: FileFormat, options: EncoderOptions, isTurned: Bool
  ) throws(ImageError) -> (any ImageStream)? {
    try format.encoder().makeStream(self, to: sink, options: options, isTurned: isTurned)
  }
}

extension OutputImage {
  /// Encodes the image, without alpha, as an item of a HEIF or AVIF file that has one already.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - format: HEIF or AVIF.
  ///   - options: Quality and speed.
  /// - Returns: The id of the item.
  /// - Throws: `.missingCodec` if no codec of this build writes items of the format; as
  ///   `write(to:as:options:)`.
  package func addItem(
    to file: inout HEIFFile, as format: FileFormat, options: EncoderOptions
  ) throws(ImageError) -> UInt32 {
    guard let encoder = try format.encoder() as? any HEIFItemCodec.Type else {
      throw format.missingCodec
    }
    #if HEIF || AVIF
    return try HEIFWriter.add(self, to: &file, codec: encoder.codec, options: options)
    #else
    _ = encoder
    throw format.missingCodec
    #endif
  }
}
