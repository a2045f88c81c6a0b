// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HDRCore
import Testing

@testable import Command

@Suite("Command line") struct HDRConvertTests {
  /// Optimal string alignment distances, computed by hand.
  @Test(arguments: [
    ("inspect", "inspect", 0), ("insepct", "inspect", 1), ("inspct", "inspect", 1),
    ("codec", "codecs", 1), ("", "tag", 3), ("convert", "codecs", 4),
  ])
  func editCounts(from: String, to: String, count: Int) {
    #expect(from.editCount(to: to) == count)
  }

  @Test func mistypedVerbsAreNamed() {
    let failure = HDRConvert.mistypedVerb(in: ["hdrconvert", "insepct", "a.exr"])
    #expect(failure?.error.code == .argumentsUnknownVerb)
    #expect(failure?.error.parameters["word"] == .text("insepct"))
    #expect(failure?.remedy.contains("hdrconvert inspect a.exr") == true)
    let options = HDRConvert.mistypedVerb(in: ["hdrconvert", "tags", "a b.exr", "--strip", "gps"])
    #expect(options?.remedy.contains("hdrconvert tag 'a b.exr' --strip gps") == true)
    let unknown = HDRConvert.mistypedVerb(in: ["hdrconvert", "frobnicate", "a.exr"])
    #expect(unknown?.remedy.contains("hdrconvert help") == true)
    for word in ["inspect", "photo.exr", "--taag"] {
      #expect(HDRConvert.mistypedVerb(in: ["hdrconvert", word]) == nil)
    }
    #expect(HDRConvert.mistypedVerb(in: ["hdrconvert"]) == nil)
  }

  @Test func unknownOptionsAreNamed() {
    let failure = HDRConvert.unknownOption(in: ["a.heic", "-o", "b.jpg", "--qualty", "80"])
    #expect(failure?.error.code.english == "unknown option '{option}'")
    #expect(failure?.remedy.contains("--quality") == true)
    #expect(
      HDRConvert.unknownOption(in: ["remux", "a.jpg", "--headroom=2"])?.error.parameters["option"]
        == .text("--headroom"))
    #expect(HDRConvert.unknownOption(in: ["a.heic", "--quality", "80", "--", "--x"]) == nil)
    // An option of another verb is not a mistyped one.
    let other = HDRConvert.unknownOption(in: ["gainmap", "create", "a.dng", "--resize", "8"])
    #expect(other?.remedy.contains("an option of convert") == true)
    let map = HDRConvert.unknownOption(in: ["a.dng", "-o", "b.jpg", "--gainmap-scale", "2"])
    #expect(map?.remedy.contains("an option of gainmap create") == true)
    // Words of the standards have another name here.
    let carriers = HDRConvert.unknownOption(in: ["a.heic", "-o", "b.jpg", "--signal", "icc"])
    #expect(carriers?.remedy == "--set color-tags=icc")
  }

  @Test func unknownVerbsOfHelp() {
    #expect(Help.unknownVerb(in: ["help", "frobnicate"]) == "frobnicate")
    #expect(Help.unknownVerb(in: ["help", "gainmap", "frobnicate"]) == "frobnicate")
    for words in [["help"], ["help", "gainmap", "join", "--all"], ["help", "exit-codes"]] {
      #expect(Help.unknownVerb(in: words) == nil)
    }
  }

  @Test func verbOfArguments() {
    #expect(HDRConvert.verb(of: ["hdrconvert", "tag", "a.avif"]) == "tag")
    #expect(HDRConvert.verb(of: ["hdrconvert", "a.exr", "-o", "b.avif"]) == "convert")
    #expect(HDRConvert.verb(of: ["hdrconvert"]) == "convert")
  }

  /// A file that is not valid metadata of the option's type exits with 65.
  @Test(arguments: ["exif", "xmp", "icc"])
  func malformedMetadata(key: String) throws {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("hdrconvert-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    for bytes in [Data(), Data([0xFF, 0xFE, 0x80, 0x81, 0x82]), Data(repeating: 0x80, count: 300)] {
      try bytes.write(to: file)
      let image = DoorsTests.root.appending(path: "reference-images/edges-61x43.png").path()
      let parsed = try HDRConvert.parseAsRoot(["tag", "-n", image, "--set", "\(key)=\(file.path)"])
      let tag = try #require(parsed as? Command.Tag)
      let failure = #expect(throws: Failure.self) { try tag.processInput() }
      #expect(failure?.exitCode == 65)
      #expect(failure?.remedy != nil)
    }
  }
}
