internal import Foundation
internal import HDRCore

/// Where a command's bytes go: a file that appears whole or not at all, or standard output.
struct OutputFile {
  static let standardOutput = "-"

  let path: String
  let mayReplace: Bool

  /// Fails early if the file exists and may not be replaced, or its folder does not exist.
  func check() throws(ImageError) {
    guard path != Self.standardOutput else { return }
    guard mayReplace || !FileManager.default.fileExists(atPath: path) else { throw existing }
    var isFolder: ObjCBool = false
    let folder = (path as NSString).deletingLastPathComponent
    let exists = unsafe FileManager.default.fileExists(
      atPath: folder.isEmpty ? "." : folder, isDirectory: &isFolder)
    guard exists, isFolder.boolValue else {
      throw ImageError(.cannotCreate, "there is no folder \(folder)", at: .init(file: path))
    }
  }

  /// Writes all bytes.
  ///
  /// - Throws: `.cannotCreate` or `.inputOutput`; then nothing is left behind.
  func write(_ bytes: [UInt8]) throws(ImageError) {
    if path == Self.standardOutput {
      return try Self.write(bytes, to: STDOUT_FILENO, path: path)
    }
    // A device or a pipe is written to, not replaced.
    let oldMode = Self.mode(of: path)
    if let oldMode, oldMode & S_IFMT != S_IFREG {
      return try writeInPlace(bytes)
    }
    let temporary = temporaryPath
    let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw ImageError(.cannotCreate, "cannot create: \(lastError)", at: .init(file: path))
    }
    Interruption.temporaryFile = temporary
    defer {
      unsafe unlink(temporary)
      Interruption.temporaryFile = nil
    }
    do throws(ImageError) {
      // A file that is replaced keeps its permissions; where that fails, it has those of a new one.
      if let oldMode { _ = fchmod(descriptor, oldMode & 0o7777) }
      try Self.write(bytes, to: descriptor, path: path)
      guard fsync(descriptor) == 0 else {
        throw ImageError(.inputOutput, "cannot save: \(lastError)", at: .init(file: path))
      }
      close(descriptor)
    } catch {
      close(descriptor)
      throw error
    }
    try publish(temporary)
  }

  /// Gives the finished file its name.
  private func publish(_ temporary: String) throws(ImageError) {
    if !mayReplace {
      // A hard link, other than a rename, never replaces a file that appeared meanwhile.
      if unsafe link(temporary, path) == 0 { return }
      guard errno != EEXIST else { throw existing }
      guard !FileManager.default.fileExists(atPath: path) else { throw existing }
    }
    guard unsafe rename(temporary, path) == 0 else {
      throw ImageError(.cannotCreate, "cannot create: \(lastError)", at: .init(file: path))
    }
  }

  private func writeInPlace(_ bytes: [UInt8]) throws(ImageError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ImageError(.cannotCreate, "cannot open: \(lastError)", at: .init(file: path))
    }
    defer { close(descriptor) }
    try Self.write(bytes, to: descriptor, path: path)
  }

  private var temporaryPath: String {
    let name = (path as NSString).lastPathComponent
    let folder = (path as NSString).deletingLastPathComponent
    let hidden = ".\(name).\(getpid()).partial"
    return folder.isEmpty ? hidden : (folder as NSString).appendingPathComponent(hidden)
  }

  private var existing: ImageError {
    ImageError(
      .cannotCreate, "the file exists", at: .init(file: path), remedy: "add --force to replace it")
  }

  /// Kind and permissions of a file, if there is one.
  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? status.st_mode : nil
  }

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32, path: String
  ) throws(ImageError) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { rest in
        // SAFETY: `rest` holds as many bytes as are passed.
        unsafe systemWrite(descriptor, rest.baseAddress, rest.count)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        throw ImageError(.inputOutput, "cannot write: \(lastError)", at: .init(file: path))
      }
      written += count
    }
  }
}

/// `write(2)`, which `OutputFile.write` would hide.
private func systemWrite(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int
) -> Int {
  unsafe write(descriptor, bytes, count)
}

private var lastError: String { unsafe String(cString: strerror(errno)) }
