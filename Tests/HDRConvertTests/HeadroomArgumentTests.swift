// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import GainMap
@testable import HDRConversion
import HDRCore
@testable import ImageFiles
import Testing

@testable import Command

@Suite("Headroom on the command line") struct HeadroomArgumentTests {
  /// A number without a unit is a ratio, never stops.
  ///
  /// Source: `cli.md`.
  @Test(arguments: [("4x", 2), ("4", 2), ("2st", 2), ("812nit", 2), ("1", 0), ("1.5st", 1.5)])
  func headroom(text: String, stops: Double) throws {
    guard case .value(let headroom) = try HeadroomArgument(parsing: text) else {
      Issue.record("not a number")
      return
    }
    #expect(abs(headroom.stops - stops) < 1e-9)
  }

  /// An argument that begins with a minus sign is parsed as a value.
  @Test(arguments: [
    "render a.avif -o b.png --headroom -1st", "gainmap apply a.avif -o b.png --headroom -1st",
  ])
  func minusIsNoOption(words: String) {
    let error = #expect(throws: (any Error).self) {
      try HDRConvert.parsed(words.split(separator: " ").map(String.init))
    }
    // The least headroom, of the error about the value.
    #expect(error.map(HDRConvert.message)?.contains("1x") == true)
  }

  @Test func full() throws { #expect(try HeadroomArgument(parsing: "full") == .full) }

  private static func reason(_ text: String) -> String? {
    #expect(throws: ValidationError.self) { try HeadroomArgument(parsing: text) }?.message
  }

  private static func reason(ofList text: String) -> String? {
    #expect(throws: ValidationError.self) { try HeadroomList(parsing: text) }?.message
  }

  /// Each text has the error of an example: not a headroom, too small, or too large.
  @Test(arguments: [
    ("", "x"), ("4stops", "x"), ("2ST", "x"), ("nan", "x"), ("1e9st", "x"), ("-1st", "0.5x"),
    ("-2x", "0.5x"), ("0", "0.5x"), ("100nit", "0.5x"), ("100st", "99st"),
  ])
  func nonsense(text: String, example: String) {
    #expect(Self.reason(text) == Self.reason(example))
  }

  @Test func reasonsDiffer() {
    let reasons = ["x", "0.5x", "99st"].map { Self.reason($0) }
    let lists = ["2x,1st", "1,2,3,4,5,6,7,8,9"].map { Self.reason(ofList: $0) }
    #expect(Set(reasons + lists).count == 5)
    #expect(Self.reason(ofList: "1x,2x,0.5x") == Self.reason("0.5x"))
    #expect(Self.reason(ofList: "1x,,2x") == Self.reason(""))
  }

  @Test func levels() throws {
    typealias Level = ConversionRequest.Rendition.Level
    let shares = try Level(argument: "standard=1,high=3")
    #expect(shares.standard == 1 && shares.high == 3 && shares.constrainedHigh == nil)
    #expect(try Level(argument: "standard").standard == 1)
    for text in ["constrainedHigh", "high=x", "high=1,high=2", ""] {
      let error = #expect(throws: ValidationError.self) { try Level(argument: text) }
      #expect(try #require(error).message.contains("constrained-high"))
    }
  }

  @Test func flavors() throws {
    #expect(FlavorList(argument: "iso,apple")?.all == [.iso, .apple])
    #expect(FlavorList(argument: "iso,adobe") == nil)
    #expect(FlavorList(argument: "") == nil)
  }
}

@Suite("Displays on the command line") struct DisplayArgumentTests {
  /// The display that the request of an argument names.
  private func display(_ text: String) throws -> DisplayTarget? {
    var request = ConversionRequest()
    request.rendition.display = try .init(argument: text)
    return try request.renderingOptions()?.display
  }

  @Test func custom() throws {
    let display = try #require(try display("white=203,peak=1624,primaries=p3,surround=20"))
    #expect(display.headroom.stops == 3 && display.primaries == .displayP3)
    #expect(display.viewing?.referenceWhite == 203 && display.viewing?.surroundLuminance == 20)
    #expect(display.viewing?.blackLuminance == 0)
    let dark = try self.display("white=203,peak=1600,black=0.005,primaries=p3")
    #expect(dark?.viewing?.blackLuminance == 0.005)
    let plain = try #require(try self.display("peak=400,white=100"))
    #expect(plain.headroom.ratio == 4 && plain.primaries == .bt2020)
    #expect(try ConversionRequest.Rendition.Display(argument: "laptop").name == "laptop")
  }

  @Test(arguments: [
    "white=203", "peak=1600", "white=203,peak=x", "white=203,peak=100", "white=0,peak=100",
    "white=-1,peak=100", "white=nan,peak=100", "white=203,peak=inf", "white=203,peak=1000,",
    "white=203,peak=1000,peak=1000", "white=203,peak=1000,primaries=x", "gain=1",
    "white=203,peak=1000,surround=0", "white==203,peak=1000", "white=203,peak=1000,black=-1",
    "white=203,peak=1000,black=203", "white=203,peak=1000,black=x",
  ])
  func malformed(text: String) {
    #expect(throws: (any Error).self) { try display(text) }
  }
}
