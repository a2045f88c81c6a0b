// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore
internal import ImageFiles

/// A digest of the options that determine what is made of an input.
///
/// Inputs, outputs, journals, reports and resources do not belong to it; the contents of files that
/// options name do. Options in another order have another key, so that the work is done again.
struct OptionsKey {
  /// SHA-256 in hexadecimal.
  let value: String

  /// Options without influence that have a value.
  private static let neutralOptions: Set<String> = [
    "-o", "--output", "--out-dir", "--files-from", "--name", "--resume", "--shard", "--progress",
    "-j", "--jobs", "--memory-limit", "--max-pixels", "--time-limit",
  ]
  /// Options without influence and without a value.
  private static let neutralFlags: Set<String> = [
    "-r", "--recursive", "-n", "--dry-run", "--skip-existing", "--fail-fast", "-f", "--force",
    "--no-isolation", "--json", "--quiet", "-v", "--verbose",
  ]

  /// The texts of a word that may be names of files, such as that in `icc=auto,exif=a.exif`.
  private static func values(in word: String) -> [String] {
    let texts = word.split(separator: "=", maxSplits: 1) + word.split { "=,".contains($0) }
    return Set([word] + texts.map(String.init)).sorted()
  }

  /// - Parameters:
  ///   - arguments: Arguments of the command, without its name.
  ///   - inputs: The inputs among them.
  init(_ arguments: [String], inputs: [String]) {
    var inputs = inputs.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    var digest = SHA256()
    var index = 0
    while index < arguments.count {
      let word = arguments[index]
      index += 1
      let name = word.firstIndex(of: "=").map { String(word[..<$0]) } ?? word
      if Self.neutralFlags.contains(word) { continue }
      if Self.neutralOptions.contains(name) {
        if name == word { index += 1 }
        continue
      }
      if let count = inputs[word], count > 0 {
        inputs[word] = count - 1
        continue
      }
      digest.update(Array(word.utf8) + [0])
      for value in Self.values(in: word) where !value.hasPrefix("-") {
        guard FileIdentity(value)?.isFolder == false, let contents = try? FileDigest(value) else {
          continue
        }
        digest.update(Array(contents.sha256.utf8) + [0])
      }
    }
    value = digest.hexadecimal()
  }
}

/// SHA-256 and size of a file.
struct FileDigest: Hashable {
  let sha256: String
  let count: Int

  /// Reads a file.
  ///
  /// - Throws: `.missingInput`, `.inputOutput`.
  init(_ path: String) throws(ImageError) { try self.init(ByteSource(path: path)) }

  /// Reads the bytes of a file.
  init(_ source: ByteSource) throws(ImageError) {
    var digest = SHA256()
    let step = 1 << 18
    for start in stride(from: 0, to: source.count, by: step) {
      digest.update(try source.bytes(in: start..<min(start + step, source.count)))
    }
    (sha256, count) = (digest.hexadecimal(), source.count)
  }
}
