// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@testable import Command

@Suite("Commands in remedies") struct RemedyCommandTests {
  /// Parameters that remedies print, with values of real errors.
  private static func parameters(format: String) -> DiagnosticParameters {
    [
      "format": format, "suffix": "heic", "source": "a.heic", "target": "b.heic",
      "color": "raw", "folder": "out", "option": "--depth", "hasPreview": 1,
      "what": "gain map", "repaired": "9/16/9/full",
    ]
  }

  /// The commands in a remedy, which end it or are followed by punctuation.
  static func commands(in text: String) -> [[String]] {
    text.matches(of: #/hdrconvert (([^`,;()]|,(?! ))*)/#).map { match in
      match.1.split(separator: " ").map(String.init)
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
    for id in Array(Remedies.byNotice.keys) + Array(Remedies.noticeByParameters.keys) {
      let notice = Notice(NoticeCode(id, .dropped, "test"), parameters, at: .init(file: "a.heic"))
      if let text = Remedies.remedy(for: notice, of: invocation) { texts.append((id, text)) }
    }
    return texts
  }

  /// Commands in remedies name verbs and options that exist, in an order that is accepted.
  @Test(arguments: HelpTests.verbs.map { $0.joined(separator: " ") }, ["JPEG", "HEIF"])
  func commandsAreAccepted(verb: String, format: String) throws {
    var count = 0
    for (id, text) in Self.texts(verb: verb, format: format) {
      for words in Self.commands(in: text) {
        if words.first == "help" {
          #expect(Help.text(for: words) != nil, "\(id): \(words.joined(separator: " "))")
          continue
        }
        #expect(throws: Never.self, "\(id): \(words.joined(separator: " "))") {
          _ = try HDRConvert.parsed(words)
        }
        count += 1
      }
    }
    #expect(count >= 20)
  }

  /// A command that removes all metadata is not told to remove all metadata.
  @Test(arguments: [("gps", true), ("all", false), ("video,all", false)])
  func removalOfAllMetadata(stripped: String, isNamed: Bool) {
    let invocation = Invocation(["hdrconvert", "a.heic", "-o", "b.heic", "--strip", stripped])
    let notice = Notice(NoticeCode("location/parts-not-read", .irregular, "test"), [:])
    #expect((Remedies.remedy(for: notice, of: invocation) != nil) == isNamed)
  }

  /// Remedies of categories, of which those that are commands name the file or its folder.
  @Test func remediesOfCategoriesNameTheFile() {
    for category in ImageError.Category.allCases {
      for stage in [Failure.Stage.reading, .writing] {
        let error = ImageError(ErrorCode("test", category, "cause")).inFile("a b/c.jpg")
        let remedy = Failure(error, stage: stage).remedy
        for tool in ["ls -l ", "ls -ld ", "df "] where remedy.contains(": \(tool)") {
          #expect(remedy.contains("\(tool)'a b"), "\(category)")
        }
        #expect(remedy.wholeMatch(of: #/.*: (ls -l|ls -ld|df)/#) == nil, "\(category)")
        for words in Self.commands(in: remedy) where words.first != "help" {
          #expect(["codecs", "inspect"].contains(words.first ?? ""), "\(remedy)")
        }
      }
    }
  }
}
