// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
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

/// Result of `codecs`.
struct CodecsReport: ReportObject {
  static let schemaName = "build"

  struct Format: ReportObject {
    static let schemaName = "formatSupport"
    let name: String
    let reads: Bool
    let writes: Bool
    let libraries: [String]

    enum CodingKeys: String, CodingKey, CaseIterable { case name, reads, writes, libraries }

    /// Text for a format that is neither read nor written.
    var absence: String {
      FileFormat(rawValue: name)?.traits.hasOpaqueHeaders == false
        ? "inspect only" : "not in this build"
    }
  }

  /// A value of an option.
  struct Choice: ReportObject {
    static let schemaName = "choice"
    let name: String
    let summary: String

    enum CodingKeys: String, CodingKey, CaseIterable { case name, summary }
  }

  /// The build and the machine.
  struct Platform: ReportObject {
    static let schemaName = "platform"
    let configuration: String
    let compiler: String
    let processor: String
    let instructionSet: String
    let system: String
    let threads: Int
    let memoryLimitBytes: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
      case configuration, compiler, processor, instructionSet, system, threads, memoryLimitBytes
    }

    init(_ build: BuildDescription) {
      configuration = build.configuration
      compiler = build.compiler
      processor = build.processor
      instructionSet = build.instructionSet
      system = build.system
      threads = build.threads
      memoryLimitBytes = build.memoryLimit
    }
  }

  let version = toolVersion
  let platform = Platform(.current)
  let formats: [Format]
  let cameras: [String]
  let operators = ToneMapOperator.allCases.map {
    Choice(name: $0.rawValue, summary: $0.summary)
  }
  let gamutMappings = GamutMapping.allCases.map {
    Choice(name: $0.rawValue, summary: $0.summary)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case version, platform, formats, cameras, operators, gamutMappings
  }
}
