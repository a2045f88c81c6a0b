// SPDX-License-Identifier: Apache-2.0
import GainMap
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import Testing

@testable import Command

@Suite("Remedies for an exact gain map") struct ExactRemedyTests {
  private func remedy(
    _ exact: Set<GainMapFlavor>, asked: String, _ way: ExactRemedy = .option
  ) throws -> String? {
    let code = ErrorCode("gain-map/fit-too-far", .invalidArgument, "too far off")
    let error = ImageError(code, ["usable": ["xmp"]])
    let wanted = try #require(FlavorList(argument: asked))
    return error.exactRemedy(by: way, wanted, exact: exact)
      ?? Remedies.remedy(against: error, of: .current)
  }

  @Test func ofTheVerb() throws {
    #expect(
      try remedy([.iso, .apple], asked: "apple,iso")
        == "add --exact, which re-encodes the gain map, or --flavors xmp")
    #expect(
      try remedy([.apple], asked: "apple,iso")
        == "--flavors apple --exact, which re-encodes the gain map, or --flavors xmp")
  }

  @Test func inTwoSteps() throws {
    #expect(
      try remedy([.iso], asked: "iso", .remux(after: "rotate it", into: "a b.jpg"))
        == "rotate it without --flavors, then hdrconvert remux 'a b.jpg' -o 'a b-exact.jpg' "
        + "--flavors iso --exact, or --flavors xmp")
  }

  @Test func whereItHelpsNothing() throws {
    #expect(try remedy([], asked: "iso") == "--flavors xmp")
  }
}
