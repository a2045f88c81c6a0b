// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HDRCore
import ImageCodecs
import TestSupport
import Testing

@testable import ImageFiles
@testable import Command

#if JPEG && PNG && EXR && HEIF
@Suite("One parse of each file", .serialized) struct ParseCountTests {
  private static let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("hdrconvert-parses-\(UUID().uuidString)").path

  /// An image with a gain map, created once from a reference image.
  private static let gainMapImage: Result<String, any Error> = Result {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/base.jpg"
    try run(["gainmap", "create", referenceImage, "-o", path, "--quiet"])
    return path
  }

  private static let referenceImage = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("reference-images/photo.exr").path

  /// The gain map of the image in a file of its own.
  private static let separateMap: Result<String, any Error> = Result {
    let path = folder + "/map.jpg"
    try run(["gainmap", "extract", try gainMapImage.get(), "-o", path])
    return path
  }

  private static let heic = URL(fileURLWithPath: referenceImage).deletingLastPathComponent()
    .appendingPathComponent("containers/gain-map-iso.heic").path

  /// A raw file of one color per photosite.
  private static let rawFile: Result<String, any Error> = Result {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var file = SyntheticDNG(width: 64, height: 48)
    file.main.chunks = [(0..<64 * 48).flatMap { file.number(5000 + 20 * ($0 % 64), 2) }]
    let path = folder + "/mosaic.dng"
    try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Records the parses of all threads of `body`.
  private static func counting(_ log: ParseLog, _ body: () throws -> Void) rethrows {
    var execution = Execution()
    execution.parseLog = log
    try execution.perform(body)
  }

  private static func run(_ arguments: [String]) throws {
    var command = try HDRConvert.parseAsRoot(arguments)
    try command.run()
  }

  private static func size(_ path: String) throws -> Int {
    try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
  }

  /// Arguments of a verb, in which words in capitals are file names, and the number of parses of
  /// what it makes.
  @Test(arguments: [
    ("inspect IN --json", 0), ("validate IN --json", 0), ("compare IN IN --json --quiet", 0),
    ("tag IN -o OUT.jpg --set ndwt=203", 1), ("extract IN -o OUT.xmp --xmp", 0),
    ("extract IN -o OUT.jpg --item 1", 1), ("gainmap extract IN -o OUT.jpg", 1),
    ("gainmap flatten IN -o OUT.jpg", 1), ("remux IN -o OUT.jpg --flavors iso", 1),
    ("remux IN -o OUT.jpg --rotate 180", 1), ("convert IN -o OUT.png --quiet", 0),
    ("convert IN -o OUT.png --gainmap drop --quiet", 0),
    ("render IN -o OUT.png --level standard --quiet", 0),
    ("gainmap apply IN -o OUT.png --quiet", 0), ("sheet IN -o OUT.png --quiet", 0),
    ("sheet IN -o OUT.html --quiet", 0), ("convert IN -o OUT.heic --gainmap keep --quiet", 3),
    ("gainmap create EXR -o OUT.jpg --quiet", 3),
    ("gainmap create EXR --sdr IN --keep-sdr -o OUT.jpg --gainmap-quality 60 --quiet", 5),
    ("gainmap swap IN -o OUT.avif --allow-reencode --quiet", 3),
    ("gainmap join --baseline IN --map MAP --metadata IN -o OUT.jpg --flavors iso", 1),
    ("convert HEIC -o OUT.png --quiet", 0), ("convert DNG -o OUT.png --quiet", 0),
  ])
  func parsesOnce(words: String, results: Int) throws {
    let input = try Self.gainMapImage.get()
    let output = Self.folder + "/out-\(UUID().uuidString)"
    let log = ParseLog()
    var inputs: [String] = []
    let arguments = try words.split(separator: " ").map { word in
      let names = [
        "IN": input, "MAP": try Self.separateMap.get(), "EXR": Self.referenceImage,
        "HEIC": Self.heic, "DNG": try Self.rawFile.get(),
      ]
      guard let name = names[String(word)] else {
        return word.replacingOccurrences(of: "OUT", with: output)
      }
      inputs.append(name)
      return name
    }
    try Self.counting(log) {
      do { try Self.run(arguments) } catch let code as ExitCode where code.rawValue == 1 {}
    }
    for input in Set(inputs) {
      let size = try Self.size(input)
      #expect(log.sizes.count { $0 == size } == inputs.count { $0 == input })
    }
    #expect(log.sizes.count == inputs.count + results)
  }

  /// Each input of several is parsed once when it is processed, and before if its size names the output;
  /// its memory is estimated from that parse, or from few bytes.
  @Test(arguments: [("{dir}/{stem}.{ext}", 1), ("{dir}/{stem}-{width}.{ext}", 2)])
  func inputsOfBatches(name: String, parses: Int) throws {
    let inputs = [try Self.gainMapImage.get(), try Self.rawFile.get()]
    let log = ParseLog()
    try Self.counting(log) {
      try Self.run(
        ["convert"] + inputs
          + [
            "--to", "png", "--out-dir", Self.folder + "/\(UUID().uuidString)", "--name", name,
            "--quiet",
          ])
    }
    let all = (0..<parses).flatMap { _ in inputs }
    #expect(try log.sizes.sorted() == all.map(Self.size).sorted())
  }

  /// The rules about significant bits and profiles use the parsed file.
  @Test func verdictsUseOneParse() throws {
    try FileManager.default.createDirectory(
      atPath: Self.folder, withIntermediateDirectories: true)
    let input = Self.folder + "/verdicts.png"
    try Self.run(
      [
        "convert", Self.referenceImage, "-o", input, "--depth", "10", "--set", "color-tags=both",
        "--quiet",
      ])
    let log = ParseLog()
    try Self.counting(log) { try Self.run(["validate", input, "--json"]) }
    #expect(log.sizes == [try Self.size(input)])
  }

  /// The input and the fixed file are each parsed once.
  @Test func fixesParseTheResult() throws {
    try FileManager.default.createDirectory(
      atPath: Self.folder, withIntermediateDirectories: true)
    let input = Self.folder + "/wrong.png"
    let output = Self.folder + "/fixed-\(UUID().uuidString).png"
    try Self.run(["convert", Self.referenceImage, "-o", input, "--quiet"])
    try Self.run(["tag", input, "--set", "clli=20:10", "--force"])
    let log = ParseLog()
    try Self.counting(log) {
      do {
        try Self.run(["validate", "--fix", input, "-o", output, "--json"])
      } catch let code as ExitCode where code.rawValue == 1 {}
    }
    #expect(log.sizes.contains(try Self.size(input)))
    #expect(log.sizes.count == 2)
  }
}
#endif
