// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HDRCore
import Testing

@testable import GainMap
@testable import HDRConversion
@testable import ImageFiles
@testable import RAWDevelop
@testable import Command

/// Sentences that the guide to the language of the project prescribes; Decision 43 lists those that
/// contain more.
@Suite("Prescribed sentences") struct SentenceTests {
  @Test(arguments: [
    (
      Notice(.metadataThumbnailNotCopied, ["items": ["thumbnail"]]),
      "not copied: embedded thumbnail (it would not match the re-encoded image)"
    ),
    (
      Notice(.baseReEncoded, ["codec": "HEVC", "format": "JPEG", "quality": 90]),
      "re-encoded: base image (HEVC to JPEG, quality 90)"
    ),
    (
      Notice(.gainMapApproximated, ["what": "gain map parameters", "error": 0.063065]),
      "approximated: gain map parameters (maximum error 0.0631 stops)"
    ),
    (
      Notice(.pixelsOutOfGamut, ["count": 1552, "share": 0.0129]),
      "clipped: 1552 pixels out of gamut (negative components set to 0), 0.0129 % of the image"
    ),
  ])
  func notices(notice: Notice, sentence: String) {
    #expect(notice.message == sentence)
  }

  @Test(arguments: [
    (ImageError(.targetNotHDR, ["format": "JPEG"]), "JPEG cannot store a PQ or HLG image"),
    (
      ImageError(.rawNoColorMatrix, ["camera": "A"]),
      "no color matrix in the file; camera colors cannot be interpreted"
    ),
    (ImageError(.unrecognizedFormat), "unrecognized image format"),
    (
      ImageError(.valueNotFinite, ["field": "BaselineExposure", "value": "0/0"]),
      "BaselineExposure is 0/0 (undefined)"
    ),
  ])
  func errors(error: ImageError, sentence: String) {
    #expect(error.message == sentence)
  }

  /// The remedy for an HDR image in JPEG, with the name of the output.
  @Test func remedies() {
    let invocation = Invocation(["hdrconvert", "gainmap", "apply", "a.heic", "-o", "b.jpg"])
    let error = ImageError(.targetNotHDR, ["format": "JPEG"]).inFile("a.heic")
    let remedy = Remedies.remedy(against: error, of: invocation) ?? ""
    #expect(
      remedy.hasPrefix(
        "For an SDR JPEG: `hdrconvert render a.heic --level standard -o b.jpg`; to keep HDR as an "
          + "Ultra HDR JPEG: `hdrconvert a.heic -o b.jpg`"))
    #expect(
      Failure(ImageError(ErrorCode("test", .invalidArgument, "cause")).inFile("a.heic")).message
        == "cannot convert a.heic with these options")
    let display = #expect(throws: (any Error).self) {
      _ = try HDRConvert.parsed(["render", "a.heic", "-o", "b.png"])
    }
    #expect(
      display.map { HDRConvert.message(for: $0) }
        == "choose a target display with --headroom, --level or --display (for SDR: "
        + "--level standard)")
  }

  @Test(arguments: [
    ("raw", "White-balance tint; higher is more magenta."),
    ("render", "Out-of-gamut colors: soft desaturates, clip clips (default: soft)."),
    (
      "gainmap create",
      "The gain map is computed against the decoded base image. The file is then read back, and the "
        + "error (Delta E ITP) and sizes are reported."
    ),
  ])
  func help(verb: String, sentence: String) throws {
    let words = ["help"] + verb.split(separator: " ").map(String.init) + ["--all"]
    let text = try #require(Help.text(for: words, columns: 10_000))
    #expect(text.contains(sentence))
  }
}
