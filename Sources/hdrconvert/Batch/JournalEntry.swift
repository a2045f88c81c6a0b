// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore

/// A line of a journal: one input of one run.
struct JournalEntry: Codable, Sendable {
  static let schemaName = "hdrconvert-journal/1"

  enum Status: String, Codable, Sendable {
    /// The input is being processed, or was when the run ended.
    case started
    case done
    case failed
    case skipped
  }

  struct Output: Codable, Sendable {
    let path: String
    /// `nil` before the output is complete.
    let sha256: String?
    let bytes: Int?
  }

  /// Light levels of the image that was encoded, in cd/m².
  struct Light: Codable, Sendable {
    let maxCLLNits: Double
    let maxFALLNits: Double
  }

  var schema = JournalEntry.schemaName
  /// The name of the input: its path as it was given, or below the folder that was given.
  let input: String
  /// The path of the input, with `/./` before the part that outputs keep.
  let file: String
  /// The path of the SDR image of a raw file, likewise.
  var sdrInput: String?
  let status: Status
  var outputs: [Output] = []
  /// SHA-256 of all files that the input consists of.
  var inputSHA256: String?
  let optionsKey: String
  let version: String
  /// Codes of the failure and of notices.
  var diagnostics: [String] = []
  /// Status that the command has for this input alone.
  var exitCode: Int?
  var milliseconds: Int?
  var peakMemoryBytes: Int?
  var lightLevels: Light?
  var attempts: Int
}
