// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// The output of a command: a file that appears complete or not at all, or standard output.
struct OutputFile {
  static let standardOutput = "-"

  let path: String
  let mayReplace: Bool
  /// Whether the file that is replaced stays under another name.
  var keepsBackup = false

  /// Name of the file that is replaced, if it is kept.
  var backup: String { path + ".orig" }

  /// Fails early if the file exists and may not be replaced, or its folder does not exist.
  func check() throws(ImageError) {
    guard path != Self.standardOutput else { return }
    let type = Self.mode(of: path).map { $0 & S_IFMT }
    guard type != S_IFDIR else { throw ImageError(.outputIsFolder, at: .init(file: path)) }
    // A device or a pipe is written to, not replaced.
    guard mayReplace || type != S_IFREG else { throw existing }
    if keepsBackup, FileManager.default.fileExists(atPath: backup), !backupIsSecondName {
      throw ImageError(.outputExists, at: .init(file: backup))
    }
    let folder = path.folder
    guard let mode = Self.mode(of: folder.isEmpty ? "." : folder), mode & S_IFMT == S_IFDIR else {
      throw ImageError(.outputFolderMissing, ["folder": folder], at: .init(file: path))
    }
  }

  /// Ends the command before any work if `check()` finds something wrong.
  ///
  /// - Parameter isInPlace: Whether the file is an input that would be replaced.
  /// - Throws: The failure, with a remedy.
  func ensureWritable(isInPlace: Bool = false) throws(Failure) {
    let remedy: String? =
      if keepsBackup {
        "rename or remove \(backup.asArgument)"
      } else if isInPlace {
        "add --force to replace it, --backup to keep the original as \(backup.asArgument), or -o OUT"
      } else {
        nil
      }
    try during(
      .writing, path, remedy: { $0.code.id == ErrorCode.outputExists.id ? remedy : nil }
    ) { () throws(ImageError) in try check() }
  }

  /// Ends the command if this file is one of its inputs, under any name.
  func ensureDiffers(from inputs: [String]) throws(Failure) {
    guard path != Self.standardOutput, let file = Self.status(of: path),
      file.st_mode & S_IFMT == S_IFREG
    else { return }
    for input in inputs where input != Self.standardOutput {
      guard let other = Self.status(of: input) else { continue }
      guard (other.st_dev, other.st_ino) != (file.st_dev, file.st_ino) else {
        throw Failure(ImageError(.outputIsInput, ["output": path, "input": input]))
      }
    }
  }

  /// Writes all bytes.
  ///
  /// - Throws: `.cannotCreate` or `.inputOutput`; no partial file remains.
  func write(_ bytes: [UInt8]) throws(ImageError) {
    _ = try write { sink throws(ImageError) in try sink.append(bytes) }
  }

  /// Writes the bytes that `body` appends to a sink.
  ///
  /// - Parameters:
  ///   - companion: Another file that appears together with this one.
  ///   - body: Appends the bytes.
  /// - Returns: The size of the file.
  /// - Throws: Errors of `body`, `.cannotCreate` or `.inputOutput`; no partial file remains.
  func write(
    with companion: Companion? = nil, _ body: (any ByteSink) throws(ImageError) -> Void
  ) throws(ImageError) -> Int {
    try write(with: companion, isProvisional: false, body)
  }

  /// Writes a file, which is removed if the command ends before `Interruption.keep` if it is
  /// provisional.
  private func write(
    with companion: Companion?, isProvisional: Bool,
    _ body: (any ByteSink) throws(ImageError) -> Void
  ) throws(ImageError) -> Int {
    if path == Self.standardOutput { return try spool(to: STDOUT_FILENO, companion, body) }
    // A device or a pipe is written to, not replaced.
    let old = Self.status(of: path)
    if let old, old.st_mode & S_IFMT != S_IFREG {
      // SAFETY: the C string lives for the call.
      let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw cannotCreate }
      defer { close(descriptor) }
      return try spool(to: descriptor, companion, body)
    }
    guard let partial = PartialFile(for: target) else { throw cannotCreate }
    defer {
      Interruption.discard(partial.path)
      // Closing releases the lock.
      close(partial.descriptor)
    }
    let count = try fill(partial.descriptor) { sink throws(ImageError) in
      if let old { Self.copyOwner(of: old, to: partial.descriptor) }
      try body(sink)
    }
    try Self.write(companion) { () throws(ImageError) in
      try Interruption.completing(partial.path, provisional: isProvisional ? path : nil) {
        () throws(ImageError) in try publish(partial.path)
      }
    }
    return count
  }

  /// Gives a file the owner, the group and the permissions of the one that it replaces, as far as the
  /// system allows.
  private static func copyOwner(of old: stat, to descriptor: Int32) {
    // Without the owner, bits that give a program the rights of its owner would give other rights.
    let hasOwner = fchown(descriptor, old.st_uid, old.st_gid) == 0
    _ = fchmod(descriptor, old.st_mode & (hasOwner ? 0o7777 : 0o1777))
  }

  /// Writes an open file to its end.
  private func fill(
    _ descriptor: Int32, _ body: (any ByteSink) throws(ImageError) -> Void
  ) throws(ImageError) -> Int {
    let sink = FileSink(descriptor, path: path)
    try body(sink)
    try sink.flush()
    guard fsync(descriptor) == 0 else {
      throw ImageError(.outputNotSaved, ["detail": lastSystemError], at: .init(file: path))
    }
    return sink.count
  }

  /// Collects the bytes in an unnamed file, and sends them once they are complete: a reader gets all
  /// or nothing, and encoders can overwrite the header.
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
      // Unlike a rename, a hard link never replaces a file that appeared meanwhile.
      if unsafe link(temporary, path) == 0 {
        unsafe unlink(temporary)
        return
      }
      guard errno != EEXIST else { throw existing }
      guard !FileManager.default.fileExists(atPath: path) else { throw existing }
    }
    if keepsBackup { try keepOriginal() }
    guard unsafe rename(temporary, target) == 0 else {
      let error = cannotCreate
      if keepsBackup { unsafe unlink(backup) }
      throw error
    }
  }

  /// Gives the file that is about to be replaced a second name.
  private func keepOriginal() throws(ImageError) {
    // SAFETY: the C strings live for the calls.
    if unsafe link(target, backup) == 0 || backupIsSecondName { return }
    guard errno != EEXIST else { throw ImageError(.outputExists, at: .init(file: backup)) }
    // Not every file system has hard links.
    try copyOriginal()
  }

  /// Copies the file that is about to be replaced; the copy appears complete or not at all.
  func copyOriginal() throws(ImageError) {
    let copy = PartialFile.nameOfCopy(for: backup)
    // SAFETY: the C strings live for the calls.
    unsafe unlink(copy)
    let isCopied = (try? FileManager.default.copyItem(atPath: target, toPath: copy)) != nil
    guard isCopied, unsafe rename(copy, backup) == 0 else {
      let error = ImageError(
        .outputNotCreated, ["detail": lastSystemError], at: .init(file: backup))
      unsafe unlink(copy)
      throw error
    }
  }

  /// Whether the name of the backup is one of the file itself, as a command that was killed leaves it.
  private var backupIsSecondName: Bool {
    guard let file = Self.status(of: target), let other = Self.status(of: backup) else {
      return false
    }
    return (file.st_dev, file.st_ino) == (other.st_dev, other.st_ino)
  }

  /// The file that is replaced: the target of symbolic links, which stay; else `path` itself.
  private var target: String {
    var target = path
    for _ in 0..<40 {
      guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: target) else {
        return target
      }
      let folder = target.folder
      target =
        link.hasPrefix("/") || folder.isEmpty
        ? link : "\(folder)/\(link)"
    }
    return path
  }

  private var cannotCreate: ImageError {
    ImageError(.outputNotCreated, ["detail": lastSystemError], at: .init(file: path))
  }

  /// The error for bytes that the system did not accept.
  static func writeError(_ path: String) -> ImageError {
    ImageError(.outputNotWritten, ["detail": lastSystemError], at: .init(file: path))
  }

  private var existing: ImageError {
    ImageError(.outputExists, at: .init(file: path))
  }

  /// Type and permissions of a file; `nil` if it does not exist.
  private static func mode(of path: String) -> mode_t? { status(of: path)?.st_mode }

  private static func status(of path: String) -> stat? {
    var status = stat()
    // SAFETY: the C string and `status` live for the call.
    return unsafe stat(path, &status) == 0 ? status : nil
  }

  /// Writes all bytes to an open file; `path` is its name in errors.
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
      // The reader closed the pipe; for standard error, that does not end the command.
      if count < 0 && errno == EPIPE && descriptor != STDERR_FILENO {
        Interruption.endWithoutReader()
      }
      guard count > 0 else { throw writeError(path) }
      written += count
    }
  }
}

extension OutputFile {
  /// A file that is replaced by its edited form; a symbolic link stays a link to it.
  ///
  /// - Parameters:
  ///   - input: The file, which may be a symbolic link.
  ///   - isAllowed: Whether `--force` was given.
  ///   - keepsBackup: Whether the original stays under the name `backup`.
  init(replacing input: String, isAllowed: Bool, keepsBackup: Bool) {
    path = input
    mayReplace = isAllowed || keepsBackup
    self.keepsBackup = keepsBackup
  }

  /// A file that belongs to another one.
  struct Companion {
    let file: OutputFile
    let bytes: [UInt8]
  }

  /// Writes a companion, then its file; if that fails or the command ends, removes the companion.
  ///
  /// Bytes that went to a device or standard output remain.
  private static func write(
    _ companion: Companion?, before last: () throws(ImageError) -> Void
  ) throws(ImageError) {
    guard let companion else { return try last() }
    let path = companion.file.path
    _ = try companion.file.write(with: nil, isProvisional: true) { sink throws(ImageError) in
      try sink.append(companion.bytes)
    }
    guard path != standardOutput, mode(of: path).map({ $0 & S_IFMT }) == S_IFREG else {
      return try last()
    }
    do throws(ImageError) {
      try last()
      Interruption.keep(path)
    } catch {
      Interruption.discard(path)
      throw error
    }
  }
}

/// `write(2)`, which `OutputFile.write` would hide.
private func systemWrite(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int {
  // SAFETY: the caller guarantees `count` bytes.
  unsafe write(descriptor, bytes, count)
}
