// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Collects the images from all directories of a DNG file.
struct DNGTree {
  private(set) var images: [DNGImage] = []
  private(set) var notices: [Notice] = []
  /// The error of the first directory that is not readable.
  private(set) var firstError: ImageError?
  private var visited: Set<Int> = []

  /// Limit of directories, above what cameras and programs write.
  private static let maximumDirectories = 64

  /// Collects the images of a directory and of its subdirectories; a notice for unreadable ones.
  ///
  /// - Throws: `.limitExceeded` for more than 64 directories.
  mutating func walk(from directory: DNGDirectory) throws(ImageError) {
    guard visited.insert(directory.entries.offset).inserted else {
      note(NoticeCode(.irregular, "ignored: cyclic directory"), directory)
      return
    }
    guard visited.count <= Self.maximumDirectories else {
      throw directory.error(
        .tooManyElements, .subdirectories,
        ["limit": Self.maximumDirectories, "elements": "directories"])
    }
    let image = try recover(directory.path, directory.entries.offset) { () throws(ImageError) in
      try DNGImage(directory)
    }
    if let image { images.append(image) }
    let offsets = try recover(directory.path, directory.entries.offset) { () throws(ImageError) in
      try directory.integers(.subdirectories, atMost: Self.maximumDirectories)
    }
    for (index, offset) in (offsets ?? []).enumerated() {
      let path = directory.path + ["SubIFD \(index)"]
      let entries = try recover(path, offset) { () throws(ImageError) in
        try directory.file.directory(at: offset)
      }
      guard let entries else { continue }
      try walk(from: DNGDirectory(path: path, file: directory.file, entries: entries))
    }
  }

  /// The result of `body`; `nil` with a notice if it fails.
  private mutating func recover<Result>(
    _ path: [String], _ offset: Int, _ body: () throws(ImageError) -> Result?
  ) throws(ImageError) -> Result? {
    do throws(ImageError) {
      return try body()
    } catch {
      guard !error.endsJob else { throw error }
      firstError = firstError ?? error
      notices.append(
        Notice(
          .irregular, "not readable: {cause}", ["cause": error],
          at: .init(path: path, offset: offset)))
      return nil
    }
  }

  private mutating func note(_ code: NoticeCode, _ directory: DNGDirectory) {
    notices.append(
      Notice(code, at: .init(path: directory.path, offset: directory.entries.offset)))
  }
}
