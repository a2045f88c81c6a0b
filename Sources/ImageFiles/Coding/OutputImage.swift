// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// An image that is ready to be encoded, with the metadata of its file.
public struct OutputImage: Sendable {
  /// The samples to encode, alpha last.
  ///
  /// Its CICP code points, light metadata and orientation are written to the file.
  public var image: Image
  /// Whether the CICP code points of primaries and transfer function are written; true by default.
  public var signalsCICP: Bool
  /// An ICC profile to embed, verbatim; `nil` for none.
  public var icc: [UInt8]?
  /// SMPTE ST 2094-50 metadata for the bitstream of HEIF and AVIF.
  ///
  /// Metadata inside an ICC profile is part of `icc`.
  public var headroomAdaptation: HeadroomAdaptation?
  /// Exif, starting at the TIFF header; the writer makes orientation and color space consistent.
  public var exif: [UInt8]?
  /// The XMP packet, UTF-8.
  public var xmp: [UInt8]?
  /// IPTC, comments and texts, as far as the format stores them.
  public var auxiliaryMetadata = AuxiliaryMetadata()
  /// Depth maps and mattes with integer samples, for HEIF, AVIF and JPEG XL.
  public var auxiliaries: [AuxiliaryImage] = []

  public init(
    _ image: Image, signalsCICP: Bool = true, icc: [UInt8]? = nil,
    headroomAdaptation: HeadroomAdaptation? = nil, exif: [UInt8]? = nil, xmp: [UInt8]? = nil
  ) {
    self.image = image
    self.signalsCICP = signalsCICP
    self.icc = icc
    self.headroomAdaptation = headroomAdaptation
    self.exif = exif
    self.xmp = xmp
  }

  /// Whether the color is that of sRGB.
  package var isSRGB: Bool { image.color.isSRGB }
}

extension ColorEncoding {
  /// Whether the color is that of sRGB.
  package var isSRGB: Bool { primaries.cicp == .bt709 && transfer == .srgb }
}

/// Quality and speed of an encoder.
public struct EncoderOptions: Hashable, Sendable {
  /// Quality of lossy formats, 0...100, 90 by default; other values are clamped.
  ///
  /// At 100, HEIF, AVIF, JPEG XL and JPEG XR are lossless. PNG, TIFF and OpenEXR ignore
  /// it.
  public var quality: Int
  /// Whether decoding yields the same code values; false by default.
  ///
  /// If it is true, `quality` is ignored. OpenEXR stores 32-bit samples only if it is true, else 16
  /// bits. JPEG is not lossless.
  public var isLossless: Bool
  /// Speed, 0...10, 6 by default; 10 is fastest, and other values are clamped.
  ///
  /// JPEG and JPEG XR ignore it.
  public var speed: Int

  public init(quality: Int = 90, isLossless: Bool = false, speed: Int = 6) {
    self.quality = quality
    self.isLossless = isLossless
    self.speed = speed
  }

  /// The highest quality, at which HEVC and AV1 are encoded losslessly.
  package static let bestQuality = 100
}

extension OutputImage {
  /// Encodes the image and writes its file.
  ///
  /// - Parameters:
  ///   - sink: Receives the bytes of the file as they are written; after an error, it contains an
  ///     incomplete file.
  ///   - format: The format of the file.
  ///   - options: Quality and speed.
  /// - Throws: `.missingCodec` if no codec of this build writes the format, `.invalidArgument` for
  ///   an image that it cannot store, for light metadata that are not finite, and for lossless JPEG;
  ///   errors of reading the samples, of the codec and of the sink.
  public func write(
    to sink: any ByteSink, as format: FileFormat, options: EncoderOptions
  ) throws(ImageError) {
    try image.light.requireFinite()
    try format.encoder().write(self, to: sink, options: options)
  }

  /// Encodes the image and returns its file in memory.
  ///
  /// - Parameters:
  ///   - format: The format of the file.
  ///   - options: Quality and speed.
  /// - Returns: The bytes of the file.
  /// - Throws: Errors of `write(to:as:options:)`.
  public func encoded(
    as format: FileFormat, options: EncoderOptions
  ) throws(ImageError) -> [UInt8] {
    let sink = MemorySink()
    try write(to: sink, as: format, options: options)
    return sink.bytes
  }
}

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

/// A gray image that covers the same area as another image.
///
/// Examples are depth maps and mattes of skin, hair or sky. Its size in pixels may differ.
public struct AuxiliaryImage: Sendable {
  /// Purpose of the image: a URN as in `auxC` of HEIF, for example `AuxiliaryTypeBox.depth`.
  public var type: String
  /// Subtype bytes of `auxC`, which follow the URN.
  public var subtype: [UInt8]
  /// Full-range gray with integer samples, in the orientation of the image that it belongs to.
  ///
  /// For an encoder, primaries and transfer function are ignored.
  public var image: Image
  /// The XMP packet that describes the auxiliary image, UTF-8; stored by HEIF and AVIF only.
  public var xmp: [UInt8]?

  /// Creates an auxiliary image.
  ///
  /// - Parameters:
  ///   - type: Purpose of the image: a URN as in `auxC` of HEIF.
  ///   - subtype: Subtype bytes of `auxC`, which follow the URN; empty by default.
  ///   - image: Full-range gray with integer samples; primaries and transfer function are ignored.
  ///   - xmp: The XMP packet that describes the auxiliary image, UTF-8; `nil` by default.
  public init(type: String, subtype: [UInt8] = [], image: Image, xmp: [UInt8]? = nil) {
    self.type = type
    self.subtype = subtype
    self.image = image
    self.xmp = xmp
  }

  /// The name for people, such as `depth map`.
  package var displayName: String { ImageFile.NamedAuxiliary(item: 0, type: type).displayName }
}

extension Image {
  /// Integer samples that are data, such as gain.
  ///
  /// Of the color encoding, only matrix, range and chroma location are meaningful.
  package init(
    data planes: ImagePlanes, matrix: CICP.Matrix = .identity, isFullRange: Bool = true,
    chromaLocation: ChromaLocation = .left
  ) {
    var color = ColorEncoding.data
    (color.matrix, color.isFullRange) = (matrix, isFullRange)
    color.chromaLocation = chromaLocation
    self.init(ImageDescription(layout: planes.layout, color: color), planes)
  }
}
