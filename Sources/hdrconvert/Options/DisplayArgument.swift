// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRCore

extension DisplayPreset {
  /// Parses the luminances of a display in cd/m²:
  /// `white=203,peak=1600,black=0.005,primaries=p3,surround=5`.
  ///
  /// - Parameter text: `white` and `peak` are required; primaries are BT.2020, black is 0 and the
  ///   surround is 5 cd/m² if they are not given.
  /// - Returns: The display; `nil` for text without `=`, which is a name.
  /// - Throws: `ValidationError` for other keys, and for values that are not possible.
  static func custom(parsing text: String) throws -> DisplayPreset? {
    guard text.contains("=") else { return nil }
    var values: [Substring: Substring] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", omittingEmptySubsequences: false)
      guard words.count == 2,
        ["white", "peak", "black", "primaries", "surround"].contains(words[0]),
        values.updateValue(words[1], forKey: words[0]) == nil
      else { throw malformed(part) }
    }
    guard let white = values["white"].flatMap({ Double($0) }),
      let peak = values["peak"].flatMap({ Double($0) })
    else { throw malformed(text[...]) }
    func luminance(_ key: Substring, default usual: Double) throws -> Double {
      guard let given = values[key] else { return usual }
      guard let value = Double(given) else { throw malformed("\(key)=\(given)") }
      return value
    }
    let surround = try luminance("surround", default: 5)
    let black = try luminance("black", default: 0)
    var primaries = ColorPrimaries.bt2020
    if let given = values["primaries"] {
      guard let named = try? namedPrimaries(given) else { throw malformed("primaries=\(given)") }
      primaries = named
    }
    do throws(ImageError) {
      return try DisplayPreset(
        referenceWhite: white, peakLuminance: peak, primaries: primaries,
        surroundLuminance: surround, blackLuminance: black)
    } catch {
      throw Failure(error)
    }
  }

  private static func malformed(_ part: Substring) -> ValidationError {
    ValidationError(
      """
      --display takes a name, or white=203,peak=1600[,black=0.005][,primaries=p3][,surround=5], \
      not '\(part)'
      """)
  }
}
