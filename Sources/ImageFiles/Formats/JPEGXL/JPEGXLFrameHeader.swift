// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The header of a frame, as far as it determines where the frame ends.
///
/// Source: ISO/IEC 18181-1, annex F.
struct JPEGXLFrameHeader {
  private enum FrameType: UInt32 {
    case regular
    /// A lower resolution of another frame.
    case lowFrequency
    case reference
    case skipProgressive
  }

  private let image: JPEGXLImageHeader
  private var type = FrameType.regular
  private var isModular = false
  /// Whether the low frequencies are in another frame.
  private var usesLowFrequencyFrame = false
  private var width: Int
  private var height: Int
  private var upsampling = 1
  private var groupSizeShift = 1
  private var passes = 1
  private var lowFrequencyLevel = 0
  private var isPartial = false
  private var duration: UInt32 = 0
  private var replaces = true
  private var reference: UInt32 = 0
  /// Whether the frame is the last one.
  private(set) var isLast = true

  private var isNormal: Bool { type == .regular || type == .skipProgressive }

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - reader: Reader at the frame; afterwards at its table of contents.
  ///   - image: Header of the codestream.
  ///   - isPreview: Whether the frame is the preview.
  /// - Throws: `.malformed` or `.truncated`.
  init(
    _ reader: inout BitReader, of image: JPEGXLImageHeader, isPreview: Bool
  ) throws(ImageError) {
    self.image = image
    (width, height) = (image.width, image.height)
    if isPreview, let preview = image.preview { (width, height) = (preview.width, preview.height) }
    if try reader.readFlag() { return }
    type = FrameType(rawValue: try reader.read(2)) ?? .regular
    isModular = try reader.readFlag()
    usesLowFrequencyFrame = try reader.readVariable() & 0x20 != 0
    try readCoding(&reader)
    if type != .reference { try readPasses(&reader) }
    if type == .lowFrequency {
      lowFrequencyLevel = Int(try reader.read(2)) + 1
    } else {
      try readCrop(&reader)
    }
    try readComposition(&reader)
    let length = try reader.read(.value(0), .bits(4), .bits(5, offset: 16), .bits(10, offset: 48))
    try reader.skip(8 * Int(length))
    try readFilters(&reader)
    try reader.skipExtensions()
  }

  /// Reads color transform, chroma subsampling, upsampling and the size of groups.
  private mutating func readCoding(_ reader: inout BitReader) throws(ImageError) {
    let isYCbCr = image.isXYB ? false : try reader.readFlag()
    if !usesLowFrequencyFrame {
      if isYCbCr { try reader.skip(6) }
      upsampling = 1 << Int(try reader.read(2))
      try reader.skip(2 * image.extraChannels.count)
    }
    if isModular {
      groupSizeShift = Int(try reader.read(2))
    } else if image.isXYB {
      try reader.skip(6)  // Quantization of X and B.
    }
  }

  private mutating func readPasses(_ reader: inout BitReader) throws(ImageError) {
    passes = Int(try reader.read(.value(1), .value(2), .value(3), .bits(3, offset: 4)))
    guard passes > 1 else { return }
    let resolutions = try reader.read(.value(0), .value(1), .value(2), .bits(1, offset: 3))
    try reader.skip(2 * (passes - 1) + 2 * Int(resolutions))
    for _ in 0..<resolutions {
      _ = try reader.read(.value(0), .value(1), .value(2), .bits(3))
    }
  }

  private mutating func readCrop(_ reader: inout BitReader) throws(ImageError) {
    guard try reader.readFlag() else { return }
    func number(_ reader: inout BitReader) throws(ImageError) -> Int {
      Int(
        try reader.read(
          .bits(8), .bits(11, offset: 256), .bits(14, offset: 2304), .bits(30, offset: 18_688)))
    }
    func signed(_ number: Int) -> Int { number & 1 == 0 ? number / 2 : -(number / 2) - 1 }
    var (left, top) = (0, 0)
    if isNormal {
      left = signed(try number(&reader))
      top = signed(try number(&reader))
    }
    let (imageWidth, imageHeight) = (width, height)
    width = try number(&reader)
    height = try number(&reader)
    isPartial =
      isNormal
      && (left > 0 || top > 0 || left + width < imageWidth || top + height < imageHeight)
  }

  /// Reads blending, duration, and where the frame is stored.
  private mutating func readComposition(_ reader: inout BitReader) throws(ImageError) {
    if isNormal {
      replaces = try readBlending(&reader)
      for _ in image.extraChannels { _ = try readBlending(&reader) }
      if image.isAnimation {
        duration = try reader.read(.value(0), .value(1), .bits(8), .bits(32))
        if image.hasTimeCodes { try reader.skip(32) }
      }
      isLast = try reader.readFlag()
    } else {
      isLast = false
    }
    if type != .lowFrequency, !isLast { reference = try reader.read(2) }
    let canBeReferenced = !isLast && type != .lowFrequency && (duration == 0 || reference != 0)
    if isNormal ? canBeReferenced && replaces && !isPartial : type == .reference {
      try reader.skip(1)  // Whether the frame is stored before its color transform.
    }
  }

  /// Reads the blending of a channel.
  ///
  /// - Returns: Whether it replaces earlier frames.
  private func readBlending(_ reader: inout BitReader) throws(ImageError) -> Bool {
    let mode = try reader.read(.value(0), .value(1), .value(2), .bits(2, offset: 3))
    let usesAlpha = !image.extraChannels.isEmpty && (mode == 2 || mode == 3)
    if usesAlpha { _ = try reader.read(.value(0), .value(1), .value(2), .bits(3, offset: 3)) }
    if usesAlpha || mode == 4 { try reader.skip(1) }
    if mode != 0 || isPartial { try reader.skip(2) }
    return mode == 0
  }

  /// Skips the parameters of filters.
  ///
  /// Source: ISO/IEC 18181-1, J.1.
  private func readFilters(_ reader: inout BitReader) throws(ImageError) {
    if try reader.readFlag() { return }
    if try reader.readFlag(), try reader.readFlag() { try reader.skip(16 * 6) }
    if try reader.read(2) > 0 {
      if !isModular, try reader.readFlag() { try reader.skip(16 * 8) }
      if try reader.readFlag() { try reader.skip(16 * 5) }
      if try reader.readFlag() { try reader.skip(16 * (isModular ? 3 : 4)) }
      if isModular { try reader.skip(16) }
    }
    try reader.skipExtensions()
  }

  /// Number of sections of the frame.
  ///
  /// Source: ISO/IEC 18181-1, F.3.1.
  var sectionCount: Int {
    let reduction = upsampling << (3 * lowFrequencyLevel)
    func count(_ side: Int, _ size: Int) -> Int { (side + size - 1) / size }
    let (width, height) = (count(width, reduction), count(height, reduction))
    let size = 128 << groupSizeShift
    let groups = count(width, size) * count(height, size)
    guard groups > 1 || passes > 1 else { return 1 }
    return 2 + count(width, 8 * size) * count(height, 8 * size) + groups * passes
  }
}
