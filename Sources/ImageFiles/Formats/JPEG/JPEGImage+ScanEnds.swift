// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Blocks of scans, and bytes between the last one and the next segment, which decoders skip.
extension JPEGImage {
  /// Whether the scans contain all blocks; `nil` for other processes than Huffman coding.
  ///
  /// - Throws: `.inputOutput`; `.limitExceeded` for more work than the budget allows.
  package func hasAllBlocks() throws(ImageError) -> Bool? {
    guard var check = JPEGCompleteness(frame) else { return nil }
    return try check.decodeScans(of: parts, in: source).areAll && check.isComplete
  }

  /// Ends of scans that other bytes follow, by their ranges.
  ///
  /// Scans are decoded if markers that do not belong to a scan, or a text, are near its end. Those of
  /// damaged images and of other processes than Huffman coding are not changed.
  ///
  /// - Throws: `.inputOutput`; `.limitExceeded` for more work than the budget allows.
  package func scanEnds() throws(ImageError) -> [Range<Int>: Int] {
    let interval = segments.contains { $0.marker.rawValue == 0xDD }
    var isSuspicious = false
    for range in scans where !isSuspicious {
      let tail = max(range.lowerBound, range.upperBound - 1 << 16)..<range.upperBound
      isSuspicious = Self.hasOtherBytes(try source.bytes(in: tail), hasRestarts: interval)
    }
    guard isSuspicious, var check = JPEGCompleteness(frame) else { return [:] }
    var ends: [Range<Int>: Int] = [:]
    for (scan, end) in try check.decodeScans(of: parts, in: source).ends
    where end < scan.upperBound { ends[scan] = end }
    return ends
  }

  /// Removes bytes after the last block of scans.
  ///
  /// - Parameter isRemoved: Whether such bytes are removed.
  /// - Throws: As `scanEnds`, and errors of `isRemoved`.
  package mutating func cutScans(
    _ isRemoved: ([UInt8]) throws(ImageError) -> Bool
  ) throws(ImageError) {
    let ends = try scanEnds()
    for (index, part) in parts.enumerated() {
      guard case .scan(let range) = part, let end = ends[range],
        try isRemoved(try source.bytes(in: end..<range.upperBound))
      else { continue }
      parts[index] = .scan(range.lowerBound..<end)
    }
  }

  /// Whether bytes contain markers that end a scan, or end with a text.
  private static func hasOtherBytes(_ bytes: [UInt8], hasRestarts: Bool) -> Bool {
    let text = bytes.suffix(12)
    if text.count == 12, text.allSatisfy({ (0x20...0x7E).contains($0) }) { return true }
    return zip(bytes, bytes.dropFirst()).contains { first, second in
      first == 0xFF && second != 0 && second != 0xFF
        && !(hasRestarts && JPEGMarker(rawValue: second).isRestart)
    }
  }
}
