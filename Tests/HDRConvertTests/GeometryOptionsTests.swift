// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HDRConversion
import HDRCore
import Testing

@testable import Command

@Suite("Geometry options") struct GeometryOptionsTests {
  private func edit(_ words: String...) throws -> GeometryEdit {
    let parsed = try HDRConvert.parsed(["convert", "a.exr", "-o", "b.avif"] + words)
    return try #require(parsed as? Convert).request().geometry.edit
  }

  @Test func values() throws {
    #expect(try edit() == GeometryEdit())
    #expect(
      try edit("--crop", "10,20,300,400", "--resize", "1920X1080")
        == GeometryEdit(
          crop: PixelRectangle(x: 10, y: 20, width: 300, height: 400),
          size: .exact(width: 1920, height: 1080)))
    #expect(try edit("--resize", "2048").size == .longSide(2048))
  }

  @Test(arguments: [
    ("0", Orientation.upright), ("90", .rotated90), ("-90", .rotated270), ("270", .rotated270),
    ("180", .rotated180), ("720", .upright), ("-450", .rotated270),
  ])
  func turnsClockwise(degrees: String, rotation: Orientation) throws {
    #expect(try edit("--rotate", degrees).rotation == rotation)
  }

  /// A rotation by 90° clockwise followed by a horizontal flip is a transposition.
  @Test func flipsAfterRotation() throws {
    #expect(try edit("--rotate", "90", "--flip", "horizontal").rotation == .transposed)
    #expect(try edit("--rotate", "90", "--flip", "vertical").rotation == .transversed)
    #expect(try edit("--flip", "vertical").rotation == .flipped)
  }

  @Test(arguments: [
    ["--crop", "1,2,3"], ["--crop", "1,2,3,x"], ["--crop", "1,2,3,4,5"], ["--resize", "0"],
    ["--resize", "10x"], ["--resize", "10x0"], ["--resize", "1x2x3"], ["--resize", "-5"],
    ["--rotate", "45"], ["--rotate", "x"], ["--flip", "diagonal"],
  ])
  func refuses(words: [String]) {
    #expect(throws: (any Error).self) {
      try HDRConvert.parsed(["convert", "a.exr", "-o", "b.avif"] + words)
    }
  }

  @Test func remuxNeedsSomethingToDo() {
    #expect(throws: (any Error).self) {
      try HDRConvert.parseAsRoot(["remux", "a.jpg", "-o", "b.jpg", "--rotate", "360"])
    }
    #expect(throws: Never.self) {
      try HDRConvert.parseAsRoot(["remux", "a.jpg", "-o", "b.jpg", "--rotate", "90"])
    }
  }
}
