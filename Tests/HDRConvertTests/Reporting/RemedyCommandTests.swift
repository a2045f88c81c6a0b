// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import hdrconvert

@Suite("Commands in remedies") struct RemedyCommandTests {
  /// Parameters that remedies print, with values of real errors.
  private static func parameters(format: String) -> DiagnosticParameters {
    [
      "format": format, "suffix": "heic", "source": "a.heic", "target": "b.heic",
      "color": "raw", "folder": "out", "option": "--depth", "hasPreview": 1,
    ]
  }

  /// Each command of a text, without the sentence around it.
  private static func commands(in text: String) -> [[String]] {
    text.matches(of: #/hdrconvert [^`,;()]*/#).compactMap { match in
      let words = match.0.split(separator: " ").map(String.init)
      // "hdrconvert codecs lists ..." and the like mention a verb in a sentence.
      guard words.count > 2, !words.contains("..."), words.contains("-o") else { return nil }
      let end = words.firstIndex { ["and", "takes", "drops", "-"].contains($0) } ?? words.count
      return Array(words[1..<end])
    }
  }

  private static func texts(verb: String, format: String) -> [(id: String, text: String)] {
    let words = verb.split(separator: " ").map(String.init)
    let invocation = Invocation(["hdrconvert"] + words + ["a.heic", "-o", "out.heic"])
    let parameters = parameters(format: format)
    var texts: [(id: String, text: String)] = []
    for id in Array(Remedies.byCode.keys) + Array(Remedies.byParameters.keys) {
      let error = ImageError(
        ErrorCode(id, .unsuitable, "test"), parameters, at: .init(file: "a.heic"))
      if let text = Remedies.remedy(against: error, of: invocation) { texts.append((id, text)) }
    }
    for id in Remedies.byNotice.keys {
      let notice = Notice(NoticeCode(id, .dropped, "test"), parameters, at: .init(file: "a.heic"))
      if let text = Remedies.remedy(for: notice, of: invocation) { texts.append((id, text)) }
    }
    return texts
  }

  /// Commands in remedies name verbs and options that exist, in an order that is accepted.
  @Test(arguments: ["convert", "remux", "gainmap apply", "gainmap create"], ["JPEG", "HEIF"])
  func commandsAreAccepted(verb: String, format: String) throws {
    var count = 0
    for (id, text) in Self.texts(verb: verb, format: format) {
      for words in Self.commands(in: text) {
        #expect(throws: Never.self, "\(id): \(words.joined(separator: " "))") {
          _ = try HDRConvert.parsed(words)
        }
        count += 1
      }
    }
    #expect(count >= 8)
  }
}
