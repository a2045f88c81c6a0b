package import HDRCore

/// A run of bytes that stay where they are (in a file, in memory) until somebody reads them.
///
/// Two runs are equal if they hold the same bytes; comparing reads them.
package struct SourceBytes: Sendable {
  /// A source with an identity, so that a writer knows which bytes come from the file it rewrites.
  package final class Origin: Sendable {
    package let source: ByteSource
    package init(_ source: ByteSource) { self.source = source }
  }

  let origin: Origin
  /// May reach beyond the end of a source that was cut off.
  package let range: Range<Int>

  package init(_ origin: Origin, _ range: Range<Int>) {
    self.origin = origin
    self.range = range
  }

  /// Bytes in memory.
  package init(_ bytes: [UInt8]) {
    self.init(Origin(ByteSource(bytes)), 0..<bytes.count)
  }

  package var count: Int { range.count }
  package var isEmpty: Bool { range.isEmpty }
  /// Whether the source holds all of the bytes.
  package var isWhole: Bool { range.upperBound <= origin.source.count }
  /// Where the bytes begin in the source they come from.
  package var offset: Int { range.lowerBound }

  /// A copy of the bytes.
  ///
  /// - Throws: `.truncated` if the source ends before, `.inputOutput` if it cannot be read.
  package func bytes() throws(ImageError) -> [UInt8] { try origin.source.bytes(in: range) }

  /// A part of the run.
  ///
  /// - Precondition: `part` lies within `0..<count`.
  package func slice(_ part: Range<Int>) -> SourceBytes {
    precondition(part.lowerBound >= 0 && part.upperBound <= count, "the part is outside")
    return SourceBytes(
      origin, range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
  }
}

extension SourceBytes: Equatable {
  package static func == (a: SourceBytes, b: SourceBytes) -> Bool {
    guard a.count == b.count else { return false }
    if a.origin === b.origin && a.range == b.range { return true }
    let step = 1 << 20
    for start in stride(from: 0, to: a.count, by: step) {
      let part = start..<min(a.count, start + step)
      guard let left = try? a.slice(part).bytes(), let right = try? b.slice(part).bytes(),
        left == right
      else { return false }
    }
    return true
  }
}
