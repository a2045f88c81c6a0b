import Foundation
import FuzzTargets
import TestSupport
import Testing

/// What once broke something, and what fuzzing starts from, goes through every parser.
@Suite("Fuzz") struct SeedsTests {
  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let seeds = files(package.appending(path: "Fuzz/Seeds"))
  private static let regressions = files(package.appending(path: "Fuzz/Regressions"))
  /// Files of the corpus that are broken on purpose.
  private static let malformed = files(Corpus.folder).filter {
    $0.path.contains("/malformed-") || $0.path.contains("-broken/")
  }

  private static func files(_ folder: URL) -> [URL] {
    let found = FileManager.default.enumerator(
      at: folder.standardizedFileURL, includingPropertiesForKeys: [.isRegularFileKey])
    let files = (found?.allObjects ?? []).compactMap { $0 as? URL }
    return files.filter { $0.isFileURL && !$0.hasDirectoryPath }.sorted { $0.path < $1.path }
  }

  private func exercise(_ file: URL) throws {
    let bytes = [UInt8](try Data(contentsOf: file))
    for target in FuzzTarget.allCases {
      #expect(throws: Never.self, "\(target.rawValue)") { try target.run(bytes) }
    }
  }

  @Test("the parsers keep their promises for seeds", arguments: seeds)
  func seed(file: URL) throws { try exercise(file) }

  @Test("what once broke a parser does so no more", arguments: regressions)
  func regression(file: URL) throws { try exercise(file) }

  @Test(
    "the parsers keep their promises for the corpus's malformed files",
    .enabled(if: !malformed.isEmpty, "no corpus here (HDR_CORPUS)"), arguments: malformed)
  func corpus(file: URL) throws { try exercise(file) }

  /// Targets that read whole files borrow the seeds of the formats.
  @Test("each parser has seeds")
  func coverage() {
    let folders = Set(Self.seeds.map { $0.deletingLastPathComponent().lastPathComponent })
    let borrowing: Set<FuzzTarget> = [.edits, .inventory, .validation]
    let expected = Set(FuzzTarget.allCases).subtracting(borrowing).map(\.rawValue)
    #expect(folders == Set(expected))
  }
}
