// SPDX-License-Identifier: Apache-2.0
internal import CPlatform
package import HDRCore
internal import Synchronization

/// The codecs of a program: those of `ImageCodecs`, where it is linked.
package struct CodecRegistry: Sendable {
  package var codecs: [any ImageCodec.Type]
  package var jpeg: (any JPEGLibrary.Type)?
  package var jpegXL: (any JPEGXLLibrary.Type)?
  package var colorManagement: (any ColorManagement.Type)?
  package var cameraRaw: (any CameraRawLibrary.Type)?

  package init(_ codecs: [any ImageCodec.Type] = []) { self.codecs = codecs }

  private static let registered = Mutex(CodecRegistry())

  private static let linked = {
    image_codecs_register()
    return registered.withLock { $0 }
  }()

  /// Registers the codecs of the program, when they are first asked for.
  package static func register(_ registry: CodecRegistry) { registered.withLock { $0 = registry } }

  /// The codecs of the program.
  package static var current: CodecRegistry {
    guard let use else { return linked }
    use.isMade.withLock { $0 = true }
    return CodecRegistry()
  }

  private final class Use: Sendable {
    let isMade = Mutex(false)
  }

  @TaskLocal private static var use: Use?

  /// Whether work does not ask for codecs, of which it gets none.
  package static func isUnused(by work: () -> Void) -> Bool {
    let use = Use()
    $use.withValue(use, operation: work)
    return !use.isMade.withLock { $0 }
  }
}

extension FileFormat {
  /// The codec for this format; `nil` if this build does not have one.
  var codec: (any ImageCodec.Type)? { CodecRegistry.current.codecs.first { $0.format == self } }

  /// The decoder of the format.
  ///
  /// - Throws: `.missingCodec` if this build does not have one.
  package func decoder() throws(ImageError) -> any ImageDecoder.Type {
    guard let decoder = codec as? any ImageDecoder.Type else { throw missingCodec }
    return decoder
  }

  /// The encoder of the format.
  ///
  /// - Throws: `.missingCodec` if this build does not have one.
  func encoder() throws(ImageError) -> any ImageEncoder.Type {
    guard let encoder = codec as? any ImageEncoder.Type else { throw missingCodec }
    return encoder
  }

  /// The error for a format that this build cannot read or write.
  package var missingCodec: ImageError { ImageError(.formatCodecMissing, ["codec": title]) }
}

/// Support of this build for a format.
///
/// Camera raw formats do not have a codec: the module `RAWDevelop` opens them, with libraries that
/// are not listed.
public struct CodecSupport: Sendable {
  /// The format.
  public let format: FileFormat
  /// Whether this build decodes the format; false for camera raw formats.
  public let canDecode: Bool
  /// Whether this build encodes the format; false for camera raw formats.
  public let canEncode: Bool
  /// Names of the libraries that decode and encode its samples, with their versions.
  ///
  /// Empty without a codec.
  public let libraries: [String]

  /// Support for each format, in the order of `FileFormat.allCases`.
  ///
  /// In a program without the module `ImageCodecs`, no format can be read or written.
  public static var all: [CodecSupport] {
    FileFormat.allCases.map { format in
      let codec = format.codec
      return CodecSupport(
        format: format, canDecode: codec is any ImageDecoder.Type,
        canEncode: codec is any ImageEncoder.Type, libraries: codec?.libraries ?? [])
    }
  }
}

// MARK: Libraries for parts of files

/// A library for JPEG images that are parts of other files, and for their coefficients.
package protocol JPEGLibrary: SendableMetatype {
  /// Decodes a complete JPEG of 8 bits, such as a tile of DNG.
  ///
  /// - Throws: `.malformed` and `.truncated` for corrupt data, `.unsupported` for more than 8 bits,
  ///   `.limitExceeded` for too many samples.
  static func tile(_ bytes: [UInt8], limits: ImageLimits) throws(ImageError) -> JPEGTile

  /// Rotates the coefficients of a file.
  ///
  /// - Throws: `.malformed` for corrupt data.
  static func rotated(_ bytes: [UInt8], by orientation: Orientation) throws(ImageError) -> [UInt8]
}

/// An 8-bit JPEG image that is part of another file.
package struct JPEGTile: Sendable {
  package let width: Int
  package let height: Int
  /// Interleaved red, green and blue; gray is repeated three times.
  package let samples: [UInt8]

  package init(width: Int, height: Int, samples: [UInt8]) {
    (self.width, self.height, self.samples) = (width, height, samples)
  }
}

/// A library for JPEG XL images that are parts of other files, and for transcoding of JPEG files.
///
/// JPEG XL stores the coefficients of a JPEG file, and in its box `jbrd` everything else that the
/// exact bytes of the file require.
///
/// Source: ISO/IEC 18181-2, 9.10; annex A.
package protocol JPEGXLLibrary: SendableMetatype {
  /// Name and version of the library.
  static var name: String { get }

  /// Decodes a tile of integers, as coded, without color conversion or rotation; more than 8 bits
  /// are scaled to 16.
  ///
  /// Source: DNG 1.7.1, as read by Adobe's SDK: white is 65535 at any bit depth.
  ///
  /// - Throws: `.malformed` or `.truncated` for a corrupt image or one of a different shape.
  static func integers(_ bytes: [UInt8], _ shape: JPEGXLTileShape) throws(ImageError) -> [UInt16]

  /// Decodes a floating-point tile.
  ///
  /// - Throws: As `integers`.
  static func floats(_ bytes: [UInt8], _ shape: JPEGXLTileShape) throws(ImageError) -> [Float]

  /// Transcodes a JPEG file.
  ///
  /// - Parameters:
  ///   - jpeg: The file.
  ///   - speed: Speed of the encoder, 0...10.
  /// - Returns: A JPEG XL file from which `reconstructed(_:limit:)` returns the same bytes, which
  ///   was verified.
  /// - Throws: `.unsupported` for a JPEG file that the library cannot transcode.
  static func encoded(_ jpeg: [UInt8], speed: Int) throws(ImageError) -> [UInt8]

  /// Reconstructs the JPEG file that a JPEG XL file was transcoded from.
  ///
  /// - Parameters:
  ///   - file: The JPEG XL file.
  ///   - limit: Maximum size of the JPEG file, in bytes.
  /// - Returns: The bytes of the JPEG file.
  /// - Throws: `.unsuitable` for a file that was not transcoded from JPEG; `.malformed` and
  ///   `.truncated` for a corrupt one; `.limitExceeded` for a larger JPEG file.
  static func reconstructed(_ file: [UInt8], limit: Int) throws(ImageError) -> [UInt8]
}

extension CodecRegistry {
  /// The library for JPEG XL.
  ///
  /// - Throws: `.missingCodec` if this build does not have one.
  package static func jpegXL() throws(ImageError) -> any JPEGXLLibrary.Type {
    guard let library = current.jpegXL else { throw FileFormat.jxl.missingCodec }
    return library
  }
}

/// Properties that a file declares for a tile in JPEG XL.
package struct JPEGXLTileShape: Hashable, Sendable {
  package var width: Int
  package var height: Int
  /// Number of samples of a pixel, stored interleaved.
  package var planes: Int
  package var bits: Int
  package var isFloat: Bool

  package init(width: Int, height: Int, planes: Int, bits: Int, isFloat: Bool) {
    self.width = width
    self.height = height
    self.planes = planes
    self.bits = bits
    self.isFloat = isFloat
  }
}

/// A library that applies ICC profiles.
package protocol ColorManagement: SendableMetatype {
  /// From the signal of a profile to linear BT.2020.
  ///
  /// - Throws: `.malformed` if the profile cannot be applied.
  static func transform(
    from profile: [UInt8], isGray: Bool
  ) throws(ImageError) -> any ProfileTransform

  /// From linear BT.2020 to the device values of an RGB profile.
  ///
  /// - Throws: `.invalidArgument` if it cannot be converted to the profile.
  static func transform(to profile: [UInt8]) throws(ImageError) -> any ProfileTransform
}

/// A profile applied to or from linear BT.2020.
package protocol ProfileTransform: Sendable {
  /// Converts consecutive pixels, to three components each.
  func converted(_ values: [Float]) -> [Float]
}

extension CodecRegistry {
  /// The library that applies profiles.
  ///
  /// - Throws: `.missingCodec` if this build does not have one.
  static func colorManagement() throws(ImageError) -> any ColorManagement.Type {
    guard let library = current.colorManagement else {
      throw ImageError(.missingCodec, "this build does not include color management")
    }
    return library
  }
}

/// A library that decodes camera raw files other than DNG.
package protocol CameraRawLibrary: SendableMetatype {
  /// Name and version of the library.
  static var name: String { get }
  /// Cameras in the list of the library.
  static var cameras: [String] { get }

  /// Reads the headers of a file.
  ///
  /// - Throws: `.unsupported` for an unknown file, `.malformed` for a damaged one, `.limitExceeded`
  ///   if there is not enough memory.
  static func open(_ source: ByteSource, megabytes: UInt32) throws(ImageError) -> any CameraRawFile
}

/// A camera raw file that a library has opened.
package protocol CameraRawFile: AnyObject, Sendable {
  /// Samples and levels are complete once samples are decoded.
  var description: CameraRawDescription { get }
  /// The first warning about the decoded samples.
  var warning: String? { get }

  /// Decodes the samples.
  ///
  /// - Throws: `.truncated` if samples are missing, `.malformed` if they are damaged.
  func unpack() throws(ImageError)

  /// Black level of an exposed photosite.
  func black(row: Int, column: Int, plane: Int) -> Int

  /// Demosaics the samples, once.
  ///
  /// - Parameter gains: White-balance gains.
  /// - Returns: The size of the result: colors times `gains`, divided by the largest of them; white is
  ///   65535.
  /// - Throws: `.malformed` for an image that the library does not demosaic.
  func demosaic(gains: SIMD3<Float>) throws(ImageError) -> (width: Int, height: Int)

  /// Copies the samples as decoded, interleaved, or the demosaiced colors.
  ///
  /// - Throws: `.codecFailure` if there are not as many.
  func copy(_ part: CameraRawPart, to target: inout MutableSpan<UInt16>) throws(ImageError)

  /// The largest preview, if it is a JPEG.
  ///
  /// - Throws: `.unsupported` without such a preview.
  func preview() throws(ImageError) -> [UInt8]
}

/// Samples of a camera raw file.
package enum CameraRawPart: Sendable {
  /// As decoded, interleaved.
  case samples
  /// Demosaiced colors.
  case colors
}

/// The description of a camera raw file by a library.
package struct CameraRawDescription: Sendable {
  package struct Area: Sendable {
    package let x: Int
    package let y: Int
    package let width: Int
    package let height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }
  }

  package let width: Int
  package let height: Int
  package let visible: Area
  /// The part of all samples that the camera's own images show; `nil` if the file does not specify it.
  package let crop: Area?
  /// Samples of a pixel: 1 for mosaics and gray images, else 3; 0 for samples of an unsupported kind.
  package let planes: Int
  /// Number of colors of the camera: 1, 3 or 4.
  package let colors: Int
  /// Size of the pattern of filters, starting at the first visible photosite; 0 without filters or if
  /// photosites are not on a rectangular grid.
  package let patternRows: Int
  package let patternColumns: Int
  /// Colors row by row: 0 red, 1 green, 2 blue.
  package let pattern: [UInt8]
  /// Whether the sensor has a color filter array.
  package let isMosaic: Bool
  /// Exif's orientation, 1...8.
  package let orientation: Int
  package let white: Int
  /// Size of the pattern of black levels, starting at the first visible photosite.
  package let blackRows: Int
  package let blackColumns: Int
  /// Multipliers of the camera's red, green and blue for white; 0 if the file does not specify them.
  package let asShot: [Double]
  /// Multipliers for daylight.
  package let daylight: [Double]
  /// Matrix from CIE XYZ to the camera's colors, row by row; all 0 for an unknown camera.
  package let xyzToCamera: [Double]
  /// Stops by which the camera's own images are brighter than the samples; 0 if the file does not
  /// specify them.
  package let baselineExposure: Double
  /// Number of raw images in the file.
  package let imageCount: Int
  package let make: String
  package let model: String

  package init(
    width: Int, height: Int, visible: Area, crop: Area?, planes: Int, colors: Int,
    patternRows: Int, patternColumns: Int, pattern: [UInt8], isMosaic: Bool, orientation: Int,
    white: Int, blackRows: Int, blackColumns: Int, asShot: [Double], daylight: [Double],
    xyzToCamera: [Double], baselineExposure: Double, imageCount: Int, make: String, model: String
  ) {
    (self.width, self.height, self.visible, self.crop) = (width, height, visible, crop)
    (self.planes, self.colors) = (planes, colors)
    (self.patternRows, self.patternColumns) = (patternRows, patternColumns)
    (self.pattern, self.isMosaic) = (pattern, isMosaic)
    (self.orientation, self.white) = (orientation, white)
    (self.blackRows, self.blackColumns) = (blackRows, blackColumns)
    (self.asShot, self.daylight, self.xyzToCamera) = (asShot, daylight, xyzToCamera)
    (self.baselineExposure, self.imageCount) = (baselineExposure, imageCount)
    (self.make, self.model) = (make, model)
  }
}
