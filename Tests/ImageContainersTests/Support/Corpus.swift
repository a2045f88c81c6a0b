import Foundation

/// Real files beside the package; tests that need them are skipped where they are missing.
enum Corpus {
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["HDR_CORPUS"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../../shared/corpus").standardized
  }()

  static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  /// Paths of the files in one folder of the corpus, `["png-hdr/a.png", ...]`.
  static func files(in folders: String...) -> [String] {
    folders.flatMap { name in
      let names = try? FileManager.default.contentsOfDirectory(
        atPath: folder.appendingPathComponent(name).path)
      return (names ?? []).sorted().map { "\(name)/\($0)" }
    }
  }

  static func path(_ file: String) -> String { folder.appendingPathComponent(file).path }

  static func bytes(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(file)))
  }
}
