// SPDX-License-Identifier: Apache-2.0
extension [String] {
  /// The arguments with numbers below 0 as values of the options before them.
  ///
  /// The parser takes a word with a minus for an option and reports a missing value. The only option
  /// that begins with a digit is `-0`.
  var withNegativeValues: [String] {
    let end = firstIndex(of: "--") ?? count
    return self[..<end].reduce(into: []) { words, word in
      if let option = words.last, option.isBareOption, word.isBelowZero {
        words[words.count - 1] = "\(option)=\(word)"
      } else {
        words.append(word)
      }
    } + self[end...]
  }
}

extension String {
  /// Whether this is `--name` or `-n`, without a value.
  fileprivate var isBareOption: Bool {
    guard hasPrefix("-"), !contains("="), let first = drop(while: { $0 == "-" }).first else {
      return false
    }
    return first.isLetter && (hasPrefix("--") || count == 2)
  }

  /// Whether this begins as a number below 0 does: `-1`, `-.5`, `-1st`, `-10,5`.
  fileprivate var isBelowZero: Bool {
    let digits = dropFirst()
    return hasPrefix("-") && self != "-0"
      && (digits.first == "." ? digits.dropFirst() : digits).first?.isWholeNumber == true
  }
}
