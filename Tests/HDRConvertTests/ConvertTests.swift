// SPDX-License-Identifier: Apache-2.0
import Foundation
import GainMap
import HDRConversion
import HDRCore
import ImageCodecs
import Testing

@testable import ImageFiles
@testable import Command

#if JPEG && PNG && EXR && AVIF
/// Choices of `convert` by input, output and options.
@Suite("Choices of convert", .serialized) struct ConvertTests {
  private typealias Jobs = FrontDoorTests

  /// An AVIF file whose baseline image is HDR.
  private static let hdrBaseline: Result<String, any Error> = Result {
    let path = try Jobs.name("hdr-base.avif")
    try Jobs.run(["gainmap", "create", Jobs.scene, "-o", path, "--baseline", "hdr", "-s", "10"])
    return path
  }

  /// The alternate image becomes the baseline image of a JPEG file, which cannot store an HDR one.
  @Test(arguments: [
    ([], [768, 512]), (["--gainmap", "keep"], [768, 512]), (["--resize", "200"], [200, 133]),
    (["--crop", "0,0,100,80", "--rotate", "90"], [80, 100]),
  ])
  func hdrBaselinesAreSwapped(options: [String], size: [Int]) throws {
    let output = try Jobs.name("swapped.jpg")
    try Jobs.run([try Self.hdrBaseline.get(), "-o", output, "--quiet"] + options)
    #expect(try Jobs.size(output) == size)
    // XMP cannot store gain in the primaries of the alternate image.
    #expect(try Jobs.flavors(output) == [.iso])
    let file = try Jobs.file(output)
    #expect(try file.gainMaps().applicable?.metadata?.isBaseHDR == false)
    #expect(try SourceImage.open(file).isHighDynamicRange == false)
  }

  /// The codes of the notices of a conversion of one input.
  private func notices(_ arguments: [String]) throws -> Set<String> {
    let report = InputReport()
    try InputReport.$current.withValue(report) { try Jobs.run(arguments) }
    return Set(report.contents.notices.map(\.code.id))
  }

  /// A gain map that is applied although the output could store it is reported.
  @Test(arguments: [
    ([], "avif", true), (["--gainmap", "apply"], "avif", false), ([], "png", false),
    (["--transfer", "hlg"], "avif", false), (["--resize", "100"], "avif", false),
  ])
  func appliedGainMapsAreReported(options: [String], suffix: String, isReported: Bool) throws {
    let output = try Jobs.name("applied.\(suffix)")
    let words = [try Self.hdrBaseline.get(), "-o", output, "--quiet", "-s", "10"]
    let codes = try notices(words + options)
    #expect(codes.contains("convert/gain-map-applied") == isReported)
  }

  /// A quality re-encodes a JPEG file, whose gain map stays; without one, it is copied.
  @Test(arguments: [true, false])
  func qualitiesReencodeJPEG(hasGainMap: Bool) throws {
    let input = try Jobs.name("input.jpg")
    try Jobs.run([Jobs.scene, "-o", input, "--quiet"] + (hasGainMap ? [] : ["--sdr"]))
    let flavors = try Jobs.flavors(input)
    #expect(flavors.isEmpty != hasGainMap)
    func payloads(_ path: String) throws -> [String] {
      try CodedPayload.sha256(of: try Jobs.file(path).codedPayloads())
    }
    for (options, isCopied) in [([], true), (["--quality", "50"], false)] {
      let output = try Jobs.name("output.jpg")
      let codes = try notices([input, "-o", output, "--quiet"] + options)
      #expect(codes.contains("base/re-encoded-in-format") != isCopied)
      #expect(try Jobs.flavors(output) == flavors)
      #expect(try (payloads(output) == payloads(input)) == isCopied)
    }
  }

  /// The coded image of `--raw camera-jpeg` is kept, unless geometry or a quality changes it.
  @Test(arguments: [
    ([], true, false), (["--resize", "200"], false, true), (["--quality", "50"], false, false),
  ])
  func codedBaselinesAreKept(options: [String], isKept: Bool, isReported: Bool) throws {
    let (base, output) = (try Jobs.name("base.jpg"), try Jobs.name("both.jpg"))
    try Jobs.run([Jobs.scene, "-o", base, "--sdr", "--quiet"])
    let words = [Jobs.scene, "--raw", "camera-jpeg=\(base)", "-o", output, "--quiet"]
    #expect(try notices(words + options).contains("base/re-encoded") == isReported)
    let payloads = try [base, output].map {
      try CodedPayload.sha256(of: try Jobs.file($0).codedPayloads())[0]
    }
    #expect((payloads[0] == payloads[1]) == isKept)
    #expect(try Jobs.flavors(output) == [.iso, .xmp])
  }

  /// An option that excludes a computed gain map is named, with a remedy.
  @Test(arguments: [
    ("--set color-tags=icc", "convert/option-changes-samples", "leave out --set color-tags"),
    ("--depth 10", "create/base-depth-unsupported", "leave out --depth"),
    ("--transfer pq", "target/not-hdr", "--level standard"),
  ])
  func conflictsAreNamed(words: String, code: String, remedy: String) throws {
    let options = words.split(separator: " ").map(String.init)
    let output = try Jobs.name("conflict.jpg")
    let failure = #expect(throws: Failure.self) {
      try Jobs.run([Jobs.scene, "-o", output, "--quiet"] + options)
    }
    #expect(failure?.error.code.id == code)
    #expect(failure?.remedy.contains(remedy) == true)
    if remedy == "--sdr" { try Jobs.run([Jobs.scene, "-o", output, "--quiet", "--sdr"] + options) }
  }

  /// A display without headroom shows the SDR image, which JPEG stores.
  @Test func jpegStoresTheImageOfAnSDRDisplay() throws {
    let (output, sdr) = (try Jobs.name("one.jpg"), try Jobs.name("sdr.jpg"))
    let input = try Jobs.ultraHDR.get()
    try Jobs.run(["gainmap", "apply", input, "-o", output, "--headroom", "1x", "--quiet"])
    try Jobs.run([input, "-o", sdr, "--sdr", "--primaries", "p3", "--quiet"])
    let document = try SourceImage.open(try Jobs.file(output))
    #expect(!document.isHighDynamicRange && document.image.color.primaries == .displayP3)
    let files = try [output, sdr].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(files[0] == files[1])
    #expect(throws: Failure.self) {
      try Jobs.run([
        "gainmap", "apply", input, "-o", output, "--headroom", "2x", "--force", "--quiet",
      ])
    }
  }

  /// An image without headroom does not fail a folder, but an explicit gain map does.
  @Test func darkImagesAreWrittenAlone() throws {
    let (dark, base) = (try Jobs.name("dark.exr"), try Jobs.name("dark.jpg"))
    let output = try Jobs.name("both.jpg")
    try Jobs.run([Jobs.scene, "-o", dark, "--exposure=-9", "--quiet"])
    try Jobs.run([dark, "-o", base, "--sdr", "--quiet"])
    let codes = try notices([dark, "--raw", "camera-jpeg=\(base)", "-o", output, "--quiet"])
    #expect(codes.contains("convert/companion-alone"))
    let files = try [base, output].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(files[0] == files[1])
    let single = try notices([dark, "-o", output, "--quiet", "--force"])
    #expect(single.contains("convert/without-headroom"))
    let failure = #expect(throws: Failure.self) {
      try Jobs.run([dark, "-o", output, "--quiet", "--force", "--gainmap", "apply"])
    }
    #expect(failure?.error.code.id == "create/no-headroom" && failure?.exitCode == 65)
  }

  /// Flavors apply to outputs with a gain map.
  @Test(arguments: [[], ["--resize", "200"]])
  func flavorsAreChosen(options: [String]) throws {
    let output = try Jobs.name("iso.jpg")
    for input in [Jobs.scene, try Jobs.ultraHDR.get()] {
      try Jobs.run(
        [input, "-o", output, "--flavors", "iso", "--quiet", "--force"] + options)
      #expect(try Jobs.flavors(output) == [.iso])
    }
    let failure = #expect(throws: Failure.self) {
      try Jobs.run([Jobs.scene, "-o", try Jobs.name("a.png"), "--flavors", "iso", "--quiet"])
    }
    #expect(failure?.error.code.id == "convert/flavors-without-gain-map")
  }

  /// A swapped file that is resized has the alternate image of the resized original.
  ///
  /// Pixels at edges are averaged before the gain in one file and after it in the other, which
  /// doubles the difference in this image, as it does for a resized file with an SDR baseline image.
  @Test func swappedAndResizedFilesKeepTheAlternateImage() throws {
    let source = try Jobs.file(try Self.hdrBaseline.get())
    let encoder = EncoderOptions(quality: 96, speed: 10)
    var options = GainMapTranscoder.Options(format: .jpeg, base: encoder, map: encoder)
    (options.flavors, options.isExact) = ([.iso], true)
    func error(_ first: ImageFile, _ second: ImageFile) throws -> Double {
      try ImageComparison().run(try SourceImage.open(first), try SourceImage.open(second))
        .difference.deltaE.mean
    }
    let whole = try error(try GainMapTranscoder(source, options).swapped().file, source)
    options.geometry = GeometryEdit(size: .longSide(200))
    let swapped = try GainMapTranscoder(source, options).swapped()
    options.format = .avif
    let resized = try GainMapTranscoder(source, options).transcoded()
    let part = try error(swapped.file, resized.file)
    #expect(part < 2.5 * whole, "\(part), \(whole)")
  }
}
#endif
