// SPDX-License-Identifier: Apache-2.0
public import Platform
internal import HDRCore

/// Bytes that a caller provides, for a `ByteSource` to read.
///
/// Conform a type to this protocol to read from an archive, a network or a database. Parsers
/// request small ranges in any order; `ByteSource` checks each range before the request.
public protocol ByteProvider: Sendable {
  /// Number of bytes; requested once.
  var count: Int { get }

  /// Returns a copy of the bytes in `range`.
  ///
  /// - Parameter range: A range within `0..<count`.
  /// - Returns: Exactly as many bytes as the range contains.
  /// - Throws: Errors of any type; the operation ends with an `ImageError` of `.inputOutput` that
  ///   contains their description.
  func bytes(in range: Range<Int>) throws -> [UInt8]
}

/// Bytes that an asynchronous function of a program reads.
struct AsynchronousFile: ByteProvider {
  let count: Int
  let read: @Sendable (Range<Int>) async throws -> Data

  func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8] {
    try Execution.current.waitForProgram { [read] in [UInt8](try await read(range)) }
  }
}

extension Data: ByteProvider {
  /// Returns a copy of the bytes in `range`, which is within the data.
  public func bytes(in range: Range<Int>) -> [UInt8] {
    // The start index of a slice is not 0.
    [UInt8](self[startIndex + range.lowerBound..<startIndex + range.upperBound])
  }
}
