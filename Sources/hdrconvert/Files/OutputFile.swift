internal import Foundation
internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Where a command's bytes go: a file that appears whole or not at all, or standard output.
struct OutputFile {
  static let standardOutput = "-"

  let path: String
  let mayReplace: Bool

  /// Fails early if the file exists and may not be replaced, or its folder does not exist.
  func check() throws(ImageError) {
    guard path != Self.standardOutput else { return }
    guard Self.mode(of: path).map({ $0 & S_IFMT }) != S_IFDIR else {
      throw ImageError(.outputIsFolder, at: .init(file: path))
    }
    guard mayReplace || !FileManager.default.fileExists(atPath: path) else { throw existing }
    var isFolder: ObjCBool = false
    let folder = (path as NSString).deletingLastPathComponent
    // SAFETY: `isFolder` lives for the call.
    let exists = unsafe FileManager.default.fileExists(
      atPath: folder.isEmpty ? "." : folder, isDirectory: &isFolder)
    guard exists, isFolder.boolValue else {
      throw ImageError(.outputFolderMissing, ["folder": folder], at: .init(file: path))
    }
  }

  /// Ends the command before any work if `check()` finds something wrong.
  func ensureWritable() throws(Failure) {
    try during(.writing, path) { () throws(ImageError) in try check() }
  }

  /// Ends the command if this file is one of its inputs, under whatever name: what is written is no
  /// picture that can take the place of one.
  func ensureDiffers(from inputs: [String]) throws(Failure) {
    guard path != Self.standardOutput, let file = Self.status(of: path),
      file.st_mode & S_IFMT == S_IFREG
    else { return }
    for input in inputs where input != Self.standardOutput {
      guard let other = Self.status(of: input) else { continue }
      guard (other.st_dev, other.st_ino) != (file.st_dev, file.st_ino) else {
        throw Failure(
          usage: "\(path) is an input" + (input == path ? "" : ", \(input)"),
          remedy: "name another file to write")
      }
    }
  }

  /// Writes all bytes.
  ///
  /// - Throws: `.cannotCreate` or `.inputOutput`; then nothing is left behind.
  func write(_ bytes: [UInt8]) throws(ImageError) {
    _ = try write { sink throws(ImageError) in try sink.append(bytes) }
  }

  /// Writes what `body` hands to a sink.
  ///
  /// - Parameters:
  ///   - companion: Another file that appears with this one, or not at all.
  ///   - body: Makes the bytes.
  /// - Returns: The size of the file.
  /// - Throws: What `body` throws, `.cannotCreate` or `.inputOutput`; then nothing is left behind.
  func write(
    with companion: Companion? = nil, _ body: (any ByteSink) throws(ImageError) -> Void
  ) throws(ImageError) -> Int {
    if path == Self.standardOutput { return try spool(to: STDOUT_FILENO, companion, body) }
    // A device or a pipe is written to, not replaced.
    let oldMode = Self.mode(of: path)
    if let oldMode, oldMode & S_IFMT != S_IFREG {
      // SAFETY: the C string lives for the call.
      let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw cannotCreate }
      defer { close(descriptor) }
      return try spool(to: descriptor, companion, body)
    }
    let temporary = Self.temporaryPath(for: target)
    // SAFETY: the C strings live for the calls.
    let descriptor = Interruption.begin(temporary) {
      unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    guard descriptor >= 0 else {
      let error = cannotCreate
      Interruption.end(temporary)
      throw error
    }
    defer {
      unsafe unlink(temporary)
      Interruption.end(temporary)
    }
    let count = try fill(descriptor) { sink throws(ImageError) in
      // A file that is replaced keeps its permissions; where that fails, it has those of a new one.
      if let oldMode { _ = fchmod(descriptor, oldMode & 0o7777) }
      try body(sink)
    }
    try Self.write(companion) { () throws(ImageError) in try publish(temporary) }
    return count
  }

  /// Writes an open file to its end, and closes it.
  private func fill(
    _ descriptor: Int32, _ body: (any ByteSink) throws(ImageError) -> Void
  ) throws(ImageError) -> Int {
    defer { close(descriptor) }
    let sink = FileSink(descriptor, path: path)
    try body(sink)
    try sink.flush()
    guard fsync(descriptor) == 0 else {
      throw ImageError(.outputNotSaved, ["detail": lastSystemError], at: .init(file: path))
    }
    return sink.count
  }

  /// Collects the bytes in a file without a name, and sends them once they are complete: who reads
  /// from a pipe gets all or nothing, and formats may go back to their head.
  private func spool(
    to descriptor: Int32, _ companion: Companion?,
    _ body: (any ByteSink) throws(ImageError) -> Void
  ) throws(ImageError) -> Int {
    // SAFETY: `file`, whose descriptor `spool` is, stays open until this function ends; `target`
    // has as many bytes as are asked for.
    guard let file = unsafe tmpfile() else { throw cannotCreate }
    defer { unsafe fclose(file) }
    let spool = unsafe fileno(file)
    let sink = FileSink(spool, path: path)
    try body(sink)
    try sink.flush()
    try Self.write(companion) { () throws(ImageError) in
      var sent = 0
      while sent < sink.count {
        var block = [UInt8](repeating: 0, count: min(1 << 20, sink.count - sent))
        let count = unsafe block.withUnsafeMutableBytes { target in
          unsafe pread(spool, target.baseAddress, target.count, off_t(sent))
        }
        guard count > 0 else { throw Self.writeError(path) }
        block.removeLast(block.count - count)
        try Self.write(block, to: descriptor, path: path)
        sent += count
      }
    }
    return sink.count
  }

  /// Gives the finished file its name.
  private func publish(_ temporary: String) throws(ImageError) {
    // SAFETY: the C strings live for the calls.
    if !mayReplace {
      // A hard link, other than a rename, never replaces a file that appeared meanwhile.
      if unsafe link(temporary, path) == 0 { return }
      guard errno != EEXIST else { throw existing }
      guard !FileManager.default.fileExists(atPath: path) else { throw existing }
    }
    guard unsafe rename(temporary, target) == 0 else { throw cannotCreate }
  }

  /// The file that is replaced: where links lead, so that they stay; `path` itself if it is none.
  private var target: String {
    var target = path
    for _ in 0..<40 {
      guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else {
        return target
      }
      let folder = (target as NSString).deletingLastPathComponent
      target =
        link.hasPrefix("/") || folder.isEmpty
        ? link : (folder as NSString).appendingPathComponent(link)
    }
    return path
  }

  /// A hidden name in the same folder, which fits wherever the final name does.
  private static func temporaryPath(for path: String) -> String {
    let name = (path as NSString).lastPathComponent
    let folder = (path as NSString).deletingLastPathComponent
    var hidden = ".\(name).\(getpid()).partial"
    if hidden.utf8.count > 255 {
      // FNV-1a tells names apart that this process may write at the same time.
      let digest = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
      hidden = ".\(String(digest, radix: 16)).\(getpid()).partial"
    }
    return folder.isEmpty ? hidden : (folder as NSString).appendingPathComponent(hidden)
  }

  private var cannotCreate: ImageError {
    ImageError(.outputNotCreated, ["detail": lastSystemError], at: .init(file: path))
  }

  /// That the system did not take bytes, and why.
  static func writeError(_ path: String) -> ImageError {
    ImageError(.outputNotWritten, ["detail": lastSystemError], at: .init(file: path))
  }

  private var existing: ImageError {
    ImageError(.outputExists, at: .init(file: path))
  }

  /// Kind and permissions of a file, if there is one.
  private static func mode(of path: String) -> mode_t? { status(of: path)?.st_mode }

  private static func status(of path: String) -> stat? {
    var status = stat()
    // SAFETY: the C string and `status` live for the call.
    return unsafe stat(path, &status) == 0 ? status : nil
  }

  /// Hands all bytes to an open file; `path` is its name in errors.
  static func write(
    _ bytes: [UInt8], to descriptor: Int32, path: String
  ) throws(ImageError) {
    var written = 0
    while written < bytes.count {
      // SAFETY: `rest` holds as many bytes as are passed.
      let count = unsafe bytes[written...].withUnsafeBytes { rest in
        unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0 && errno == EINTR { continue }
      // Nobody reads any more; that people do not read what is beside the result is no such end.
      if count < 0 && errno == EPIPE && descriptor != STDERR_FILENO {
        Interruption.endWithoutReader()
      }
      guard count > 0 else { throw writeError(path) }
      written += count
    }
  }
}

extension OutputFile {
  /// A file that belongs to another one.
  struct Companion {
    let file: OutputFile
    let bytes: [UInt8]
  }

  /// Writes a file, then what it belongs to; where that fails, or ends the command, the file goes again.
  ///
  /// What a device or standard output got stays there.
  private static func write(
    _ companion: Companion?, before last: () throws(ImageError) -> Void
  ) throws(ImageError) {
    guard let companion else { return try last() }
    let path = companion.file.path
    try companion.file.write(companion.bytes)
    guard path != standardOutput, mode(of: path).map({ $0 & S_IFMT }) == S_IFREG else {
      return try last()
    }
    Interruption.begin(path)
    defer { Interruption.end(path) }
    do throws(ImageError) {
      try last()
    } catch {
      // SAFETY: the C string lives for the call.
      unsafe unlink(path)
      throw error
    }
  }
}

/// `write(2)`, which `OutputFile.write` would hide.
private func systemWrite(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int {
  // SAFETY: whoever calls answers for `bytes`.
  unsafe write(descriptor, bytes, count)
}
