// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Splits an image into segments and entropy-coded data.
struct JPEGParser {
  private let source: ByteSource
  private let limits: ImageLimits
  private let start: Int
  private var window: SourceWindow
  private var position: Int
  private var parts: [JPEGImage.Part] = []
  private var frame: JPEGFrame?
  private var notices: [Notice] = []

  /// Parses the image that begins at `start`.
  static func parse(
    _ source: ByteSource, at start: Int, limits: ImageLimits
  ) throws(ImageError) -> JPEGImage {
    var parser = JPEGParser(source: source, limits: limits, start: start)
    return try parser.parse()
  }

  /// Returns the segments of an image up to the first error; empty if no image begins at `start`.
  ///
  /// - Throws: Errors that end the whole job.
  static func readableSegments(
    _ source: ByteSource, at start: Int, limits: ImageLimits
  ) throws(ImageError) -> [JPEGSegment] {
    var parser = JPEGParser(source: source, limits: limits, start: start)
    _ = try ifReadable(try parser.parse())
    return parser.parts.compactMap { if case .segment(let segment) = $0 { segment } else { nil } }
  }

  private init(source: ByteSource, limits: ImageLimits, start: Int) {
    self.source = source
    self.limits = limits
    self.start = start
    window = SourceWindow(source)
    position = start
  }

  private mutating func parse() throws(ImageError) -> JPEGImage {
    guard try window.byte(at: start) == 0xFF,
      try window.byte(at: start + 1) == JPEGMarker.startOfImage.rawValue
    else { throw ImageError(.notOfFormat, ["format": "JPEG"], at: .init(offset: start)) }
    position = start + 2
    var hasScan = false
    while true {
      guard let (marker, range) = try nextMarker() else { return try withoutEnd(at: position) }
      guard parts.count < limits.items else {
        throw ImageError(
          .tooManyElements, ["limit": limits.items, "elements": "segments"],
          at: .init(offset: position))
      }
      try Execution.current.budget.debit(elements: 1, of: "segments", at: .init(offset: position))
      switch marker {
      case .endOfImage:
        guard let frame, hasScan else {
          throw ImageError(.missingElement, ["element": "the image"], at: .init(offset: position))
        }
        if range.count > 2 { parts.append(.stray(range.lowerBound..<range.upperBound - 2)) }
        return JPEGImage(
          source: source, stored: start..<position, parts: parts, frame: frame, notices: notices)
      case .startOfImage:
        if hasScan, let image = try ifReadable(try withoutEnd(at: range.lowerBound)) {
          return image
        }
        throw ImageError(
          .malformed, "an image starts inside another image", at: .init(offset: range.lowerBound))
      case _ where marker.standsAlone:
        parts.append(.segment(JPEGSegment(marker, [], stored: range)))
      default:
        try parseSegment(marker, from: range)
      }
      if marker == .startOfScan {
        hasScan = true
        try skipScan()
      }
    }
  }

  /// Returns an image that ends at `end` without EOI.
  ///
  /// - Throws: `.truncated` unless its scans contain all blocks.
  private mutating func withoutEnd(at end: Int) throws(ImageError) -> JPEGImage {
    guard let frame, var check = JPEGCompleteness(frame) else { throw endsEarly() }
    guard try check.decodeScans(of: parts, in: source).areAll, check.isComplete else {
      throw endsEarly()
    }
    notices.append(Notice(.jpegEndMissing, at: .init(offset: end)))
    return JPEGImage(
      source: source, stored: start..<end, parts: parts, frame: frame, notices: notices,
      hasEnd: false)
  }

  /// Returns the next marker and its range, including preceding fill bytes; `nil` if the file ends.
  private mutating func nextMarker() throws(ImageError) -> (JPEGMarker, Range<Int>)? {
    while true {
      let begin = position
      guard let mark = try window.firstOffset(of: 0xFF, from: begin) else {
        position = source.count
        return nil
      }
      var end = mark
      while try window.byte(at: end) == 0xFF { end += 1 }
      guard let code = try window.byte(at: end) else {
        position = source.count
        return nil
      }
      position = end + 1
      if mark > begin || code == 0 { addStray(begin..<(code == 0 ? end + 1 : mark)) }
      if code != 0 { return (JPEGMarker(rawValue: code), mark..<position) }
    }
  }

  private mutating func addStray(_ range: Range<Int>) {
    if case .stray(let last) = parts.last, last.upperBound == range.lowerBound {
      parts[parts.count - 1] = .stray(last.lowerBound..<range.upperBound)
    } else {
      parts.append(.stray(range))
      notices.append(Notice(.jpegStrayBytes, at: .init(offset: range.lowerBound)))
    }
  }

  private mutating func parseSegment(
    _ marker: JPEGMarker, from range: Range<Int>
  ) throws(ImageError) {
    let place = ImageError.Location(path: ["\(marker)"], offset: range.lowerBound)
    guard let high = try window.byte(at: position), let low = try window.byte(at: position + 1)
    else { throw endsEarly() }
    let length = Int(high) << 8 | Int(low)
    guard length >= 2 else {
      throw ImageError(.invalidValue, ["field": "segment length", "value": length], at: place)
    }
    guard length <= source.count - position else {
      throw ImageError(
        .dataTruncated, ["needed": length, "available": source.count - position], at: place)
    }
    let end = position + length
    try Execution.current.budget.debit(memory: length, for: "segments", at: place)
    let payload = try source.bytes(in: position + 2..<end)
    let segment = JPEGSegment(marker, payload, stored: range.lowerBound..<end)
    if marker.isFrame, frame == nil {
      do throws(ImageError) {
        frame = try JPEGFrame(parsing: segment)
      } catch {
        throw error.inside("\(marker)")
      }
    }
    parts.append(.segment(segment))
    position = end
  }

  /// Skips entropy-coded data up to the marker that ends it, or to the end of the file.
  private mutating func skipScan() throws(ImageError) {
    let begin = position
    while true {
      let mark = try window.firstOffset(of: 0xFF, from: position) ?? source.count
      var end = mark + 1
      while try window.byte(at: end) == 0xFF { end += 1 }
      guard let code = try window.byte(at: end) else {
        // The file ends, perhaps with the first byte of EOI.
        position = mark
        if mark > begin { parts.append(.scan(begin..<mark)) }
        return
      }
      if JPEGMarker(rawValue: code).endsScan {
        position = mark
        if mark > begin { parts.append(.scan(begin..<mark)) }
        return
      }
      position = end + 1
    }
  }

  private func endsEarly() -> ImageError {
    ImageError(.truncated, "ends before EOI", at: .init(offset: source.count))
  }
}

/// Byte-by-byte access to a source that loads 64 KiB at a time.
struct SourceWindow {
  let source: ByteSource
  private var bytes: [UInt8] = []
  private var start = 0
  private static let size = 1 << 16

  init(_ source: ByteSource) { self.source = source }

  /// Returns the byte at `offset`; `nil` at or after the end.
  mutating func byte(at offset: Int) throws(ImageError) -> UInt8? {
    guard offset < source.count else { return nil }
    try cover(offset)
    return bytes[offset - start]
  }

  /// Returns the offset of the next byte equal to `value`, from `offset` on; `nil` if it does not
  /// occur.
  mutating func firstOffset(of value: UInt8, from offset: Int) throws(ImageError) -> Int? {
    var offset = offset
    while offset < source.count {
      try cover(offset)
      if let index = Self.firstIndex(of: value, in: bytes, from: offset - start) {
        return start + index
      }
      offset = start + bytes.count
    }
    return nil
  }

  /// Returns the index of the first byte equal to `value`, from `first` on.
  private static func firstIndex(of value: UInt8, in bytes: [UInt8], from first: Int) -> Int? {
    // SAFETY: `memchr` reads the bytes from `first`, an index, to the end of the buffer.
    unsafe bytes[first...].withUnsafeBytes { rest in
      guard let begin = rest.baseAddress,
        let found = unsafe memchr(begin, Int32(value), rest.count)
      else { return nil }
      return first + (unsafe UnsafeRawPointer(found) - begin)
    }
  }

  /// Loads the block that begins at `offset` unless it is already loaded.
  ///
  /// - Precondition: `offset` is within the source.
  private mutating func cover(_ offset: Int) throws(ImageError) {
    guard offset < start || offset >= start + bytes.count else { return }
    bytes = try source.bytes(in: offset..<min(offset + Self.size, source.count))
    start = offset
  }
}
