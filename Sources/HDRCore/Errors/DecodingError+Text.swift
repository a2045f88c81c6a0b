// SPDX-License-Identifier: Apache-2.0
/// The mark of errors of decoding that contain text for people.
///
/// Those of Swift's enumerations contain names of types instead.
package struct ExplainedDecoding: Error {}

extension DecodingError {
  /// The error of text that a type of this toolkit refuses.
  package static func explained(_ text: String, at path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(
      Context(codingPath: path, debugDescription: text, underlyingError: ExplainedDecoding()))
  }
}
