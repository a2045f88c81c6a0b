// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A file whose rows are encoded as they are produced.
package protocol ImageStream: AnyObject {
  /// Encodes the next rows: a multiple of 16, except at the end of the image.
  ///
  /// - Throws: Errors of the codec and of the sink, also those of earlier rows.
  func append(_ rows: ImagePlanes) throws(ImageError)

  /// Completes the file after all rows were appended.
  ///
  /// - Parameter header: The image with all metadata; formats that store metadata first use those
  ///   of the beginning.
  /// - Throws: Errors of the codec and of the sink.
  func finish(_ header: StreamedImage) throws(ImageError)
}

/// The metadata of a file that is encoded row by row.
package struct StreamedImage: Sendable {
  /// Layout, color, light metadata and orientation.
  package var image: ImageDescription
  /// Whether the CICP code points of primaries and transfer function are written.
  package var signalsCICP: Bool
  /// An ICC profile to embed.
  package var icc: [UInt8]?
  /// Exif, starting at the TIFF header; its orientation is made consistent.
  package var exif: [UInt8]?
  package var xmp: [UInt8]?
  /// IPTC, comments and texts.
  package var auxiliaryMetadata: AuxiliaryMetadata

  /// Creates the metadata of a file.
  package init(
    _ image: ImageDescription, signalsCICP: Bool = true, icc: [UInt8]? = nil, exif: [UInt8]? = nil,
    xmp: [UInt8]? = nil,
    auxiliaryMetadata: AuxiliaryMetadata = AuxiliaryMetadata()
  ) {
    self.image = image
    self.signalsCICP = signalsCICP
    self.icc = icc
    self.exif = exif
    self.xmp = xmp
    self.auxiliaryMetadata = auxiliaryMetadata
  }

  /// The metadata of an image in memory.
  package init(_ output: OutputImage) {
    self.init(
      output.image.description, signalsCICP: output.signalsCICP, icc: output.icc,
      exif: output.exif, xmp: output.xmp, auxiliaryMetadata: output.auxiliaryMetadata)
  }

  /// Begins the file.
  ///
  /// - Parameters:
  ///   - sink: Receives the bytes of the file.
  ///   - format: The format.
  ///   - options: Quality and speed.
  ///   - isRotated: Whether the image is rotated, so that rows come in pieces of any height.
  /// - Returns: `nil` if the encoder needs the whole image.
  /// - Throws: `.missingCodec` if no codec of this build writes the format, `.invalidArgument` for
  ///   an image that it cannot store and for light metadata that are not finite; errors of the codec
  ///   and of the sink.
  package func makeStream(
    to sink: any ByteSink, as format: FileFormat, options: EncoderOptions, isRotated: Bool
  ) throws(ImageError) -> (any ImageStream)? {
    try image.light.requireFinite()
    return try format.encoder().makeStream(self, to: sink, options: options, isRotated: isRotated)
  }
}

extension OutputImage {
  /// Encodes the image without alpha as an item of an existing HEIF or AVIF file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - format: HEIF or AVIF.
  ///   - options: Quality and speed.
  /// - Returns: The item ID.
  /// - Throws: `.missingCodec` if no codec of this build encodes items of the format; errors of
  ///   `write(to:as:options:)`.
  package func addItem(
    to file: inout HEIFFile, as format: FileFormat, options: EncoderOptions
  ) throws(ImageError) -> UInt32 {
    guard let encoder = try format.encoder() as? any ItemEncoder.Type else {
      throw format.missingCodec
    }
    return try encoder.addItem(self, to: &file, options: options)
  }
}
