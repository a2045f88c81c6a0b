// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import GainMap
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import RAWDevelop
import Testing

@testable import Command

@Suite("Options of gainmap create") struct CreateGainMapTests {
  private func command(_ words: String...) throws -> CreateGainMap { try command(words) }

  private func command(_ words: [String]) throws -> CreateGainMap {
    try #require(
      try HDRConvert.parseAsRoot(["gainmap", "create"] + words) as? CreateGainMap)
  }

  private func request(_ words: String...) throws -> ConversionRequest {
    try command(["a.exr", "-o", "b.avif"] + words).request()
  }

  @Test func renditionWithHeadroomIsGivenOnce() throws {
    #expect(try command("a.exr", "-o", "b.jpg").files == ["a.exr"])
    #expect(try command("--sdr", "s.png", "--hdr", "a.exr", "-o", "b.jpg").sdr == "s.png")
    #expect(throws: (any Error).self) { try command("-o", "b.jpg") }
    #expect(throws: (any Error).self) { try command("a.exr", "--hdr", "a.exr", "-o", "b.jpg") }
  }

  @Test func choices() throws {
    let chosen = try request(
      "--baseline", "hdr", "-q", "70", "--gainmap-quality", "60", "--gainmap-scale", "4",
      "--gainmap-channels", "1", "--gainmap-depth", "10", "--primaries", "srgb", "--flavors",
      "iso,xmp", "-y", "420", "-d", "12")
    #expect(chosen.content == .gainMap && chosen.coding.format == .avif)
    #expect(chosen.gainMap.baseline == .hdr && chosen.color.primaries == .bt709)
    #expect(chosen.gainMap.flavors == [.iso, .xmp] && chosen.coding.quality == 70)
    #expect(chosen.gainMap.quality == 60 && chosen.gainMap.scale == 4)
    #expect(chosen.gainMap.componentCount == 1 && chosen.gainMap.depth == 10)
    #expect(chosen.coding.chroma == .yuv420 && chosen.coding.depth == 12)
    #expect(try request().givenFields == ["coding.format", "content"])
  }

  /// Only `--keep-sdr` keeps a coded image.
  @Test("a baseline file and raw development options")
  func rawFiles() throws {
    let words = [
      "a.dng", "-o", "b.jpg", "--sdr", "c.jpg", "--keep-sdr", "--raw",
      "tone-curve=0.5,gamut-mapping=off",
    ]
    let request = try command(words).request()
    #expect(request.companions.standard == "c.jpg" && request.copying == .automatic)
    #expect(request.raw.boost == 0.5 && request.raw.mapsGamut == false)
    let development = request.raw.development(exposure: 1, isStandard: false)
    #expect(development.boostAmount == 0.5 && !development.isGamutMappingEnabled)
    #expect(development.exposure == 1 && development.extendedDynamicRangeAmount == 1)
    #expect(request.raw.development(exposure: 0, isStandard: true).isStandard)
    #expect(try self.request("--sdr", "c.jpg").copying == .never)
  }

  /// The verbs reject raw options for a file that is not raw.
  @Test(arguments: [["gainmap", "create"], ["convert"]])
  func verbsRefuseThem(verb: [String]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let image = folder.appending(path: "a.hdr")
    try Data("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n\u{1}\u{1}\u{1}\u{7f}".utf8)
      .write(to: image)
    var command = try HDRConvert.parseAsRoot(
      verb + [image.path, "-o", folder.appending(path: "b.avif").path, "--raw", "scale=0.5"])
    let failure = #expect(throws: Failure.self) { try command.run() }
    #expect(failure?.error.code.id == "raw/option-without-raw")
    #expect(failure?.error.parameters["field"] == .text("--raw scale"))
  }

  @Test(arguments: [
    ["-q", "101"], ["--gainmap-scale", "3"], ["--gainmap-channels", "2"],
    ["--primaries", "bt2020"],
    ["--target-error", "0"], ["--target-error", "5", "--gainmap-quality", "80"],
    ["--target-error", "5", "-q", "80"],
    ["--flavors", "foo"], ["--baseline", "both"], ["--raw", "camera-jpeg=c.jpg", "--sdr", "c.jpg"],
    ["--keep-sdr"], ["--sdr", "c.jpg", "--operator", "clip"],
    ["--raw", "scene-linear,tone-curve=0.5"], ["--raw", "draft,sharpness=1"],
    ["--raw", "draft,detail=0.5"], ["--raw", "extended-dynamic-range=3"],
    ["--raw", "tone-curve=-1"], ["--raw", "scene-linear,profile=x"],
  ])
  func nonsense(words: [String]) {
    #expect(throws: (any Error).self) {
      try HDRConvert.parseAsRoot(["gainmap", "create", "a.exr", "-o", "b.jpg"] + words)
    }
  }
}
