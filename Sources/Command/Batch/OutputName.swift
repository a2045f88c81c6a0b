// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Platform

/// A template for the names of outputs, such as `{dir}/{stem}-{width}.{ext}`.
struct OutputName: Hashable, Sendable, ExpressibleByArgument {
  enum Placeholder: String, CaseIterable {
    /// Folder of the input below the folder that was given.
    case dir
    /// Name of the input without folders and suffix.
    case stem
    /// Suffix of the output.
    case ext
    /// Suffix of the input.
    case source
    /// Width of the output, in pixels.
    case width
    case height
    /// Number of the input, from 1.
    case index
  }

  private enum Part: Hashable {
    case text(String)
    case placeholder(Placeholder)
  }

  /// The values of the placeholders for one input.
  struct Values {
    var folder: String
    var stem: String
    var suffix: String
    var sourceSuffix: String
    var index: Int
    /// Required if `needsSize`.
    var size: (width: Int, height: Int)?
  }

  private let parts: [Part]

  /// The default: `{dir}/{stem}.{ext}`.
  static let usual = OutputName(parts: [
    .placeholder(.dir), .text("/"), .placeholder(.stem), .text("."), .placeholder(.ext),
  ])

  private init(parts: [Part]) { self.parts = parts }

  /// Parses a template; `nil` for an unknown placeholder, an unpaired brace or an empty template.
  init?(argument: String) {
    var parts: [Part] = []
    var rest = argument[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}"),
        let placeholder = Placeholder(rawValue: String(rest[rest.index(after: brace)..<end]))
      else { return nil }
      if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
      parts.append(.placeholder(placeholder))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    guard !parts.isEmpty else { return nil }
    self.parts = parts
  }

  /// Whether names depend on the size of the image.
  var needsSize: Bool {
    parts.contains(.placeholder(.width)) || parts.contains(.placeholder(.height))
  }

  /// The path for one input, relative to the folder of the outputs, without empty components.
  func path(_ values: Values) -> String {
    let text = parts.map { part in
      switch part {
      case .text(let text): text
      case .placeholder(.dir): values.folder
      case .placeholder(.stem): values.stem
      case .placeholder(.ext): values.suffix
      case .placeholder(.source): values.sourceSuffix
      case .placeholder(.index): "\(values.index)"
      case .placeholder(.width): "\(values.size?.width ?? 0)"
      case .placeholder(.height): "\(values.size?.height ?? 0)"
      }
    }.joined()
    let path = values.suffix.isEmpty && text.hasSuffix(".") ? String(text.dropLast()) : text
    return path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}

/// One of several outputs of an input: its format, and the length of its longer side.
struct OutputVariant: Codable, Hashable, Sendable {
  /// The format as `--to` names it.
  var format: String?
  /// Length in pixels, which does not enlarge; `nil` for the size of a single output.
  var longSide: Int?
}
