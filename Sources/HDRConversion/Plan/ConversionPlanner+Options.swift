// SPDX-License-Identifier: Apache-2.0
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// The properties of a converted image.
extension ConversionPlanner {
  /// Quality and speed.
  ///
  /// - Parameter isStandard: Whether the image is SDR.
  /// - Returns: Those of the request, completed by the defaults of the format.
  func encoder(isStandard: Bool) -> EncoderOptions {
    EncoderOptions(
      quality: request.coding.quality
        ?? (isStandard ? traits.usualStandardQuality : traits.usualQuality),
      isLossless: request.coding.isLossless ?? false,
      speed: request.coding.speed ?? traits.usualSpeed)
  }

  /// The options of a conversion.
  ///
  /// - Parameters:
  ///   - isStandard: Whether the output is SDR.
  ///   - standard: Color of an SDR output, unless the request specifies it.
  /// - Returns: The options, with the gain map applied in full.
  /// - Throws: `.invalidArgument` for fields that do not fit the format; errors of files.
  func options(
    isStandard: Bool, _ standard: StandardColor
  ) throws(ImageError) -> ConversionOptions {
    let (coding, color) = (request.coding, request.color)
    var options = ConversionOptions(format: format, encoder: encoder(isStandard: isStandard))
    options.rendering = try request.renderingOptions()
    if isStandard {
      options.masteringDisplay = .drop
      options.rendering = options.rendering ?? request.standardRendering
      options.primaries = standard.primaries.cicp == nil ? .bt709 : standard.primaries
      if !traits.storesLinearValues { options.transfer = .srgb }
      if color.primaries == nil, color.profile == nil { options.profile = standard.profile }
      if color.profile == nil, let primaries = primariesWithoutProfile {
        (options.primaries, options.profile) = (primaries, nil)
      }
      options.depth = standard.depth(in: format)
      if traits.storesScRGB { (options.primaries, options.profile) = (.bt709, nil) }
    }
    if options.rendering != nil { options.masteringDisplay = .drop }
    if let depth = coding.depth { options.depth = depth }
    // OpenEXR rounds samples to half unless 32 bits are requested.
    if traits.storesLinearValues, coding.depth == 32 { options.encoder.isLossless = true }
    options.chroma = coding.chroma
    options.alpha = coding.alpha ?? .keep
    options.orientation = request.geometry.orientation ?? .keep
    options.exposure = request.rendition.exposure ?? 0
    try apply(color, to: &options, isStandard: isStandard)
    try apply(request.metadata, to: &options)
    return options
  }

  /// Primaries of an SDR image whose format describes the color by the ICC profile alone, which the request leaves out:
  /// those that readers assume; `nil` for other images.
  var primariesWithoutProfile: ColorPrimaries? {
    request.metadata.icc == .drop && traits.isLimitedTo8Bits ? .bt709 : nil
  }

  private func apply(
    _ color: ConversionRequest.Color, to options: inout ConversionOptions, isStandard: Bool
  ) throws(ImageError) {
    options.signaling = color.signaling
    options.referenceWhite = color.referenceWhite
    options.isFullRange = color.range != .limited
    options.matrix = color.matrix
    if let transfer = color.transfer {
      var allowed: [TransferFunction] = isStandard ? [.srgb] : [.pq, .hlg]
      if request.rendition.isForDisplay { allowed = [.pq, .hlg, .srgb] }
      if traits.storesLinearValues { allowed = [] }
      if traits.storesLinearValues || !traits.linearDepths.all.isEmpty { allowed.append(.linear) }
      guard allowed.contains(transfer) else {
        let names = allowed.compactMap(\.commonName).joined(separator: " or ")
        throw .outOfRange("color.transfer", "\(names) for \(format.title)")
      }
      options.transfer = transfer
    }
    if request.rendition.isForDisplay, options.transfer == .srgb, !isStandard {
      throw ImageError(.renderHDRNotStorable, ["target": "sRGB"])
    }
    if let primaries = color.primaries {
      guard primaries.cicp != nil else {
        throw .outOfRange("color.primaries", "bt2020, p3, bt709")
      }
      options.primaries = primaries
    }
    if let profile = color.profile {
      if case .name(let name) = profile, name.lowercased() == "adobergb" {
        options.profile = .adobeRGB
      } else {
        options.profile = try OutputProfile(parsing: try profile.bytes(open))
      }
      if request.coding.depth == nil, traits.standardDepths.all.contains(16) { options.depth = 16 }
    }
    guard let state = color.imageState else { return }
    guard options.transfer == .hlg || state == .display else {
      throw .outOfRange("color.imageState", "scene for HLG only")
    }
    options.imageState = .value(state)
  }

  private func apply(
    _ metadata: ConversionRequest.Metadata, to options: inout ConversionOptions
  ) throws(ImageError) {
    func set<Value>(
      _ item: ConversionRequest.Item<Value>?, _ target: inout ConversionRequest.Item<Value>
    ) {
      if let item { target = item }
    }
    set(metadata.contentLightLevel, &options.contentLightLevel)
    set(metadata.masteringDisplay, &options.masteringDisplay)
    set(metadata.contentColorVolume, &options.contentColorVolume)
    set(metadata.diffuseWhite, &options.diffuseWhite)
    set(metadata.referenceEnvironment, &options.referenceEnvironment)
    set(metadata.ambientEnvironment, &options.ambientEnvironment)
    options.headroomAdaptation = metadata.adaptation ?? .keep
    options.keepsMakerNotes = metadata.keepsMakerNotes ?? false
    options.exif =
      try metadata.exif?.bytes(open) { bytes throws(ImageError) in
        try ExifBlock(parsing: bytes).bytes
      } ?? .keep
    options.xmp =
      try metadata.xmp?.bytes(open) { bytes throws(ImageError) in
        let packet = try XMPPacket(parsing: bytes).bytes
        // Writers will put diffuse white or the orientation there.
        _ = try XMPPacket.consistent(packet, withDiffuseWhite: ColorEncoding.defaultReferenceWhite)
        return packet
      } ?? .keep
    options.icc =
      try metadata.icc?.bytes(open) { bytes throws(ImageError) in
        try ICCProfile(parsing: bytes).bytes
      } ?? .measure
  }
}

extension ConversionOptions {
  /// Whether the output is SDR.
  var isForStandardDisplays: Bool {
    if let display = rendering?.display { return display.usableHeadroom == .standard }
    return ![.pq, .hlg, .linear].contains(transfer)
  }
}

extension FileFormat {
  /// Whether files of the format are written.
  package var isWritten: Bool {
    !traits.standardDepths.all.isEmpty || !traits.highDynamicRangeDepths.all.isEmpty
  }
}
