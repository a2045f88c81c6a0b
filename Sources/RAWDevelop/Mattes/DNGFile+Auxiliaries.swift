// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

extension DNGFile {
  /// The semantic masks as auxiliary images of the developed image, with the 8 bits that readers
  /// expect of mattes.
  ///
  /// Masks without a URN get the URN of Apple's matte of the same meaning, if there is one.
  ///
  /// - Throws: Errors that end the whole job.
  func auxiliaries(
    limits: ImageLimits, appliesUserCrop: Bool = true
  ) throws(ImageError) -> (found: [AuxiliaryImage], notices: [Notice]) {
    var (mattes, notices) = try self.mattes(limits: limits)
    mattes.removeAll { matte in
      guard matte.urn == nil else { return false }
      notices.append(
        Notice(
          .dropped, "not copied: mask '{matte}' (other formats have no type for it)",
          ["matte": matte.name]))
      return true
    }
    guard !mattes.isEmpty,
      let parameters = try ifReadable(
        try DevelopmentParameters(
          self, limits: limits, salvages: true, appliesUserCrop: appliesUserCrop))
    else { return ([], notices) }
    let found = mattes.compactMap { matte -> AuxiliaryImage? in
      guard let urn = matte.urn else { return nil }
      let part = parameters.part(of: (matte.width, matte.height))
      let layout = ImageLayout(
        width: part.width, height: part.height, components: .gray, samples: .integer(bits: 8))
      let image = Image(
        ImageDescription(layout: layout, color: .data, orientation: parameters.orientation)
      ) { () throws(ImageError) in
        let coverage = try croppedMatte(
          matte, limits: limits, appliesUserCrop: appliesUserCrop)
        return PlanesReader(ImagePlanes(layout: layout, planes: .integer([coverage.eightBits])))
      }
      return AuxiliaryImage(type: urn, image: image)
    }
    return (found, notices)
  }
}

extension Plane<UInt16> {
  /// Samples of 16 bits, rounded to 8.
  fileprivate var eightBits: Plane<UInt16> {
    let samples = span
    return Plane(width: width, height: height) { output in
      for index in samples.indices {
        output.append(UInt16((Int(samples[index]) * 255 + 32_767) / 65_535))
      }
    }
  }
}

extension RawMatte {
  /// URN of the auxiliary image type in HEIF; `nil` if there is none.
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
