// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageContainers
internal import ImageFiles
internal import Synchronization

/// A journal that is being written, locked against other runs.
///
/// Each line is one write at the end of the file. Lines that complete an input are saved to the disk.
final class Journal: Sendable {
  private let path: String
  private let descriptor: Int32
  /// The failure after which nothing was written.
  private let lost = Mutex<Failure?>(nil)

  /// The entries of earlier runs.
  let entries: [JournalEntry]

  /// Opens or creates a journal, and removes a torn last line.
  ///
  /// - Throws: The failure that ends the command: the journal is in use, is not a journal, or cannot
  ///   be opened.
  init(_ path: String) throws(Failure) {
    self.path = path
    // SAFETY: the C string lives for the call.
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw Failure(
        ImageError(.outputNotCreated, ["detail": lastSystemError], at: .init(file: path)),
        stage: .writing)
    }
    do throws(Failure) {
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw Failure(ImageError(.journalInUse).inFile(path), stage: .writing)
      }
      let bytes = try during(.reading, path) { () throws(ImageError) in
        try readToEnd(of: descriptor, limits: Execution.current.limits).allBytes()
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

  deinit {
    // Closing releases the lock.
    close(descriptor)
  }

  /// The failure to write an entry, if there was one.
  var failure: Failure? { lost.withLock { $0 } }

  /// Appends an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - isSaved: Whether the line reaches the disk before this returns.
  func append(_ entry: JournalEntry, isSaved: Bool) {
    guard let line = JSONLine.text(entry).map({ Array($0.utf8) }) else { return }
    lost.withLock { lost in
      guard lost == nil else { return }
      // SAFETY: `line` holds as many bytes as are passed.
      let count = unsafe line.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress, bytes.count)
      }
      guard count == line.count, !isSaved || fsync(descriptor) == 0 else {
        lost = Failure(OutputFile.writeError(path), stage: .writing)
        return
      }
    }
  }
}
