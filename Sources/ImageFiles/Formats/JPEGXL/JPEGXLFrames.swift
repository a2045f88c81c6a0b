// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// The frames of a codestream, whose tables of contents state their sizes.
///
/// Source: ISO/IEC 18181-1, annex F.
struct JPEGXLFrames {
  private let codestream: [SourceBytes]
  private let header: JPEGXLImageHeader
  private let size: Int

  init(_ codestream: [SourceBytes], header: JPEGXLImageHeader) {
    self.codestream = codestream
    self.header = header
    size = codestream.reduce(0) { $0 + $1.count }
  }

  /// Returns a notice if the codestream ends before its last frame does.
  ///
  /// - Returns: The notice; `nil` for a complete codestream, and for one whose structure is corrupt.
  /// - Throws: `.inputOutput`; `.limitExceeded` if the budget does not suffice.
  func truncation() throws(ImageError) -> Notice? {
    var (frame, offset) = (1, 0)
    do throws(ImageError) {
      offset = try start()
      var isPreview = header.preview != nil
      while true {
        let (end, isLast) = try self.frame(at: offset, isPreview: isPreview)
        guard end <= size else {
          return Notice(
            .jpegxlFrameTruncated,
            ["frame": frame, "missing": end - size, "size": end - offset],
            at: location(offset))
        }
        if isLast, !isPreview { return nil }
        offset = end
        isPreview = false
        frame += 1
      }
    } catch {
      switch error.category {
      case .truncated:
        return Notice(
          .dropped, "truncated: the file ends before the samples of frame {frame}",
          ["frame": frame], at: location(offset))
      case .malformed: return nil
      default: throw error
      }
    }
  }

  /// The end of the last frame; `nil` if the codestream is truncated or corrupt.
  ///
  /// - Throws: As `truncation`.
  func end() throws(ImageError) -> Int? {
    do throws(ImageError) {
      var offset = try start()
      var isPreview = header.preview != nil
      while true {
        let (end, isLast) = try frame(at: offset, isPreview: isPreview)
        guard end <= size else { return nil }
        if isLast, !isPreview { return end }
        offset = end
        isPreview = false
      }
    } catch {
      guard error.category == .truncated || error.category == .malformed else { throw error }
      return nil
    }
  }

  private func location(_ offset: Int) -> ImageError.Location {
    ImageError.Location(
      path: ["codestream"], offset: codestream.count == 1 ? codestream[0].offset + offset : nil)
  }

  /// Offset of the first frame.
  private func start() throws(ImageError) -> Int {
    guard let end = header.layout.end, let byteCount = header.byteCount else {
      // The last fields are after the end of the file, unless the header is too long.
      guard size < JPEGXLFile.longestHeader else { throw ImageError(.jpegxlHeaderInvalid) }
      return size
    }
    guard header.color.hasProfile else { return byteCount }
    return try readProfile(at: end) { (profile, reader) throws(ImageError) in
      _ = try profile.read(&reader)
      try reader.alignToByte()
      return reader.position / 8
    }
  }

  /// Returns the ICC profile.
  ///
  /// - Throws: As `JPEGXLFile.profile(limit:)`.
  func profile(limit: Int) throws(ImageError) -> [UInt8] {
    guard let end = header.layout.end else { throw ImageError(.jpegxlHeaderInvalid) }
    let bytes = try readProfile(at: end) { (profile, reader) throws(ImageError) in
      try profile.read(&reader)
    }
    return try JPEGXLProfilePrediction.profile(bytes, limit: limit)
  }

  private func readProfile<Result>(
    at position: Int,
    _ body: (JPEGXLCodedProfile, inout BitReader) throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    try read(from: 0, atLeast: 1 << 16) { (reader) throws(ImageError) in
      try reader.skip(position)
      let profile = try JPEGXLCodedProfile(&reader)
      return try body(profile, &reader)
    }
  }

  /// Reads the table of contents of a frame.
  private func frame(
    at offset: Int, isPreview: Bool
  ) throws(ImageError) -> (end: Int, isLast: Bool) {
    try read(from: offset, atLeast: 1 << 8) { (reader) throws(ImageError) in
      let frame = try JPEGXLFrameHeader(&reader, of: header, isPreview: isPreview)
      let count = frame.sectionCount
      // The size of a section has at least 12 bits.
      guard count <= reader.remaining / 12 else { throw .sectionsMissing(count) }
      try Execution.current.budget.debit(steps: 1 + count / 16, for: "frames")
      if try reader.readFlag() { try Self.skipPermutation(&reader, of: count) }
      try reader.alignToByte()
      var size = 0
      for _ in 0..<count {
        size += Int(
          try reader.read(
            .bits(10), .bits(14, offset: 1024), .bits(22, offset: 17_408),
            .bits(30, offset: 4_211_712)))
      }
      try reader.alignToByte()
      return (offset + reader.position / 8 + size, frame.isLast)
    }
  }

  /// Skips the order of sections.
  ///
  /// Source: ISO/IEC 18181-1, F.3.2.
  private static func skipPermutation(_ reader: inout BitReader, of count: Int) throws(ImageError) {
    func context(_ value: UInt32) -> Int { min(7, UInt32.bitWidth - value.leadingZeroBitCount) }
    var decoder = try JPEGXLEntropyDecoder(&reader, contexts: 8)
    let end = try decoder.read(&reader, context: context(UInt32(truncatingIfNeeded: count)))
    guard end <= count else { throw .invalidEntropyCode }
    var last: UInt32 = 0
    for _ in 0..<end { last = try decoder.read(&reader, context: context(last)) }
    try decoder.finish()
  }

  /// Reads a structure of unknown size, with more bytes as long as it is truncated.
  private func read<Result>(
    from offset: Int, atLeast count: Int,
    _ body: (inout BitReader) throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    var count = count
    while true {
      let bytes = try bytes(offset..<min(size, offset + count))
      try Execution.current.budget.debit(steps: 1 + bytes.count / 256, for: "frames")
      var reader = BitReader(bytes, order: .leastSignificantFirst, offset: offset)
      do throws(ImageError) {
        return try body(&reader)
      } catch {
        guard error.category == .truncated, offset + bytes.count < size else { throw error }
        count *= 8
      }
    }
  }

  /// Returns some bytes of the codestream.
  private func bytes(_ range: Range<Int>) throws(ImageError) -> [UInt8] {
    var bytes: [UInt8] = []
    var start = 0
    for part in codestream {
      let wanted = range.clamped(to: start..<start + part.count)
      if !wanted.isEmpty {
        bytes += try part.slice(wanted.lowerBound - start..<wanted.upperBound - start).bytes()
      }
      start += part.count
    }
    return bytes
  }
}

extension ImageError {
  /// The error for a table of contents of so many sections that exceeds the codestream.
  fileprivate static func sectionsMissing(_ count: Int) -> ImageError {
    ImageError(.bitsTruncated, ["needed": 12 * count, "available": 0])
  }
}

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
  init(_ reader: inout BitReader, of image: JPEGXLImageHeader, isPreview: Bool) throws(ImageError) {
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
    for _ in 0..<resolutions { _ = try reader.read(.value(0), .value(1), .value(2), .bits(3)) }
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
