// SPDX-License-Identifier: Apache-2.0
package import HDRCore

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
