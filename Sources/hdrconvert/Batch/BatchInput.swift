// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// One of many inputs.
struct BatchInput: Hashable, Sendable {
  /// The path that opens the file.
  let path: String
  /// The name in journals and of `--shard`: the path as it was given, or the path below the folder
  /// that was given, unless several inputs have that.
  var name: String
  /// The folder below the one that was given, for the names of outputs.
  let folder: String
  /// The SDR image that belongs to a raw file.
  var companion: String?

  /// A file that was named, whose output lies directly in the folder of outputs, unless `/./` in the
  /// path separates the part that is kept below it.
  init(argument path: String) {
    self.init(path: path, keepingFolders: false)
  }

  /// A line of a list, whose folders are kept; `/./` begins the part that is kept.
  init(listed path: String) {
    self.init(path: path, keepingFolders: true)
  }

  /// A file below a folder that was given.
  init(path name: String, below folder: String) {
    path = folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    self.name = name
    self.folder = name.folder
  }

  private init(path: String, keepingFolders: Bool) {
    guard let marker = path.firstRange(of: "/./") else {
      self.path = path
      name = path
      // Outputs never leave the folder of outputs.
      let parts = path.folder.split(separator: "/").filter { $0 != "." }
      folder = keepingFolders && !parts.contains("..") ? parts.joined(separator: "/") : ""
      return
    }
    let kept = path[marker.upperBound...].split(separator: "/").filter { $0 != "." }
    let name = kept.joined(separator: "/")
    self.path = path[..<marker.lowerBound] + "/" + name
    self.name = name
    folder = kept.contains("..") ? "" : name.folder
  }

  /// The path with `/./` before the part that the output keeps, for `--files-from`.
  var listed: String { listed(path) }

  /// The path of the SDR image, likewise.
  var listedCompanion: String? { companion.map(listed) }

  private func listed(_ path: String) -> String {
    let kept = folder.isEmpty ? path.fileName : "\(folder)/\(path.fileName)"
    guard path.hasSuffix("/" + kept) else { return path }
    return path.dropLast(kept.count + 1) + "/./" + kept
  }
}
