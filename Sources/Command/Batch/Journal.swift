// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform
internal import Synchronization

/// A journal that is being written, locked against other runs.
///
/// Each line is one write at the end of the file. Lines that complete an input are saved to the disk.
/// After the first line that could not be written, nothing is.
final class Journal: Sendable {
  private let path: String
  private let descriptor: Int32
  /// The failure after which nothing was written.
  private let writeFailure = Mutex<Failure?>(nil)

  /// The entries of earlier runs.
  let entries: [JournalEntry]

  /// Opens or creates a journal, and removes a torn last line.
  ///
  /// - Throws: The failure that ends the command: the journal is in use, is not a journal, or cannot
  ///   be opened.
  init(_ path: String) throws(Failure) {
    self.path = path
    let target = try during(.writing, path) { () throws(ImageError) in
      try OutputFile(path: path, mayReplace: true).target
    }
    // SAFETY: the C string lives for the call.
    let descriptor = unsafe open(
      target, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else {
      throw Failure(
        ImageError(.outputNotCreated, ["detail": lastSystemError], at: .init(file: path)),
        stage: .writing)
    }
    do throws(Failure) {
      // A device or a pipe may be without an end.
      var status = stat()
      // SAFETY: `status` lives for the call.
      guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw Failure(ImageError(.journalNotRecognized).inFile(path), stage: .reading)
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        throw Failure(ImageError(.journalInUse).inFile(path), stage: .writing)
      }
      let bytes = try during(.reading, path) { () throws(ImageError) in
        try Self.bytes(of: descriptor)
      }
      let reader = try during(.reading, path) { () throws(ImageError) in try JournalReader(bytes) }
      guard
        reader.intactCount == bytes.count || ftruncate(descriptor, off_t(reader.intactCount)) == 0
      else {
        throw Failure(OutputFile.writeError(path), stage: .writing)
      }
      entries = reader.entries
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  /// All bytes of a journal, whose memory is released once its lines are read.
  private static func bytes(of descriptor: Int32) throws(ImageError) -> [UInt8] {
    try Execution.HeldMemory().hold { () throws(ImageError) in
      try readToEnd(of: descriptor, limits: Execution.current.limits).allBytes()
    }
  }

  deinit {
    // Closing releases the lock.
    close(descriptor)
  }

  /// The failure to write an entry, if there was one.
  var failure: Failure? { writeFailure.withLock { $0 } }

  /// Appends an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - isSaved: Whether the line reaches the disk before this returns.
  /// - Returns: Whether the line was written; see `failure`.
  @discardableResult func append(_ entry: JournalEntry, isSaved: Bool) -> Bool {
    guard let line = JSONLine.text(entry).map({ Array($0.utf8) }) else { return false }
    return writeFailure.withLock { failure in
      guard failure == nil else { return false }
      let end = lseek(descriptor, 0, SEEK_END)
      do throws(ImageError) {
        try OutputFile.write(line, to: descriptor, path: path)
        guard !isSaved || fsync(descriptor) == 0 else { throw OutputFile.writeError(path) }
        return true
      } catch {
        failure = Failure(error, stage: .writing)
        // A full disk may have taken a part of the line.
        if end >= 0 { _ = ftruncate(descriptor, end) }
        return false
      }
    }
  }
}

/// A line of a journal: one input of one run.
struct JournalEntry: Codable, Sendable {
  static let schemaName = "hdrconvert-journal/1"

  enum Status: String, Codable, Sendable {
    /// The input is being processed, or was when the run ended.
    case started
    case done
    case failed
    case skipped
  }

  struct Output: Codable, Sendable {
    let path: String
    /// `nil` before the output is complete.
    let sha256: String?
    let bytes: Int?
  }

  /// Light levels of the image that was encoded, in cd/m².
  struct Light: Codable, Sendable {
    let maxCLLNits: Double
    let maxFALLNits: Double
  }

  var schema = JournalEntry.schemaName
  /// The name of the input: its path as it was given, or below the folder that was given.
  let input: String
  /// The path of the input, with `/./` before the part that outputs keep.
  let file: String
  /// The path of the SDR image of a raw file, likewise.
  var sdrInput: String?
  let status: Status
  var outputs: [Output] = []
  /// SHA-256 of all files that the input consists of.
  var inputSHA256: String?
  let optionsKey: String
  let version: String
  /// Codes of the failure and of notices.
  var diagnostics: [String] = []
  /// Status that the command has for this input alone.
  var exitCode: Int?
  var milliseconds: Int?
  var peakMemoryBytes: Int?
  var lightLevels: Light?
  var attempts: Int
}

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

/// Objects as lines of JSON.
enum JSONLine {
  /// The object in one line with a line break, keys in alphabetical order; `nil` if it cannot be
  /// encoded.
  static func text(_ object: some Encodable) -> String? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(object)).map { String(decoding: $0, as: UTF8.self) + "\n" }
  }
}
