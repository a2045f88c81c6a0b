// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRConversion
internal import HDRCore
internal import ImageFiles
internal import ImageReports

/// Result of `remux`, `gainmap flatten`, `gainmap join`, `gainmap swap`, and of `convert` if it
/// keeps a gain map.
struct RewritingReport: ReportObject {
  static let schemaName = "rewrittenFile"
  let input: String
  let output: String
  let format: String
  let bytes: Int
  let before: [String]
  let after: [String]
  /// In stops.
  let worstError: Double
  let payloads: [CodedDataReport]
  let notices: [NoticeReport]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case input, output, format, bytes, notices
    case before = "flavorsBefore"
    case after = "flavorsAfter"
    case worstError = "maximumGainErrorStops"
    case payloads = "codedData"
  }

  init(input: String, output: String, bytes: Int, _ result: RewrittenFile) throws(ImageError) {
    self.input = input
    self.output = output
    format = result.file.format.rawValue
    self.bytes = bytes
    before = result.before.map(\.rawValue)
    after = result.after.map(\.rawValue)
    worstError = result.worstError
    let digests = try CodedPayload.sha256(of: result.payloads)
    payloads = zip(result.payloads, digests).map { payload, digest in
      let status: CodedDataReport.Status =
        result.rotatedPayloads.contains(payload.name)
        ? .rotated
        : result.transcodedPayloads.contains(payload.name)
          ? .transcoded : result.reencodedPayloads.contains(payload.name) ? .reencoded : .unchanged
      return CodedDataReport(
        name: payload.name, bytes: payload.count, sha256: digest, status: status)
    }
    notices = result.notices.map(NoticeReport.init)
  }

  /// The digests as text.
  var lines: [String] {
    func list(_ flavors: [String]) -> String {
      flavors.isEmpty ? "none" : flavors.joined(separator: ", ")
    }
    let head = [output, "  gain map: \(list(before)) -> \(list(after))"]
    return head + payloads.map(\.line)
  }
}

/// Coded data of an output, compared with the input.
struct CodedDataReport: ReportObject {
  static let schemaName = "codedData"

  enum Status: String, Encodable, CaseIterable {
    /// The bytes are those of the input.
    case unchanged
    /// The coefficients are those of the input, in another order of rows and columns.
    case rotated
    /// The coefficients are those of the input, in another format.
    case transcoded
    case reencoded = "re-encoded"
  }

  let name: String
  let bytes: Int
  let sha256: String
  let status: Status

  enum CodingKeys: String, CodingKey, CaseIterable { case name, bytes, sha256, status }

  /// Name, size, digest and status.
  var line: String { "  \(name), \(bytes) bytes, SHA-256 \(sha256), \(status.rawValue)" }
}
