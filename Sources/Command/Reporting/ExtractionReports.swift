// SPDX-License-Identifier: Apache-2.0
internal import ImageFiles
internal import ImageReports

/// Result of `extract`.
struct ExtractedPartReport: ReportObject {
  static let schemaName = "extractedPart"
  let input: String
  let output: String
  let part: String
  /// The item or image that was named.
  let item: UInt32?
  /// The matte that was named.
  let matte: String?
  let bytes: Int

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, part, item, matte, bytes
  }
}

/// Result of `gainmap extract`.
struct ExtractedGainMapReport: ReportObject {
  static let schemaName = "extractedGainMap"
  let input: String
  let output: String
  /// The file with the metadata; `nil` if none was named.
  let metadataOutput: String?
  let bytes: Int
  let flavors: [String]
  let gainMapMetadata: GainMapJSON
  let notices: [NoticeReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, metadataOutput, bytes, flavors, gainMapMetadata, notices
  }
}
