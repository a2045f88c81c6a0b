#if HEIF && AVIF && PNG && JPEG
import ImageCodecs
import ImageContainers
import Testing

@testable import Conformance
@testable import HDRConversion
@testable import ImageFiles

@Suite("Repairs") struct RepairedFileTests {
  /// Rules that are satisfied after repairs of order, flags and offsets.
  private static let arranged: Set<String> = [
    "22028-5/H5-PROP-1", "heif/property-order", "heif/handler-first", "heif/hvcc-essential",
    "avif/av1c-essential", "miaf/transformation-essential", "jpeg/mpf-offsets", "jpeg/mpf-sizes",
  ]
  private static let breaks = Break.all.filter { change in
    // Wrong offsets also violate the rule about the gain map.
    let rules = change.rules.subtracting(["uhdr/mpf"])
    return !rules.isEmpty && rules.isSubset(of: arranged)
  }

  @Test func everyArrangementIsBrokenSomewhere() {
    let broken = Set(Self.breaks.flatMap(\.rules))
    #expect(broken.isSuperset(of: Self.arranged), "\(broken)")
  }

  /// Encoded data is compared where the edit is made.
  @Test(arguments: breaks)
  func putsInOrder(change: Break) throws {
    let bad = try RuleTests.checked(change.bytes())
    let repaired = try #require(
      try RepairedFile.repairing(bad, by: bad.applicableStandards))
    #expect(RuleTests.broken(repaired.checked.judged()) == [])
  }

  @Test func leavesGoodFilesAlone() throws {
    let good = try RuleTests.checked(try #require(Fixture.bytes[.heic]))
    #expect(
      try RepairedFile.repairing(good, by: good.applicableStandards) == nil)
  }
}
#endif
