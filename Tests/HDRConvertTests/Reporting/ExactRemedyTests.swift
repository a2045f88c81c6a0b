import GainMap
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import Testing

@testable import hdrconvert

@Suite("Ways to an exact gain map") struct ExactRemedyTests {
  private func remedy(
    _ exact: Set<GainMapFlavor>, asked: String, _ way: ExactRemedy = .option
  ) throws -> String? {
    let error = ImageError(.invalidArgument, "too far off", remedy: "--flavors xmp")
    let wanted = try #require(FlavorList(argument: asked))
    return error.remedied(by: way, wanted, exact: exact).remedy
  }

  @Test func ofTheVerb() throws {
    #expect(
      try remedy([.iso, .apple], asked: "apple,iso")
        == "add --exact, which codes the map anew, or --flavors xmp")
    #expect(
      try remedy([.apple], asked: "apple,iso")
        == "--flavors apple --exact, which codes the map anew, or --flavors xmp")
  }

  @Test func inTwoSteps() throws {
    #expect(
      try remedy([.iso], asked: "iso", .remux(after: "turn it", into: "a b.jpg"))
        == "turn it without --flavors, then hdrconvert remux 'a b.jpg' -o 'a b-exact.jpg' "
        + "--flavors iso --exact, or --flavors xmp")
  }

  @Test func whereItHelpsNothing() throws {
    #expect(try remedy([], asked: "iso") == "--flavors xmp")
  }
}
