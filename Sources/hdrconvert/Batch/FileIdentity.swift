// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// A file as the system identifies it, with its size and time of modification.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  let isFolder: Bool
  /// Whether it is a device or a pipe, which is written to and not replaced.
  let isSpecial: Bool
  let size: Int64
  /// Nanoseconds since 1970.
  let modified: Int64

  /// The file at a path; `nil` if it does not exist.
  init?(_ path: String) {
    var status = stat()
    // SAFETY: the C string and `status` live for the call.
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isSpecial = !isFolder && status.st_mode & S_IFMT != S_IFREG
    size = Int64(status.st_size)
    let time = status.modificationTime
    modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Whether both are the same file, under whatever names.
  func isSameFile(as other: FileIdentity?) -> Bool {
    other.map { $0.device == device && $0.number == number } ?? false
  }

  /// Device and number alone, by which files are compared in sets.
  var key: [UInt64] { [device, number] }
}

/// The file that an output replaces or creates, equal for all paths that lead to it by symbolic links.
struct OutputKey: Hashable {
  private let folder: [UInt64]
  private let name: PathKey

  init(_ path: String) {
    let target = (try? OutputFile(path: path, mayReplace: true).target) ?? path
    if let file = FileIdentity(target.folder.isEmpty ? "." : target.folder) {
      (folder, name) = (file.key, PathKey(name: target.fileName))
    } else {
      (folder, name) = ([], PathKey(target))
    }
  }
}
