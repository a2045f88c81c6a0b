import HDRCore
import Testing

@testable import hdrconvert

@Suite("Ways to an exact gain map") struct ExactRemedyTests {
  private func remedy(
    _ flavors: [String], asked: String?, _ way: ExactRemedy = .option
  ) -> String? {
    var error = ImageError(.invalidArgument, "too far off", remedy: "--flavors xmp")
    error.flavorsIfRecoded = flavors
    return error.remedied(by: way, asked.flatMap { FlavorList(argument: $0) }).remedy
  }

  @Test func ofTheVerb() {
    #expect(
      remedy(["iso", "apple"], asked: "apple,iso")
        == "add --exact, which codes the map anew, or --flavors xmp")
    #expect(
      remedy(["apple"], asked: "apple,iso")
        == "--flavors apple --exact, which codes the map anew, or --flavors xmp")
  }

  @Test func inTwoSteps() {
    #expect(
      remedy(["iso"], asked: "iso", .remux(after: "turn it", into: "a b.jpg"))
        == "turn it without --flavors, then hdrconvert remux 'a b.jpg' -o 'a b-exact.jpg' "
        + "--flavors iso --exact, or --flavors xmp")
  }

  @Test func whereItHelpsNothing() {
    #expect(remedy([], asked: "iso") == "--flavors xmp")
    #expect(remedy(["iso"], asked: nil) == "--flavors xmp")
  }
}
