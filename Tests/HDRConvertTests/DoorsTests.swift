// SPDX-License-Identifier: Apache-2.0
#if AVIF && HEIF && PNG && JPEG && TIFF && EXR && JPEGXL
import ArgumentParser
import Foundation
import HDRConversion
import Testing

@testable import Command

/// The command and the Swift library make the same bytes of the same request.
///
/// Tests of the Python package compare C and Python with the command, by the same list.
@Suite("Doors") struct DoorsTests {
  struct Case: CustomTestStringConvertible, Decodable, Sendable {
    let name: String
    let file: String
    let request: ConversionRequest

    var testDescription: String { name }
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized

  static let cases = Result {
    let list = try Data(contentsOf: root.appending(path: "Tests/doors.json"))
    return try JSONDecoder().decode([Case].self, from: list)
  }

  @Test(arguments: try cases.get()) func sameBytes(one: Case) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let request = folder.appending(path: "request.json").path()
    try JSONEncoder().encode(one.request).write(to: URL(filePath: request))
    let source = Self.root.appending(path: "reference-images/\(one.file)").path()
    let suffix =
      one.request.coding.format?.traits.suffixes[0]
      ?? String(source.split(separator: ".").last ?? "")
    let output = folder.appending(path: "made.\(suffix)").path()
    var command = try HDRConvert.parsed(
      ["convert", "--quiet", "--request", request, source, "-o", output])
    try command.run()
    let made = try ImageFile(path: source).converted(one.request).bytes
    #expect(try Data(contentsOf: URL(filePath: output)) == Data(made))
  }
}
#endif
