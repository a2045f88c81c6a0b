internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Passes the output of a C library to a sink, and keeps the sink's error for the caller of the
/// library: it is more specific than the library's own.
final class SinkWriter {
  private let sink: any ByteSink
  /// Where the library's file begins in the sink.
  private let start: Int
  private(set) var failure: ImageError?

  init(_ sink: any ByteSink) {
    self.sink = sink
    start = sink.count
  }

  /// Adds bytes at the end.
  ///
  /// - Returns: Whether they were taken.
  func append(_ bytes: [UInt8]) -> Bool { put(bytes, at: sink.count - start) }

  /// Puts bytes at an offset of the library's file, over those that are there.
  ///
  /// - Returns: Whether they were taken.
  func put(_ bytes: [UInt8], at offset: Int) -> Bool {
    guard failure == nil else { return false }
    let known = sink.count - start
    do throws(ImageError) {
      guard offset >= 0, offset <= known else {
        throw ImageError(.encodeGap)
      }
      let overlap = min(bytes.count, known - offset)
      if overlap > 0 { try sink.overwrite(Array(bytes[..<overlap]), at: start + offset) }
      if overlap < bytes.count { try sink.append(Array(bytes[overlap...])) }
      return true
    } catch {
      failure = error
      return false
    }
  }
}
