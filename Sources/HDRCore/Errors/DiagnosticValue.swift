// SPDX-License-Identifier: Apache-2.0
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
