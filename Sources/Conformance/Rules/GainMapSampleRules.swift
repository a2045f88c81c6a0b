// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// The rule of the samples of a gain map, which are decoded.
enum GainMapSampleRules {
  static let all: [Rule] = [rule("jpeg", .jpeg), rule("png", .png)]

  private static func rule(_ prefix: String, _ standard: Standard) -> Rule {
    Rule(
      "\(prefix)/gain-map-samples", standard, .ours, "the gain map cannot be applied",
      "The samples of the gain map can be decoded", effect: "readers show the baseline image"
    ) { (checked) throws(ImageError) -> [Finding]? in
      guard let map = (try? checked.file.gainMaps())?.applicable else { return nil }
      _ = try checked.opened.get()
      return try checked.file.gainMapDefect.map {
        [Finding($0.message, at: .init(path: [map.place.name]), fix: .dropGainMap)]
      } ?? []
    }
  }
}
