internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// Passes the output of a C library to a sink.
///
/// An error of the sink is stored for the caller of the library, since it is more specific than the
/// library's own.
final class SinkWriter {
  private let sink: any ByteSink
  /// Offset in the sink at which the library's file begins.
  private let start: Int
  private(set) var failure: ImageError?

  init(_ sink: any ByteSink) {
    self.sink = sink
    start = sink.count
  }

  /// Appends bytes.
  ///
  /// - Returns: Whether the sink accepted the bytes.
  func append(_ bytes: [UInt8]) -> Bool { put(bytes, at: sink.count - start) }

  /// Writes bytes at an offset of the library's file, overwriting existing bytes.
  ///
  /// - Returns: Whether the sink accepted the bytes.
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
