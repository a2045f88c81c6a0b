internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

extension DNGFile {
  /// The semantic masks as auxiliary pictures of the developed one.
  ///
  /// Masks whose name is no URN get that of Apple's mattes of the same meaning, if there is one.
  func auxiliaries(limits: ImageLimits, threads: Int) -> (
    found: [AuxiliaryPicture], notices: [Notice]
  ) {
    var (mattes, notices) = self.mattes(limits: limits)
    mattes.removeAll { matte in
      guard matte.urn == nil else { return false }
      notices.append(
        Notice(.rawMatteNotCopied, ["matte": matte.name]))
      return true
    }
    let found = mattes.compactMap { matte in
      matte.urn.map { urn in
        AuxiliaryPicture(type: urn) { () throws(ImageError) in
          try pictureMatte(matte, limits: limits, threads: threads)
        }
      }
    }
    return (found, notices)
  }
}

extension RawMatte {
  /// What HEIF calls a picture of this meaning.
  var urn: String? {
    guard !name.lowercased().hasPrefix("urn:") else { return name }
    return switch shortName {
    case "portraiteffects", "portrait": "urn:com:apple:photo:2018:aux:portraiteffectsmatte"
    case "skin": "urn:com:apple:photo:2019:aux:semanticskinmatte"
    case "hair": "urn:com:apple:photo:2019:aux:semantichairmatte"
    case "teeth": "urn:com:apple:photo:2019:aux:semanticteethmatte"
    case "glasses": "urn:com:apple:photo:2020:aux:semanticglassesmatte"
    case "sky": "urn:com:apple:photo:2020:aux:semanticskymatte"
    default: nil
    }
  }
}
