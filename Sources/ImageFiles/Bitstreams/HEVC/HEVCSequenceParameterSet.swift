// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// The sequence parameter set: size, bit depth, color and required decoder profile and level.
///
/// Source: ITU-T H.265, 7.3.2.2.
package struct HEVCSequenceParameterSet: Hashable, Sendable {
  /// Number of coded samples on each side that are cropped on output.
  package struct Window: Hashable, Sendable {
    package var left: Int
    package var right: Int
    package var top: Int
    package var bottom: Int
  }

  package let videoParameterSetID: UInt8
  package let id: UInt32
  package let temporalLayerCount: Int
  package let isTemporalIDNested: Bool
  package let profileTierLevel: HEVCProfileTierLevel
  /// chroma_format_idc: 0 monochrome, 1 4:2:0, 2 4:2:2, 3 4:4:4.
  package let chromaFormat: UInt8
  /// separate_colour_plane_flag: whether the three components are coded as monochrome pictures.
  package let hasSeparateColorPlanes: Bool
  package let codedWidth: Int
  package let codedHeight: Int
  /// Conformance window, in luma samples.
  package let conformanceWindow: Window
  package let lumaBitDepth: Int
  package let chromaBitDepth: Int
  package let usability: HEVCVideoUsability?
  /// Whether a coding tool of the format range extensions is enabled.
  package let usesRangeExtensions: Bool

  /// Width after cropping to the conformance window, in luma samples.
  package var width: Int { codedWidth - conformanceWindow.left - conformanceWindow.right }
  package var height: Int { codedHeight - conformanceWindow.top - conformanceWindow.bottom }

  package var chroma: ChromaSubsampling {
    switch chromaFormat {
    case 1: .yuv420
    case 2: .yuv422
    case 3: .yuv444
    default: .yuv400
    }
  }

  /// Parses a unit of nal_unit_type 33.
  ///
  /// - Throws: `.truncated`, `.malformed`, or `.unsupported` for a parameter set of an enhancement
  ///   layer.
  package init(parsing unit: HEVCNALUnit) throws(ImageError) {
    var reader = BitReader(unit.rbsp)
    do throws(ImageError) {
      guard unit.layerID == 0 else {
        throw ImageError(
          .unsupportedValue, ["field": "layer of a parameter set", "value": unit.layerID])
      }
      try self.init(parsing: &reader)
    } catch {
      throw error.inside("SPS")
    }
  }

  private init(parsing reader: inout BitReader) throws(ImageError) {
    videoParameterSetID = UInt8(try reader.read(4))
    temporalLayerCount = Int(try reader.read(3)) + 1
    isTemporalIDNested = try reader.readFlag()
    profileTierLevel = try HEVCProfileTierLevel(parsing: &reader, layers: temporalLayerCount)
    id = try reader.readExpGolomb(upTo: 15, "sps_seq_parameter_set_id")
    chromaFormat = UInt8(try reader.readExpGolomb(upTo: 3, "chroma_format_idc"))
    hasSeparateColorPlanes = chromaFormat == 3 ? try reader.readFlag() : false
    // Level 6.2 allows 16 888 samples per side; the limit is about 8 times that.
    codedWidth = Int(try reader.readExpGolomb(upTo: 1 << 17, "pic_width_in_luma_samples"))
    codedHeight = Int(try reader.readExpGolomb(upTo: 1 << 17, "pic_height_in_luma_samples"))
    guard codedWidth > 0, codedHeight > 0 else {
      throw ImageError(
        .malformed, "invalid size of the coded image: {width}x{height}",
        ["width": codedWidth, "height": codedHeight])
    }
    conformanceWindow = try Window(
      parsing: &reader, chromaFormat: chromaFormat, width: codedWidth, height: codedHeight)
    lumaBitDepth = 8 + Int(try reader.readExpGolomb(upTo: 8, "bit_depth_luma_minus8"))
    chromaBitDepth = 8 + Int(try reader.readExpGolomb(upTo: 8, "bit_depth_chroma_minus8"))
    try Self.skipCodingTools(&reader, layers: temporalLayerCount)
    usability =
      try reader.readFlag()
      ? try HEVCVideoUsability(parsing: &reader, layers: temporalLayerCount) : nil
    let hasExtension = try reader.readFlag()
    let hasRangeExtension = hasExtension ? try reader.readFlag() : false
    if hasExtension { try reader.skip(7) }
    usesRangeExtensions = hasRangeExtension ? try reader.read(9) != 0 : false
  }

  /// Skips the syntax elements between the bit depths and the video usability information.
  private static func skipCodingTools(_ reader: inout BitReader, layers: Int) throws(ImageError) {
    let pictureOrderBits =
      4 + Int(try reader.readExpGolomb(upTo: 12, "log2_max_pic_order_cnt_lsb_minus4"))
    let hasOrderingForEachLayer = try reader.readFlag()
    for _ in 0..<(hasOrderingForEachLayer ? layers : 1) {
      for _ in 0..<3 { _ = try reader.readExpGolomb() }
    }
    // Sizes of coding and transform blocks, depths of the transform hierarchy.
    for _ in 0..<6 { _ = try reader.readExpGolomb() }
    if try reader.readFlag(), try reader.readFlag() { try skipScalingLists(&reader) }
    try reader.skip(2)
    if try reader.readFlag() {
      try reader.skip(8)
      for _ in 0..<2 { _ = try reader.readExpGolomb() }
      try reader.skip(1)
    }
    try HEVCReferencePictureSet.skipAll(&reader)
    if try reader.readFlag() {
      let count = try reader.readExpGolomb(upTo: 32, "num_long_term_ref_pics_sps")
      try reader.skip(Int(count) * (pictureOrderBits + 1))
    }
    try reader.skip(2)
  }

  /// Source: ITU-T H.265, 7.3.4.
  private static func skipScalingLists(_ reader: inout BitReader) throws(ImageError) {
    for size in 0..<4 {
      for _ in 0..<(size == 3 ? 2 : 6) {
        guard try reader.readFlag() else {
          _ = try reader.readExpGolomb()
          continue
        }
        let coefficients = min(64, 1 << (4 + 2 * size)) + (size > 1 ? 1 : 0)
        for _ in 0..<coefficients { _ = try reader.readExpGolomb() }
      }
    }
  }
}

extension HEVCSequenceParameterSet.Window {
  fileprivate init(
    parsing reader: inout BitReader, chromaFormat: UInt8, width: Int, height: Int
  ) throws(ImageError) {
    guard try reader.readFlag() else {
      (left, right, top, bottom) = (0, 0, 0, 0)
      return
    }
    let horizontal = chromaFormat == 1 || chromaFormat == 2 ? 2 : 1
    let vertical = chromaFormat == 1 ? 2 : 1
    left = horizontal * Int(try reader.readExpGolomb())
    right = horizontal * Int(try reader.readExpGolomb())
    top = vertical * Int(try reader.readExpGolomb())
    bottom = vertical * Int(try reader.readExpGolomb())
    guard left + right < width, top + bottom < height else {
      throw ImageError(
        .malformed, "the conformance window removes all of {width}x{height} samples",
        ["width": width, "height": height])
    }
  }
}

/// A short-term reference picture set, as differences of picture order counts.
///
/// Still pictures do not refer to other pictures, but the length of a set depends on the values of
/// the previous one, so sets must be derived in order to be skipped.
///
/// Source: ITU-T H.265, 7.3.7 and 7.4.8.
struct HEVCReferencePictureSet {
  /// DeltaPocS0: preceding pictures, nearest first.
  private var negative: [Int] = []
  /// DeltaPocS1: following pictures, nearest first.
  private var positive: [Int] = []

  /// Skips the sets of a sequence parameter set.
  static func skipAll(_ reader: inout BitReader) throws(ImageError) {
    let count = try reader.readExpGolomb(upTo: 64, "num_short_term_ref_pic_sets")
    var previous: HEVCReferencePictureSet?
    for _ in 0..<count {
      if let reference = previous, try reader.readFlag() {
        previous = try HEVCReferencePictureSet(parsing: &reader, from: reference)
      } else {
        previous = try HEVCReferencePictureSet(parsing: &reader)
      }
    }
  }

  private init(parsing reader: inout BitReader) throws(ImageError) {
    let negativeCount = try reader.readExpGolomb(upTo: 16, "num_negative_pics")
    let positiveCount = try reader.readExpGolomb(upTo: 16, "num_positive_pics")
    for _ in 0..<negativeCount {
      negative.append((negative.last ?? 0) - Int(try reader.readExpGolomb()) - 1)
      try reader.skip(1)
    }
    for _ in 0..<positiveCount {
      positive.append((positive.last ?? 0) + Int(try reader.readExpGolomb()) + 1)
      try reader.skip(1)
    }
  }

  /// Parses a set that is predicted from another set.
  private init(
    parsing reader: inout BitReader, from reference: HEVCReferencePictureSet
  ) throws(ImageError) {
    let isNegative = try reader.readFlag()
    let distance = Int(try reader.readExpGolomb()) + 1
    let delta = isNegative ? -distance : distance
    // use_delta_flag of the pictures of the reference set, then of the reference set itself.
    var isKept: [Bool] = []
    for _ in 0...reference.negative.count + reference.positive.count {
      let isUsed = try reader.readFlag()
      isKept.append(isUsed ? true : try reader.readFlag())
    }
    let moved = zip(reference.negative + reference.positive + [0], isKept)
      .filter(\.1).map { $0.0 + delta }
    // The standard derives both lists in order of distance.
    negative = moved.filter { $0 < 0 }.sorted(by: >)
    positive = moved.filter { $0 > 0 }.sorted()
  }
}

/// Video usability information (VUI): color and chroma sample location.
///
/// Source: ITU-T H.265, E.2.1.
package struct HEVCVideoUsability: Hashable, Sendable {
  /// Code points; unspecified if only the range is signaled, `nil` without video_signal_type.
  package let cicp: CICP?
  /// chroma_sample_loc_type_top_field.
  package let chromaSampleLocation: UInt32?
  package let minimumSpatialSegmentation: UInt16

  /// Location of chroma samples; `nil` if it is not signaled or not supported.
  package var chromaLocation: ChromaLocation? {
    chromaSampleLocation.flatMap { ChromaLocation(rawValue: Int($0)) }
  }

  init(parsing reader: inout BitReader, layers: Int) throws(ImageError) {
    if try reader.readFlag(), try reader.read(8) == 255 { try reader.skip(32) }
    if try reader.readFlag() { try reader.skip(1) }
    cicp = try reader.readFlag() ? try Self.readSignalType(&reader) : nil
    if try reader.readFlag() {
      chromaSampleLocation = try reader.readExpGolomb(upTo: 5, "chroma_sample_loc_type")
      _ = try reader.readExpGolomb()
    } else {
      chromaSampleLocation = nil
    }
    try reader.skip(3)
    if try reader.readFlag() {
      for _ in 0..<4 { _ = try reader.readExpGolomb() }
    }
    if try reader.readFlag() { try Self.skipTiming(&reader, layers: layers) }
    guard try reader.readFlag() else {
      minimumSpatialSegmentation = 0
      return
    }
    try reader.skip(3)
    minimumSpatialSegmentation = UInt16(
      try reader.readExpGolomb(upTo: 4095, "min_spatial_segmentation_idc"))
    for _ in 0..<4 { _ = try reader.readExpGolomb() }
  }

  private static func readSignalType(_ reader: inout BitReader) throws(ImageError) -> CICP {
    try reader.skip(3)
    var cicp = CICP(primaries: .unspecified, transfer: .unspecified, matrix: .unspecified)
    cicp.isFullRange = try reader.readFlag()
    if try reader.readFlag() {
      cicp.primaries = .init(rawValue: UInt16(try reader.read(8)))
      cicp.transfer = .init(rawValue: UInt16(try reader.read(8)))
      cicp.matrix = .init(rawValue: UInt16(try reader.read(8)))
    }
    return cicp
  }

  private static func skipTiming(_ reader: inout BitReader, layers: Int) throws(ImageError) {
    try reader.skip(64)
    if try reader.readFlag() { _ = try reader.readExpGolomb() }
    if try reader.readFlag() { try skipReferenceDecoder(&reader, layers: layers) }
  }

  /// Source: ITU-T H.265, E.2.2 (hrd_parameters).
  private static func skipReferenceDecoder(
    _ reader: inout BitReader, layers: Int
  ) throws(ImageError) {
    let hasNAL = try reader.readFlag()
    let hasVCL = try reader.readFlag()
    var hasSubPictures = false
    if hasNAL || hasVCL {
      hasSubPictures = try reader.readFlag()
      if hasSubPictures { try reader.skip(8 + 5 + 1 + 5) }
      try reader.skip(4 + 4)
      if hasSubPictures { try reader.skip(4) }
      try reader.skip(5 + 5 + 5)
    }
    for _ in 0..<layers {
      let isFixedGenerally = try reader.readFlag()
      let isFixed = isFixedGenerally ? true : try reader.readFlag()
      var isLowDelay = false
      if isFixed {
        _ = try reader.readExpGolomb()
      } else {
        isLowDelay = try reader.readFlag()
      }
      let buffers = isLowDelay ? 1 : try reader.readExpGolomb(upTo: 31, "cpb_cnt_minus1") + 1
      for hasParameters in [hasNAL, hasVCL] where hasParameters {
        for _ in 0..<buffers {
          for _ in 0..<(hasSubPictures ? 4 : 2) { _ = try reader.readExpGolomb() }
          try reader.skip(1)
        }
      }
    }
  }
}
