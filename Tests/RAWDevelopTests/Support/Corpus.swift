import Foundation
import HDRCore
import ImageCodecs
import ImageContainers
import RAWDevelop

/// Real files that are not part of the repository.
///
/// The folder is that of the environment variable `HDR_CORPUS`, else `../shared/corpus` beside the
/// package. Tests that need it are skipped where it is missing.
enum Corpus {
  static let folder: String = {
    if let folder = ProcessInfo.processInfo.environment["HDR_CORPUS"] { return folder }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared/corpus").path
  }()

  static let isThere = FileManager.default.fileExists(atPath: folder)

  static func source(_ path: String) throws -> ByteSource {
    try ByteSource(path: "\(folder)/\(path)")
  }

  static func dng(_ path: String) throws -> DNGFile {
    try DNGFile(TIFFFile(parsing: source(path)))
  }
}

/// Files beside the tests.
enum Vectors {
  static func bytes(_ path: String) throws -> [UInt8] {
    let folder = Bundle.module.resourceURL?.appending(path: "Vectors")
    guard let folder else { throw ImageError(.missingInput, "no test resources") }
    return [UInt8](try Data(contentsOf: folder.appending(path: path)))
  }
}

extension RawSamples {
  /// All samples, row after row.
  var integers: [UInt16] {
    guard case .integer(let plane) = rows else { return [] }
    return array(plane.span)
  }

  var floats: [Float] {
    guard case .float(let plane) = rows else { return [] }
    return array(plane.span)
  }
}

func array<Element: BitwiseCopyable>(_ span: borrowing Span<Element>) -> [Element] {
  var array: [Element] = []
  array.reserveCapacity(span.count)
  for index in span.indices { array.append(span[index]) }
  return array
}

/// Numbers without a pattern, the same in every run.
struct Noise: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}
