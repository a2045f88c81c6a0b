internal import HDRCore

/// A parser, or what is built on one, that takes bytes from anybody.
///
/// Its name is that of its folder in `Seeds` and `Regressions`.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case av1
  case dng
  case edits
  case exif
  case exr
  case gainmap
  case heif
  case hevc
  case icc
  case inventory
  case jpeg
  case jpegxl
  case losslessjpeg
  case pgtm
  case png
  case radiance
  case tiff
  case validation
  case xmp

  /// Does with some bytes what the toolkit does with files.
  ///
  /// That a parser refuses the bytes with an `ImageError` is a good outcome.
  ///
  /// - Parameter bytes: A file, a block or a bitstream; anything.
  /// - Throws: `BrokenPromise` where the outcome contradicts what the library says it does.
  public func run(_ bytes: [UInt8]) throws {
    do {
      switch self {
      case .av1: try exerciseAV1(bytes)
      case .dng: try exerciseDNG(bytes)
      case .edits: try exerciseEdits(bytes)
      case .exif: try exerciseExif(bytes)
      case .exr, .tiff: try exerciseOpening(bytes)
      case .gainmap: try exerciseGainMap(bytes)
      case .heif: try exerciseHEIF(bytes)
      case .hevc: try exerciseHEVC(bytes)
      case .icc: try exerciseICC(bytes)
      case .inventory: try exerciseInventory(bytes)
      case .jpeg: try exerciseJPEG(bytes)
      case .jpegxl: try exerciseJPEGXL(bytes)
      case .losslessjpeg: try exerciseLosslessJPEG(bytes)
      case .pgtm: try exerciseGainTable(bytes)
      case .png: try exercisePNG(bytes)
      case .radiance: try exerciseRadiance(bytes)
      case .validation: try exerciseValidation(bytes)
      case .xmp: try exerciseXMP(bytes)
      }
    } catch is ImageError {
      return
    }
  }
}

/// The library did something else than it says.
public struct BrokenPromise: Error, CustomStringConvertible {
  public let description: String
}

/// Fails unless the library kept a promise.
func require(_ condition: Bool, _ promise: @autoclosure () -> String) throws {
  guard condition else { throw BrokenPromise(description: "broken promise: \(promise())") }
}

/// Runs `body`, which must not refuse what the library itself has made.
func must<Result>(_ promise: String, _ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as ImageError {
    throw BrokenPromise(description: "broken promise: \(promise): \(error)")
  }
}
