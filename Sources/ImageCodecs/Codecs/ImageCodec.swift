internal import GainMap
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// A codec of this build for the files of one format.
protocol ImageCodec {
  static var format: FileFormat { get }
  /// The libraries that code its samples, with their versions.
  static var libraries: [String] { get }
}

/// A codec that decodes.
protocol ImageDecoder: ImageCodec {
  /// Prepares to decode the primary image of a file.
  ///
  /// - Parameters:
  ///   - image: The declarations of the file about the image.
  ///   - file: The file.
  /// - Returns: The samples, decoded when a reader asks for them.
  /// - Throws: `.unsupported` for an image that is coded in a way that this build cannot decode;
  ///   `.malformed` and `.truncated` for a corrupt file.
  static func samples(
    of image: DeclaredImage, in file: ImageFile
  ) throws(ImageError) -> CodedSamples
}

/// The samples of a file's primary image, and what is coded with them.
struct CodedSamples {
  /// Layout of the decoded samples, before an ICC profile is applied.
  var layout: ImageLayout
  /// Starts a decoder.
  var rows: @Sendable () throws(ImageError) -> any RowReader
  /// Decodes a gain map of the file, or the primary image as one; `nil` for formats without.
  var gainMap: (@Sendable (FoundGainMap.Place) throws(ImageError) -> Image)?
  /// Depth maps and mattes.
  var auxiliaries: [AuxiliaryImage] = []
  var notices: [Notice] = []

  init(
    _ layout: ImageLayout, rows: @escaping @Sendable () throws(ImageError) -> any RowReader
  ) {
    self.layout = layout
    self.rows = rows
  }
}

/// A codec that encodes.
protocol ImageEncoder: ImageCodec {
  /// Encodes an image and writes its file.
  ///
  /// - Parameters:
  ///   - output: The image, with the metadata of its file.
  ///   - sink: Takes the bytes of the file.
  ///   - options: Quality and speed.
  /// - Throws: `.invalidArgument` for samples that the format cannot store; errors of the codec and
  ///   of the sink.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError)

  /// Begins a file that is encoded while the rows of its image are made.
  ///
  /// - Parameters:
  ///   - header: The image, and the metadata as far as they are known.
  ///   - sink: Takes the bytes of the file.
  ///   - options: Quality and speed.
  ///   - isTurned: Whether the rows come in pieces of any height, because the image is turned.
  /// - Returns: `nil` if the encoder needs the whole image.
  /// - Throws: As `write(_:to:options:)`.
  static func makeStream(
    _ header: StreamedImage, to sink: any ByteSink, options: EncoderOptions, isTurned: Bool
  ) throws(ImageError) -> (any ImageStream)?
}

extension ImageEncoder {
  static func makeStream(
    _ header: StreamedImage, to sink: any ByteSink, options: EncoderOptions, isTurned: Bool
  ) throws(ImageError) -> (any ImageStream)? { nil }
}

/// The codecs of this build.
enum RegisteredCodecs {
  static var all: [any ImageCodec.Type] {
    var codecs: [any ImageCodec.Type] = []
    codecs.append(RadianceCodec.self)
    #if HEIF
    codecs.append(HEIFCodec.self)
    #endif
    #if AVIF
    codecs.append(AVIFCodec.self)
    #endif
    #if PNG
    codecs.append(PNGCodec.self)
    #endif
    #if JPEG
    codecs.append(JPEGCodec.self)
    #endif
    #if TIFF
    codecs.append(TIFFCodec.self)
    #endif
    #if EXR
    codecs.append(EXRCodec.self)
    #endif
    return codecs
  }
}

extension FileFormat {
  /// The codec of this build for the format; `nil` if it has none.
  var codec: (any ImageCodec.Type)? { RegisteredCodecs.all.first { $0.format == self } }

  /// The decoder of the format.
  ///
  /// - Throws: `.missingCodec` in a build without one.
  func decoder() throws(ImageError) -> any ImageDecoder.Type {
    guard let decoder = codec as? any ImageDecoder.Type else { throw missingCodec }
    return decoder
  }

  /// The encoder of the format.
  ///
  /// - Throws: `.missingCodec` in a build without one.
  func encoder() throws(ImageError) -> any ImageEncoder.Type {
    guard let encoder = codec as? any ImageEncoder.Type else { throw missingCodec }
    return encoder
  }
}
