public import Foundation
public import HDRCore

/// Bytes that a caller provides, for a `ByteSource` to read.
///
/// Conform a type of your own to read from an archive, a network or a database. Parsers ask for small
/// parts in no particular order; `ByteSource` checks ranges before it asks.
public protocol ByteProvider: Sendable {
  /// Number of bytes; asked for once.
  var count: Int { get }

  /// A copy of some bytes.
  ///
  /// - Parameter range: A range within 0..<count.
  /// - Returns: As many bytes as the range has.
  /// - Throws: `.inputOutput` if they cannot be read.
  func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8]
}

extension Data: ByteProvider {
  /// A copy of some bytes; the range is within the data.
  public func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8] {
    // A slice of other data does not begin at 0.
    [UInt8](self[startIndex + range.lowerBound..<startIndex + range.upperBound])
  }
}
