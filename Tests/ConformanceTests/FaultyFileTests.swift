// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import Foundation
import HDRCore
import ImageFiles
import Testing

@testable import Conformance

/// A file of `reference-images/faults`, with the findings that it was made for.
struct FaultyFile: Codable, CustomTestStringConvertible, Equatable, Sendable {
  struct Finding: Codable, Equatable, Sendable {
    var rule: String
    /// Class of the violation: broken, deviates or advice.
    var `class`: String
  }

  var file: String
  /// The valid file that it was made from.
  var madeFrom: String?
  /// The standards by which it is checked.
  var standards: [String]
  /// All rules that the file violates; none for a valid file.
  var findings: [Finding]

  var testDescription: String { file }

  private enum CodingKeys: String, CodingKey { case file, madeFrom, standards, findings }
}

extension Fixture {
  /// Name of the valid file, such as "valid-avif-grid.avif".
  fileprivate var fileName: String {
    let words = rawValue.map { $0.isUppercase ? "-\($0)" : "\($0)" }.joined().lowercased()
    return "valid-\(words).\(suffix)"
  }

  fileprivate var suffix: String {
    switch self {
    case .heic: "heic"
    case .avif, .avifFullChroma, .avifGrid, .avifGainMap: "avif"
    case .png, .png10, .pngScene, .pngGainMap: "png"
    case .jpeg, .ultraHDR, .ultraHDRWithXMPAlone, .ultraHDRWithISOAlone: "jpg"
    case .jpegXL: "jxl"
    case .jpegXR: "jxr"
    case .dng: "dng"
    }
  }
}

/// The files are made of the changes in `Break.ofStructure`: run this suite with `UPDATE_GOLDENS=1`.
@Suite("Faulty files for authors of validators") struct FaultyFileTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../reference-images/faults").standardized
  private static let list = folder.appending(path: "findings.json")

  private static let committed: [FaultyFile] = {
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" { try? write() }
    guard let data = try? Data(contentsOf: list) else { return [] }
    return (try? JSONDecoder().decode([FaultyFile].self, from: data)) ?? []
  }()

  /// The changes with the names of their files: the first rule, numbered if it has several.
  private static let changes: [(name: String, change: Break)] = {
    var counts: [String: Int] = [:]
    return Break.ofStructure.map { change in
      let rule = change.rules.sorted().first ?? ""
      let name = rule.split(separator: "/").joined(separator: "-")
      counts[name, default: 0] += 1
      let count = counts[name, default: 1]
      let number = count == 1 ? "" : "-\(count)"
      return ("\(name)\(number).\(change.fixture.suffix)", change)
    }
  }()

  private static func findings(
    _ bytes: [UInt8], by standards: Set<Standard>
  ) throws -> [FaultyFile.Finding] {
    try RuleTests.checked(bytes).judgments(by: standards).compactMap { judgment in
      judgment.violation.map { FaultyFile.Finding(rule: judgment.rule.id, class: $0.rawValue) }
    }.sorted { $0.rule < $1.rule }
  }

  /// Writes all files and the list.
  private static func write() throws {
    try? FileManager.default.removeItem(at: list)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var files: [FaultyFile] = []
    func add(_ name: String, _ bytes: [UInt8], madeFrom: String?, _ standards: Set<Standard>) throws
    {
      try Data(bytes).write(to: folder.appending(path: name))
      files.append(
        FaultyFile(
          file: name, madeFrom: madeFrom, standards: standards.map(\.rawValue).sorted(),
          findings: try findings(bytes, by: standards)))
    }
    var standards: [Fixture: Set<Standard>] = [:]
    for fixture in Fixture.allCases {
      let bytes = try #require(Fixture.bytes[fixture])
      let applicable = try RuleTests.checked(bytes).applicableStandards
      standards[fixture] = applicable
      try add(fixture.fileName, bytes, madeFrom: nil, applicable)
    }
    for (name, change) in changes {
      let bytes = try change.bytes()
      let applicable = try RuleTests.checked(bytes).applicableStandards
      try add(
        name, bytes, madeFrom: change.fixture.fileName,
        applicable.union(standards[change.fixture] ?? []))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(files).write(to: list)
  }

  @Test func allChangesHaveFiles() throws {
    let names = Fixture.allCases.map(\.fileName) + Self.changes.map(\.name)
    let areListed = Self.committed.map(\.file) == names
    #expect(areListed, "run with UPDATE_GOLDENS=1")
    let present = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
      .filter { !["README.md", "findings.json"].contains($0) }
    #expect(Set(present).symmetricDifference(names).sorted().prefix(5) == [])
    for (file, change) in zip(Self.committed.dropFirst(Fixture.allCases.count), Self.changes) {
      #expect(Set(file.findings.map(\.rule)) == change.change.rules, "\(file.file)")
    }
  }

  @Test(arguments: committed)
  func filesHaveExactlyTheseFindings(file: FaultyFile) throws {
    let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: file.file)))
    let standards = Set(file.standards.compactMap(Standard.init(rawValue:)))
    #expect(standards.count == file.standards.count)
    #expect(try Self.findings(bytes, by: standards) == file.findings)
    #expect((file.madeFrom == nil) == file.findings.isEmpty)
  }
}
#endif
