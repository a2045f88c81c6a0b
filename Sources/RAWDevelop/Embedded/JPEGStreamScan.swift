// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Finds complete JPEG images anywhere in a file: in directories, maker notes and boxes.
///
/// Camera raw formats store their previews in places that differ between models and are mostly not
/// documented; the images themselves are not.
struct JPEGStreamScan {
  private let source: ByteSource
  /// Bytes that may still be read to find the ends of images.
  private var budget: Int

  private init(_ source: ByteSource) {
    self.source = source
    // Images do not overlap, except in damaged files.
    budget = source.count.multipliedReportingOverflow(by: 4).partialValue
  }

  /// The images, largest first.
  ///
  /// Thumbnails inside of previews are not found; lossless JPEG, which codes raw samples, is ignored.
  ///
  /// - Throws: `.inputOutput` if the file cannot be read, `.cancelled`.
  static func previews(in source: ByteSource) throws(ImageError) -> [RawPreview] {
    var scan = JPEGStreamScan(source)
    return try scan.images().sorted { $0.pixelCount > $1.pixelCount }
  }

  private mutating func images() throws(ImageError) -> [RawPreview] {
    var found: [RawPreview] = []
    var position = 0
    while position + 4 <= source.count {
      try Execution.current.checkCancellation()
      let window = try source.bytes(in: position..<min(position + Self.windowSize, source.count))
      var next = window.count - 2
      for start in 0..<max(window.count - 2, 0)
      where window[start] == 0xFF && window[start + 1] == 0xD8 && window[start + 2] == 0xFF {
        guard let image = try image(at: position + start) else { continue }
        found.append(image)
        next = image.bytes.upperBound - position
        break
      }
      position += max(next, 1)
    }
    return found
  }

  private static let windowSize = 1 << 20

  /// The image that begins at an offset; `nil` if it is not a complete one of 8 bits.
  ///
  /// Source: Recommendation ITU-T T.81, annex B.
  private mutating func image(at start: Int) throws(ImageError) -> RawPreview? {
    var position = start + 2
    var size: (width: Int, height: Int)?
    var hasScan = false
    while position + 4 <= source.count {
      let head = try source.bytes(in: position..<min(position + 10, source.count))
      guard head[0] == 0xFF else { return nil }
      switch head[1] {
      case 0xFF:
        position += 1
        continue
      case 0xD9:
        guard let size, hasScan else { return nil }
        return preview(start..<position + 2, size)
      case 0xC0, 0xC1, 0xC2:
        guard size == nil, head.count == 10, head[4] == 8, [1, 3].contains(head[9]) else {
          return nil
        }
        let frame = (
          width: Int(head[7]) << 8 | Int(head[8]), height: Int(head[5]) << 8 | Int(head[6])
        )
        guard frame.width > 0, frame.height > 0 else { return nil }
        size = frame
      case 0xC4, 0xDA...0xDD, 0xE0...0xEF, 0xFE: break
      default: return nil
      }
      let length = Int(head[2]) << 8 | Int(head[3])
      guard length >= 2, position + 2 + length <= source.count else { return nil }
      position += 2 + length
      guard head[1] == 0xDA else { continue }
      guard size != nil, let marker = try nextMarker(from: position) else { return nil }
      hasScan = true
      position = marker
    }
    // The end of image may be the last two bytes.
    guard position + 2 <= source.count, hasScan, let size,
      try source.bytes(in: position..<position + 2) == [0xFF, 0xD9]
    else { return nil }
    return preview(start..<position + 2, size)
  }

  private func preview(_ bytes: Range<Int>, _ size: (width: Int, height: Int)) -> RawPreview {
    RawPreview(width: size.width, height: size.height, isJPEGXL: false, bytes: bytes)
  }

  /// The next marker after coded data that does not restart them; `nil` at the end.
  private mutating func nextMarker(from start: Int) throws(ImageError) -> Int? {
    var position = start
    while position + 2 <= source.count, budget > 0 {
      let window = try source.bytes(in: position..<min(position + (1 << 16), source.count))
      budget -= window.count
      for index in 0..<window.count - 1 where window[index] == 0xFF {
        switch window[index + 1] {
        case 0, 0xD0...0xD7, 0xFF: continue
        default: return position + index
        }
      }
      position += max(window.count - 1, 1)
    }
    return nil
  }
}
