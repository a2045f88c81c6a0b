internal import Foundation
internal import HDRConversion
internal import ImageFiles

/// Names of files in commands that people are told to type.
extension String {
  /// The name as a shell takes it for one word, and a command for the name of a file.
  var asArgument: String {
    // Shells put folders of users in place of ~, zsh those of programs in place of a first =.
    let isPlain = allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "-_./+:@%,".contains($0))
    }
    let name = hasPrefix("-") && self != "-" ? "./" + self : self
    guard !isPlain || isEmpty else { return name }
    return "'" + name.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }

  /// The name of a file beside this one: `photo-hdr.avif` beside `photo.jpg`.
  ///
  /// - Parameters:
  ///   - word: What is added.
  ///   - suffix: `nil` for the same.
  /// - Returns: A name without folders for standard input and output.
  func named(_ word: String, suffix: String? = nil) -> String {
    let path = self as NSString
    let stem = self == "-" ? "out" : path.deletingPathExtension
    let suffix = suffix ?? path.pathExtension
    return "\(stem)-\(word)" + (suffix.isEmpty ? "" : ".\(suffix)")
  }

  /// A remedy of the library with the name of the file it is about in place of `IN`, and names
  /// derived from it in place of those that begin with `IN-`.
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
  /// The names of files, each with as much of its folders as tells it from the others.
  ///
  /// Files that are named alike in full have the same name.
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
