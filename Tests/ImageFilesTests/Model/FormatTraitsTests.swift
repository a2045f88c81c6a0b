// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import ImageFiles

@Suite("Traits of formats") struct FormatTraitsTests {
  @Test func suffixesNameOneFormatEach() {
    let suffixes = FileFormat.allCases.flatMap(\.traits.suffixes)
    #expect(Set(suffixes).count == suffixes.count)
    for format in FileFormat.allCases {
      for suffix in format.traits.suffixes {
        #expect(FileFormat(suffix: suffix.uppercased()) == format)
      }
    }
    #expect(FileFormat(suffix: "") == nil && FileFormat(suffix: "jpe") == nil)
  }

  @Test(arguments: FileFormat.allCases) func usualDepthsAreAmongThoseThatAreWritten(
    format: FileFormat
  ) {
    for depths in [format.traits.standardDepths, format.traits.highDynamicRangeDepths] {
      #expect(depths.all.isEmpty || depths.all.contains(depths.usual))
      #expect(depths.all == depths.all.sorted())
    }
  }

  @Test(arguments: FileFormat.allCases) func signaturesAreTold(format: FileFormat) {
    for signature in format.traits.signatures {
      let prefix = [UInt8](repeating: 0x20, count: signature.offset) + signature.bytes
      #expect(FileFormat(detectedIn: prefix) == format)
      #expect(FileFormat(detectedIn: Array(prefix.dropLast())) == nil)
    }
  }

  @Test func codecsOfGainMapsAreInOneFormatEach() {
    let codecs = FileFormat.allCases.compactMap(\.traits.gainMapCodec)
    #expect(Set(codecs).count == codecs.count && codecs.count == 5)
  }

  /// The pages that list formats, and the schema of reports, contain all of them.
  @Test func formatsAreListed() throws {
    func text(_ path: String) throws -> Data {
      try Data(
        contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
          .appending(path: "../../../\(path)").standardized)
    }
    for page in [
      "README", "Documentation/ColorPrecedence", "Documentation/ImagesOfAFile",
      "Documentation/Viewers",
    ] {
      let page = String(decoding: try text("\(page).md"), as: UTF8.self)
      for format in FileFormat.allCases where !format.traits.isCameraRaw {
        #expect(page.contains(format.title.replacing("Radiance HDR", with: "Radiance")))
      }
    }
    let schema = try #require(
      try JSONSerialization.jsonObject(with: text("Documentation/schemas/common.json"))
        as? [String: Any])
    let format = (schema["$defs"] as? [String: Any])?["format"] as? [String: Any]
    #expect(
      Set(try #require(format?["enum"] as? [String])) == Set(FileFormat.allCases.map(\.rawValue)))
  }
}
