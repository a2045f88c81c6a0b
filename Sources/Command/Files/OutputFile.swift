// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform

/// The output of a command: a file that appears complete or not at all, or standard output.
struct OutputFile: Codable, Equatable, Sendable {
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
    let type = try status(of: path).map { $0.st_mode & S_IFMT }
    guard type != S_IFDIR else { throw ImageError(.outputIsFolder, at: .init(file: path)) }
    // A device or a pipe is written to, not replaced.
    guard mayReplace || type != S_IFREG else { throw existing }
    let target = try target
    if keepsBackup, try status(of: backup) != nil, !backupIsSecondName(of: target) {
      throw ImageError(.outputExists, at: .init(file: backup))
    }
    let folder = target.folder
    guard let mode = try status(of: folder.isEmpty ? "." : folder)?.st_mode,
      mode & S_IFMT == S_IFDIR
    else {
      if let file = Self.fileInPlace(ofFolder: folder) {
        throw ImageError(.outputFolderIsFile, ["folder": file], at: .init(file: path))
      }
      throw ImageError(.outputFolderMissing, ["folder": folder], at: .init(file: path))
    }
  }

  /// The file where a path of folders has to have a folder; `nil` if folders are missing.
  static func fileInPlace(ofFolder path: String) -> String? {
    var path = path
    while !path.isEmpty, path != "/" {
      if let found = FileIdentity(path) { return found.isFolder ? nil : path }
      path = path.folder
    }
    return nil
  }

  /// Ends the command before any work if `check()` finds something wrong.
  ///
  /// - Parameter isInPlace: Whether the file is an input that would be replaced.
  /// - Throws: The failure, with a remedy.
  func ensureWritable(isInPlace: Bool = false) throws(Failure) {
    try ensureWritable(isInPlace: isInPlace, Self.refusal(of: [self])?.error)
  }

  private func ensureWritable(isInPlace: Bool = false, _ error: ImageError?) throws(Failure) {
    guard let error else { return }
    let remedy: String? =
      if keepsBackup {
        "rename \(backup.asArgument), which is the file before an earlier edit"
      } else if isInPlace {
        "add --force to replace it, --backup to keep the original as \(backup.asArgument), or -o OUT"
      } else {
        nil
      }
    try during(
      .writing, path, remedy: { $0.code.id == ErrorCode.outputExists.id ? remedy : nil }
    ) { () throws(ImageError) in throw error }
  }

  /// Ends the command before any work if one of several outputs cannot be written, or is an input or
  /// another output under any name.
  ///
  /// - Throws: The failure, with a remedy.
  static func ensureWritable(
    _ outputs: [OutputFile], differingFrom inputs: [String]
  ) throws(Failure) {
    guard let refusal = refusal(of: outputs, differingFrom: inputs) else { return }
    if refusal.error.code.id == ErrorCode.outputsAreOneFile.id { throw Failure(refusal.error) }
    try outputs[min(max(refusal.output, 0), outputs.count - 1)].ensureWritable(refusal.error)
  }

  /// The reason for which outputs cannot be written.
  struct Refusal {
    let error: ImageError
    /// Index of the output.
    let output: Int
  }

  /// Returns the reason for which one of several outputs cannot be written; `nil` if all can.
  static func refusal(of outputs: [OutputFile], differingFrom inputs: [String] = []) -> Refusal? {
    if let files = CommandFiles.current { return files.refusal(of: outputs, differingFrom: inputs) }
    var earlier: [OutputKey: String] = [:]
    for (index, output) in outputs.enumerated() {
      do throws(ImageError) {
        try output.check()
        try output.requireDifferent(from: inputs)
        if let other = earlier.updateValue(output.path, forKey: OutputKey(output.path)) {
          throw ImageError(.outputsAreOneFile, ["first": other, "second": output.path])
        }
      } catch {
        return Refusal(error: error, output: index)
      }
    }
    return nil
  }

  /// Fails if the file is one that the command reads, under any name.
  func requireDifferent(from inputs: [String]) throws(ImageError) {
    if let files = CommandFiles.current {
      if let refusal = files.refusal(of: [self], differingFrom: inputs) { throw refusal.error }
      return
    }
    guard path != Self.standardOutput, let status = try status(of: path),
      status.st_mode & S_IFMT == S_IFREG
    else { return }
    let file = FileIdentity(status)
    for input in inputs where FileIdentity(input)?.isSameFile(as: file) == true {
      throw ImageError(.outputIsInput, ["output": path, "input": input])
    }
  }

  /// Writes all bytes.
  ///
  /// - Throws: `.cannotCreate` or `.inputOutput`; no partial file remains.
  func write(_ bytes: [UInt8]) throws(ImageError) {
    _ = try write { sink throws(ImageError) in try sink.write(bytes) }
  }

  /// Writes the bytes that `body` appends to a sink.
  ///
  /// Files that are replaced stay until all outputs are complete.
  ///
  /// - Parameters:
  ///   - companion: Another file that appears together with this one. If one of the two is sent to a
  ///     device or standard output, the other one appears once all bytes are sent.
  ///   - body: Appends the bytes.
  /// - Returns: The size of the file.
  /// - Throws: Errors of `body`, `.cannotCreate` or `.inputOutput`; no partial file remains.
  func write(
    with companion: Companion? = nil, _ body: (any ByteSink) throws(ImageError) -> Void
  ) throws(ImageError) -> Int {
    let main = try completed(body)
    defer { main.close() }
    let second = try companion.map { companion throws(ImageError) in
      try companion.file.completed { sink throws(ImageError) in try sink.write(companion.bytes) }
    }
    defer { second?.close() }
    try CompletedOutput.publish([second, main].compactMap(\.self))
    return main.count
  }

  /// The complete bytes of an output, before a file has its name or a reader has received them.
  private func completed(
    _ body: (any ByteSink) throws(ImageError) -> Void
  ) throws(ImageError) -> CompletedOutput {
    let output = try begin()
    do throws(ImageError) {
      let sink = FileSink(output.descriptor, path: path)
      try body(sink)
      try sink.flush()
      return output.with(count: sink.count)
    } catch {
      output.close()
      throw error
    }
  }

  /// Begins the partial file of an output.
  ///
  /// Bytes for a device or standard output are collected in an unnamed file, which is sent once they are
  /// complete: a reader gets all or nothing, and encoders can overwrite the header.
  func begin() throws(ImageError) -> CompletedOutput {
    if let files = CommandFiles.current { return try files.begin(self) }
    let old = path == Self.standardOutput ? nil : try status(of: path)
    guard path != Self.standardOutput, old.map({ $0.st_mode & S_IFMT == S_IFREG }) != false else {
      return try beginSpool()
    }
    let target = try target
    guard let partial = PartialFile(for: target) else { throw cannotCreate }
    if let old, try !isOfStranger(old, at: target) {
      Self.copyOwner(of: old, to: partial.descriptor)
    }
    return CompletedOutput(
      file: self, name: partial.path, target: target, descriptor: partial.descriptor, receiver: nil)
  }

  private func beginSpool() throws(ImageError) -> CompletedOutput {
    var receiver = STDOUT_FILENO
    if path != Self.standardOutput {
      if let pipe = try status(of: path, followsLinks: false), pipe.st_mode & S_IFMT == S_IFIFO,
        try isOfStranger(pipe, at: path)
      {
        throw ImageError(
          .outputNotCreated, ["detail": "it is a pipe of another user"], at: .init(file: path))
      }
      // SAFETY: the C string lives for the call.
      receiver = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard receiver >= 0 else { throw cannotCreate }
    }
    let spool = Self.unnamedFile()
    let output = CompletedOutput(
      file: self, name: "", target: path, descriptor: spool, receiver: receiver)
    guard spool >= 0 else {
      let error = cannotCreate
      output.close()
      throw error
    }
    return output
  }

  /// A file without a name, which exists until its descriptor is closed; -1 for the reason in `errno`.
  static func unnamedFile() -> Int32 {
    // SAFETY: the stream is closed once its descriptor is duplicated.
    guard let file = unsafe tmpfile() else { return -1 }
    defer { unsafe fclose(file) }
    return unsafe fcntl(fileno(file), F_DUPFD_CLOEXEC, 0)
  }

  /// Gives a file the owner, the group and the permissions of the one that it replaces, as far as the
  /// system allows.
  private static func copyOwner(of old: stat, to descriptor: Int32) {
    // Without the owner, bits that give a program the rights of its owner would give other rights.
    let hasOwner = fchown(descriptor, old.st_uid, old.st_gid) == 0
    _ = fchmod(descriptor, old.st_mode & (hasOwner ? 0o7777 : 0o1777))
  }

  /// Gives the file that is about to be replaced a second name.
  func keepOriginal(_ target: String) throws(ImageError) {
    // SAFETY: the C strings live for the calls.
    if unsafe link(target, backup) == 0 || backupIsSecondName(of: target) { return }
    guard errno != EEXIST else { throw ImageError(.outputExists, at: .init(file: backup)) }
    // Not every file system has hard links.
    try copyOriginal()
  }

  /// Copies the file that is about to be replaced; the copy appears complete or not at all.
  func copyOriginal() throws(ImageError) {
    let target = try target
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
  private func backupIsSecondName(of target: String) -> Bool {
    FileIdentity(target)?.isSameFile(as: FileIdentity(backup)) ?? false
  }

  /// The file that is replaced: the target of symbolic links, which stay; else `path` itself.
  ///
  /// Links are followed as Linux follows them with `fs.protected_symlinks`: in a folder in which all
  /// users create files, only those of this user and of the owner of the folder.
  ///
  /// - Throws: `.cannotCreate` for other links, and if the system does not tell.
  var target: String {
    get throws(ImageError) {
      var target = path
      for _ in 0..<40 {
        guard let link = try status(of: target, followsLinks: false),
          link.st_mode & S_IFMT == S_IFLNK
        else { return target }
        let folder = target.folder
        if try isOfStranger(link, at: target) {
          throw ImageError(
            .outputNotCreated, ["detail": "\(target) is a link of another user"],
            at: .init(file: path))
        }
        let text = try? FileManager.default.destinationOfSymbolicLink(atPath: target)
        // A link that was replaced meanwhile is another one.
        let after = try status(of: target, followsLinks: false)
        guard let text, let after, after.st_ino == link.st_ino, after.st_dev == link.st_dev else {
          break
        }
        target = text.hasPrefix("/") || folder.isEmpty ? text : "\(folder)/\(text)"
      }
      throw ImageError(
        .outputNotCreated, ["detail": "links that cannot be followed"], at: .init(file: path))
    }
  }

  /// Whether a file is of another user in a folder in which all users create files, and not of the owner of the folder.
  ///
  /// Such a user may have created it to receive what this one writes.
  private func isOfStranger(_ file: stat, at path: String) throws(ImageError) -> Bool {
    let folder = path.folder
    guard let holder = try status(of: folder.isEmpty ? "." : folder) else { return false }
    return holder.st_mode & S_ISVTX != 0 && holder.st_mode & S_IWOTH != 0
      && file.st_uid != geteuid() && file.st_uid != holder.st_uid
  }

  var cannotCreate: ImageError {
    ImageError(.outputNotCreated, ["detail": lastSystemError], at: .init(file: path))
  }

  /// The error for bytes that the system did not accept.
  static func writeError(_ path: String) -> ImageError {
    ImageError(
      .inputOutput, "cannot write: {detail}", ["detail": lastSystemError], at: .init(file: path))
  }

  var existing: ImageError { ImageError(.outputExists, at: .init(file: path)) }

  /// Type, owner and identity of a file; `nil` if it does not exist.
  ///
  /// - Throws: `.cannotCreate` if the system does not tell, for instance since a folder may not be
  ///   searched.
  func status(of path: String, followsLinks: Bool = true) throws(ImageError) -> stat? {
    var status = stat()
    // SAFETY: the C string and `status` live for the call.
    let result = unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
    guard result != 0 else { return status }
    guard errno == ENOENT || errno == ENOTDIR else { throw cannotCreate }
    return nil
  }

  /// Writes all bytes to an open file; `path` is its name in errors.
  static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(ImageError) {
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
}

/// `write(2)`, which `OutputFile.write` would hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  // SAFETY: the caller guarantees `count` bytes.
  unsafe write(descriptor, bytes, count)
}

/// Message of the system for the last failed call.
var lastSystemError: String {
  // SAFETY: the message is copied at once.
  unsafe String(cString: strerror(errno))
}
