internal import Foundation
internal import HDRCore
internal import ImageContainers

/// Opens a named file, or standard input for `-`.
func openInput(_ path: String, limits: ImageLimits) throws(ImageError) -> ByteSource {
  guard path == OutputFile.standardOutput else { return try ByteSource(path: path) }
  var bytes: [UInt8] = []
  while let chunk = try? FileHandle.standardInput.read(upToCount: 1 << 20), !chunk.isEmpty {
    bytes.append(contentsOf: chunk)
    guard bytes.count <= limits.memory else {
      throw ImageError(
        .limitExceeded, "standard input is longer than \(limits.memory) bytes",
        remedy: "raise --memory-limit")
    }
  }
  return ByteSource(bytes)
}
