// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HDRConversion
import HDRCore
import ImageFiles
import Testing

@testable import Command

@Suite("Inputs and outputs as arguments") struct FileArgumentsTests {
  /// The failure of arguments that a verb refuses.
  private func failure(_ words: String) -> Failure? {
    do {
      _ = try HDRConvert.parsed(words.split(separator: " ").map(String.init))
      return nil
    } catch { return Failure.thrownByValidation(error) }
  }

  /// The last of two names may be meant as the output.
  @Test(arguments: [
    ("remux a.jpg b.hdr --flavors iso", "add --out-dir, or --name"),
    ("a.heic b.hdr", "add --out-dir, or --name"),
    ("a.heic b.heic c.jpg", "add --out-dir, or --name"),
  ])
  func misplacedOutputs(words: String, remedy: String) {
    let failure = failure(words)
    #expect(failure?.error.code.english == "several inputs require --out-dir or --name")
    #expect(failure?.remedy.hasSuffix(remedy) == true)
  }

  /// The second of two files is the output, unless it exists and is not to be replaced.
  @Test func secondOperand() throws {
    let convert = try #require(try HDRConvert.parsed(["a.heic", "b.jpg"]) as? Convert)
    #expect(convert.inputPaths == ["a.heic"] && convert.target.output == "b.jpg")
    let existing = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).png")
    try Data().write(to: existing)
    defer { try? FileManager.default.removeItem(at: existing) }
    #expect(
      failure("a.heic \(existing.path)")?.error.code.english
        == "several inputs require --out-dir or --name")
    let forced = try #require(
      try HDRConvert.parsed(["a.heic", existing.path, "--force"]) as? Convert)
    #expect(forced.inputPaths == ["a.heic"] && forced.target.output == existing.path)
    let several = try HDRConvert.parsed(["a.heic", "b.jpg", "--out-dir", "c", "--to", "avif"])
    #expect((several as? Convert)?.inputPaths == ["a.heic", "b.jpg"])
  }

  /// An output that is given holds for one input, also with options for many.
  @Test(arguments: [
    "a.heic -o b.jpg --resume c", "a.heic b.jpg --resume c",
    "a.dng -o b.jpg --raw camera-jpeg=auto",
    "a.dng b.jpg --raw camera-jpeg=auto", "gainmap create a.exr b.jpg",
    "gainmap create --hdr a.exr b.jpg",
  ])
  func outputsOfOneInput(words: String) throws {
    let verb = try HDRConvert.parsed(words.split(separator: " ").map(String.init))
    let batch = try #require(verb as? any BatchVerb)
    #expect(batch.inputPaths.count == 1 && batch.target.output == "b.jpg")
  }

  /// The reasons for which an output is refused.
  @Test(arguments: [
    ("a.heic -o b.jpg --out-dir c", "--output and --out-dir both name the output"),
    ("a.heic c.heic -o b.jpg", "--output is for one input"),
    ("a.heic -o b.jpg --sizes 480,960", "several sizes or formats"),
    ("a.heic -o - --resume c", "--resume records files"),
    ("a.heic --sizes 480,960", "require --out-dir"),
    ("render a.heic -o b.jpg --level standard --sizes 480,960", "for convert"),
    ("render a.heic -o b.jpg --level standard=1,high=2", "whose headroom is missing"),
    ("a.heic --out-dir b --to jpg --shard auto", "this is not a job of a Slurm array"),
    ("a.heic --out-dir b --to jpg --shard 3/2", "from 1/4 to 4/4"),
    ("a.heic --out-dir b --to jpg --html --json", "--html and --json"),
  ])
  func refusedOutputs(words: String, reason: String) {
    let error = #expect(throws: (any Error).self) {
      try HDRConvert.parsed(words.split(separator: " ").map(String.init))
    }
    let text = error.map {
      Failure.thrownByValidation($0)?.message ?? HDRConvert.completeMessage(for: $0)
    }
    #expect(text?.contains(reason) == true, "\(text ?? "")")
  }

  /// Three files are the SDR image, the HDR image and the output.
  @Test func threeFilesOfAGainMap() throws {
    let verb = try HDRConvert.parsed(["gainmap", "create", "a.tif", "b.exr", "c.jpg"])
    let create = try #require(verb as? CreateGainMap)
    #expect(create.sdr == "a.tif" && create.files == ["b.exr"] && create.target.output == "c.jpg")
  }

  /// The element has a source for each format, and addresses of the folder of the page.
  @Test func elementOfAWebSet() {
    let images = [(960, 640), (480, 320)].flatMap { width, height in
      [FileFormat.jpeg, .avif].map { format in
        ResponsiveImage.Image(
          path: "web/a b-\(width).\(format.traits.suffixes[0])", format: format, width: width,
          height: height, isHDR: format == .avif)
      }
    }
    #expect(
      ResponsiveImage(images, in: "web").lines == [
        "<picture>",
        #"  <source type="image/avif" media="(dynamic-range: high)" "#
          + #"srcset="a%20b-480.avif 480w, a%20b-960.avif 960w" sizes="100vw">"#,
        #"  <img src="a%20b-960.jpg" srcset="a%20b-480.jpg 480w, a%20b-960.jpg 960w" sizes="100vw" "#
          + #"width="960" height="640" alt="">"#, "</picture>",
      ])
  }

  #if EXR && PNG && JPEG && AVIF
  /// A file of each size and format; sizes above that of the image are one file.
  @Test func namesOfAWebSet() throws {
    let words = [Self.scene, "--sizes", "32,16,5000,9000", "--to", "avif,jpg", "--out-dir", "web"]
    let verb = try #require(try HDRConvert.parsed(words) as? Convert)
    let jobs = try BatchJobList(verb).jobs
    let size = try ImageExtent(path: Self.scene).primary
    let names = ["avif", "jpg"].flatMap { suffix in
      [16, 32, max(size.width, size.height)].map { "web/photo-\($0).\(suffix)" }
    }
    #expect(try jobs.map { try $0.output.get() } == names)
    let first = try #require(jobs.first)
    let single = verb.alone(
      Job.Input(path: Self.scene, output: names[0], mayReplace: false, variant: first.variant))
    let request = try single.request()
    #expect(request.geometry.longSide == 16 && request.coding.format == .avif)
  }

  /// Options for raw files are for those of a mixed folder, and require one.
  @Test func rawKeysOfMixedInputs() throws {
    let options = ["--raw", "temperature=5200", "--out-dir", "out", "--to", "avif"]
    let mixed = try #require(
      try HDRConvert.parsed([Self.scene, "a.dng"] + options) as? Convert)
    for (path, isRaw) in [(Self.scene, false), ("a.dng", true)] {
      let single = mixed.alone(Job.Input(path: path, output: "out/b.avif", mayReplace: false))
      #expect(try single.request().raw.temperature == (isRaw ? 5200 : nil))
    }
    _ = try BatchJobList(mixed)
    let other = Self.scene.replacing("photo", with: "ramps")
    let processed = try #require(
      try HDRConvert.parsed([Self.scene, other] + options) as? Convert)
    let failure = #expect(throws: Failure.self) { try BatchJobList(processed) }
    #expect(failure?.error.code.id == "raw/option-without-raw")
  }

  private static let scene = FrontDoorTests.scene

  /// A format that requires a conversion is named.
  @Test(arguments: ["x.heic", "x.png"]) func formatsOfRemux(output: String) {
    let words = ["remux", Self.scene, "-o", output]
    Invocation.$whole.withValue(Invocation(["hdrconvert"] + words)) {
      let failure = #expect(throws: Failure.self) { try FrontDoorTests.run(words) }
      #expect(failure?.error.code.id == "transcode/formats")
      #expect(failure?.remedy.hasPrefix("to convert it: hdrconvert ") == true)
      #expect(failure?.remedy.hasSuffix(" -o \(output)") == true)
    }
  }

  /// A dry run of one input lists its output, and what becomes of each part.
  @Test func dryRunsTakeAnOutput() throws {
    let report = InputReport()
    try InputReport.$current.withValue(report) {
      var command = try HDRConvert.parsed([Self.scene, "--dry-run", "-o", "zz.png"])
      try command.run()
    }
    let lines = String(decoding: report.contents.output, as: UTF8.self).split(separator: "\n")
    #expect(lines.first ?? "" == "\(Self.scene) -> zz.png")
    #expect(lines.dropFirst().first ?? "" == "  image: render, HDR (PQ) in PNG")
    #expect(!FileManager.default.fileExists(atPath: "zz.png"))
  }

  /// Listings are objects of the JSON report.
  @Test(arguments: [
    [scene, "--dry-run", "-o", "zz.png", "--json"], ["validate", "--rules", "--json"],
    [
      scene, scene.replacing("photo", with: "ramps"), "--out-dir", "out", "--to", "png", "-n",
      "--json",
    ],
  ])
  func listingsAreJSON(words: [String]) throws {
    let report = InputReport()
    try InputReport.$current.withValue(report) {
      var command = try HDRConvert.parsed(words)
      try command.run()
    }
    #expect(report.contents.output.isEmpty && !report.contents.results.isEmpty)
    let isListed = report.contents.results.allSatisfy {
      ($0 as? AnyReport)?.base is ListedOutputReport || $0 is ListedRuleReport
    }
    #expect(isListed)
  }
  #endif
}
