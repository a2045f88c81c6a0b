// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRCore
internal import ImageFiles
internal import ImageReports
internal import RAWDevelop

/// `hdrconvert codecs`.
struct Codecs: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "codecs",
    abstract: "List the formats, library versions and operators of this build.")

  @Flag(help: "List the cameras whose raw files the raw library reads, and nothing else.")
  var cameras = false

  @Flag(help: "Report as JSON.")
  var json = false

  func run() throws {
    let formats = Self.formats
    guard !json else {
      let report = CodecsReport(formats: formats, cameras: RawSupport.cameras)
      return try JSONReport(inputs: [], results: [report]).print()
    }
    guard !cameras else { return Console.print(RawSupport.cameras) }
    for format in formats {
      let abilities = [format.reads ? "read" : nil, format.writes ? "write" : nil]
        .compactMap(\.self).joined(separator: ", ")
      let name = format.name.padded(to: 10)
      let ability = abilities.isEmpty ? format.absence : abilities
      let libraries = format.libraries.joined(separator: ", ")
      Console.print(name + ability.padded(to: max(18, ability.count + 1)) + libraries)
    }
    let operators = ToneMapOperator.allCases.map(\.rawValue).joined(separator: ", ")
    let mappings = GamutMapping.allCases.map(\.rawValue).joined(separator: ", ")
    Console.print("operators       \(operators)")
    Console.print("gamut mappings  \(mappings)")
  }

  /// Formats in the order of `FileFormat`, then raw files.
  private static var formats: [CodecsReport.Format] {
    let library = RawSupport.cameraRawLibrary.map {
      "\($0) (\(RawSupport.cameras.count) cameras)"
    }
    let images = CodecSupport.all.filter { !$0.format.traits.isCameraRaw }.map {
      CodecsReport.Format(
        name: $0.format.rawValue, reads: $0.canDecode, writes: $0.canEncode, libraries: $0.libraries
      )
    }
    return images + [
      CodecsReport.Format(
        name: "dng", reads: true, writes: false, libraries: RawSupport.dngLibraries),
      CodecsReport.Format(
        name: "raw", reads: library != nil, writes: false, libraries: library.map { [$0] } ?? []),
    ]
  }
}
