// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import ImageFiles

/// An object of a JSON report.
///
/// A test compares its keys with the definition in `Documentation/schemas`.
package protocol ReportObject: Encodable, Sendable {
  associatedtype CodingKeys: CodingKey, CaseIterable, RawRepresentable<String>
  /// The name of its definition.
  static var schemaName: String { get }
}

extension ReportObject {
  /// All keys that the object may have.
  package static var keys: [String] { CodingKeys.allCases.map(\.rawValue) }
}
