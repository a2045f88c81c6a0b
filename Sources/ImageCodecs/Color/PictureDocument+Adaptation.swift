internal import HDRCore
internal import ImageContainers

extension PictureDocument {
  /// Takes SMPTE ST 2094-50 metadata out of the ICC profile.
  ///
  /// What cannot be read, or makes no sense, costs a notice and nothing else. The metadata is about
  /// PQ, HLG and linear light only.
  mutating func readAdaptation() {
    guard let icc = base.color.icc, let profile = try? ICCProfile(parsing: icc) else { return }
    do throws(ImageError) {
      guard let found = try profile.headroomAdaptation() else { return }
      switch base.encoding.transfer {
      case .pq, .hlg, .linear: adaptation = found
      default:
        notices.append(
          Notice(.irregular, "ST 2094-50 metadata of a picture without headroom is ignored"))
      }
      notices += (found.toneMap?.oddities ?? []).map { Notice(.irregular, "ST 2094-50: \($0)") }
    } catch {
      notices.append(
        Notice(
          .irregular, "ST 2094-50 metadata is ignored: \(error.reason)", at: error.location))
    }
  }
}
