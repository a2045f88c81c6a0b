// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore

/// Bytes that a caller provides, for a `ByteSource` to read.
///
/// Conform a type to this protocol to read from an archive, a network or a database. Requests come
/// in any order, and from several threads at a time while samples are decoded. A `ByteSource`
/// checks each range before the request, and extends small ones to a block of 2^20 bytes.
public protocol ByteProvider: Sendable {
  /// Number of bytes; requested once, when the source is created. A negative number counts as 0.
  var count: Int { get }

  /// Returns a copy of the bytes in `range`.
  ///
  /// - Parameter range: A range within `0..<count`.
  /// - Returns: Exactly as many bytes as the range contains; another number is an error of the
  ///   read.
  /// - Throws: Errors of any type, with which the operation ends: an `ImageError` as it is, others as one of
  ///   `.inputOutput` that contains their description.
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

/// Bytes of `Data`.
struct DataFile: ByteProvider {
  let data: Data
  var count: Int { data.count }

  func bytes(in range: Range<Int>) -> [UInt8] {
    // The start index of a slice is not 0.
    [UInt8](
      data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound])
  }
}
