// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore
internal import ImageContainers
internal import Synchronization

/// A journal that is being written, locked against other runs.
///
/// Each line is one write at the end of the file. Lines that complete an input are saved to the disk.
/// After the first line that could not be written, nothing is.
final class Journal: Sendable {
  private let path: String
  private let descriptor: Int32
  /// The failure after which nothing was written.
  private let writeFailure = Mutex<Failure?>(nil)

  /// The entries of earlier runs.
  let entries: [JournalEntry]

  /// Opens or creates a journal, and removes a torn last line.
  ///
  /// - Throws: The failure that ends the command: the journal is in use, is not a journal, or cannot
  ///   be opened.
  init(_ path: String) throws(Failure) {
    self.path = path
    let target = try during(.writing, path) { () throws(ImageError) in
      try OutputFile(path: path, mayReplace: true).target
    }
    // SAFETY: the C string lives for the call.
    let descriptor = unsafe open(
      target, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else {
      throw Failure(
        ImageError(.outputNotCreated, ["detail": lastSystemError], at: .init(file: path)),
        stage: .writing)
    }
    do throws(Failure) {
      // A device or a pipe may be without an end.
      var status = stat()
      // SAFETY: `status` lives for the call.
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw Failure(ImageError(.journalNotRecognized).inFile(path), stage: .reading)
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw Failure(ImageError(.journalInUse).inFile(path), stage: .writing)
      }
      let bytes = try during(.reading, path) { () throws(ImageError) in
        try Self.bytes(of: descriptor)
      }
      let reader = try during(.reading, path) { () throws(ImageError) in try JournalReader(bytes) }
      guard
        reader.intactCount == bytes.count || ftruncate(descriptor, off_t(reader.intactCount)) == 0
      else {
        throw Failure(OutputFile.writeError(path), stage: .writing)
      }
      entries = reader.entries
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  /// All bytes of a journal, whose memory is released once its lines are read.
  private static func bytes(of descriptor: Int32) throws(ImageError) -> [UInt8] {
    let execution = Execution.current
    var alone = execution
    alone.budget = Execution.Budget(within: execution.budget)
    defer { alone.budget.finishFile() }
    return try alone { () throws(ImageError) in
      try readToEnd(of: descriptor, limits: execution.limits).allBytes()
    }
  }

  deinit {
    // Closing releases the lock.
    close(descriptor)
  }

  /// The failure to write an entry, if there was one.
  var failure: Failure? { writeFailure.withLock { $0 } }

  /// Appends an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - isSaved: Whether the line reaches the disk before this returns.
  /// - Returns: Whether the line was written; see `failure`.
  @discardableResult func append(_ entry: JournalEntry, isSaved: Bool) -> Bool {
    guard let line = JSONLine.text(entry).map({ Array($0.utf8) }) else { return false }
    return writeFailure.withLock { failure in
      guard failure == nil else { return false }
      let end = lseek(descriptor, 0, SEEK_END)
      do throws(ImageError) {
        try OutputFile.write(line, to: descriptor, path: path)
        guard !isSaved || fsync(descriptor) == 0 else { throw OutputFile.writeError(path) }
        return true
      } catch {
        failure = Failure(error, stage: .writing)
        // A full disk may have taken a part of the line.
        if end >= 0 { _ = ftruncate(descriptor, end) }
        return false
      }
    }
  }
}
