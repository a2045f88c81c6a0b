/// A condition that ends the work: a stable name, what a caller can do about it, and its English.
///
/// The codes of a module stand in its `Diagnostics.swift`; `Documentation/Diagnostics.md` lists
/// them all.
public struct ErrorCode: Sendable {
  /// Stable and unique in the program: `png/crc-mismatch`.
  public let id: String
  /// Category that a caller can act on.
  public let category: ImageError.Category
  /// See `DiagnosticTemplate`.
  public let english: String

  public init(_ id: String, _ category: ImageError.Category, _ english: String) {
    self.id = id
    self.category = category
    self.english = english
  }
}

/// A condition to report to people: a stable name, its kind and its English.
public struct NoticeCode: Sendable {
  /// Stable and unique in the program: `xmp/utf-16`.
  public let id: String
  /// Effect on the image.
  public let kind: Notice.Kind
  /// See `DiagnosticTemplate`.
  public let english: String

  public init(_ id: String, _ kind: Notice.Kind, _ english: String) {
    self.id = id
    self.kind = kind
    self.english = english
  }
}

extension ErrorCode: Hashable {
  public static func == (one: Self, other: Self) -> Bool { one.id == other.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension NoticeCode: Hashable {
  public static func == (one: Self, other: Self) -> Bool { one.id == other.id }
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
