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
  private static func skipPermutation(
    _ reader: inout BitReader, of count: Int
  ) throws(ImageError) {
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
