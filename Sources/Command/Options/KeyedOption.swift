// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// An option whose value is a list of keys with values, such as `--raw temperature=5200,tint=10`.
///
/// Its table of keys is the only description: values are parsed by it, and `help`, the manual pages and completions
/// print it.
struct KeyedOption<Target>: Sendable {
  /// A key with the form of its value.
  struct Key: Sendable {
    typealias Setter = @Sendable (inout Target, String) throws(ValidationError) -> Void
    /// The place of a value, made when it is used: each start of the command makes the tables of keys.
    typealias Path<Value> = @Sendable () -> any WritableKeyPath<Target, Value?> & Sendable

    let name: String
    /// Form of the value, such as `0...1` or `on|off`; empty if the key has none.
    let form: String
    /// Unit of a number; empty for others.
    var unit = ""
    let help: String
    /// The field that the key sets, as errors name it.
    let field: String
    /// Whether the value is text that may contain commas.
    var isText = false
    /// Whether the key may be given several times.
    var isRepeatable = false
    let set: Setter

    /// The form of the value with its unit.
    var formWithUnit: String { unit.isEmpty ? form : "\(form) \(unit)" }
  }

  let name: String
  let summary: String
  let keys: [Key]

  /// The names of the topic in help, such as `raw`.
  var topic: String { String(name.dropFirst(2)) }

  /// Sets the fields of the keys in values of the option.
  ///
  /// - Throws: The failure of a key or a value, which names what the key takes.
  func apply(_ values: [String], to target: inout Target) throws(Failure) {
    var given: Set<String> = []
    for text in values {
      for (key, value) in try entries(of: text) {
        guard given.insert(key.name).inserted || key.isRepeatable else {
          throw failure("\(name) \(key.name) is given twice")
        }
        do throws(ValidationError) { try key.set(&target, value) } catch {
          throw failure(
            error.message.isEmpty
              ? "\(name) \(key.name) takes \(key.formWithUnit), not '\(value)'"
              : "\(name) \(key.name): \(error.message)")
        }
      }
    }
  }

  /// Whether a key is among values of the option.
  func contains(_ key: String, in values: [String]) -> Bool {
    values.contains { (try? entries(of: $0))?.contains { $0.0.name == key } == true }
  }

  /// The keys of a value with their values.
  ///
  /// A part that is not a key belongs to the text before the comma, unless it resembles one.
  private func entries(of text: String) throws(Failure) -> [(Key, String)] {
    var entries: [(Key, String)] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.prefix { $0 != "=" }
      let word = name.trimmed
      if let key = keys.first(where: { $0.name == word }), part.contains("=") || key.form.isEmpty {
        let value = part.dropFirst(name.count + 1)
        entries.append((key, key.isText ? String(value) : value.trimmed))
      } else if let (key, value) = entries.last, key.isText,
        !part.contains("=") || keys.map(\.name).similar(to: word) == nil
      {
        entries[entries.count - 1].1 = "\(value),\(part)"
      } else if let key = keys.first(where: { $0.name == word }) {
        throw failure("\(name) \(key.name) needs a value: \(key.name)=\(key.formWithUnit)")
      } else if let (key, value) = entries.last, key.form.contains(":"), !part.contains("=") {
        throw failure("\(name) \(key.name) takes \(key.form), with colons, not '\(value),\(part)'")
      } else {
        throw unknown(word)
      }
    }
    return entries
  }

  private func unknown(_ word: String) -> Failure {
    let similar = keys.map(\.name).similar(to: word)
    return failure(
      "\(name) does not have a key '\(word)'"
        + (similar.map { "; did you mean '\($0)'?" } ?? ""))
  }

  private func failure(_ message: String) -> Failure {
    Failure(ImageError(.argumentsInvalid, ["message": message]), remedy: "hdrconvert help \(topic)")
  }

  /// Values without numbers, for completion by shells.
  var words: [String] { keys.map { $0.form.isEmpty ? $0.name : "\($0.name)=" } }

  /// The keys, for help.
  var text: String {
    let column = 30
    let lines = keys.flatMap { key -> [String] in
      let label = "  " + key.label
      let text = key.sentence.wrapped(to: LabeledRows.width - column)
      let isShort = label.count < column
      let head = isShort ? label.padded(to: column) + (text.first ?? "") : label
      return [head]
        + text.dropFirst(isShort ? 1 : 0).map { String(repeating: " ", count: column) + $0 }
    }
    let usage = "\(name) key=value,...  \(summary) May be repeated."
    return ([usage, ""] + lines).joined(separator: "\n")
  }
}

/// Options with keys that set fields of a request.
typealias RequestKeys = KeyedOption<ConversionRequest>

extension KeyedOption.Key {
  /// The key with the form of its value.
  var label: String { form.isEmpty ? name : "\(name)=\(form)" }

  /// The help with the unit of the value.
  var sentence: String { unit.isEmpty ? help : "\(help) [\(unit)]" }

  /// A number.
  static func number(
    _ name: String, _ form: String, unit: String = "", _ help: String, _ field: String,
    _ path: @autoclosure @escaping Path<Double>
  ) -> Self {
    Self(name: name, form: form, unit: unit, help: help, field: field) {
      target, text throws(ValidationError) in
      guard let value = Double(text) else { throw ValidationError("") }
      target[keyPath: path()] = value
    }
  }

  /// One of the names of an enumeration.
  static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ help: String, _ field: String,
    _ path: @autoclosure @escaping Path<Value>
  ) -> Self {
    Self(
      name: name, form: Value.allCases.map(\.rawValue).joined(separator: "|"), help: help,
      field: field
    ) { target, text throws(ValidationError) in
      guard let value = Value(rawValue: text) else { throw ValidationError("") }
      target[keyPath: path()] = value
    }
  }

  /// `on` or `off`.
  static func toggle(
    _ name: String, _ help: String, _ field: String,
    _ path: @autoclosure @escaping Path<Bool>
  ) -> Self {
    Self(name: name, form: "on|off", help: help, field: field) {
      target, text throws(ValidationError) in
      guard ["on", "off"].contains(text) else { throw ValidationError("") }
      target[keyPath: path()] = text == "on"
    }
  }

  /// A key that needs no value.
  static func flag(
    _ name: String, _ help: String, _ field: String,
    _ path: @autoclosure @escaping Path<Bool>
  ) -> Self {
    Self(name: name, form: "", help: help, field: field) { target, text throws(ValidationError) in
      guard text.isEmpty else { throw ValidationError("it takes no value") }
      target[keyPath: path()] = true
    }
  }

  /// Text, which may contain commas.
  static func text(
    _ name: String, _ form: String, _ help: String, _ field: String,
    _ path: @autoclosure @escaping Path<String>
  ) -> Self {
    Self(name: name, form: form, help: help, field: field, isText: true) {
      target, text throws(ValidationError) in
      guard !text.isEmpty else { throw ValidationError("") }
      target[keyPath: path()] = text
    }
  }
}

extension [String] {
  /// The word that differs least from another one, in at most a third of its letters.
  func similar(to word: String) -> String? {
    sorted().map { (name: $0, edits: word.editCount(to: $0)) }
      .filter { $0.edits <= Swift.min(2, word.count / 3) }.min { $0.edits < $1.edits }?.name
  }
}
