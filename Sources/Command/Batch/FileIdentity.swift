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

/// A name of a file as the file system compares names.
///
/// Strings are equal in Swift if they are canonically equivalent; names of files on Linux if they have
/// the same bytes.
struct PathKey: Hashable, Sendable {
  /// The name without case, if the file system ignores case; it then ignores equivalence as well.
  private let text: String
  /// The name, if the file system does not.
  private let bytes: [UInt8]

  /// A path: absolute, without empty components and ".".
  init(_ path: String) {
    let absolute =
      path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    self.init(name: absolute.split(separator: "/").filter { $0 != "." }.joined(separator: "/"))
  }

  /// A name as it is.
  init(name: String) {
    (text, bytes) = fileNamesIgnoreCase ? (name.lowercased(), []) : ("", Array(name.utf8))
  }
}

/// Numbers of inputs that journals name, from 0.
///
/// Entries are about the same input if they have the same path, or else the same name: a folder may
/// be mounted elsewhere, and lists of single files name them otherwise.
struct InputIndex: Sendable {
  private var byPath: [PathKey: Int] = [:]
  private var byName: [PathKey: Int] = [:]
  private var count = 0

  /// The number of an input; `nil` if it was not added.
  func index(path: String, name: String) -> Int? {
    byPath[PathKey(path)] ?? byName[PathKey(name: name)]
  }

  /// The number of an input, which is added if it is not known.
  mutating func add(path: String, name: String) -> Int {
    let index = index(path: path, name: name) ?? count
    count = max(count, index + 1)
    byPath[PathKey(path)] = index
    if byName[PathKey(name: name)] == nil { byName[PathKey(name: name)] = index }
    return index
  }
}
