// SPDX-License-Identifier: Apache-2.0
internal import Platform

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
