// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import ImageCodecs
import Testing

@testable import ImageFiles
@testable import hdrconvert

#if JPEG && PNG && EXR
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

  private static func run(_ arguments: [String]) throws {
    var command = try HDRConvert.parseAsRoot(arguments)
    try command.run()
  }

  private static func size(_ path: String) throws -> Int {
    try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
  }

  /// Arguments of a verb, in which IN, OUT and PNG are file names, and the number of parses of its
  /// output.
  @Test(arguments: [
    ("inspect IN --json", 0), ("validate IN --json", 0), ("compare IN IN --json --quiet", 0),
    ("tag IN -o OUT.jpg --ndwt 203", 1), ("extract IN -o OUT.xmp --xmp", 0),
    ("extract IN -o OUT.jpg --item 1", 1), ("gainmap extract IN -o OUT.jpg", 1),
    ("gainmap flatten IN -o OUT.jpg", 1), ("remux IN -o OUT.jpg --flavors iso", 1),
    ("remux IN -o OUT.jpg --rotate 180", 1), ("convert IN -o OUT.png --quiet", 0),
    ("convert IN -o OUT.png --gainmap drop --quiet", 0),
    ("render IN -o OUT.png --level standard --quiet", 0),
    ("gainmap apply IN -o OUT.png --quiet", 0), ("sheet IN -o OUT.png --quiet", 0),
    ("sheet IN -o OUT.html --quiet", 0),
  ])
  func parsesOnce(words: String, results: Int) throws {
    let input = try Self.gainMapImage.get()
    let output = Self.folder + "/out-\(UUID().uuidString)"
    let log = ParseLog()
    let arguments = words.split(separator: " ").map {
      $0.replacingOccurrences(of: "IN", with: input).replacingOccurrences(of: "OUT", with: output)
    }
    try ParseLog.$current.withValue(log) {
      do { try Self.run(arguments) } catch let code as ExitCode where code.rawValue == 1 {}
    }
    let inputs = arguments.count { $0 == input }
    let size = try Self.size(input)
    #expect(log.sizes.count(where: { $0 == size }) == inputs)
    #expect(log.sizes.count == inputs + results)
  }

  /// The rules about significant bits and profiles use the parsed file.
  @Test func verdictsUseOneParse() throws {
    try FileManager.default.createDirectory(
      atPath: Self.folder, withIntermediateDirectories: true)
    let input = Self.folder + "/verdicts.png"
    try Self.run(
      ["convert", Self.referenceImage, "-o", input, "--depth", "10", "--signal", "both", "--quiet"])
    let log = ParseLog()
    try ParseLog.$current.withValue(log) { try Self.run(["validate", input, "--json"]) }
    #expect(log.sizes == [try Self.size(input)])
  }

  /// The input and the fixed file are each parsed once.
  @Test func fixesParseTheResult() throws {
    try FileManager.default.createDirectory(
      atPath: Self.folder, withIntermediateDirectories: true)
    let input = Self.folder + "/wrong.png"
    let output = Self.folder + "/fixed-\(UUID().uuidString).png"
    try Self.run(["convert", Self.referenceImage, "-o", input, "--quiet"])
    try Self.run(["tag", input, "--clli", "20,10", "--force"])
    let log = ParseLog()
    try ParseLog.$current.withValue(log) {
      do {
        try Self.run(["validate", "--fix", input, "-o", output, "--json"])
      } catch let code as ExitCode where code.rawValue == 1 {}
    }
    #expect(log.sizes.contains(try Self.size(input)))
    #expect(log.sizes.count == 2)
  }
}
#endif
