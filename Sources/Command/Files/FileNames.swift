// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// The parts of a path.
extension String {
  /// The name without folders.
  var fileName: String { String(self[(lastIndex(of: "/").map(index(after:)) ?? startIndex)...]) }

  /// The path of the folder; empty for a name without folders.
  var folder: String {
    guard let slash = lastIndex(of: "/") else { return "" }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The part of the name after its last period; empty for hidden files.
  var fileSuffix: String {
    let name = fileName
    guard let period = name.lastIndex(of: "."), period != name.startIndex else { return "" }
    return String(name[name.index(after: period)...])
  }

  /// The path without the suffix and its period.
  var withoutFileSuffix: String {
    let suffix = fileSuffix
    return suffix.isEmpty ? self : String(dropLast(suffix.count + 1))
  }
}

/// Names of files in printed commands.
extension String {
  /// The name quoted for a shell, so that a command takes it as one file name.
  var asArgument: String { (hasPrefix("-") && self != "-" ? "./" + self : self).quoted }

  /// A word of a command, quoted if a shell would change it.
  var quoted: String {
    // Shells replace ~ by home folders, and zsh a first = by the path of a program.
    let isPlain = allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_./+:@%,".contains($0))
    }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
  }

  /// The name of a related file in the same folder: `photo-hdr.avif` for `photo.jpg`.
  ///
  /// - Parameters:
  ///   - word: The word to add.
  ///   - suffix: `nil` for the same.
  /// - Returns: A name without folders for standard input and output.
  func named(_ word: String, suffix: String? = nil) -> String {
    let stem = self == "-" ? "out" : withoutFileSuffix
    let suffix = suffix ?? fileSuffix
    return "\(stem)-\(word)" + (suffix.isEmpty ? "" : ".\(suffix)")
  }

  /// A remedy with the name of the file in place of `IN`, and names derived from it in place of
  /// those that begin with `IN-`.
  func about(file: String?) -> String {
    guard let file else { return self }
    return split(separator: " ", omittingEmptySubsequences: false).map { word in
      if word == "IN" { return file.asArgument }
      guard word.hasPrefix("IN-") else { return String(word) }
      let name = word.dropFirst(3)
      let ending = name.drop { $0 != "." && $0 != "," && $0 != ":" }
      let suffix = ending.hasPrefix(".") ? ending.dropFirst().prefix { $0.isLetter } : ""
      let rest = ending.dropFirst(suffix.isEmpty ? 0 : suffix.count + 1)
      return file.named(String(name.dropLast(ending.count)), suffix: String(suffix)).asArgument
        + rest
    }.joined(separator: " ")
  }
}

extension [String] {
  /// Names of files with as many of their folders as make them distinct.
  ///
  /// Equal paths have equal names.
  var distinctNames: [String] {
    let parts = map { path in path.split(separator: "/", omittingEmptySubsequences: true) }
    func tail(_ index: Int, _ count: Int) -> ArraySlice<Substring> { parts[index].suffix(count) }
    return indices.map { index in
      let others = indices.filter { parts[$0] != parts[index] }
      let needed = (1...Swift.max(parts[index].count, 1)).first { count in
        !others.contains { tail($0, count) == tail(index, count) }
      }
      return tail(index, needed ?? parts[index].count).joined(separator: "/")
    }
  }
}
