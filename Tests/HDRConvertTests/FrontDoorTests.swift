// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import GainMap
import HDRConversion
import HDRCore
import ImageCodecs
import Testing

@testable import ImageFiles
@testable import Command

#if JPEG && PNG && EXR && AVIF
@Suite("Common jobs", .serialized) struct FrontDoorTests {
  private static let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("hdrconvert-jobs-\(UUID().uuidString)").path

  static let scene = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("reference-images/photo.exr").path

  /// An Ultra HDR JPEG, created once.
  static let ultraHDR: Result<String, any Error> = Result {
    let path = try name("uhdr.jpg")
    try run([scene, "-o", path, "--quiet"])
    return path
  }

  static func name(_ suffix: String) throws -> String {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder + "/\(UUID().uuidString)-\(suffix)"
  }

  static func run(_ arguments: [String]) throws {
    var command = try HDRConvert.parsed(arguments)
    try command.run()
  }

  static func file(_ path: String) throws -> ImageFile {
    try ImageFile(parsing: try ByteSource(path: path), options: OpeningOptions())
  }

  static func flavors(_ path: String) throws -> Set<GainMapFlavor> {
    Set((try? file(path).gainMaps())?.applicable?.flavors ?? [])
  }

  static func size(_ path: String) throws -> [Int] {
    let size = try file(path).contents().primary.uprightSize
    return [size.width, size.height]
  }

  @Test func hdrBecomesUltraHDRJPEG() throws {
    #expect(try Self.flavors(try Self.ultraHDR.get()) == [.iso, .xmp])
  }

  @Test(arguments: [("avif", Set([GainMapFlavor.iso])), ("jpg", Set([GainMapFlavor.iso, .xmp]))])
  func gainMapIsKept(suffix: String, flavors: Set<GainMapFlavor>) throws {
    let output = try Self.name("kept.\(suffix)")
    try Self.run([
      try Self.ultraHDR.get(), "-o", output, "--gainmap", "keep", "--quiet", "-s", "10",
    ])
    #expect(try Self.flavors(output) == flavors)
  }

  @Test(arguments: [
    ("uhdr", ["--resize", "200"], [200, 133]), ("uhdr", ["--resize", "2000"], [768, 512]),
    ("scene", ["--resize", "200"], [200, 133]), ("scene", ["--resize", "800"], [768, 512]),
    ("scene", ["--resize", "800,enlarge"], [800, 533]),
  ])
  func thumbnailsKeepTheGainMap(input: String, options: [String], size: [Int]) throws {
    let source = input == "scene" ? Self.scene : try Self.ultraHDR.get()
    let output = try Self.name("thumb.jpg")
    try Self.run([source, "-o", output, "--quiet"] + options)
    #expect(try Self.size(output) == size)
    #expect(try Self.flavors(output) == [.iso, .xmp])
  }

  @Test(arguments: [("png", 1000, [768, 512]), ("png", 100, [100, 67])])
  func conversionsDoNotEnlarge(suffix: String, length: Int, size: [Int]) throws {
    let output = try Self.name("sized.\(suffix)")
    try Self.run([Self.scene, "-o", output, "--resize", "\(length)", "--quiet"])
    #expect(try Self.size(output) == size)
  }

  @Test(arguments: ["jpg", "png", "avif"])
  func sdrIsThatOfRender(suffix: String) throws {
    let (short, long) = (try Self.name("a.\(suffix)"), try Self.name("b.\(suffix)"))
    try Self.run([Self.scene, "-o", short, "--sdr", "--quiet", "-s", "10"])
    try Self.run([
      "render", Self.scene, "-o", long, "--level", "standard", "--quiet", "-s", "10",
    ])
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: short))
        == Data(
          contentsOf: URL(fileURLWithPath: long)))
    #expect(try Self.flavors(short).isEmpty)
  }

  @Test func editingInPlaceRequiresForceOrBackup() throws {
    let path = try Self.name("edited.png")
    try Self.run([Self.scene, "-o", path, "--quiet"])
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    let words = ["tag", path, "--set", "clli=300:200", "--quiet"]
    let failure = #expect(throws: Failure.self) { try Self.run(words) }
    #expect(failure?.exitCode == 73 && failure?.error.code.id == "output/exists")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == original)
    try Self.run(words + ["--backup"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) != original)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".orig")) == original)
    // The backup is not replaced either.
    #expect(throws: Failure.self) {
      try Self.run(["tag", path, "--set", "clli=301:200", "--backup", "--quiet"])
    }
    try Self.run(["tag", path, "--set", "clli=301:200", "--force", "--quiet"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".orig")) == original)
  }

  @Test func fixingInPlaceKeepsABackup() throws {
    let path = try Self.name("wrong.png")
    try Self.run([Self.scene, "-o", path, "--quiet"])
    try Self.run(["tag", path, "--set", "clli=20:10", "--force", "--quiet"])
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    do { try Self.run(["validate", "--fix", path, "--backup"]) } catch let code as ExitCode {
      #expect(code.rawValue == 1)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) != original)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".orig")) == original)
  }

  /// A file with location data in XMP.
  static func located() throws -> String {
    let (packet, path) = (try Self.name("gps.xmp"), try Self.name("located.jpg"))
    let xmp = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" \
      exif:GPSLatitude="48,12.5N" exif:GPSLongitude="16,22.1E" xmp:CreatorTool="Test"/>\
      </rdf:RDF></x:xmpmeta>
      """
    try Data(xmp.utf8).write(to: URL(fileURLWithPath: packet))
    try Self.run(["tag", try Self.ultraHDR.get(), "-o", path, "--set", "xmp=\(packet)", "--quiet"])
    #expect(try Self.file(path).metadataSummary().hasLocation)
    return path
  }

  @Test(arguments: [
    (["-o", "OUT.jpg"]), (["-o", "OUT.png"]), (["-o", "OUT.jpg", "--resize", "100"]),
    (["-o", "OUT.jpg", "--gainmap", "apply"]),
  ])
  func locationIsStripped(words: [String]) throws {
    let input = try Self.located()
    for (options, hasLocation, hasTool) in [
      ([], true, true), (["--strip", "gps"], false, true), (["--strip", "all"], false, false),
    ] {
      let output = try Self.name("out")
      let arguments = words.map { $0.replacing("OUT", with: output) }
      try Self.run([input] + arguments + options + ["--quiet"])
      let summary = try Self.file(arguments[1]).metadataSummary()
      #expect(summary.hasLocation == hasLocation, "\(words) \(options)")
      let xmp = String(decoding: summary.xmp ?? [], as: UTF8.self)
      #expect(xmp.contains("CreatorTool") == hasTool, "\(words) \(options)")
    }
  }

  /// Every verb that writes an image takes `--strip`.
  @Test(arguments: [
    ["render", "IN", "--level", "standard", "-o", "OUT.png"],
    ["remux", "IN", "-o", "OUT.jpg", "--flavors", "iso"],
    ["tag", "IN", "-o", "OUT.jpg", "--set", "orientation=1"],
    ["gainmap", "create", "SCENE", "--sdr", "IN", "-o", "OUT.jpg"],
    ["gainmap", "flatten", "IN", "-o", "OUT.jpg"],
    ["extract", "IN", "--item", "0", "-o", "OUT.jpg"],
    ["gainmap", "apply", "IN", "-o", "OUT.png"],
    ["gainmap", "swap", "IN", "-o", "OUT.avif", "--allow-reencode", "-s", "10"],
    ["gainmap", "join", "--baseline", "IN", "--map", "MAP", "-o", "OUT.jpg"],
    ["validate", "--fix", "IN", "-o", "OUT.jpg"],
  ])
  func everyVerbStrips(words: [String]) throws {
    let (input, map) = (try Self.located(), try Self.name("map.jpg"))
    try Self.run(["gainmap", "extract", input, "-o", map, "--quiet"])
    let files = ["IN": input, "MAP": map, "SCENE": Self.scene]
    for (options, hasLocation, hasTool) in [
      ([], true, true), (["--strip", "gps"], false, true), (["--strip", "all"], false, false),
    ] {
      let output = try Self.name("out")
      let arguments = words.map { files[$0] ?? $0.replacing("OUT", with: output) }
      try Self.run(arguments + options + (words[0] == "validate" ? [] : ["--quiet"]))
      let path = try #require(arguments.first { $0.hasPrefix(output) })
      let summary = try Self.file(path).metadataSummary()
      #expect(summary.hasLocation == hasLocation, "\(words) \(options)")
      let xmp = String(decoding: summary.xmp ?? [], as: UTF8.self)
      #expect(xmp.contains("CreatorTool") == hasTool, "\(words) \(options)")
    }
  }

  /// The default report of `inspect` is one screen.
  @Test(arguments: ["uhdr", "scene"])
  func inspectionIsOneScreen(input: String) throws {
    let path = input == "scene" ? Self.scene : try Self.ultraHDR.get()
    let text = InspectionText(
      file: "photo", inspection: try Self.file(path).contents(), raw: nil, light: nil,
      explains: false)
    #expect((4...24).contains(text.lines.count))
    #expect(text.lines.allSatisfy { $0.count <= 80 })
  }

  /// The command that leaves out the location keeps color and depth of an SDR image.
  #if TIFF
  @Test(arguments: [
    (["--set", "print=adobergb"], "--set print=adobergb"),
    (["--sdr", "--depth", "16"], "--sdr --depth 16"),
    (["--sdr"], "--sdr"),
  ])
  func locationOfSDRImages(options: [String], remedy: String) throws {
    let path = try Self.name("located.tif")
    try Self.run([Self.scene, "-o", path, "--set", "exif=\(try Self.gps())", "--quiet"] + options)
    let text = InspectionText(
      file: "a.tif", inspection: try Self.file(path).contents(), raw: nil, light: nil,
      explains: false)
    let command = text.lines.joined(separator: " ").replacing(#/ \\? +/#, with: " ")
    #expect(command.hasSuffix("hdrconvert a.tif -o a-public.tif --strip gps \(remedy)"))
  }
  #endif

  /// A word that is neither a name nor a profile.
  @Test func printsNeedAProfile() throws {
    let words = [Self.scene, "-o", try Self.name("print.tif"), "--quiet", "--set"]
    #expect(throws: (any Error).self) { try Self.run(words + ["print=srgb"]) }
    #expect(throws: Failure.self) { try Self.run(words + ["print=missing.icc"]) }
  }

  /// Exif with location data alone.
  static func gps() throws -> String {
    let latitude: [UInt8] = [2, 0, 5, 0, 3, 0, 0, 0, 56, 0, 0, 0]
    let bytes: [UInt8] =
      [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x25, 0x88, 4, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]
      + [2, 0, 1, 0, 2, 0, 2, 0, 0, 0, 0x4E, 0, 0, 0] + latitude + [0, 0, 0, 0]
      + [48, 12, 30].flatMap { [$0, 0, 0, 0, 1, 0, 0, 0] }
    let path = try name("gps.exif")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Location data in given metadata are reported, and removed by `--strip`.
  @Test(arguments: [
    ["IN", "-o", "OUT.png"], ["IN", "-o", "OUT.avif", "-s", "10"], ["tag", "PNG", "-o", "OUT.png"],
  ])
  func givenLocationIsStripped(words: [String]) throws {
    let (exif, png) = (try Self.gps(), try Self.name("plain.png"))
    try Self.run([Self.scene, "-o", png, "--quiet"])
    for (options, hasLocation) in [([], true), (["--strip", "gps"], false)] {
      let output = try Self.name("out")
      let arguments = words.map {
        $0 == "IN" ? Self.scene : $0 == "PNG" ? png : $0.replacing("OUT", with: output)
      }
      let report = InputReport()
      try InputReport.$current.withValue(report) {
        try Self.run(arguments + ["--set", "exif=\(exif)"] + options)
      }
      let path = try #require(arguments.first { $0.hasPrefix(output) })
      #expect(
        try Self.file(path).metadataSummary().hasLocation == hasLocation, "\(words) \(options)")
      let codes = report.contents.notices.map(\.code.id)
      #expect(codes.contains("location/included") == hasLocation, "\(words): \(codes)")
    }
    #expect(throws: (any Error).self) {
      _ = try HDRConvert.parsed(["a.exr", "-o", "a.png", "--set", "exif=\(exif)", "--strip", "all"])
    }
  }

  /// A gain map with location data of its own.
  @Test func extractedGainMapsAreStripped() throws {
    let (exif, input) = (try Self.gps(), try Self.name("located-map.jpg"))
    try Self.run([
      "tag", try Self.ultraHDR.get(), "-o", input, "--item", "1", "--set", "exif=\(exif)",
      "--quiet",
    ])
    for (options, hasLocation) in [([], true), (["--strip", "gps"], false)] {
      let output = try Self.name("map.jpg")
      try Self.run(["gainmap", "extract", input, "-o", output, "--quiet"] + options)
      #expect(try Self.file(output).metadataSummary().hasLocation == hasLocation, "\(options)")
    }
  }

  /// The largest difference of two images, in codes of 8 bits.
  private static func difference(_ first: String, _ second: String) throws -> Double {
    let planes = try [first, second].map { path in
      try SourceImage.open(try file(path)).image.planes()
    }
    guard case .integer(let one) = planes[0].planes, case .integer(let two) = planes[1].planes,
      planes[0].layout == planes[1].layout, case .integer(let bits) = planes[0].layout.samples
    else {
      Issue.record("different layouts")
      return .infinity
    }
    var largest = 0
    for (left, right) in zip(one, two) {
      let (ours, theirs) = (left.span, right.span)
      for index in ours.indices {
        largest = max(largest, abs(Int(ours[index]) - Int(theirs[index])))
      }
    }
    return Double(largest) * 255 / Double(1 << bits - 1)
  }

  /// Adobe RGB by name equals Adobe RGB by a profile of equal curves and matrix.
  @Test(arguments: [("png", 16), ("tif", 16), ("jpg", 8)])
  func printsAreInAdobeRGB(suffix: String, bits: Int) throws {
    let profile = try Self.name("adobe.icc")
    try Data(ICCProfile.adobeRGB).write(to: URL(fileURLWithPath: profile))
    let (named, given) = (try Self.name("a.\(suffix)"), try Self.name("b.\(suffix)"))
    for (output, target) in [(named, "adobergb"), (given, profile)] {
      try Self.run([Self.scene, "-o", output, "--set", "print=\(target)", "--quiet"])
    }
    #expect(try Self.difference(named, given) == 0)
    let document = try SourceImage.open(try Self.file(named))
    #expect(document.declaredColor.icc == ICCProfile.adobeRGB)
    let image = document.image
    #expect(image.layout.samples == .integer(bits: bits))
    #expect(image.color.primaries == .adobeRGB && image.color.transfer == .gamma(563 / 256))
  }

  @Test(arguments: [["--transfer", "pq"], ["--set", "icc=a.icc"], ["--gainmap", "keep"]])
  func printsExcludeOtherColors(options: [String]) {
    #expect(throws: (any Error).self) {
      _ = try HDRConvert.parsed([Self.scene, "-o", "a.tif", "--set", "print=adobergb"] + options)
    }
  }

  /// Both images are encoded once, at the quality that is reported.
  @Test func anotherFormatIsCroppedBeforeEncoding() throws {
    let source = try Self.file(try Self.ultraHDR.get())
    let encoder = EncoderOptions(quality: 96, speed: 10)
    var options = GainMapTranscoder.Options(format: .avif, base: encoder, map: encoder)
    options.flavors = [.iso]
    options.geometry = GeometryEdit(
      crop: PixelRectangle(x: 100, y: 40, width: 400, height: 300), size: .longSide(200))
    let result = try GainMapTranscoder(source, options).transcoded()
    let size = try result.file.contents().primary.uprightSize
    #expect(size.width == 200 && size.height == 150)
    #expect(try result.file.gainMaps().applicable?.flavors == [.iso])
    let base = try #require(result.notices.first { $0.code.id == "base/re-encoded" })
    #expect(base.parameters["quality"] == .integer(96))
    // The coded image is that of the transformed samples: cropping the original yields the same.
    var crop = ConversionRequest(quality: 96, longSide: 200)
    (crop.geometry.crop, crop.coding.speed) = (options.geometry.crop, 10)
    let cropped = try source.converted(crop)
    #expect(cropped.result.notices.contains { $0.code.id == "base/re-encoded-in-format" })
    let difference = try ImageComparison().run(
      try SourceImage.open(result.file), try SourceImage.open(ByteSource(cropped.bytes))
    ).difference
    #expect(difference.deltaE.mean < 4)
  }

  /// Linear values that reach 1.0 and no more are SDR.
  @Test func floatImagesUpToWhiteAreSDR() throws {
    let (sdr, output) = (try Self.name("sdr.exr"), try Self.name("pair.jpg"))
    try Self.run([
      "render", Self.scene, "--level", "standard", "-o", sdr, "--depth", "32", "--quiet",
    ])
    try Self.run(["gainmap", "create", "--sdr", sdr, "--hdr", Self.scene, "-o", output, "--quiet"])
    #expect(try Self.flavors(output) == [.iso, .xmp])
    let failure = #expect(throws: Failure.self) {
      try Self.run([
        "gainmap", "create", "--sdr", Self.scene, "--hdr", Self.scene, "-o", output, "--force",
      ])
    }
    #expect(failure?.error.code.id == "create/sdr-is-hdr")
  }

  @Test(arguments: ["hdr", "cr3"])
  func formatsThatAreOnlyRead(suffix: String) {
    let failure = #expect(throws: Failure.self) { _ = try outputFormat("a.\(suffix)", to: nil) }
    #expect(failure?.error.code.id == "output/format-not-written" && failure?.exitCode == 69)
  }

  /// Options that describe a PQ or HLG image, which JPEG does not store.
  @Test func jpegDoesNotStorePQ() throws {
    let output = try Self.name("pq.jpg")
    let failure = #expect(throws: Failure.self) {
      try Self.run([Self.scene, "-o", output, "--transfer", "pq", "--quiet"])
    }
    #expect(failure?.error.code.id == "target/not-hdr")
    #expect(failure?.error.parameters["format"] == .text("JPEG"))
  }
}
#endif
