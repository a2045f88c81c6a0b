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
