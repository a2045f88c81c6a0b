// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Interprets the boxes and the codestream header of JPEG XL files.
struct JPEGXLInterpreter {
  private let container: ImageFile
  private let file: JPEGXLFile
  private let header: JPEGXLImageHeader
  private var profile: [UInt8]?
  private var profileError: ImageError?

  init(_ container: ImageFile, _ file: JPEGXLFile) throws(ImageError) {
    self.container = container
    self.file = file
    header = try file.imageHeader()
    do throws(ImageError) { profile = try file.profile() } catch {
      guard !error.endsJob else { throw error }
      profileError = error
    }
  }

  func contents() throws(ImageError) -> FileContents {
    let declared = try container.primaryImage()
    let depth = header.depth
    let image = FileImage(
      name: "codestream", role: .primary, layout: declared.layout,
      floatBits: depth.isFloat ? depth.bits : nil, orientation: declared.orientation,
      coding: CodecConfiguration(
        "JPEG XL", profile: header.isXYB ? "XYB" : "in its own color space",
        lumaDepth: depth.bits),
      interpretation: header.isCMYK ? FileImage.inks : nil, color: color(declared),
      light: declared.light)
    var contents = FileContents(
      format: .jxl, source: container.source,
      images: [image] + header.channelImages
        + [header.previewImage].compactMap(\.self),
      notices: declared.notices + (image.color?.notices ?? []) + unread)
    contents.take(try container.gainMaps())
    try contents.take(declared.metadata)
    return contents
  }

  /// Notices about compressed metadata that cannot be read.
  private var unread: [Notice] {
    var names: [FourCC: String] = ["jumb": "JUMBF metadata"]
    if !Brotli.isAvailable { names.merge(["Exif": "Exif", "xml ": "XMP"]) { first, _ in first } }
    var notices = file.boxes.filter(\.isCompressed).compactMap { box in
      names[box.type].map {
        Notice(
          .irregular, "{content} in a compressed box (brob) is not read", ["content": $0],
          at: .init(path: ["brob"], offset: box.offset))
      }
    }
    if let profileError {
      notices.append(
        Notice(.jpegxlProfileUnreadable, ["cause": profileError], at: .init(path: ["codestream"])))
    }
    return notices
  }

  /// The color of the codestream; `nil` if it is an ICC profile that cannot be read.
  private func color(_ declared: DeclaredImage) -> ColorInspection? {
    guard !header.color.hasProfile else { return profileColor(declared) }
    let description = declared.color
    let curve = description.gamma.map { "gamma \($0)" } ?? header.color.transfer.name
    let values = [
      header.color.cicp?.title ?? curve,
      "intensity target \(header.toneMapping.intensityTarget) cd/m²",
    ]
    return ColorInspection(
      declared, in: .jxl,
      carriers: [
        .init("codestream", values.joined(separator: ", "), cicp: description.cicp),
        .primaries("chromaticities", description.primaries),
      ], options: container.options
    ) { source, _ in
      switch source {
      case .codePoints, .gamma: "codestream"
      case .chromaticities: "chromaticities"
      default: nil
      }
    }
  }

  private func profileColor(_ declared: DeclaredImage) -> ColorInspection? {
    guard let icc = profile else { return nil }
    var description = declared.color
    description.icc = icc
    return ColorInspection(
      description, in: .jxl, format: declared.layout, carriers: [.profile("ICC profile", icc)],
      diffuseWhite: declared.light.diffuseWhite, options: container.options
    ) { source, _ in
      if case .profile = source { "ICC profile" } else { nil }
    }
  }
}

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
