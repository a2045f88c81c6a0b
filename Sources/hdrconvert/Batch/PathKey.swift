// SPDX-License-Identifier: Apache-2.0
internal import Platform

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
