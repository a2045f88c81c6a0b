// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// The rule of the samples of a gain map, which are decoded.
enum GainMapSampleRules {
  static let all: [Rule] = [
    rule("heif", .heif) { $0.heif != nil }, rule("jpeg", .jpeg) { $0.jpeg != nil },
    rule("png", .png) { $0.png != nil }, rule("jpegxl", .jpegXL) { $0.jpegXL != nil },
  ]

  private static func rule(
    _ prefix: String, _ standard: Standard,
    _ concerns: @escaping @Sendable (CheckedFile) -> Bool
  ) -> Rule {
    Rule(
      "\(prefix)/gain-map-samples", standard, .ours, "the gain map cannot be applied",
      "The samples of the gain map can be decoded", effect: "readers show the baseline image"
    ) { (checked) throws(ImageError) -> [Finding]? in
      guard concerns(checked), let map = try ifReadable(try checked.file.gainMaps())?.applicable
      else {
        return nil
      }
      // Without the codec, nothing is known.
      if case .failure(let error) = checked.opened,
        error.category == .missingCodec || ![.heif, .jpegXL].contains(standard)
      {
        throw error
      }
      guard let defect = try checked.file.gainMapDefect else { return [] }
      if [.heif, .jpegXL].contains(standard) {
        // Other readers may support what this one does not.
        guard defect.category != .unsupported, try checked.baselineIsDecodable else { return nil }
      }
      return [Finding(defect.message, at: .init(path: [map.location.name]), fix: .dropGainMap)]
    }
  }
}

extension CheckedFile {
  /// Whether the samples of the baseline image can be decoded; without them, a gain map does not matter.
  ///
  /// - Throws: Errors that end the whole job.
  fileprivate var baselineIsDecodable: Bool {
    get throws(ImageError) {
      do throws(ImageError) {
        _ = try measuredLight()
        return true
      } catch {
        guard !error.endsJob else { throw error }
        return false
      }
    }
  }
}
