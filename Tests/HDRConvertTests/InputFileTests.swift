// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion
import HDRCore
import Testing

@testable import hdrconvert

@Suite("Input") struct InputFileTests {
  /// Runs `body` with a pipe that yields `bytes`, few enough to be written before a reader opens
  /// it.
  private func withPipe<Result>(
    of bytes: [UInt8], _ body: (Int32) throws -> Result
  ) throws -> Result {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: bytes)
    try pipe.fileHandleForWriting.close()
    return try body(pipe.fileHandleForReading.fileDescriptor)
  }

  @Test func readsToTheEnd() throws {
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let found = try withPipe(of: bytes) { try readToEnd(of: $0, limits: ImageLimits()) }
    #expect(found == bytes)
    #expect(try withPipe(of: []) { try readToEnd(of: $0, limits: ImageLimits()) } == [])
  }

  @Test func holdsTheLimit() throws {
    let bytes = [UInt8](repeating: 1, count: 100)
    #expect(
      try withPipe(of: bytes) { try readToEnd(of: $0, limits: ImageLimits(memory: 100)) } == bytes)
    let error = #expect(throws: ImageError.self) {
      try withPipe(of: bytes) { try readToEnd(of: $0, limits: ImageLimits(memory: 99)) }
    }
    #expect(error?.category == .limitExceeded)
  }

  /// An invalid descriptor yields the system's error, not an empty file.
  @Test func systemErrorsAreReported() throws {
    let error = #expect(throws: ImageError.self) { try readToEnd(of: -1, limits: ImageLimits()) }
    #expect(error?.category == .inputOutput)
    #expect(error?.code.id == "read-failed")
    #expect(error?.parameters["detail"] == .text("Bad file descriptor"))
  }
}
