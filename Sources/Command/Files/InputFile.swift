// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore
internal import ImageFiles
internal import Synchronization

/// Opens a named file, or standard input for `-`.
func openInput(_ path: String, limits: ImageLimits) throws(ImageError) -> ByteSource {
  if let files = CommandFiles.current { return try files.open(path) }
  guard path == OutputFile.standardOutput else {
    do throws(ImageError) { return try ByteSource(path: path) } catch {
      throw error.explaining(missing: path)
    }
  }
  let input = try OpenedInput(path, limits: limits)
  return ByteSource(openFile: input.descriptor, count: input.size)
}

/// Parses a named file, or standard input for `-`.
func openImage(_ path: String, options: OpeningOptions) throws(ImageError) -> ImageFile {
  let source = try openInput(path, limits: options.limits)
  guard source.count > 0 else {
    throw ImageError(
      path == OutputFile.standardOutput
        ? .inputEmptyStandard : ErrorCode(.malformed, "the file is empty"))
  }
  return try ImageFile(parsing: source, options: options)
}

/// All remaining bytes of a pipe or file, in memory.
///
/// - Throws: `.limitExceeded` if they are more than the memory allowed, `.inputOutput` if the
///   system cannot read them.
func readToEnd(of descriptor: Int32, limits: ImageLimits) throws(ImageError) -> ByteSource {
  let blockSize = 1 << 18
  var bytes = SplicedBytes(source: ByteSource([]))
  while true {
    let block = try readBlock(of: descriptor, count: blockSize)
    try Execution.current.budget.debit(memory: block.count, for: "input in memory")
    bytes.append(block)
    guard bytes.count <= limits.memory else {
      throw ImageError(.inputTooLong, ["limit": limits.memory])
    }
    guard block.count == blockSize else { return ByteSource(bytes) }
  }
}

/// An input that is open for the process of a job.
struct OpenedInput {
  /// Closed by the owner of this value.
  let descriptor: Int32
  let size: Int

  /// Opens a file, or standard input, which is collected in an unnamed file and can be opened again.
  init(_ path: String, limits: ImageLimits) throws(ImageError) {
    guard path == OutputFile.standardOutput else {
      do throws(ImageError) { (descriptor, size) = try ByteSource.open(path) } catch {
        throw error.explaining(missing: path)
      }
      return
    }
    let collected = try Self.collected.withLock { known throws(ImageError) in
      let file = if let known { known } else { try Self.collect(limits) }
      known = file
      return file
    }
    descriptor = fcntl(collected.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw ImageError(.readFailed, ["detail": lastSystemError]) }
    size = collected.size
  }

  private static let collected = Mutex<(descriptor: Int32, size: Int)?>(nil)

  /// Collects standard input.
  private static func collect(
    _ limits: ImageLimits
  ) throws(ImageError) -> (descriptor: Int32, size: Int) {
    let file = OutputFile.unnamedFile()
    guard file >= 0 else { throw ImageError(.readFailed, ["detail": lastSystemError]) }
    let sink = FileSink(file, path: OutputFile.standardOutput)
    let blockSize = 1 << 18
    while true {
      let block = try readBlock(of: STDIN_FILENO, count: blockSize)
      try sink.append(block)
      guard sink.count <= limits.memory else {
        throw ImageError(.inputTooLong, ["limit": limits.memory])
      }
      if block.count < blockSize { break }
    }
    try sink.flush()
    return (file, sink.count)
  }
}

extension ImageError {
  /// The error of opening a file, with the reason for which the system does not find it.
  fileprivate func explaining(missing path: String) -> ImageError {
    guard category == .missingInput else { return self }
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) {
      return ImageError(.inputLinkBroken, ["target": target])
    }
    var (folder, missing) = (path.folder, nil as String?)
    while !folder.isEmpty, folder != "/", FileIdentity(folder) == nil {
      (missing, folder) = (folder, folder.folder)
    }
    let place = folder.isEmpty ? FileManager.default.currentDirectoryPath : folder
    var error = self
    let name = (missing ?? path).fileName
    error.parameters.values["detail"] = .text("\(name) does not exist in \(place)")
    error.parameters.values["folder"] = .text(place)
    return error
  }
}

/// The next bytes of a pipe or file; fewer than `count` at its end.
private func readBlock(of descriptor: Int32, count: Int) throws(ImageError) -> [UInt8] {
  var failure: ImageError?
  let block = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
    while filled < count {
      // SAFETY: the buffer has `count` bytes, of which `filled` are written.
      let size = unsafe read(
        descriptor, buffer.baseAddress.map { unsafe $0 + filled }, count - filled)
      if size < 0 && errno == EINTR { continue }
      if size < 0 { failure = ImageError(.readFailed, ["detail": lastSystemError]) }
      guard size > 0 else { return }
      filled += size
    }
  }
  if let failure { throw failure }
  return block
}
