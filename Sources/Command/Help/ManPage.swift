// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import ImageReports
internal import Platform

/// Manual pages in roff, made of the definitions that help prints.
struct ManPage {
  /// Name of the file without `.1`, such as `hdrconvert-gainmap-create`.
  let name: String
  let text: String

  /// The folder that `help --man DIR` names, and whether `--force` follows; `nil` for other arguments.
  static func target(in arguments: [String]) -> (folder: String, mayReplace: Bool)? {
    guard arguments.count >= 3, arguments.starts(with: ["help", "--man"]) else { return nil }
    let options = arguments[3...]
    guard options.isEmpty || options == ["--force"] else { return nil }
    return (arguments[2], !options.isEmpty)
  }

  /// Writes all pages to a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - mayReplace: Whether pages that exist are replaced; otherwise, no page is written.
  /// - Throws: The failure that ends the command.
  static func writeAll(to folder: String, mayReplace: Bool) throws(Failure) {
    let pages = try all().map { page in
      let path = "\(folder)/\(page.name).1"
      return (file: OutputFile(path: path, mayReplace: mayReplace), text: page.text)
    }
    for (file, _) in pages { try file.ensureWritable() }
    for (file, text) in pages {
      try during(.writing, file.path) { () throws(ImageError) in
        try file.write(Array(text.utf8))
      }
    }
  }

  /// The page of the command, then one for each verb.
  static func all() throws(Failure) -> [ManPage] {
    guard
      let tool = try? JSONDecoder().decode(
        CommandDescription.Tool.self, from: Data(HDRConvert._dumpHelp().utf8))
    else { throw Failure(ImageError(.reportNotEncodable), stage: .writing) }
    let verbs = (tool.command.subcommands ?? []).filter { $0.commandName != "help" }
    let pages = verbs.flatMap { verb -> [ManPage] in
      let nested = verb.subcommands ?? []
      return nested.isEmpty
        ? [ManPage(verb, words: [verb.commandName])]
        : nested.map { ManPage($0, words: [verb.commandName, $0.commandName]) }
    }
    return [ManPage(of: tool.command, verbs: pages)] + pages
  }

  /// The page of a verb.
  private init(_ verb: CommandDescription, words: [String]) {
    let (description, examples) = verb.parts
    name = (["hdrconvert"] + words).joined(separator: "-")
    var page = Roff(title: name)
    page.section("Name")
    page.text("\(name) - \(verb.abstract ?? "")")
    page.section("Synopsis")
    page.raw(
      ".B \(Roff.escaped((["hdrconvert"] + words).joined(separator: " ")))\n"
        + verb.synopsis.map(Roff.escaped).joined(separator: " "))
    page.section("Description")
    description.forEach { page.paragraph($0) }
    page.options(verb.arguments ?? [])
    let options = Set((verb.arguments ?? []).compactMap { $0.names?.first?.text })
    if options.contains(RequestKeys.raw.name) { page.keys(of: RequestKeys.raw) }
    if options.contains(RequestKeys.set.name) { page.keys(of: verb.metadataOption) }
    page.examples(examples)
    page.exitStatus()
    page.section("See also")
    page.raw(".BR hdrconvert (1)")
    text = page.text
  }

  /// The page of the command, which lists the pages of its verbs.
  private init(of command: CommandDescription, verbs: [ManPage]) {
    let (description, examples) = command.parts
    name = command.commandName
    var page = Roff(title: name)
    page.section("Name")
    page.text("\(name) - \(command.abstract ?? "")")
    page.section("Synopsis")
    page.raw(
      ".B hdrconvert\n" + Roff.escaped("IN -o OUT [options]") + "\n.br\n.B hdrconvert\n"
        + Roff.escaped("VERB [options]"))
    page.section("Description")
    description.forEach { page.paragraph($0) }
    page.paragraph("Without --force, no file is replaced. With --json, every verb reports as JSON.")
    page.section("Verbs")
    for verb in verbs { page.item(".BR \(Roff.escaped(verb.name)) (1)", verb.abstract) }
    page.examples(examples)
    page.exitStatus()
    page.section("See also")
    page.raw(verbs.map { ".BR \(Roff.escaped($0.name)) (1)" }.joined(separator: ",\n"))
    text = page.text
  }

  /// The text after the name of the page.
  private var abstract: String {
    let line = text.split(separator: "\n").first { $0.hasPrefix(Roff.escaped("\(name) - ")) }
    return line.map { String($0.dropFirst(Roff.escaped("\(name) - ").count)) } ?? ""
  }
}

/// A verb as the argument parser describes it.
private struct CommandDescription: Decodable {
  struct Tool: Decodable { let command: CommandDescription }

  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String

      var text: String { (kind == "short" ? "-" : "--") + name }
    }

    let kind: String
    let sectionTitle: String?
    let isOptional: Bool
    let isRepeating: Bool
    let names: [Name]?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let abstract: String?
  }

  let commandName: String
  let abstract: String?
  let discussion: String?
  let subcommands: [CommandDescription]?
  let arguments: [Argument]?

  /// Paragraphs of the discussion, and the lines of its examples.
  var parts: (description: [String], examples: [String]) {
    let lines = (discussion ?? "").split(separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex(of: "examples:") ?? lines.endIndex
    let description = lines[..<start].split(separator: "").map { $0.joined(separator: " ") }
    return (
      description.isEmpty ? [abstract ?? ""] : description,
      lines[start...].dropFirst()
        .map { String($0.dropFirst(2)) }
    )
  }

  /// The table of `--set`.
  var metadataOption: KeyedOption<ConversionRequest> {
    switch commandName {
    case Tag._commandName: .tag
    case "convert", "render", "apply": .set
    default: .makerNotes
    }
  }

  /// Positional and required arguments, then the options.
  var synopsis: [String] {
    let words = (arguments ?? []).compactMap { argument -> String? in
      let value = argument.valueName.map { "<\($0)>" } ?? ""
      let dots = argument.isRepeating ? " ..." : ""
      if argument.kind == "positional" {
        return argument.isOptional ? "[\(value)\(dots)]" : value + dots
      }
      guard !argument.isOptional, argument.defaultValue == nil, argument.kind == "option" else {
        return nil
      }
      return "\(argument.names?.first?.text ?? "") \(value)"
    }
    return words + ["[options]"]
  }
}

/// Text of a manual page in the macros of man(7).
private struct Roff {
  private(set) var text: String

  init(title: String) {
    text =
      ".TH \(Self.escaped(title.uppercased())) 1 \"\" \"hdrconvert \(toolVersion)\" "
      + "\"User Commands\"\n"
  }

  mutating func raw(_ line: String) { text += line + "\n" }

  mutating func section(_ title: String) { raw(".SH \(title.uppercased())") }

  mutating func text(_ line: String) { raw(Self.escaped(line)) }

  mutating func paragraph(_ words: String) {
    raw(".PP")
    text(words)
  }

  /// An entry of a list; its text is escaped already.
  mutating func item(_ label: String, _ text: String) {
    raw(".TP")
    raw(label)
    raw(text)
  }

  /// The options, by the titles of their groups.
  mutating func options(_ arguments: [CommandDescription.Argument]) {
    let titles = arguments.reduce(into: [String?]()) { titles, argument in
      if !titles.contains(argument.sectionTitle) { titles.append(argument.sectionTitle) }
    }
    section("Options")
    for title in titles {
      if let title { raw(".SS \(Self.escaped(title))") }
      for argument in arguments where argument.sectionTitle == title {
        let value =
          argument.kind == "flag" ? "" : Self.escaped(argument.valueName.map { "<\($0)>" } ?? "")
        let names = (argument.names ?? []).sorted { $0.name.count < $1.name.count }
          .map { "\\fB\(Self.escaped($0.text))\\fR" }
        let label = names.isEmpty ? value : names.joined(separator: ", ") + " " + value
        item(label, Self.escaped(argument.sentence))
      }
    }
  }

  /// The keys of an option.
  mutating func keys<Target>(of option: KeyedOption<Target>) {
    section("Keys of \(option.name)")
    for key in option.keys {
      item("\\fB\(Self.escaped(key.label))\\fR", Self.escaped(key.sentence))
    }
  }

  mutating func examples(_ lines: [String]) {
    guard !lines.isEmpty else { return }
    section("Examples")
    raw(".EX")
    lines.forEach { text($0) }
    raw(".EE")
  }

  mutating func exitStatus() {
    section("Exit status")
    for (code, meaning, _) in Help.exitStatus { item(".B \(code)", Self.escaped(meaning)) }
  }

  /// Text whose characters mean themselves in roff.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\(rs"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case "\"": escaped += "\\(dq"
      case "²": escaped += "2"  // Terminals without Latin-1 do not show it.
      case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u\(String(repeating: "0", count: max(4 - digits.count, 0)))\(digits)]"
      }
    }
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }
}

extension CommandDescription.Argument {
  /// The help of the argument, with its values and its default.
  fileprivate var sentence: String {
    var sentence = abstract ?? ""
    if let allValues, !allValues.isEmpty {
      sentence += " Values: \(allValues.joined(separator: ", "))."
    }
    if let defaultValue, !defaultValue.isEmpty { sentence += " Default: \(defaultValue)." }
    return sentence
  }
}
