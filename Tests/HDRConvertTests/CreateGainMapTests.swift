// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import GainMap
import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import RAWDevelop
import Testing

@testable import hdrconvert

@Suite("Options of gainmap create") struct CreateGainMapTests {
  private func command(_ words: String...) throws -> CreateGainMap { try command(words) }

  private func command(_ words: [String]) throws -> CreateGainMap {
    try #require(
      try HDRConvert.parseAsRoot(["gainmap", "create"] + words) as? CreateGainMap)
  }

  private func options(_ words: String...) throws -> GainMapEncoder.Options {
    let command = try #require(
      try HDRConvert.parseAsRoot(["gainmap", "create", "a.exr", "-o", "b.avif"] + words)
        as? CreateGainMap)
    return try command.coding.options(.avif, command.coding.encoder(for: .avif))
  }

  @Test func renditionWithHeadroomIsGivenOnce() throws {
    #expect(try command("a.exr", "-o", "b.jpg").files == ["a.exr"])
    #expect(try command("--sdr", "s.png", "--hdr", "a.exr", "-o", "b.jpg").sdr == "s.png")
    #expect(throws: (any Error).self) { try command("-o", "b.jpg") }
    #expect(throws: (any Error).self) { try command("a.exr", "--hdr", "a.exr", "-o", "b.jpg") }
  }

  @Test func choices() throws {
    let chosen = try options(
      "--base", "hdr", "-q", "70", "--gainmap-quality", "60", "--gainmap-scale", "4",
      "--gainmap-channels", "1", "--gainmap-depth", "10", "--primaries", "srgb", "--flavors",
      "iso,xmp", "-y", "420", "-d", "12")
    #expect(chosen.baseIsHDR && chosen.primaries == .bt709 && chosen.flavors == [.iso, .xmp])
    #expect(chosen.encoder.quality == 70 && chosen.map.quality == 60 && chosen.map.scale == 4)
    #expect(chosen.map.componentCount == 1 && chosen.map.depth == 10)
    #expect(chosen.chroma == .yuv420 && chosen.depth == 12)
    let usual = try options()
    #expect(!usual.baseIsHDR && usual.primaries == .displayP3 && usual.flavors == [.iso])
    #expect(usual.map.quality == nil && usual.targetError == nil)
  }

  @Test("a baseline file and raw development options")
  func rawFiles() throws {
    let words = [
      "a.dng", "-o", "b.jpg", "--base", "c.jpg", "--boost", "0.5", "--gamut-mapping", "off",
    ]
    let parsed = try HDRConvert.parseAsRoot(["gainmap", "create"] + words)
    let command = try #require(parsed as? CreateGainMap)
    #expect(command.coding.base.file == "c.jpg")
    let development = command.raw.development(exposure: 1, isStandard: false)
    #expect(development.boostAmount == 0.5 && !development.isGamutMappingEnabled)
    #expect(development.exposure == 1 && development.extendedDynamicRangeAmount == 1)
    #expect(command.raw.development(exposure: 0, isStandard: true).isStandard)
  }

  @Test(
    "raw options require a raw file",
    arguments: [
      ["--temperature", "5000"], ["--scale-factor", "0.5"], ["--scene-linear"], ["--salvage"],
      ["--boost", "0.5"], ["--highlights", "keep"], ["--lens-correction", "on"],
    ])
  func optionsForRawFiles(words: [String]) throws {
    let command = try command(["a.exr", "-o", "b.jpg"] + words)
    #expect(command.raw.given == words[0])
    let refused = #expect(throws: ImageError.self) { try command.raw.refuse() }
    #expect(refused?.category == .invalidArgument)
  }

  @Test func exposureIsForRawFiles() throws {
    let raw = try command(["a.exr", "-o", "b.jpg"]).raw
    try raw.refuse()
    #expect(throws: ImageError.self) { try raw.refuse("--exposure") }
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
      verb + [image.path, "-o", folder.appending(path: "b.avif").path, "--scale-factor", "0.5"])
    let failure = #expect(throws: Failure.self) { try command.run() }
    #expect(failure?.error.code.id == "raw/option-without-raw")
    #expect(failure?.error.parameters["option"] == .text("--scale-factor"))
  }

  @Test(arguments: [
    ["-q", "101"], ["--gainmap-scale", "3"], ["--gainmap-channels", "2"],
    ["--primaries", "bt2020"],
    ["--target-error", "0"], ["--target-error", "5", "--gainmap-quality", "80"],
    ["--target-error", "5", "-q", "80"],
    ["--flavors", "foo"], ["--base", "both"], ["--base", "c.jpg", "--sdr", "c.jpg"],
    ["--base", "c.jpg", "--operator", "clip"], ["--scene-linear", "--boost", "0.5"],
    ["--draft", "--sharpness", "1"], ["--draft", "--detail", "0.5"],
    ["--extended-dynamic-range", "3"], ["--boost", "-1"], ["--scene-linear", "--profile", "x"],
  ])
  func nonsense(words: [String]) {
    #expect(throws: (any Error).self) {
      try HDRConvert.parseAsRoot(["gainmap", "create", "a.exr", "-o", "b.jpg"] + words)
    }
  }
}
