// SPDX-License-Identifier: Apache-2.0
internal import Platform

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

/// A typed parameter of a diagnostic: the value that takes the place of a name in its text.
public indirect enum DiagnosticValue: Hashable, Sendable {
  /// A count, a size in bytes, or another integer in the unit of the template.
  case integer(Int)
  /// A number in the unit of the template.
  case number(Double)
  /// A name from the file or from a standard, or text of a codec library.
  case text(String)
  /// Several values, of which a text with more than five contains the number.
  case list([DiagnosticValue])
  /// A range in the unit of the template.
  case range(ClosedRange<Double>)
  /// Width and height.
  case dimensions(width: Int, height: Int)
  /// The error that led to this diagnostic.
  case cause(ImageError)
}

/// A type that can be a parameter of a diagnostic.
public protocol DiagnosticParameter {
  /// The value as a parameter of a diagnostic.
  var diagnosticValue: DiagnosticValue { get }
}

/// The parameters of a diagnostic by name, written as a dictionary literal.
///
/// Of equal names, the first value is used.
public struct DiagnosticParameters: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// Values by their names.
  public var values: [String: DiagnosticValue]

  public init(dictionaryLiteral elements: (String, any DiagnosticParameter)...) {
    values = Dictionary(
      elements.map { ($0.0, $0.1.diagnosticValue) }, uniquingKeysWith: { first, _ in first })
  }

  /// The value of a name; `nil` if there is not one.
  public subscript(_ name: String) -> DiagnosticValue? { values[name] }
}

extension DiagnosticValue: DiagnosticParameter {
  public var diagnosticValue: DiagnosticValue { self }
}

extension DiagnosticParameter where Self == DiagnosticValue {
  /// Width and height, in the unit of the template.
  public static func size(_ width: Int, _ height: Int) -> Self {
    .dimensions(width: width, height: height)
  }
}

extension String: DiagnosticParameter {
  public var diagnosticValue: DiagnosticValue { .text(self) }
}

extension Substring: DiagnosticParameter {
  public var diagnosticValue: DiagnosticValue { .text(String(self)) }
}

extension Float: DiagnosticParameter {
  public var diagnosticValue: DiagnosticValue { .number(Double(self)) }
}

extension Double: DiagnosticParameter {
  public var diagnosticValue: DiagnosticValue { .number(self) }
}

extension ImageError: DiagnosticParameter {
  public var diagnosticValue: DiagnosticValue { .cause(self) }
}

extension Array: DiagnosticParameter where Element: DiagnosticParameter {
  public var diagnosticValue: DiagnosticValue { .list(map(\.diagnosticValue)) }
}

extension ClosedRange: DiagnosticParameter where Bound: DiagnosticParameter {
  /// The range, if both bounds are numbers; otherwise a text.
  public var diagnosticValue: DiagnosticValue {
    switch (lowerBound.diagnosticValue, upperBound.diagnosticValue) {
    case (.integer(let lower), .integer(let upper)): .range(Double(lower)...Double(upper))
    case (.number(let lower), .number(let upper)): .range(lower...upper)
    default: .text("\(lowerBound) to \(upperBound)")
    }
  }
}

extension BinaryInteger {
  /// The number, clamped to the range of `Int`.
  public var diagnosticValue: DiagnosticValue { .integer(Int(clamping: self)) }
}

extension Int: DiagnosticParameter {}
extension Int8: DiagnosticParameter {}
extension Int16: DiagnosticParameter {}
extension Int32: DiagnosticParameter {}
extension Int64: DiagnosticParameter {}
extension UInt: DiagnosticParameter {}
extension UInt8: DiagnosticParameter {}
extension UInt16: DiagnosticParameter {}
extension UInt32: DiagnosticParameter {}
extension UInt64: DiagnosticParameter {}

/// The English text of a diagnostic, with placeholders such as `{size}` or `{count pixel}`.
///
/// A placeholder contains the name of a parameter and, optionally, a unit or noun in the singular.
/// Numbers have three significant digits. Lists of more than five entries are counted.
package struct DiagnosticTemplate: Hashable, Sendable {
  /// A parameter in the text.
  package struct Placeholder: Hashable, Sendable {
    package let name: String
    /// Unit or noun, in the singular.
    package let noun: String?
  }

  private enum Part: Hashable, Sendable {
    case text(Substring)
    case placeholder(Placeholder)

    /// The text of the template; empty for a placeholder.
    var text: String { if case .text(let text) = self { String(text) } else { "" } }
  }

  private let parts: [Part]

  package init(_ text: String) {
    parts = text.split(separator: "{", omittingEmptySubsequences: false).enumerated().flatMap {
      index, piece -> [Part] in
      guard index > 0, let end = piece.firstIndex(of: "}"),
        case let words = piece[..<end].split(separator: " ", maxSplits: 1).map(String.init),
        let name = words.first
      else { return [.text(index > 0 ? "{" + piece : piece)] }
      let placeholder = Placeholder(name: name, noun: words.count > 1 ? words[1] : nil)
      return [.placeholder(placeholder), .text(piece[piece.index(after: end)...])]
    }
  }

  /// The parameters of the text, in their order.
  package var placeholders: [Placeholder] {
    parts.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
  }

  /// The text with its parameters filled in.
  ///
  /// - Parameters:
  ///   - parameters: The values.
  ///   - maxima: Names of values that are the largest of several, which follow "up to".
  /// - Returns: The text.
  package func rendered(with parameters: DiagnosticParameters, maxima: Set<String> = []) -> String {
    let sizes = Set(
      placeholders.compactMap { placeholder -> Int? in
        guard placeholder.noun == "byte", case .integer(let size)? = parameters[placeholder.name]
        else { return nil }
        return size
      })
    // Rounded sizes of different numbers of bytes must differ.
    let areRounded = Set(sizes.map(Self.byteText)).count == sizes.count
    return parts.map { part -> String in
      guard case .placeholder(let placeholder) = part else { return part.text }
      let value =
        switch (parameters[placeholder.name], placeholder.noun) {
        case (.integer(let size), "byte") where areRounded: Self.byteText(size)
        case (let value?, let noun): Self.text(value, noun: noun)
        case (nil, _): placeholder.name
        }
      return maxima.contains(placeholder.name) ? "up to \(value)" : value
    }.joined()
  }

  /// A size in bytes, kB, MB, GB, TB or EB, with three significant digits from 10 kB.
  package static func byteText(_ size: Int) -> String {
    switch size {
    case 1: "1 byte"
    case ..<10_000: "\(size) bytes"
    case ..<999_500: short(Double(size) / 1e3) + " kB"
    case ..<999_500_000: short(Double(size) / 1e6) + " MB"
    case ..<999_500_000_000: short(Double(size) / 1e9) + " GB"
    case ..<999_500_000_000_000: short(Double(size) / 1e12) + " TB"
    default: short(Double(size) / 1e18) + " EB"
    }
  }

  private static func text(_ value: DiagnosticValue, noun: String?) -> String {
    switch value {
    case .integer(let number): "\(number)" + suffix(noun, isOne: number.magnitude == 1)
    case .number(let number): short(number) + suffix(noun, isOne: number == 1)
    case .text(let text): text
    case .list(let entries):
      entries.count > 5
        ? "\(entries.count)" + suffix(entries[0].isSize ? "size" : noun ?? "entry", isOne: false)
        : entries.map { text($0, noun: nil) }.joined(separator: ", ")
    case .range(let range):
      "\(short(range.lowerBound)) to \(short(range.upperBound))" + suffix(noun, isOne: false)
    case .dimensions(let width, let height): "\(width)x\(height)" + suffix(noun, isOne: false)
    case .cause(let error): error.message
    }
  }

  private static func suffix(_ noun: String?, isOne: Bool) -> String {
    guard let noun else { return "" }
    return " " + (isOne ? noun : plural(of: noun))
  }

  /// Units that are not lower-case words (`cd/m²`, `dB`, `%`) do not change.
  private static func plural(of noun: String) -> String {
    let last = noun.split(separator: " ").last ?? ""
    guard last.allSatisfy({ ("a"..."z").contains($0) }), last != "kelvin" else { return noun }
    if noun.hasSuffix("y"), !noun.hasSuffix("ay") { return noun.dropLast() + "ies" }
    return noun + (["x", "s", "ch", "sh"].contains(where: noun.hasSuffix) ? "es" : "s")
  }

  /// Formats a number with three significant digits; whole numbers are exact.
  package static func short(_ number: Double) -> String {
    guard number.isFinite, number != 0 else { return "\(number == 0 ? "0" : "\(number)")" }
    if number == number.rounded(), abs(number) < 1e15 { return "\(Int64(clamping: number))" }
    let magnitude = Int(clamping: log10(abs(number)).rounded(.down))
    let rounded = number.formatted(as: "%.2e")
    guard (-5..<15).contains(magnitude), let exact = Double(rounded) else { return rounded }
    let text = exact.formatted(as: "%.\(max(0, 2 - magnitude))f")
    guard text.contains(".") else { return text }
    let trimmed = text.reversed().drop { $0 == "0" }
    return String((trimmed.first == "." ? trimmed.dropFirst() : trimmed).reversed())
  }
}

extension DiagnosticValue {
  /// Whether the value is a width and a height.
  fileprivate var isSize: Bool { if case .dimensions = self { true } else { false } }
}

extension Double {
  /// Formats the number as `printf` does, with a period, whatever the user's language.
  ///
  /// - Parameter format: One conversion of a `double`, such as `%.3g`.
  /// - Returns: The text, at most 400 characters.
  package func formatted(as format: String) -> String {
    // SAFETY: the C library writes at most the size of the buffer, with a terminating zero.
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 401) { buffer in
      _ = unsafe withVaList([self]) {
        unsafe vsnprintf(buffer.baseAddress, buffer.count, format, $0)
      }
      return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  package var trimmed: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}

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
