internal import HDRConversion
internal import ImageFiles

/// An object of a JSON report whose keys are documented.
///
/// A test compares them with `Documentation/InspectJSON.md`.
protocol ReportObject: Encodable {
  associatedtype CodingKeys: CodingKey, CaseIterable, RawRepresentable<String>
  /// The heading of its table in the documentation.
  static var title: String { get }
}

extension ReportObject {
  /// All keys that the object may have.
  static var keys: [String] { CodingKeys.allCases.map(\.rawValue) }
}
