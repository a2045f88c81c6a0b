// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform

/// The incomplete form of an output, a hidden file in the same folder.
///
/// The command that writes it holds a lock, so that a later one recognizes the file of a command that
/// was killed, and removes it.
struct PartialFile {
  let path: String
  let descriptor: Int32

  /// Number of commands that can write one output at the same time.
  private static let mostWriters = 1000
  /// Longest name, in bytes.
  ///
  /// Source: POSIX, NAME_MAX of common file systems.
  private static let longestName = 255

  /// Creates the file, which is removed if the command ends before it is complete.
  ///
  /// Files that other commands left for the same output are removed.
  ///
  /// - Returns: `nil` if the system cannot create it, for the reason in `errno`.
  init?(for target: String) {
    var made: PartialFile?
    for number in 0..<Self.mostWriters {
      let path = Self.path(for: target, number)
      let state = Self.removeAbandoned(path)
      if made != nil {
        if state == .missing { break }
        continue
      }
      guard state != .inUse else { continue }
      let descriptor = Interruption.creating(path) { Self.create(path) }
      guard descriptor >= 0 else {
        guard errno == EEXIST else { return nil }
        continue
      }
      made = PartialFile(path: path, descriptor: descriptor)
    }
    guard let made else { return nil }
    self = made
  }

  private init(path: String, descriptor: Int32) {
    (self.path, self.descriptor) = (path, descriptor)
  }

  /// Creates and locks a file; -1 for the reason in `errno`.
  private static func create(_ path: String) -> Int32 {
    // SAFETY: the C string and `status` live for the calls.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return -1 }
    flock(descriptor, LOCK_EX)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_nlink > 0 else {
      // Another command removed the file before it was locked.
      close(descriptor)
      errno = EEXIST
      return -1
    }
    return descriptor
  }

  private enum State {
    case missing
    case removed
    case inUse
  }

  /// Removes a file unless a command writes it.
  private static func removeAbandoned(_ path: String) -> State {
    // SAFETY: the C strings live for the calls.
    let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == ENOENT ? .missing : .inUse }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, unsafe unlink(path) == 0 else { return .inUse }
    return .removed
  }

  /// The incomplete form of a copy, which no output has.
  static func nameOfCopy(for target: String) -> String { path(for: target, mostWriters) }

  /// A hidden name in the same folder, not longer than the system allows.
  private static func path(for target: String, _ number: Int) -> String {
    let (name, folder) = (target.fileName, target.folder)
    let suffix = ".\(number).hdrconvert.partial"
    var hidden = ".\(name)\(suffix)"
    if hidden.utf8.count > longestName {
      // FNV-1a distinguishes long names.
      let digest = name.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01B3
      }
      hidden = ".\(String(digest, radix: 16))\(suffix)"
    }
    return folder.isEmpty ? hidden : "\(folder)/\(hidden)"
  }
}

/// A file that is written through a buffer.
final class FileSink: ByteSink {
  private let descriptor: Int32
  /// Named in errors.
  private let path: String
  private var buffer: [UInt8] = []
  private var flushedCount = 0
  private static let capacity = 1 << 20

  var count: Int { flushedCount + buffer.count }

  /// Creates a sink for an empty file, which the caller opens and closes.
  init(_ descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  func append(_ bytes: [UInt8]) throws(ImageError) {
    if buffer.count + bytes.count > Self.capacity { try flush() }
    if bytes.count > Self.capacity {
      try write(bytes, at: flushedCount)
      flushedCount += bytes.count
    } else {
      buffer += bytes
    }
  }

  func overwrite(_ bytes: [UInt8], at offset: Int) throws(ImageError) {
    precondition(
      offset >= 0 && offset + bytes.count <= count, "only written bytes can be overwritten")
    try flush()
    try write(bytes, at: offset)
  }

  /// Passes all bytes to the system.
  func flush() throws(ImageError) {
    try write(buffer, at: flushedCount)
    flushedCount += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  private func write(_ bytes: [UInt8], at offset: Int) throws(ImageError) {
    var done = 0
    while done < bytes.count {
      // SAFETY: `rest` holds as many bytes as are passed.
      let count = unsafe bytes[done...].withUnsafeBytes { rest in
        unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw OutputFile.writeError(path) }
      done += count
    }
  }
}

/// The complete bytes of an output: a file that has not its name yet, or bytes for a device or standard
/// output.
struct CompletedOutput {
  let file: OutputFile
  /// The path of the incomplete file; empty for bytes that are sent.
  let name: String
  /// The path that the file gets.
  let target: String
  let descriptor: Int32
  /// The open device or standard output.
  let receiver: Int32?
  /// Its number in the command, if this is the process of a job.
  private let number: Int?
  private(set) var count = 0

  init(file: OutputFile, name: String, target: String, descriptor: Int32, receiver: Int32?) {
    (self.file, self.name, self.target) = (file, name, target)
    (self.descriptor, self.receiver, number) = (descriptor, receiver, nil)
  }

  /// An output that the command has begun.
  init(file: OutputFile, descriptor: Int32, number: Int) {
    (self.file, name, target) = (file, "", file.path)
    (self.descriptor, receiver, self.number) = (descriptor, nil, number)
  }

  /// Whether the bytes are sent, not renamed.
  var isSent: Bool { receiver != nil }

  func with(count: Int) -> CompletedOutput {
    var output = self
    output.count = count
    return output
  }

  /// Removes what was not published, and closes all descriptors, which releases the lock of the file.
  func close() {
    if let number {
      CommandFiles.current?.tell(.abandon(number))
    } else if !isSent {
      Interruption.discard(name)
    }
    if descriptor >= 0 { Platform.close(descriptor) }
    if let receiver, receiver != STDOUT_FILENO { Platform.close(receiver) }
  }

  /// Completes outputs, in this order: sends bytes, then gives files their names, all or none of them.
  ///
  /// Files that are replaced stay until all outputs are complete.
  ///
  /// - Throws: `.cannotCreate` or `.inputOutput`.
  static func publish(_ outputs: [CompletedOutput]) throws(ImageError) {
    if let command = CommandFiles.current {
      let sizes = outputs.compactMap { output in output.number.map { ($0, output.count) } }
      return try command.publish(Dictionary(sizes) { first, _ in first })
    }
    let files = outputs.filter { !$0.isSent }
    for file in files where fsync(file.descriptor) != 0 {
      throw ImageError(
        .inputOutput, "cannot save: {detail}", ["detail": lastSystemError],
        at: .init(file: file.file.path))
    }
    // Bytes that were sent cannot be called back; a name can.
    for output in outputs where output.isSent { try output.send() }
    try Interruption.completing(files.map(\.name)) { () throws(ImageError) in
      var replaced: [CompletedOutput.Replaced] = []
      do throws(ImageError) {
        for file in files {
          replaced.append(try file.publish(isLast: file.name == files.last?.name))
        }
      } catch {
        for file in replaced { file.restore() }
        throw error
      }
      for file in replaced { file.discard() }
    }
  }

  /// Sends the bytes.
  private func send() throws(ImageError) {
    var sent = 0
    while let receiver, sent < count {
      var block = [UInt8](repeating: 0, count: min(1 << 20, count - sent))
      // SAFETY: `target` has as many bytes as are asked for.
      let size = unsafe block.withUnsafeMutableBytes { target in
        unsafe pread(descriptor, target.baseAddress, target.count, off_t(sent))
      }
      guard size > 0 else { throw OutputFile.writeError(file.path) }
      block.removeLast(block.count - size)
      try OutputFile.write(block, to: receiver, path: file.path)
      sent += size
    }
  }

  /// The file that had the name before.
  struct Replaced {
    let path: String
    /// Another name of the earlier file; `nil` if there was none.
    let kept: String?

    func restore() {
      // SAFETY: the C strings live for the calls.
      if let kept { unsafe _ = rename(kept, path) } else { unsafe unlink(path) }
    }

    func discard() {
      // SAFETY: the C string lives for the call.
      if let kept { unsafe unlink(kept) }
    }
  }

  /// Gives the file its name.
  ///
  /// - Parameter isLast: Whether no output follows; otherwise a file that is replaced keeps a hidden name,
  ///   by which it can be restored.
  /// - Returns: The file that can be restored.
  /// - Throws: `.cannotCreate`; the earlier file has its name then.
  private func publish(isLast: Bool) throws(ImageError) -> Replaced {
    // SAFETY: the C strings live for the calls.
    if !file.mayReplace {
      // Unlike a rename, a hard link never replaces a file that appeared meanwhile.
      if unsafe link(name, target) == 0 {
        unsafe unlink(name)
        return Replaced(path: target, kept: nil)
      }
      guard errno != EEXIST else { throw file.existing }
      guard try file.status(of: target, followsLinks: false) == nil else { throw file.existing }
    }
    if file.keepsBackup { try file.keepOriginal(target) }
    var kept: String?
    if !isLast {
      let hidden = PartialFile.nameOfCopy(for: target)
      unsafe unlink(hidden)
      // Not every file system has hard links.
      if unsafe link(target, hidden) == 0 || errno != ENOENT && rename(target, hidden) == 0 {
        kept = hidden
      }
    }
    guard unsafe rename(name, target) == 0 else {
      let error = file.cannotCreate
      if file.keepsBackup { unsafe unlink(file.backup) }
      if let kept { unsafe _ = rename(kept, target) }
      throw error
    }
    return Replaced(path: target, kept: kept)
  }
}
