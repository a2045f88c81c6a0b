// SPDX-License-Identifier: Apache-2.0
package import Platform

/// Any value of JSON.
package enum JSONValue: Codable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  /// Parses JSON; `nil` for other bytes.
  package init?(_ json: Data) {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: json) else { return nil }
    self = value
  }

  package init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .boolean(let boolean): try value.encode(boolean)
    case .integer(let integer): try value.encode(integer)
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    case .list(let list): try value.encode(list)
    case .object(let object): try value.encode(object)
    }
  }

  /// Keys of an object.
  var names: [String] {
    if case .object(let values) = self { values.keys.sorted() } else { [] }
  }

  /// Paths of all values that are not `null`.
  var fields: [String] {
    guard case .object(let values) = self else { return [] }
    return values.sorted { $0.key < $1.key }.flatMap { key, value -> [String] in
      switch value {
      case .null: []
      case .object: value.fields.map { "\(key).\($0)" }
      default: [key]
      }
    }
  }

  /// The value at a path of keys and indices; `nil` if it is absent.
  func value(at path: [any CodingKey]) -> JSONValue? {
    path.reduce(self) { value, key in
      switch value {
      case .object(let values): values[key.stringValue]
      case .list(let values):
        key.intValue.flatMap { values.indices.contains($0) ? values[$0] : nil }
      default: nil
      }
    }
  }

  /// Paths of the fractions in an object, each with an object that contains it alone.
  var fractions: [(field: String, alone: JSONValue)] {
    guard case .object(let values) = self else { return [] }
    return values.sorted { $0.key < $1.key }.flatMap {
      (key, value) -> [(field: String, alone: JSONValue)] in
      if case .number = value { return [(key, .object([key: value]))] }
      return value.fractions.map { ("\(key).\($0.field)", .object([key: $0.alone])) }
    }
  }

  /// All texts in the value.
  package var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .list(let values): values.flatMap(\.texts)
    case .object(let object): object.values.flatMap(\.texts)
    default: []
    }
  }
}
