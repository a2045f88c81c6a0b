// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

extension WorkExecution {
  /// A file with a computed gain map.
  func created(
    _ options: GainMapEncoder.Options, _ standard: (source: ConversionSource, name: String)?,
    to sink: any ByteSink
  ) throws(Failure) -> ConversionResult {
    let (result, notices) = try reading {
      () throws(ImageError) -> (GainMapEncoder.Result, [Notice]) in
      var options = options
      let (hdr, sdr, notices) = try Execution.part(upTo: 0.1) { () throws(ImageError) in
        try images(standard, options)
      }
      if let crop = options.geometry.crop, standard == nil {
        options.geometry.crop = try part(crop, of: hdr)
      }
      if !hdr.isDeveloped { options.exposure = request.rendition.exposure ?? 0 }
      var result = try GainMapEncoder(options).run(hdr: hdr, sdr: sdr)
      if request.metadata.removedItems.isEmpty { return (result, result.notices + notices) }
      // What the encoder writes itself: the profile, and light metadata.
      let file = try ImageFile(parsing: ByteSource(result.bytes))
      let (edited, removed) = try removal.apply(to: file)
      if let edited { result.bytes = edited.bytes }
      return (result, result.notices + notices + removed.filter { !notices.contains($0) })
    }
    try writing { () throws(ImageError) in try sink.write(result.bytes) }
    return ConversionResult(
      format: format, notices: notices, made: .created(result), standard: standard?.name)
  }

  /// Opens both images; both are developed of a raw file that is given alone.
  ///
  /// The notices are about metadata of the files that are not copied, and fields without effect.
  private func images(
    _ standard: (source: ConversionSource, name: String)?, _ options: GainMapEncoder.Options
  ) throws(ImageError) -> (hdr: SourceImage, sdr: SourceImage?, notices: [Notice]) {
    func developed(isStandard: Bool) throws(ImageError) -> SourceImage {
      var development = request.raw.development(
        exposure: request.rendition.exposure ?? 0, isStandard: false)
      if isStandard {
        development.extendedDynamicRangeAmount = 0
        development.isStandardLookToneMapped = !request.raw.usesCurveOfAdobe
      }
      return try opened(development)
    }
    var bright = try developed(isStandard: false)
    var notices = try bright.notCopied
    if try source.isRaw, source.file?.options.assumed != nil {
      notices.append(Notice(.rawAssumedColorNotUsed))
    }
    notices += try removal.apply(to: &bright, keepsMetadata: standard == nil)
    guard let (source, name) = standard else {
      guard try self.source.isRaw, request.raw.isSceneLinear != true,
        request.rendition.toneMapping == nil
      else { return (bright, nil, notices) }
      var standard = try developed(isStandard: true)
      guard standard.image.color.transfer != .linear else { return (bright, nil, notices) }
      _ = try removal.apply(to: &standard, keepsMetadata: false)
      return (bright, standard, notices)
    }
    do throws(ImageError) {
      let standard = try self.standard(source, name, options, against: bright, &notices)
      return (bright, standard, notices)
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
        let result = try removal.apply(to: file)
        notices += result.notices
        standard = try SourceImage.open(result.edited?.file ?? file)
      } else {
        standard = try SourceImage.open(file)
      }
    }
    // It is decoded together with the HDR image.
    standard.image = standard.image.inFile(name)
    if try !self.source.isRaw, standard.isRotated(against: bright) {
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
      notices += try standard.notCopied.map { notice in
        var notice = notice
        notice.location.file = name
        return notice
      }
    }
    notices += try removal.apply(to: &standard, keepsMetadata: true)
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
