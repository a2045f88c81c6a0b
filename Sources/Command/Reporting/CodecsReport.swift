// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports

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
