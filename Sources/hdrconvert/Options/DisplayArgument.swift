// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore

extension ConversionRequest.Rendition.Display {
  /// Reads the name of a display, or its luminances in cd/m²:
  /// `white=203,peak=1600,black=0.005,primaries=p3,surround=5`.
  ///
  /// - Parameter text: `white` and `peak` are required for a display without a name.
  /// - Throws: `ValidationError` for other keys, and for values that are not numbers or primaries.
  init(argument text: String) throws(ValidationError) {
    guard text.contains("=") else {
      self.init(name: text)
      return
    }
    self.init()
    var keys: Set<Substring> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false)
      guard words.count == 2, keys.insert(words[0]).inserted else { throw Self.malformed(part) }
      guard words[0] != "primaries" else {
        guard let named = ColorPrimaries(named: words[1]) else { throw Self.malformed(part) }
        primaries = named
        continue
      }
      guard let value = Double(words[1]) else { throw Self.malformed(part) }
      switch words[0] {
      case "white": referenceWhite = value
      case "peak": peakLuminance = value
      case "black": blackLuminance = value
      case "surround": surroundLuminance = value
      default: throw Self.malformed(part)
      }
    }
    guard referenceWhite != nil, peakLuminance != nil else { throw Self.malformed(text[...]) }
  }

  private static func malformed(_ part: Substring) -> ValidationError {
    ValidationError(
      """
      --display takes a name, or white=203,peak=1600[,black=0.005][,primaries=p3][,surround=5], \
      not '\(part)'
      """)
  }
}
