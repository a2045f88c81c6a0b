// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Collects the images from all directories of a DNG file.
struct DNGTree {
  private(set) var images: [DNGImage] = []
  private(set) var notices: [Notice] = []
  private let file: TIFFFile
  private var visited: Set<Int> = []

  /// Limit of directories, above what cameras and programs write.
  private static let maximumDirectories = 64

  init(_ file: TIFFFile) { self.file = file }

  /// Collects the images of a directory and of its subdirectories.
  ///
  /// - Throws: `.limitExceeded` for more than 64 directories, and errors of values that describe an
  ///   image.
  mutating func walk(from directory: DNGDirectory) throws(ImageError) {
    guard visited.insert(directory.entries.offset).inserted else {
      note(.rawDirectoryCyclic, directory)
      return
    }
    guard visited.count <= Self.maximumDirectories else {
      throw directory.error(
        .tooManyElements, .subdirectories,
        ["limit": Self.maximumDirectories, "elements": "directories"])
    }
    if let image = try DNGImage(directory) { images.append(image) }
    guard
      let offsets = try directory.integers(.subdirectories, atMost: Self.maximumDirectories)
    else { return }
    for (index, offset) in offsets.enumerated() {
      let path = directory.path + ["SubIFD \(index)"]
      let entries: TIFFDirectory
      do throws(ImageError) {
        entries = try file.directory(at: offset)
      } catch {
        notices.append(
          Notice(.rawDirectoryUnreadable, ["cause": error], at: .init(path: path, offset: offset)))
        continue
      }
      try walk(from: DNGDirectory(path: path, file: file, entries: entries))
    }
  }

  private mutating func note(_ code: NoticeCode, _ directory: DNGDirectory) {
    notices.append(
      Notice(code, at: .init(path: directory.path, offset: directory.entries.offset)))
  }
}
