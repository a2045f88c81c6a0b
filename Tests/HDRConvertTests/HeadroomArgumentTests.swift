import GainMap
import HDRCore
import Testing

@testable import hdrconvert

@Suite("Headroom on the command line") struct HeadroomArgumentTests {
  /// Source: `cli.md`: a bare number is never stops.
  @Test(arguments: [("4x", 2), ("4", 2), ("2st", 2), ("812nit", 2), ("1", 0), ("1.5st", 1.5)])
  func headroom(text: String, stops: Double) throws {
    guard case .value(let headroom) = try #require(HeadroomArgument(argument: text)) else {
      Issue.record("not a number")
      return
    }
    #expect(abs(headroom.stops - stops) < 1e-9)
  }

  @Test func full() { #expect(HeadroomArgument(argument: "full") == .full) }

  @Test(arguments: ["", "x", "0.5x", "-1st", "4stops", "nan", "infx", "1e9st", "100nit"])
  func nonsense(text: String) { #expect(HeadroomArgument(argument: text) == nil) }

  @Test func flavors() throws {
    #expect(FlavorList(argument: "iso,apple")?.all == [.iso, .apple])
    #expect(FlavorList(argument: "iso,adobe") == nil)
    #expect(FlavorList(argument: "") == nil)
  }
}
