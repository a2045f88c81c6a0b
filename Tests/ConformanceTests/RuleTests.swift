#if HEIF && AVIF && PNG && JPEG
import HDRCore
import ImageCodecs
import ImageContainers
import Testing

@testable import Conformance
@testable import HDRConversion
@testable import ImageFiles

/// A change of a valid file that violates some rules and no others.
struct Break: CustomTestStringConvertible, Sendable {
  /// Usually one rule; more if rules have the same requirement.
  let rules: Set<String>
  let fixture: Fixture
  let bytes: @Sendable () throws -> [UInt8]

  init(
    _ rules: Set<String>, _ fixture: Fixture, bytes: @escaping @Sendable () throws -> [UInt8]
  ) {
    self.rules = rules
    self.fixture = fixture
    self.bytes = bytes
  }

  var testDescription: String { "\(rules.sorted()) in \(fixture)" }

  static let all = hdr + heif + avif + toneMaps + png + jpeg + icc
}

/// Each rule is satisfied by a valid file and violated by an invalid one.
@Suite("Rules") struct RuleTests {
  static func checked(_ bytes: [UInt8]) throws -> CheckedFile {
    try CheckedFile(ImageFile(parsing: ByteSource(bytes), options: OpeningOptions()))
  }

  static func broken(_ judgments: [Judgment]) -> Set<String> {
    Set(judgments.filter { $0.verdict == .fail || $0.verdict == .warn }.map(\.rule.id))
  }

  @Test(arguments: Fixture.allCases)
  func goodFilesKeepAllRules(fixture: Fixture) throws {
    let judgments = try Self.checked(fixture.make()).judged()
    let violations = judgments.filter { ![.pass, .notApplicable].contains($0.verdict) }
      .map { "\($0.rule.id): \($0.findings.map(\.message)) \($0.reason ?? "")" }
    #expect(violations == [])
  }

  @Test(arguments: Break.all)
  func badFilesBreakTheirRules(change: Break) throws {
    let good = try Self.checked(try #require(Fixture.bytes[change.fixture]))
    let bad = try Self.checked(change.bytes())
    let judgments = bad.judged(by: good.applicableStandards.union(bad.applicableStandards))
    let broken = Self.broken(judgments)
    #expect(broken == change.rules)
    for judgment in judgments where judgment.verdict == .fail {
      #expect(judgment.rule.violation == .fail)
      #expect(!judgment.findings.isEmpty)
    }
  }

  /// A rule that nobody has seen both kept and broken proves nothing.
  @Test func everyRuleIsKeptAndBroken() throws {
    var kept: Set<String> = []
    for bytes in Fixture.bytes.values {
      kept.formUnion(
        try Self.checked(bytes).judged().filter { $0.verdict == .pass }.map(\.rule.id))
    }
    let broken = Set(Break.all.flatMap(\.rules))
    let all = Set(Rule.all.map(\.id))
    #expect(Fixture.bytes.count == Fixture.allCases.count)
    #expect(all.subtracting(kept).sorted() == [])
    #expect(all.subtracting(broken).sorted() == [])
    #expect(broken.subtracting(all).sorted() == [])
  }
}
#endif
