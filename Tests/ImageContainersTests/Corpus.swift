import Foundation

/// Real files, which a fresh clone does not have.
enum Corpus {
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["HDR_CORPUS"] {
      return URL(filePath: path)
    }
    return URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "../shared/corpus").standardized
  }()

  static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  /// Files of some folders, as `folder/name`.
  static func files(in folders: [String], extensions: [String]? = nil) -> [String] {
    folders.flatMap { name -> [String] in
      let entries =
        (try? FileManager.default.contentsOfDirectory(
          atPath: folder.appending(path: name).path)) ?? []
      return entries.sorted().filter { entry in
        extensions.map { $0.contains((entry as NSString).pathExtension) } ?? true
      }.map { "\(name)/\($0)" }
    }
  }

  static func path(_ name: String) -> String { folder.appending(path: name).path }
}
