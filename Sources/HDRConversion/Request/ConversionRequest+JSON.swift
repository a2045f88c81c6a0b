// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import ImageFiles
package import Platform

extension ConversionRequest: Codable {
  private enum CodingKeys: CodingKey {
    case content, copying, gainMap, companions, rendition, geometry, color, coding, metadata, raw
    case input
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    func read<Part: Decodable>(_ part: inout Part, _ key: CodingKeys) throws {
      part = try values.decodeIfPresent(Part.self, forKey: key) ?? part
    }
    try read(&content, .content)
    try read(&copying, .copying)
    try read(&gainMap, .gainMap)
    try read(&companions, .companions)
    try read(&rendition, .rendition)
    try read(&geometry, .geometry)
    try read(&color, .color)
    try read(&coding, .coding)
    try read(&metadata, .metadata)
    try read(&raw, .raw)
    try read(&input, .input)
  }

  /// Writes the fields that are not those of a new request.
  public func encode(to encoder: any Encoder) throws {
    let usual = ConversionRequest()
    var values = encoder.container(keyedBy: CodingKeys.self)
    func write<Part: Encodable & Equatable>(_ part: Part, _ usual: Part, _ key: CodingKeys) throws {
      if part != usual { try values.encode(part, forKey: key) }
    }
    try write(content, usual.content, .content)
    try write(copying, usual.copying, .copying)
    try write(gainMap, usual.gainMap, .gainMap)
    try write(companions, usual.companions, .companions)
    try write(rendition, usual.rendition, .rendition)
    try write(geometry, usual.geometry, .geometry)
    try write(color, usual.color, .color)
    try write(coding, usual.coding, .coding)
    try write(metadata, usual.metadata, .metadata)
    try write(raw, usual.raw, .raw)
    try write(input, usual.input, .input)
  }
}

extension ConversionRequest {
  /// Reads a request.
  ///
  /// - Parameter json: JSON in UTF-8 with fields of a request; those that are missing are `nil`.
  /// - Throws: `.invalidArgument` for text that is not JSON, for unknown fields, and for values of
  ///   another type. Ranges are checked by `check()` and by plans.
  public init(json: [UInt8]) throws(ImageError) {
    guard let given = JSONValue(Data(json)) else {
      throw ImageError(.requestInvalid, ["field": "request", "cause": "it is not JSON"])
    }
    do { self = try JSONDecoder().decode(ConversionRequest.self, from: Data(json)) } catch {
      throw Self.invalid(error, given)
    }
    // A field that is read is written again, some with more detail.
    let known = fields + ["content", "copying"]
    let unknown = given.fields.filter { field in
      !known.contains { $0 == field || $0.hasPrefix(field + ".") }
    }
    let unknownParts = given.names.filter { CodingKeys(stringValue: $0) == nil }
    if let field = (unknown + unknownParts).first {
      throw ImageError(.requestUnknownField, ["field": field])
    }
  }

  /// The request as JSON in UTF-8, keys in alphabetical order, without fields that are not set.
  ///
  /// - Returns: The bytes of the text.
  /// - Throws: `.invalidArgument` for numbers that JSON does not represent: infinity and NaN.
  public func json() throws(ImageError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do { return Array(try encoder.encode(self)) } catch {
      throw ImageError(.requestInvalid, ["field": "request", "cause": "it is not representable"])
    }
  }

  /// The names of the fields that are set, such as `coding.quality`, in alphabetical order.
  package var givenFields: [String] {
    Set(fields.map { $0.split(separator: ".").prefix(2).joined(separator: ".") }).sorted()
  }

  /// Paths of all values.
  private var fields: [String] {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "infinite", negativeInfinity: "-infinite", nan: "not a number")
    guard let data = try? encoder.encode(self),
      let tree = try? JSONDecoder().decode(JSONValue.self, from: data)
    else { return [] }
    return tree.fields
  }

  private static func invalid(_ error: any Error, _ given: JSONValue) -> ImageError {
    guard let error = error as? DecodingError else {
      return ImageError(.requestInvalid, ["field": "request", "cause": "\(error)"])
    }
    let context: DecodingError.Context
    var cause: String?
    switch error {
    case .dataCorrupted(let found) where found.codingPath.isEmpty:
      // The decoder does not name a fraction in the place of an integer.
      let wrong = given.fractions.first { fraction in
        let alone = try? JSONEncoder().encode(fraction.alone)
        return alone.flatMap { try? JSONDecoder().decode(Self.self, from: $0) } == nil
      }
      let cause = wrong == nil ? found.debugDescription : "an integer is required"
      return ImageError(.requestInvalid, ["field": wrong?.field ?? "request", "cause": cause])
    case .dataCorrupted(let found):
      (context, cause) = (found, found.debugDescription)
      // Swift's error of an enumeration contains the name of its type.
      if !(found.underlyingError is ExplainedDecoding) {
        switch given.value(at: found.codingPath) {
        case .text(let value): cause = "'\(value)' is not one of its values"
        case .integer(let value): cause = "\(value) is not one of its values"
        default: break
        }
      }
    case .typeMismatch(_, let found): context = found
    case .valueNotFound(_, let found): context = found
    case .keyNotFound(let key, let found):
      (context, cause) = (found, "'\(key.stringValue)' is missing")
    @unknown default: return ImageError(.requestInvalid, ["field": "request", "cause": "\(error)"])
    }
    let path = context.codingPath.reduce(into: "") { path, key in
      path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue
    }
    return ImageError(
      .requestInvalid,
      [
        "field": path.isEmpty ? "request" : path,
        "cause": cause ?? "the value is of another type",
      ])
  }
}

// MARK: Values

extension ConversionRequest.FileContent: Codable {
  private enum CodingKeys: CodingKey {
    case file, base64
  }

  /// Reads a name, or an object with a name or with bytes.
  public init(from decoder: any Decoder) throws {
    if let name = try? decoder.singleValueContainer().decode(String.self) {
      self = .name(name)
      return
    }
    let values = try decoder.container(keyedBy: CodingKeys.self)
    if let text = try values.decodeIfPresent(String.self, forKey: .base64) {
      guard let data = Data(base64Encoded: text) else {
        throw DecodingError.explained(
          "it is not Base64", at: decoder.codingPath + [CodingKeys.base64])
      }
      self = .bytes(Array(data))
    } else {
      self = .name(try values.decode(String.self, forKey: .file))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .name(let name): try values.encode(name, forKey: .file)
    case .bytes(let bytes): try values.encode(Data(bytes), forKey: .base64)
    }
  }
}

extension ConversionRequest.Item: Codable {
  /// Reads `keep`, `measure` or `drop`, or a value.
  public init(from decoder: any Decoder) throws {
    switch try? decoder.singleValueContainer().decode(String.self) {
    case "keep": self = .keep
    case "measure": self = .measure
    case "drop": self = .drop
    default: self = .value(try Value(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .keep: try value.encode("keep")
    case .measure: try value.encode("measure")
    case .drop: try value.encode("drop")
    case .value(let given): try value.encode(given)
    }
  }
}

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
