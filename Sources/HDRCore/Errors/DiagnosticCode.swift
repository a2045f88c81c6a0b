// SPDX-License-Identifier: Apache-2.0
/// The kind of an error: a category for callers, an English text, and a name if programs need one.
///
/// Codes with a name of their own are in the `Diagnostics.swift` of their module and are those on
/// which a program can act; `Documentation/Diagnostics.md` lists them. The text of all others is
/// where they are thrown.
public struct ErrorCode: Hashable, Sendable {
  /// Identifier: stable and unique in the program (`png/chunk-limit-exceeded`), or the category.
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

  /// Creates a code that is named after its category.
  package init(_ category: ImageError.Category, _ english: String) {
    self.init(category.rawValue, category, english)
  }

  /// The identifier, unless it is only the category.
  package var name: String? { id == category.rawValue ? nil : id }
}

/// The kind of a notice: its category, an English text, and a name if programs need one.
///
/// Names follow the rules of `ErrorCode`.
public struct NoticeCode: Hashable, Sendable {
  /// Identifier: stable and unique in the program (`location/included`), or the category.
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

  /// Creates a code that is named after its category.
  package init(_ category: Notice.Category, _ english: String) {
    self.init(category.rawValue, category, english)
  }

  /// The identifier, unless it is only the category.
  package var name: String? { id == category.rawValue ? nil : id }
}
