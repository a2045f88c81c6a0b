// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
package import ImageFiles

/// The content of an input, as its structure tells; nothing is decoded.
package enum InputContent: String, Codable, Hashable, Sendable, CaseIterable {
  /// An image without values above reference white.
  case sdr
  /// An image in PQ or HLG, which need not use its range.
  case hdr
  /// Linear or floating-point values, of which some may exceed reference white.
  case linear
  /// An SDR baseline image and a gain map.
  case gainMap
  /// An HDR baseline image and a gain map.
  case gainMapOfHDR
  /// Raw samples, which are developed.
  case raw
}

/// The content of an output.
package enum OutputContent: String, Codable, Hashable, Sendable, CaseIterable {
  /// One SDR image.
  case sdr
  /// One HDR image; a gain map of the input is applied in full.
  case hdr
  /// The gain map of the input, with its baseline image.
  case keptGainMap
  /// An SDR image and a computed gain map; the SDR image alone if hardly any pixels are brighter than reference
  /// white, which is measured.
  case computedGainMap
}

extension InputContent {
  /// The content of an output, unless the request specifies another one.
  ///
  /// This is the table of `Documentation/Conversions.md`: SDR stays SDR; a format of 8 bits, which cannot store PQ or
  /// HLG, gets both images; every other format gets one image.
  package func automaticOutput(isLimitedTo8Bits: Bool) -> OutputContent {
    switch self {
    case .sdr: .sdr
    case .hdr, .linear, .raw: isLimitedTo8Bits ? .computedGainMap : .hdr
    case .gainMap, .gainMapOfHDR: isLimitedTo8Bits ? .keptGainMap : .hdr
    }
  }
}

/// The image that a request is about: a file, or an image in memory.
package enum ConversionSource: Sendable {
  case file(ImageFile)
  /// An image in memory, and whether it extends above reference white.
  case image(SourceImage, isHDR: Bool)

  var file: ImageFile? { if case .file(let file) = self { file } else { nil } }

  var format: FileFormat? {
    switch self {
    case .file(let file): file.format
    case .image(let image, _): image.format
    }
  }

  /// The file of images that are kept; those in memory are encoded.
  var requiredFile: ImageFile {
    guard let file else { preconditionFailure("images in memory are encoded") }
    return file
  }

  var isRaw: Bool { get throws(ImageError) { try file?.isRaw ?? false } }

  /// Whether the source has a gain map that can be applied.
  ///
  /// - Throws: Errors that end the whole job.
  var hasGainMap: Bool {
    get throws(ImageError) { try ifReadable(try file?.gainMaps().applicable) != nil }
  }

  /// The content of the source.
  ///
  /// - Throws: Errors of the structure of the file.
  func content() throws(ImageError) -> InputContent {
    if try isRaw { return .raw }
    switch self {
    case .image(let image, let isHDR):
      guard isHDR || image.gainMap != nil else { return .sdr }
      return image.image.color.transfer == .linear ? .linear : .hdr
    case .file(let file):
      if let map = try ifReadable(try file.gainMaps().applicable) {
        return map.metadata?.isBaseHDR == true ? .gainMapOfHDR : .gainMap
      }
      let contents = try file.contents()
      // Floating-point values may exceed reference white, whatever their transfer function.
      if case .integer = contents.primary.layout.samples {
        let isLinear = contents.primary.color?.encoding.transfer == .linear
        guard contents.isHighDynamicRange || isLinear && file.options.assumed != nil else {
          return .sdr
        }
        return isLinear ? .linear : .hdr
      }
      return .linear
    }
  }

  /// Size of the upright image.
  ///
  /// - Throws: Errors of the structure of the file.
  func uprightSize() throws(ImageError) -> (width: Int, height: Int) {
    switch self {
    case .file(let file): return try file.contents().primary.uprightSize
    case .image(let image, _): return image.uprightSize
    }
  }
}

// MARK: The color of SDR outputs

/// Color and depth of an SDR output: those of the input.
struct StandardColor {
  var primaries = ColorPrimaries.bt709
  /// The profile of the input, for primaries without a code point.
  var profile: OutputProfile?
  /// Bits per sample of the input, 16 for floating point; `nil` if they are not known.
  var bits: Int?

  /// Color of raw files, and of images that were HDR.
  static let usual = StandardColor()

  /// The color of an SDR input.
  ///
  /// - Throws: Errors that end the whole job.
  init(of source: ConversionSource, in format: FileFormat) throws(ImageError) {
    let encoding: ColorEncoding
    let layout: ImageLayout
    let profile: () throws(ImageError) -> [UInt8]?
    var isManaged = false
    switch source {
    case .file(let file):
      guard let primary = try ifReadable(try file.contents().primary), let color = primary.color
      else { return }
      (encoding, layout) = (color.encoding, primary.layout)
      isManaged = color.isColorManaged
      profile = { () throws(ImageError) in
        try ifReadable(try SourceImage.open(file).declaredColor.icc)
      }
    case .image(let image, _):
      (encoding, layout) = (image.image.color, image.image.layout)
      profile = { image.declaredColor.icc }
    }
    bits = if case .integer(let bits) = layout.samples { bits } else { 16 }
    // Tables of a profile do not have primaries.
    guard !isManaged else {
      primaries = .displayP3
      return
    }
    if encoding.primaries.cicp != nil {
      primaries = encoding.primaries
    } else if encoding.primaries.isClose(to: .adobeRGB, tolerance: 5e-4), format.traits.carriesICC {
      (primaries, self.profile) = (.adobeRGB, .adobeRGB)
    } else if format.traits.carriesICC, layout.components != .gray, let icc = try profile(),
      let given = try ifReadable(try OutputProfile(parsing: icc))
    {
      (primaries, self.profile) = (encoding.primaries, given)
    } else {
      let wider: [ColorPrimaries] = [.bt709, .displayP3, .bt2020]
      primaries = wider.first { encoding.primaries.reach(in: $0) <= 1.001 } ?? .bt2020
    }
  }

  private init() {}

  /// The depth that stores the samples; `nil` for the default of the format.
  func depth(in format: FileFormat) -> Int? {
    let traits = format.traits
    guard let bits, bits > traits.standardDepths.usual, !traits.storesLinearValues else {
      return nil
    }
    // Files of 12 bits are decoded by few programs.
    return traits.isVideoCoded
      ? traits.standardDepths.all.first { $0 == 10 }
      : traits.standardDepths.all.first { $0 >= bits } ?? traits.standardDepths.all.last
  }
}
