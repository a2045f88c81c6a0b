// SPDX-License-Identifier: Apache-2.0
import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Runs every parser on the fuzzing seeds and on files that caused defects before.
@Suite("Fuzz") struct SeedsTests {
  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let seeds = files(package.appending(path: "Fuzz/Seeds"))
  private static let regressions = files(package.appending(path: "Fuzz/Regressions"))
  /// Intentionally malformed files of the corpus.
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

  @Test("parsers satisfy their invariants for seeds", arguments: seeds)
  func seed(file: URL) throws { try exercise(file) }

  @Test("parsers satisfy their invariants for files of fixed defects", arguments: regressions)
  func regression(file: URL) throws { try exercise(file) }

  @Test(
    "parsers satisfy their invariants for malformed files of the corpus",
    .enabled(if: !malformed.isEmpty, "no corpus (HDR_CORPUS)"), arguments: malformed)
  func corpus(file: URL) throws { try exercise(file) }

  /// Extremes in place of numbers, by seeds that give the same ones each time.
  @Test(
    "parsers satisfy their invariants for extreme numbers",
    arguments: [FuzzTarget.dng, .exif, .gainmap, .icc, .json, .pgtm, .adaptation, .xmp])
  func extremes(target: FuzzTarget) throws {
    let files = Self.seeds.filter {
      $0.deletingLastPathComponent().lastPathComponent == target.rawValue
    }
    for (index, file) in files.enumerated() {
      let bytes = [UInt8](try Data(contentsOf: file))
      for round in 0..<40 {
        var mutation = ValueMutation(seed: UInt64(1000 * index + round))
        let mutated = mutation.apply(to: bytes)
        #expect(throws: Never.self, "\(file.lastPathComponent), \(round)") {
          try target.run(mutated)
        }
      }
    }
  }

  /// Targets for whole files use the seeds of the format targets.
  @Test("each parser has seeds")
  func coverage() {
    let folders = Set(Self.seeds.map { $0.deletingLastPathComponent().lastPathComponent })
    let borrowing: Set<FuzzTarget> = [
      .conversion, .creation, .development, .edits, .fixes, .inspection, .inventory, .remux,
      .samples, .transcoding, .validation,
    ]
    let expected = Set(FuzzTarget.allCases).subtracting(borrowing).map(\.rawValue)
    #expect(folders == Set(expected))
  }
}
