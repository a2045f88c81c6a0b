// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension DeclaredImage {
  /// Creates the declarations of the image of a JPEG XL file.
  ///
  /// Only the codestream specifies the orientation; that of Exif is informative.
  ///
  /// Source: ISO/IEC 18181-1, D.3.2; ISO/IEC 18181-2, 9.4.
  init(_ file: JPEGXLFile, limits: ImageLimits) throws(ImageError) {
    let header = try file.imageHeader()
    try limits.check(width: header.width, height: header.height, in: "codestream", at: nil)
    var metadata = try FileMetadata { () throws(ImageError) in
      try file.exif()
    } xmp: { () throws(ImageError) in
      try file.xmp()
    }
    var light = header.contentLight
    light.diffuseWhite = metadata.diffuseWhite()
    light.contentLightLevel = metadata.lightLevel()
    self.init(
      .jpegXL(header), layout: header.imageLayout, color: header.declaredColor,
      notices: file.notices)
    self.light = light
    self.metadata = metadata
    orientation = header.orientation
    if header.isAnimation {
      notCopied = [
        Notice(
          .dropped, "dropped: animation frames after the first", at: .init(path: ["codestream"]))
      ]
    }
    let channels = header.channelsNotCopied
    if !channels.isEmpty {
      notCopied.append(
        Notice(
          .dropped, "not copied: extra channels ({names extra channel})", ["names": channels],
          at: .init(path: ["codestream"])))
    }
  }
}

extension JPEGXLImageHeader {
  /// Layout of the decoded samples.
  ///
  /// Integers of more than 16 bits are decoded to floating point.
  package var imageLayout: ImageLayout {
    ImageLayout(
      width: width, height: height, components: color.colorSpace == .gray ? .gray : .rgb,
      samples: depth.isFloat || depth.bits > 16 ? .float : .integer(bits: depth.bits),
      hasAlpha: hasAlpha, isAlphaPremultiplied: alpha?.isPremultiplied ?? false)
  }

  /// Names of the extra channels that are neither alpha of the image nor auxiliary images.
  ///
  /// Spot colors are part of the decoded image.
  fileprivate var channelsNotCopied: [String] {
    let first = extraChannels.firstIndex { $0.type == .alpha }
    return extraChannels.indices.compactMap { index in
      let channel = extraChannels[index]
      guard index != first, channel.auxiliaryType == nil, channel.type != .spotColor else {
        return nil
      }
      return channel.name.isEmpty ? channel.title : "\(channel.title) '\(channel.name)'"
    }
  }

  /// Whether the samples are CMYK.
  package var isCMYK: Bool { extraChannels.contains { $0.type == .black } }

  /// The color of the samples without an ICC profile, which only the codec can decode.
  ///
  /// Floating-point samples are relative to the intensity target, as libjxl converts
  /// whiteLuminance of OpenEXR; its default marks images of unspecified luminance.
  var declaredColor: ColorDescription {
    let target = toneMapping.intensityTarget
    let isSpecified = target > 0 && target != JPEGXLToneMapping.standardIntensityTarget
    return ColorDescription(
      cicp: color.cicp ?? color.transferCICP,
      primaries: color.cicp == nil ? color.chromaticities : nil, gamma: color.gamma,
      referenceWhite: isSpecified ? target : nil)
  }

  /// Bounds of the luminance of a PQ image; the default of libjxl is the maximum of PQ.
  fileprivate var contentLight: LightMetadata {
    let target = toneMapping.intensityTarget
    guard color.cicp?.transfer == .pq, target > 0, target < 10_000,
      target != JPEGXLToneMapping.standardIntensityTarget
    else { return LightMetadata() }
    return LightMetadata(
      contentColorVolume: .init(
        minimumLuminance: toneMapping.minimumLuminance > 0 ? toneMapping.minimumLuminance : nil,
        maximumLuminance: target))
  }
}
