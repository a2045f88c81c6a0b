// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion
import HDRCore
import Testing

@testable import Command

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
    #expect(try found.allBytes() == bytes)
    #expect(try withPipe(of: []) { try readToEnd(of: $0, limits: ImageLimits()) }.count == 0)
  }

  /// Ranges across the blocks in which a long input is read; each block is debited.
  @Test func readsInBlocks() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 ^ $0 >> 16) }
    try Data(bytes).write(to: URL(filePath: path))
    let file = try #require(FileHandle(forReadingAtPath: path))
    let execution = Execution(budget: Execution.Budget(memory: 1 << 20))
    let source = try execution.run { () throws(ImageError) in
      try readToEnd(of: file.fileDescriptor, limits: ImageLimits())
    }
    #expect(execution.budget.usedMemory >= bytes.count)
    #expect(try source.allBytes() == bytes)
    for range in [0..<1, 262_143..<262_145, 100_000..<900_000, 999_999..<1_000_000] {
      #expect(try source.bytes(in: range) == Array(bytes[range]))
    }
    try file.seek(toOffset: 0)
    let less = Execution(budget: Execution.Budget(memory: 900_000))
    let error = #expect(throws: ImageError.self) {
      try less.run { () throws(ImageError) in
        try readToEnd(of: file.fileDescriptor, limits: ImageLimits())
      }
    }
    #expect(error?.code.id == "budget/memory-exceeded")
  }

  @Test func holdsTheLimit() throws {
    let bytes = [UInt8](repeating: 1, count: 100)
    let found = try withPipe(of: bytes) {
      try readToEnd(of: $0, limits: ImageLimits(memory: 100))
    }
    #expect(try found.allBytes() == bytes)
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
