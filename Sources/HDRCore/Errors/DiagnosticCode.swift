// SPDX-License-Identifier: Apache-2.0
/// A condition that ends an operation: a stable name, a category for callers, and an English text.
///
/// The codes of a module are defined in its `Diagnostics.swift`; `Documentation/Diagnostics.md`
/// lists all codes. Codes with the same `id` are equal.
public struct ErrorCode: Sendable {
  /// Identifier, stable and unique in the program: `png/crc-mismatch`.
  public let id: String
  /// Category by which a caller can react.
  public let category: ImageError.Category
  /// English text in which parameters are in braces, with a noun in the singular: `{size byte}`.
  public let english: String

  public init(_ id: String, _ category: ImageError.Category, _ english: String) {
    self.id = id
    self.category = category
    self.english = english
  }
}

/// A condition to report to users: a stable name, its category, and an English text.
///
/// Codes with the same `id` are equal.
public struct NoticeCode: Sendable {
  /// Identifier, stable and unique in the program: `xmp/utf-16`.
  public let id: String
  /// Effect on the image.
  public let category: Notice.Category
  /// English text in which parameters are in braces, with a noun in the singular: `{size byte}`.
  public let english: String

  public init(_ id: String, _ category: Notice.Category, _ english: String) {
    self.id = id
    self.category = category
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
