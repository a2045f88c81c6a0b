// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore

/// The lines of a journal, read up to the tear that a crash left.
struct JournalReader {
  private(set) var entries: [JournalEntry] = []
  /// Number of bytes before the tear: all if the journal ends with a complete line.
  let intactCount: Int

  /// Reads a journal.
  ///
  /// A last line without its end is ignored, as are lines of other versions of the schema.
  ///
  /// - Throws: `.malformed` if the bytes are not a journal.
  init(_ bytes: [UInt8]) throws(ImageError) {
    intactCount = bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let decoder = JSONDecoder()
    let lines = bytes[..<intactCount].split(separator: 0x0A)
    for line in lines {
      guard let entry = try? decoder.decode(JournalEntry.self, from: Data(line)),
        entry.schema == JournalEntry.schemaName
      else { continue }
      entries.append(entry)
    }
    // A file that is not a journal is not changed.
    guard bytes.isEmpty || !entries.isEmpty || lines.isEmpty && TornEntry.matches(bytes) else {
      throw ImageError(.journalNotRecognized)
    }
  }
}

/// The unfinished line of a first entry.
///
/// Only the exact form that `JSONLine` writes counts, with at least its first two keys: a file of
/// somebody else is not a torn journal.
private struct TornEntry {
  private enum Form {
    case number
    case text
    case texts
    case outputs
    case lightLevels
  }

  /// The keys of an entry in alphabetical order.
  private static let keys: [(name: String, form: Form, isOptional: Bool)] = [
    ("attempts", .number, false), ("diagnostics", .texts, false), ("exitCode", .number, true),
    ("file", .text, false), ("input", .text, false), ("inputSHA256", .text, true),
    ("lightLevels", .lightLevels, true), ("milliseconds", .number, true),
    ("optionsKey", .text, false), ("outputs", .outputs, false),
    ("peakMemoryBytes", .number, true), ("schema", .text, false), ("sdrInput", .text, true),
    ("status", .text, false), ("version", .text, false),
  ]
  private static let outputKeys: [(name: String, form: Form, isOptional: Bool)] = [
    ("bytes", .number, true), ("path", .text, false), ("sha256", .text, true),
  ]
  private static let lightKeys: [(name: String, form: Form, isOptional: Bool)] = [
    ("maxCLLNits", .number, false), ("maxFALLNits", .number, false),
  ]

  /// The place at which the bytes leave the form: their end, or another byte.
  private struct End: Error { let isTorn: Bool }

  private var rest: ArraySlice<UInt8>

  static func matches(_ bytes: [UInt8]) -> Bool {
    let beginning = Array(#","diagnostics":["#.utf8)
    guard bytes.firstRange(of: beginning) != nil else { return false }
    var entry = TornEntry(rest: bytes[...])
    do throws(End) {
      try entry.object(keys)
      return false
    } catch {
      return error.isTorn
    }
  }

  private mutating func expect(_ text: String) throws(End) {
    for byte in text.utf8 {
      guard let next = rest.popFirst() else { throw End(isTorn: true) }
      guard next == byte else { throw End(isTorn: false) }
    }
  }

  private mutating func object(_ keys: [(name: String, form: Form, isOptional: Bool)]) throws(End) {
    try expect("{")
    var separator = ""
    for key in keys {
      let head = separator + "\"\(key.name)\":"
      if key.isOptional, !rest.isEmpty, !rest.starts(with: head.utf8),
        !head.utf8.starts(with: rest)
      {
        continue
      }
      try expect(head)
      try value(key.form)
      separator = ","
    }
    try expect("}")
  }

  private mutating func value(_ form: Form) throws(End) {
    switch form {
    case .number:
      let digits = rest.prefix { "+-.0123456789e".utf8.contains($0) }
      rest = rest.dropFirst(digits.count)
      guard !rest.isEmpty else { throw End(isTorn: true) }
      guard !digits.isEmpty else { throw End(isTorn: false) }
    case .text:
      try expect("\"")
      while rest.first != UInt8(ascii: "\"") {
        guard let byte = rest.popFirst() else { throw End(isTorn: true) }
        guard byte >= 0x20 else { throw End(isTorn: false) }
        if byte == UInt8(ascii: "\\"), rest.popFirst() == nil { throw End(isTorn: true) }
      }
      try expect("\"")
    case .texts: try list(.text)
    case .outputs: try list(nil)
    case .lightLevels: try object(Self.lightKeys)
    }
  }

  /// A list of values, by default of outputs.
  private mutating func list(_ form: Form?) throws(End) {
    try expect("[")
    var separator = ""
    while rest.first != UInt8(ascii: "]") {
      try expect(separator)
      if let form { try value(form) } else { try object(Self.outputKeys) }
      separator = ","
    }
    try expect("]")
  }
}
