// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageCodecs
internal import ImageContainers

extension WorkExecution {
  /// A file with a computed gain map.
  func created(
    _ options: GainMapEncoder.Options, _ pair: ConversionPlan.Pair, to sink: any ByteSink
  ) throws(Failure) -> ConversionResult {
    let (result, notices) = try reading {
      () throws(ImageError) -> (GainMapEncoder.Result, [Notice]) in
      var options = options
      let images = try images(pair, options)
      if !images.hdr.isDeveloped { options.exposure = pair.exposure }
      let result = try GainMapEncoder(options).run(
        hdr: images.hdr, sdr: images.sdr, progress: progress)
      return (result, result.notices + images.notices)
    }
    try writing { () throws(ImageError) in try sink.append(result.bytes) }
    return ConversionResult(
      format: format, notices: notices, made: .created(result),
      standard: pair.standard?.name)
  }

  private struct Images {
    var hdr: SourceImage
    var sdr: SourceImage?
    /// Metadata of the files that are not copied, and fields without effect.
    var notices: [Notice]
  }

  /// Opens both images; both are developed of a raw file that is given alone.
  private func images(
    _ pair: ConversionPlan.Pair, _ options: GainMapEncoder.Options
  ) throws(ImageError) -> Images {
    func developed(isStandard: Bool) throws(ImageError) -> SourceImage {
      var development = pair.raw.development(exposure: pair.exposure, isStandard: false)
      if isStandard {
        development.extendedDynamicRangeAmount = 0
        development.isStandardLookToneMapped = !pair.raw.usesCurveOfAdobe
      }
      return try opened(development)
    }
    var bright = try developed(isStandard: false)
    var notices = bright.notCopied
    if source.isRaw, source.file?.options.assumed != nil {
      notices.append(Notice(.rawAssumedColorNotUsed))
    }
    notices += try privacy.apply(to: &bright, keepsMetadata: pair.standard == nil)
    guard let (source, name) = pair.standard else {
      guard self.source.isRaw, pair.raw.isSceneLinear != true, !pair.toneMapsRaw else {
        return Images(hdr: bright, notices: notices)
      }
      var standard = try developed(isStandard: true)
      guard standard.image.color.transfer != .linear else {
        return Images(hdr: bright, notices: notices)
      }
      _ = try privacy.apply(to: &standard, keepsMetadata: false)
      return Images(hdr: bright, sdr: standard, notices: notices)
    }
    do throws(ImageError) {
      let standard = try standard(source, name, options, against: bright, &notices)
      return Images(hdr: bright, sdr: standard, notices: notices)
    } catch {
      throw error.inFile(name)
    }
  }

  /// Opens the SDR image of another file; one whose coded image is kept is edited before.
  private func standard(
    _ source: ConversionSource, _ name: String, _ options: GainMapEncoder.Options,
    against bright: SourceImage, _ notices: inout [Notice]
  ) throws(ImageError) -> SourceImage {
    var standard: SourceImage
    var keepsFile = false
    switch source {
    case .image(let image, _): standard = image
    case .file(let file):
      keepsFile = options.keepsCodedBaseline && file.isEditable
      if keepsFile {
        let result = try privacy.apply(to: file)
        notices += result.notices
        standard = try SourceImage.open(result.edited?.file ?? file)
      } else {
        standard = try SourceImage.open(file)
      }
    }
    // It is decoded together with the HDR image.
    standard.image = standard.image.inFile(name)
    if !self.source.isRaw, standard.isRotated(against: bright) {
      throw ImageError(
        .createSDRRotated,
        [
          "sdr": .size(standard.uprightSize.width, standard.uprightSize.height),
          "hdr": .size(bright.uprightSize.width, bright.uprightSize.height),
          "suffix": standard.format?.traits.gainMapCodec?.suffix ?? "",
        ])
    }
    guard !keepsFile else { return standard }
    if !options.keepsCodedBaseline {
      notices += standard.notCopied.map { notice in
        var notice = notice
        notice.location.file = name
        return notice
      }
    }
    notices += try privacy.apply(to: &standard, keepsMetadata: true)
    return standard
  }
}

extension SourceImage {
  /// Whether the image has the size of another one that is rotated by 90 degrees.
  fileprivate func isRotated(against other: SourceImage) -> Bool {
    let (size, rotated) = (uprightSize, other.uprightSize)
    return size.width != size.height && size == (rotated.height, rotated.width)
  }
}
