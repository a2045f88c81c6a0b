// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

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
