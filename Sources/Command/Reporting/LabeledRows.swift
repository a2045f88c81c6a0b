// SPDX-License-Identifier: Apache-2.0
/// Labels and values in two columns, wrapped to the width of a terminal.
struct LabeledRows {
  static let width = 80

  /// Column of the values.
  let column: Int
  private(set) var lines: [String] = []

  init(column: Int) { self.column = column }

  /// Adds a label with its values, each on lines of its own.
  ///
  /// - Parameters:
  ///   - label: Printed before the first value.
  ///   - values: Texts; long ones are wrapped at spaces, except commands, which are copied.
  ///   - hanging: Additional indentation of wrapped lines.
  mutating func add(_ label: String, _ values: [String], hanging: Int = 0) {
    let texts = values.flatMap {
      $0.hasPrefix("hdrconvert ") ? [$0] : $0.wrapped(to: Self.width - column, hanging: hanging)
    }
    for (index, text) in texts.enumerated() {
      let head = index == 0 ? "  " + label : ""
      lines.append(head.padded(to: max(column, head.count + 1)) + text)
    }
  }
}

extension String {
  /// The text followed by spaces up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(width - count, 0))
  }

  /// Lines of at most `width` characters, split at spaces; a longer word has a line of its own, and a
  /// percent sign stays with its number.
  ///
  /// - Parameters:
  ///   - width: Characters of a line.
  ///   - hanging: Indentation of all lines but the first.
  /// - Returns: At least one line.
  func wrapped(to width: Int, hanging: Int = 0) -> [String] {
    var words: [String] = []
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      if word.hasPrefix("%"), let number = words.popLast() {
        words.append("\(number) \(word)")
      } else {
        words.append(String(word))
      }
    }
    var lines: [String] = []
    var line = words.first ?? ""
    for word in words.dropFirst() {
      if line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: hanging) + word
      } else {
        line += " " + word
      }
    }
    return lines + [line]
  }
}
