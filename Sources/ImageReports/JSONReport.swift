// SPDX-License-Identifier: Apache-2.0
internal import Platform
package import HDRCore

/// The JSON report of a verb: the inputs, the results and the failures.
///
/// `Documentation/schemas` has a JSON Schema for each verb.
package struct JSONReport<Result: Encodable & Sendable>: ReportObject {
  package static var schemaName: String { "report" }

  /// Name and version of the schema, such as `hdrconvert/gainmap-create/1`.
  package let schema: String
  /// Names as they were given; empty if the arguments could not be parsed.
  package let inputs: [String]
  package let results: [Result]
  package let failures: [FailureReport]

  package enum CodingKeys: String, CodingKey, CaseIterable {
    case schema, inputs, results, failures
  }

  /// Makes the report of a verb, such as `gainmap create`.
  package init(
    inputs: [String], results: [Result], failures: [FailureReport], verb: String
  ) {
    schema = "hdrconvert/\(verb.replacing(" ", with: "-"))/1"
    self.inputs = inputs
    self.results = results
    self.failures = failures
  }
}

extension Encodable {
  /// The object as JSON, keys in alphabetical order.
  package func json() throws(ImageError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(self) else { throw ImageError(.reportNotEncodable) }
    return Array(data)
  }
}
