// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Opens a named file, or standard input for `-`.
func openInput(_ path: String, limits: ImageLimits) throws(ImageError) -> ByteSource {
  guard path == OutputFile.standardOutput else { return try ByteSource(path: path) }
  return ByteSource(try readToEnd(of: STDIN_FILENO, limits: limits))
}

/// Parses a named file, or standard input for `-`.
func openImage(_ path: String, options: OpeningOptions) throws(ImageError) -> ImageFile {
  let source = try openInput(path, limits: options.limits)
  guard source.count > 0 else { throw ImageError(.inputEmpty) }
  return try ImageFile(parsing: source, options: options)
}

/// All remaining bytes of a pipe or file.
///
/// - Throws: `.limitExceeded` if they are more than the memory allowed, `.inputOutput` if the
///   system cannot read them.
func readToEnd(of descriptor: Int32, limits: ImageLimits) throws(ImageError) -> [UInt8] {
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 20)
  while true {
    // SAFETY: `target` has as many bytes as are asked for.
    let count = unsafe block.withUnsafeMutableBytes { target in
      unsafe read(descriptor, target.baseAddress, target.count)
    }
    if count < 0 && errno == EINTR { continue }
    guard count >= 0 else { throw ImageError(.readFailed, ["detail": lastSystemError]) }
    guard count > 0 else { return bytes }
    bytes += block[..<count]
    guard bytes.count <= limits.memory else {
      throw ImageError(.inputTooLong, ["limit": limits.memory])
    }
  }
}
