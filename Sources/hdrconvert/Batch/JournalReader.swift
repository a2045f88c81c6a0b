// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageContainers

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
    guard bytes.isEmpty || !entries.isEmpty || lines.isEmpty && Self.isTornEntry(bytes) else {
      throw ImageError(.journalNotRecognized)
    }
  }

  /// Whether bytes without a line break are the beginning of a first entry.
  ///
  /// Keys are in alphabetical order. A whole object, such as settings without a line break, is not torn.
  private static func isTornEntry(_ bytes: [UInt8]) -> Bool {
    let beginning = #"{"attempts":"#.utf8
    return (bytes.starts(with: beginning) || beginning.starts(with: bytes))
      && (try? JSONDecoder().decode([String: Value].self, from: Data(bytes))) == nil
  }

  /// Any value.
  private struct Value: Decodable {
    init(from decoder: any Decoder) {}
  }
}
