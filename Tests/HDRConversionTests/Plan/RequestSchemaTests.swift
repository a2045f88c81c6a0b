// SPDX-License-Identifier: Apache-2.0
import Foundation
import GainMap
import HDRCore
import ImageFiles
import RAWDevelop
import Testing

@testable import HDRConversion

/// `Documentation/schemas/request.json`, which is made of the declarations and their comments.
@Suite("JSON Schema of requests") struct RequestSchemaTests {
  @Test func schemaIsThatOfTheDeclarations() throws {
    let text = try RequestSchema().text
    let file = RequestSchema.folder.appending(path: "Documentation/schemas/request.json")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      try Data(text.utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text, "run with UPDATE_GOLDENS=1")
    #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
  }
}

/// The schema, as text with one field per line.
private struct RequestSchema {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardized

  private struct Field {
    var name: String
    var type: String
    var comment: String
  }

  /// Fields of each structure, by its path.
  private var structures: [String: [Field]] = [:]
  /// Values of each enumeration, by its path.
  private var enumerations: [String: [String]] = [:]

  /// Reads the declarations.
  init() throws {
    let source = try String(
      contentsOf: Self.folder.appending(
        path: "Sources/HDRConversion/Request/ConversionRequest.swift"), encoding: .utf8)
    var scopes: [(indentation: Int, name: String)] = []
    var comment: [String] = []
    for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
      let text = line.drop { $0 == " " }
      let indentation = line.count - text.count
      if text.hasPrefix("///") {
        comment.append(text.dropFirst(3).trimmingCharacters(in: .whitespaces))
        continue
      }
      if let match = text.prefixMatch(of: /(?:public )?(struct|enum|extension) (\w+)/) {
        scopes.removeAll { $0.indentation >= indentation }
        scopes.append((indentation, String(match.2)))
        let path = scopes.map(\.name).joined(separator: ".")
        if match.1 == "enum" {
          enumerations[path] = []
        } else {
          structures[path] = structures[path] ?? []
        }
      } else {
        if text == "}" { scopes.removeAll { $0.indentation >= indentation } }
        let path = scopes.map(\.name).joined(separator: ".")
        if let match = text.wholeMatch(of: /public var (\w+)(?:: ([^{]+?)\??| = (\w+)[.(].*)/) {
          structures[path]?.append(
            Field(
              name: String(match.1), type: String(match.2 ?? match.3 ?? ""),
              comment: comment.joined(separator: " ")))
        } else if let match = text.wholeMatch(of: /case (\w+)(?: = "(.*)")?/) {
          enumerations[path]?.append(String(match.2 ?? match.1))
        }
      }
      comment = []
    }
  }

  var text: String {
    get throws {
      """
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "request",
        "description": "What is to be made of an image, and how; fields that are left out \
      are decided by the plan.",
        "type": "object",
        "additionalProperties": false,
        "properties": {
      \(try properties(of: "ConversionRequest", path: [], indentation: "    "))
        }
      }

      """
    }
  }

  private func properties(
    of structure: String, path: [String], indentation: String
  ) throws -> String {
    try (structures[structure] ?? []).map { field in
      let comment = field.comment.isEmpty ? nil : #""description": "\#(field.comment)""#
      let start = "\(indentation)\"\(field.name)\": {"
      let path = path + [field.name]
      guard let nested = found(field.type, in: structure, among: structures.keys) else {
        let schema = try schema(of: field.type, in: structure, path)
        return start + [comment, schema].compactMap(\.self).joined(separator: ", ") + "}"
      }
      let inner = indentation + "  "
      let lines = [comment, #""type": "object""#, #""additionalProperties": false"#]
      return start + "\n" + lines.compactMap(\.self).map { "\(inner)\($0),\n" }.joined()
        + "\(inner)\"properties\": {\n"
        + (try properties(of: nested, path: path, indentation: inner + "  "))
        + "\n\(inner)}\n\(indentation)}"
    }.joined(separator: ",\n")
  }

  /// The path of a type that is named inside a structure.
  private func found(
    _ type: String, in structure: String, among paths: some Collection<String>
  ) -> String? {
    var scope = structure.split(separator: ".")
    while !scope.isEmpty {
      let path = scope.joined(separator: ".") + ".\(type)"
      if paths.contains(path) { return path }
      scope.removeLast()
    }
    return paths.contains(type) ? type : nil
  }

  // MARK: Types

  private func schema(of type: String, in structure: String, _ path: [String]) throws -> String {
    if let item = type.wholeMatch(of: /Item<(.+)>/)?.1 {
      let value = try schema(of: String(item), in: structure, path)
      return #""anyOf": [{"enum": ["keep", "measure", "drop"]}, {\#(value)}]"#
    }
    if let element = type.wholeMatch(of: /\[(.+)\]/)?.1 {
      let items = try schema(of: String(element), in: structure, path)
      let count = path.last == "neutralLocation" ? #", "minItems": 2, "maxItems": 2"# : ""
      return #""type": "array", "items": {\#(items)}"# + count
    }
    if let plain = Self.plain[type] {
      return path == ["geometry", "rotation"]
        ? "\(plain), \"multipleOf\": 90" : limited(plain, path)
    }
    if let known = Self.known[type] { return known }
    if let path = found(type, in: structure, among: enumerations.keys) {
      return Self.choice(enumerations[path] ?? [])
    }
    throw SchemaError(type: type)
  }

  private struct SchemaError: Error {
    /// A type without a schema.
    var type: String
  }

  private static let plain = [
    "String": #""type": "string""#, "Bool": #""type": "boolean""#, "Int": #""type": "integer""#,
    "Double": #""type": "number""#,
  ]

  /// A number with its range, or its values, as `check()` states them when it refuses one.
  private func limited(_ plain: String, _ path: [String]) -> String {
    guard plain != Self.plain["String"], plain != Self.plain["Bool"] else { return plain }
    let huge = plain == Self.plain["Int"] ? "8999999999" : "1e300"
    let json = path.reversed().reduce(huge) { "{\"\($1)\": \($0)}" }
    // The elements of a list are without limits of their own.
    guard let request = try? ConversionRequest(json: Array(json.utf8)) else { return plain }
    do throws(ImageError) { try request.check() } catch {
      guard error.code == .requestOutOfRange,
        case .text(let values) = error.parameters.values["values"]
      else { return plain }
      guard let range = values.wholeMatch(of: /(.+)\.\.\.(.+)/) else {
        return "\"enum\": [\(values)]"
      }
      return "\(plain), \"minimum\": \(range.1), \"maximum\": \(range.2)"
    }
    return plain
  }

  // MARK: Types of other modules

  private static let known: [String: String] = [
    "ToneMapOperator": choice(ToneMapOperator.allCases.map(\.rawValue)),
    "GamutMapping": choice(GamutMapping.allCases.map(\.rawValue)),
    "TransferFunction": choice(["pq", "hlg", "srgb", "linear"]),
    "ColorPrimaries": primaries,
    "CICP.Matrix": #""type": "integer", "minimum": 0, "maximum": 65535"#,
    "CICP": #""type": "string", "pattern": "^\\d+/\\d+/\\d+(/(full|limited))?$""#,
    "Orientation": #""type": "integer", "minimum": 1, "maximum": 8"#,
    "ColorEncoding.ImageState": choice(["display", "scene"]),
    "ChromaSubsampling": choice(ChromaSubsampling.allCases.map(\.rawValue)),
    "FileFormat": choice(FileFormat.allCases.filter(\.isWritten).flatMap(names)),
    "GainMapFlavor": choice(GainMapFlavor.allCases.map(\.rawValue)),
    "GainMapMetadata.AppleCurve": choice(GainMapMetadata.AppleCurve.allCases.map(\.rawValue)),
    "GainMapQuality.Extent": choice(GainMapQuality.Extent.allCases.map(\.rawValue)),
    "RawDevelopment.Highlights": choice(RawDevelopment.Highlights.allCases.map(\.rawValue)),
    "RawDevelopment.LocalExposure": object([
      ("matte", string), ("stops", #"{"type": "number", "minimum": -32, "maximum": 32}"#),
    ]),
    "PixelRectangle": object(["x", "y", "width", "height"].map { ($0, #"{"type": "integer"}"#) }),
    "FileContent": #""anyOf": [{"type": "string"}, {"#
      + object([("file", string), ("base64", string)], isComplete: false) + "}]",
    "LightMetadata.ContentLightLevel": object([("maximum", number), ("maximumAverage", number)]),
    "LightMetadata.MasteringDisplay": object([
      ("primaries", "{\(primaries)}"), ("maximumLuminance", number), ("minimumLuminance", number),
    ]),
    "LightMetadata.ContentColorVolume": object(
      [
        ("primaries", "{\(primaries)}"), ("minimumLuminance", number),
        ("maximumLuminance", number), ("averageLuminance", number),
      ], isComplete: false),
    "LightMetadata.ReferenceEnvironment": object([
      ("surroundLuminance", number), ("surroundLight", chromaticity),
      ("peripheryLuminance", number), ("peripheryLight", chromaticity),
    ]),
    "LightMetadata.AmbientEnvironment": object([
      ("illuminance", number), ("light", chromaticity),
    ]),
  ]

  /// The name of a format, and the suffixes of its files.
  private static func names(of format: FileFormat) -> [String] {
    [format.rawValue] + format.traits.suffixes.filter { $0 != format.rawValue }
  }

  private static let (string, number) = (#"{"type": "string"}"#, #"{"type": "number"}"#)
  private static let chromaticity = #"{"type": "object", "required": ["x", "y"]}"#
  private static let primaries =
    "\"anyOf\": [{\(choice(ColorPrimaries.knownNames))}, "
    + #"{"type": "object", "required": ["red", "green", "blue", "white"]}]"#

  /// An object of which all fields are required if it is complete.
  private static func object(_ fields: [(String, String)], isComplete: Bool = true) -> String {
    let names = fields.map { "\"\($0.0)\"" }.joined(separator: ", ")
    let properties = fields.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
    return #""type": "object", "additionalProperties": false, "#
      + (isComplete ? "\"required\": [\(names)], " : "") + "\"properties\": {\(properties)}"
  }

  private static func choice(_ values: [String]) -> String {
    "\"enum\": [\(values.map { "\"\($0)\"" }.joined(separator: ", "))]"
  }
}
