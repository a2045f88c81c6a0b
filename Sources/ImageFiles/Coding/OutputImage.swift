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
