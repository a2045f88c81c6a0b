// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// A codec for files of one format.
package protocol ImageCodec: SendableMetatype {
  static var format: FileFormat { get }
  /// The libraries that encode and decode samples, with their versions.
  static var libraries: [String] { get }
}

/// A codec that decodes.
package protocol ImageDecoder: ImageCodec {
  /// Prepares to decode the primary image of a file.
  ///
  /// - Parameters:
  ///   - image: The declared properties of the image.
  ///   - file: The file.
  ///   - notices: Receives notices about samples that are not decoded as declared.
  /// - Returns: The samples as coded, decoded when a reader requests them; the caller sets their
  ///   color.
  /// - Throws: `.unsupported` for a coding that this build cannot decode; `.malformed` and
  ///   `.truncated` for a corrupt file.
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image

  /// Returns the file that a file was transcoded from without loss, and whose samples are used; `nil`
  /// for other files.
  ///
  /// - Throws: Errors that end the whole job.
  static func original(of file: ImageFile) throws(ImageError) -> ImageFile?

  /// Returns the color of the decoded samples.
  ///
  /// - Parameters:
  ///   - image: The declared properties of the image.
  ///   - file: The file.
  ///   - notices: Receives notices about a declaration that cannot be decoded.
  /// - Returns: The declared color, completed by declarations that only the codec can decode.
  /// - Throws: Errors that end the whole job.
  static func color(
    of image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> ColorDescription

  /// Decodes a gain map of a file, or its primary image as a gain map.
  ///
  /// - Throws: `.invalidArgument` for a format that does not store gain maps; errors of the image.
  static func decodeGainMap(
    _ place: FoundGainMap.Location, in file: ImageFile
  ) throws(ImageError) -> Image

  /// Returns the alternate image of a gain map.
  ///
  /// - Parameters:
  ///   - map: A gain map of a file of the format.
  ///   - notices: Receives notices about a declaration that cannot be decoded.
  /// - Returns: Its declared color, completed by declarations that only the codec can decode.
  /// - Throws: Errors that end the whole job.
  static func alternate(
    of map: FoundGainMap, notices: inout [Notice]
  ) throws(ImageError) -> FoundGainMap.AlternateImage

  /// Returns the ICC profile of a file that only the codec can decode; `nil` if it is missing.
  ///
  /// - Throws: Errors of the codestream.
  static func profile(of file: ImageFile) throws(ImageError) -> [UInt8]?

  /// Prepares to decode the preview of a file.
  ///
  /// - Returns: The preview, to be encoded in the same format without loss; `nil` if it is missing or
  ///   can be extracted as it is coded.
  /// - Throws: Errors of the color, `.limitExceeded` for a preview beyond the limits.
  static func preview(of file: ImageFile) throws(ImageError) -> OutputImage?

  /// Prepares to decode depth maps and mattes.
  ///
  /// - Parameters:
  ///   - image: The declared properties of the primary image.
  ///   - file: The file.
  ///   - notices: Receives notices about images that cannot be decoded.
  /// - Returns: The images that belong to the primary image.
  /// - Throws: Errors that end the whole job.
  static func auxiliaries(
    of image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> [AuxiliaryImage]
}

extension ImageDecoder {
  package static func original(of file: ImageFile) -> ImageFile? { nil }

  package static func color(
    of image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) -> ColorDescription { image.color }

  package static func alternate(
    of map: FoundGainMap, notices: inout [Notice]
  ) -> FoundGainMap.AlternateImage { map.alternate }

  package static func decodeGainMap(
    _ place: FoundGainMap.Location, in file: ImageFile
  ) throws(ImageError) -> Image {
    throw .gainMapFormatUnsupported(file.format)
  }

  package static func profile(of file: ImageFile) throws(ImageError) -> [UInt8]? { nil }

  package static func preview(of file: ImageFile) throws(ImageError) -> OutputImage? { nil }

  package static func auxiliaries(
    of image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) -> [AuxiliaryImage] { [] }
}

extension ImageError {
  /// The error for a format that does not store gain maps.
  static func gainMapFormatUnsupported(_ format: FileFormat) -> ImageError {
    ImageError(.gainMapMapFormatUnsupported, ["format": format.title])
  }
}

/// A codec that encodes.
package protocol ImageEncoder: ImageCodec {
  /// Encodes an image and writes its file.
  ///
  /// - Parameters:
  ///   - output: The image, with the metadata of its file.
  ///   - sink: Receives the bytes of the file.
  ///   - options: Quality and speed.
  /// - Throws: `.invalidArgument` for samples that the format cannot store; errors of the codec and
  ///   of the sink.
  static func write(
    _ output: OutputImage, to sink: any ByteSink, options: EncoderOptions
  ) throws(ImageError)

  /// Begins a file whose rows are encoded as they are produced.
  ///
  /// - Parameters:
  ///   - header: The image, and the metadata known so far.
  ///   - sink: Receives the bytes of the file.
  ///   - options: Quality and speed.
  ///   - isRotated: Whether the image is rotated, so that rows come in pieces of any height.
  /// - Returns: `nil` if the encoder needs the whole image.
  /// - Throws: As `write(_:to:options:)`.
  static func makeStream(
    _ header: StreamedImage, to sink: any ByteSink, options: EncoderOptions, isRotated: Bool
  ) throws(ImageError) -> (any ImageStream)?
}

extension ImageEncoder {
  package static func makeStream(
    _ header: StreamedImage, to sink: any ByteSink, options: EncoderOptions, isRotated: Bool
  ) throws(ImageError) -> (any ImageStream)? { nil }
}

/// An encoder of images that are items of a HEIF file.
package protocol ItemEncoder: ImageEncoder {
  /// Encodes an image without alpha as an item.
  ///
  /// - Returns: The item ID.
  /// - Throws: As `write(_:to:options:)`.
  static func addItem(
    _ output: OutputImage, to file: inout HEIFFile, options: EncoderOptions
  ) throws(ImageError) -> UInt32
}
