// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// A parser, or code based on parsers, that processes untrusted bytes.
///
/// The raw value is the name of its folder in `Seeds` and `Regressions`.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case adaptation
  case av1
  case conversion
  case cr3
  case creation
  case development
  case dng
  case edits
  case exif
  case exr
  case fixes
  case gainmap
  case heif
  case hevc
  case icc
  case inspection
  case inventory
  case jpeg
  case jpegxl
  case jpegxr
  case json
  case losslessjpeg
  case pgtm
  case png
  case radiance
  case remux
  case samples
  case tiff
  case transcoding
  case validation
  case xmp

  /// Processes bytes as the toolkit processes files.
  ///
  /// An `ImageError` of a parser is a valid result.
  ///
  /// - Parameter bytes: A file, a block or a bitstream, or arbitrary bytes.
  /// - Throws: `InvariantViolation` if an invariant of the library is violated.
  public func run(_ bytes: [UInt8]) throws {
    do {
      switch self {
      case .adaptation: try exerciseAdaptation(bytes)
      case .av1: try exerciseAV1(bytes)
      case .conversion: try exerciseConversion(bytes)
      case .cr3: try exerciseCR3(bytes)
      case .creation: try exerciseCreation(bytes)
      case .development: try exerciseDevelopment(bytes)
      case .dng: try exerciseDNG(bytes)
      case .edits: try exerciseEdits(bytes)
      case .exif: try exerciseExif(bytes)
      case .exr, .tiff: try exerciseOpening(bytes)
      case .fixes: try exerciseFixes(bytes)
      case .gainmap: try exerciseGainMap(bytes)
      case .heif: try exerciseHEIF(bytes)
      case .hevc: try exerciseHEVC(bytes)
      case .icc: try exerciseICC(bytes)
      case .inspection: try exerciseInspection(bytes)
      case .inventory: try exerciseInventory(bytes)
      case .jpeg: try exerciseJPEG(bytes)
      case .jpegxl: try exerciseJPEGXL(bytes)
      case .jpegxr:
        try exerciseInspection(bytes)
        try exerciseEdits(bytes)
      case .json: try exerciseJSON(bytes)
      case .losslessjpeg: try exerciseLosslessJPEG(bytes)
      case .pgtm: try exerciseGainTable(bytes)
      case .png: try exercisePNG(bytes)
      case .radiance: try exerciseRadiance(bytes)
      case .remux: try exerciseRemux(bytes)
      case .samples: try exerciseSamples(bytes)
      case .transcoding: try exerciseTranscoding(bytes)
      case .validation: try exerciseValidation(bytes)
      case .xmp: try exerciseXMP(bytes)
      }
    } catch is ImageError {
      return
    }
  }
}

/// The error for a violated invariant of the library.
public struct InvariantViolation: Error, CustomStringConvertible {
  public let description: String
}

/// Opens a file with limits.
func opened(_ bytes: [UInt8], _ limits: ImageLimits) throws -> ImageFile {
  try ImageFile(parsing: ByteSource(bytes), options: OpeningOptions(limits: limits))
}

/// Throws an error unless an invariant of the library is satisfied.
func require(_ condition: Bool, _ invariant: @autoclosure () -> String) throws {
  guard condition else {
    throw InvariantViolation(description: "violated invariant: \(invariant())")
  }
}

/// Runs `body`, which must accept data written by the library.
func must<Result>(_ invariant: String, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as ImageError {
    throw InvariantViolation(description: "violated invariant: \(invariant): \(error)")
  }
}
