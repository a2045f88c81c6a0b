// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import HDRConversion
import HDRCore
import ImageFiles
import Testing

@testable import Command

#if JPEG && PNG && EXR && AVIF
/// Commands that fail or report, and the commands in their remedies, which are run as printed.
@Suite("Commands in remedies run", .serialized) struct RemedyExecutionTests {
  private static let files: Result<[String: String], any Error> = Result {
    var files = ["SCENE": FrontDoorTests.scene, "UHDR": try FrontDoorTests.ultraHDR.get()]
    for (name, verb, options) in [
      ("PQ.png", ["convert"], []), ("PQ.avif", ["convert"], ["-s", "10"]),
      ("SDR.png", ["convert"], ["--sdr"]),
    ] {
      let path = try FrontDoorTests.name(name)
      try FrontDoorTests.run(verb + [FrontDoorTests.scene, "-o", path, "--quiet"] + options)
      files[name] = path
    }
    return files
  }

  private struct Attempt {
    /// The error, or `nil` if the command succeeds.
    var failure: Failure?
    var notices: [Notice] = []
    var remedies: [String] = []
  }

  /// Runs a command as if it were typed.
  private static func attempt(_ words: [String]) -> Attempt {
    Invocation.$whole.withValue(Invocation(["hdrconvert"] + words)) {
      let report = InputReport(output: Invocation.whole.output)
      var attempt = Attempt()
      do {
        var command = try HDRConvert.parsed(words)
        try InputReport.$current.withValue(report) { try command.run() }
      } catch let failure as Failure {
        attempt.failure = failure
        attempt.remedies = [failure.remedy]
      } catch {
        attempt.failure = Failure(arguments: "\(error)")
      }
      attempt.notices = report.contents.notices
      attempt.remedies += attempt.notices.compactMap { Remedies.remedy(for: $0, of: .current) }
      return attempt
    }
  }

  /// Each command, the code of its error or notice, and the number of commands in its remedies.
  @Test(arguments: [
    ("gainmap apply UHDR -o OUT.jpg", "target/not-hdr", 2),
    ("gainmap swap UHDR -o OUT.avif", "recode/for-swap", 1),
    ("gainmap extract UHDR -o OUT.avif", "extract/gain-map-codec", 1),
    ("gainmap flatten UHDR -o OUT.avif", "recode/container-differs", 1),
    ("gainmap create UHDR -o OUT.jpg", "create/sdr-not-kept", 1),
    ("remux PQ.png -o OUT.jpg --flavors iso", "gain-map/none", 1),
    ("tag UHDR -o OUT.avif --set orientation=1", "output/coded-differently", 1),
    ("tag PQ.png -o OUT.png --set cclv=bt2020:0:1000:120", "metadata/not-storable", 1),
    ("extract PQ.avif -o OUT.avif --item 99", "item-unknown", 1),
    ("validate SCENE", "validate/no-rules", 1),
    ("gainmap apply PQ.avif -o OUT.png", "gain-map/none", 1),
    ("gainmap create SDR.png -o OUT.jpg", "create/no-headroom", 1),
  ])
  func remediesRun(line: String, code: String, count: Int) throws {
    let files = try Self.files.get()
    let output = try FrontDoorTests.name("out")
    let words = line.split(separator: " ").map {
      files[String($0)] ?? String($0).replacing("OUT", with: output)
    }
    let attempt = Self.attempt(words)
    let codes = attempt.notices.map(\.code.id) + [attempt.failure?.error.code.id ?? ""]
    #expect(codes.contains(code), "\(line): \(codes)")
    let commands = attempt.remedies.flatMap(RemedyCommandTests.commands)
    #expect(commands.count == count, "\(line): \(attempt.remedies)")
    for command in commands {
      // Alternatives have the same output.
      if attempt.failure != nil, let index = command.firstIndex(of: "-o") {
        try? FileManager.default.removeItem(atPath: command[index + 1])
      }
      let failure = Self.attempt(command).failure
      #expect(failure == nil, "\(command): \(failure?.reason ?? failure?.message ?? "")")
    }
  }

  /// A folder whose name a shell would split.
  @Test func missingFoldersAreMade() throws {
    let folder = try FrontDoorTests.name("it's a folder") + "/deep"
    let attempt = Self.attempt([FrontDoorTests.scene, "-o", folder + "/a.png"])
    #expect(attempt.failure?.error.code.id == "output/folder-missing")
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", try #require(attempt.remedies.first)]
    try shell.run()
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
    #expect(FileManager.default.fileExists(atPath: folder))
  }

  #if TIFF
  /// The command that `inspect` prints for a file with a location, whether `tag` edits its format or
  /// not; a raw file has the format of TIFF.
  @Test(arguments: [
    ("png", "png", []), ("tif", "tif", []), ("tif", "tif", ["--sdr"]), ("tif", "dng", []),
  ])
  func locationsAreRemoved(format: String, suffix: String, options: [String]) throws {
    let long = String(repeating: "a", count: 80)
    let (source, exif) = (try FrontDoorTests.name("\(long).\(suffix)"), try FrontDoorTests.gps())
    let written = try FrontDoorTests.name("written.\(format)")
    try FrontDoorTests.run(
      [FrontDoorTests.scene, "-o", written, "--set", "exif=\(exif)", "--quiet"] + options)
    try FileManager.default.moveItem(atPath: written, toPath: source)
    let contents = try FrontDoorTests.file(source).contents()
    #expect(contents.exif?.hasLocation == true)
    let text = InspectionText(
      file: source, inspection: contents, raw: nil, light: nil, explains: false
    ).lines
    let line = try #require(text.first { $0.contains("hdrconvert ") })
    let command = try #require(RemedyCommandTests.commands(in: line).first, "\(text)")
    #expect(Self.attempt(command).failure == nil, "\(command)")
    let output = command.firstIndex(of: "-o").map { command[$0 + 1] } ?? source
    #expect(try FrontDoorTests.file(output).contents().exif?.hasLocation != true)
  }
  #endif
}
#endif
