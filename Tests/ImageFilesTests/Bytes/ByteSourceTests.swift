// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import Synchronization
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Byte source") struct ByteSourceTests {
  private static func code(_ body: () throws -> Void) -> ImageError.Category? {
    do {
      try body()
      return nil
    } catch {
      return (error as? ImageError)?.category
    }
  }

  /// Calls `body` with the path of a temporary folder.
  private static func withFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test func fileAndMemoryAreTheSame() throws {
    let bytes = [UInt8](0...255)
    try Self.withFolder { folder in
      let file = folder.appending(path: "bytes")
      try Data(bytes).write(to: file)
      for source in [ByteSource(bytes), try ByteSource(path: file.path)] {
        #expect(source.count == 256)
        #expect(try source.allBytes() == bytes)
        #expect(try source.bytes(in: 3..<9) == Array(bytes[3..<9]))
        #expect(try source.bytes(in: 256..<256) == [])
        #expect(try source.prefix(4) == [0, 1, 2, 3])
        #expect(try source.prefix(1000) == bytes)
        for range in [0..<257, 257..<258, -1..<3, Int.max - 1..<Int.max] {
          #expect(Self.code { _ = try source.bytes(in: range) } == .truncated)
        }
      }
    }
  }

  @Test func whatIsNoFile() throws {
    try Self.withFolder { folder in
      let missing = folder.appending(path: "missing").path
      #expect(Self.code { _ = try ByteSource(path: missing) } == .missingInput)
      #expect(Self.code { _ = try ByteSource(path: folder.path) } == .inputOutput)
    }
  }

  /// Opening a pipe without a writer must not block.
  @Test(.timeLimit(.minutes(1))) func namedPipe() throws {
    try Self.withFolder { folder in
      let pipe = folder.appending(path: "pipe").path
      // SAFETY: the C string lives for the call.
      let result = unsafe mkfifo(pipe, 0o600)
      try #require(result == 0)
      #expect(Self.code { _ = try ByteSource(path: pipe) } == .inputOutput)
    }
  }

  @Test func fileThatShrinks() throws {
    try Self.withFolder { folder in
      let file = folder.appending(path: "bytes")
      try Data([1, 2, 3, 4]).write(to: file)
      let source = try ByteSource(path: file.path)
      try FileHandle(forWritingTo: file).truncate(atOffset: 2)
      #expect(try source.bytes(in: 0..<2) == [1, 2])
      #expect(Self.code { _ = try source.allBytes() } == .inputOutput)
    }
  }

  /// `Data`, including a slice whose start index is not 0.
  @Test func dataIsASource() throws {
    let slice = Data([9, 9, 1, 2, 3, 4, 9])[2..<6]
    let source = ByteSource(slice)
    #expect(source.count == 4)
    #expect(try source.allBytes() == [1, 2, 3, 4])
    #expect(try source.bytes(in: 1..<3) == [2, 3])
    #expect(Self.code { _ = try source.bytes(in: 2..<5) } == .truncated)
  }

  /// Bytes 0...255, of which only the first 100 are provided.
  private struct Counting: ByteProvider {
    let count = 256

    func bytes(in range: Range<Int>) throws(ImageError) -> [UInt8] {
      range.clamped(to: 0..<100).map { UInt8($0) }
    }
  }

  @Test func ownConformance() throws {
    let source = ByteSource(Counting())
    #expect(try source.bytes(in: 10..<13) == [10, 11, 12])
    let error = #expect(throws: ImageError.self) { try source.bytes(in: 98..<102) }
    #expect(
      error?.code.english == "{needed byte} requested, {available byte} provided"
        && error?.category == .inputOutput)
    #expect(Self.code { _ = try source.bytes(in: 200..<300) } == .truncated)
  }

  /// An error of a program.
  private struct NoAnswer: LocalizedError {
    var errorDescription: String? { "the server does not answer" }
  }

  /// A provider that fails in its own way.
  private struct Unreachable: ByteProvider {
    let count = 8

    func bytes(in range: Range<Int>) throws -> [UInt8] { throw NoAnswer() }
  }

  @Test func ownErrors() throws {
    let asynchronous = ByteSource(count: 8) { _ in throw NoAnswer() }
    for source in [ByteSource(Unreachable()), asynchronous] {
      let error = #expect(throws: ImageError.self) { try source.bytes(in: 0..<4) }
      #expect(error?.category == .inputOutput)
      #expect(error?.message == "the server does not answer")
    }
  }

  /// Bytes of a file, of which a range cannot be read.
  private struct Damaged: ByteProvider {
    let bytes: [UInt8]
    let damage: Range<Int>
    var count: Int { bytes.count }

    func bytes(in range: Range<Int>) throws -> [UInt8] {
      guard !range.overlaps(damage) else { throw NoAnswer() }
      return Array(bytes[range])
    }
  }

  /// Metadata that cannot be read are an error, not metadata that are absent.
  @Test func failedReadsEndTheOperation() throws {
    let xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
    let bytes = JPEGFixtures.image(
      JPEGFixtures.segment(.xmp, xmp), JPEGFixtures.segment(.comment, Array("end".utf8)))
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: xmp) })
    let damage = start..<start + 4
    let source = ByteSource(unbuffered: Damaged(bytes: bytes, damage: damage))
    let error = #expect(throws: ImageError.self) { try ImageFile(parsing: source).contents() }
    #expect(error?.message == "the server does not answer" && error?.location.offset != nil)
  }

  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"), arguments: FailingSource.files)
  func failedReadsEndInspection(name: String) throws {
    let bytes = try Corpus.bytes(name)
    let (count, survived) = try FailingSource.survivedFailures(of: bytes) { source in
      let file = try ImageFile(parsing: source)
      _ = try file.contents()
      _ = try file.structure()
      _ = (try file.attachments, try file.containsVideo, try file.namedAuxiliaries)
      guard file.format.traits.gainMapCodec != nil else { return }
      if let map = try file.gainMaps().applicable { _ = try file.detached(map) }
    }
    #expect(count > 0)
    #expect(survived == [])
  }

  /// Bytes of a file that cannot be read until it is reachable.
  private final class Temporary: ByteProvider {
    let bytes: [UInt8]
    let isReachable = Mutex(true)
    var count: Int { bytes.count }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func bytes(in range: Range<Int>) throws -> [UInt8] {
      guard isReachable.withLock({ $0 }) else { throw NoAnswer() }
      return Array(bytes[range])
    }
  }

  @Test func failedReadsAreNotKept() throws {
    let provider = Temporary(try HEIFWriterTests.sample().serialized())
    let file = try ImageFile(parsing: ByteSource(unbuffered: provider))
    provider.isReachable.withLock { $0 = false }
    #expect(Self.code { _ = try file.contents() } == .inputOutput)
    provider.isReachable.withLock { $0 = true }
    #expect(Self.code { _ = try file.contents() } != .inputOutput)
  }

  /// Bytes come from another task while the thread waits, and cancellation ends that task.
  @Test(.timeLimit(.minutes(1))) func asynchronousBytes() async throws {
    let source = ByteSource(count: 256) { range in
      await Task.yield()
      return Data(range.map { UInt8($0) })
    }
    #expect(try await Execution().run { try source.bytes(in: 10..<13) } == [10, 11, 12])
    let (states, state) = AsyncStream.makeStream(of: String.self)
    let endless = ByteSource(count: 256) { _ in
      state.yield("begun")
      do { try await Task.sleep(for: .seconds(600)) } catch {
        state.yield("cancelled")
        throw error
      }
      return Data()
    }
    let execution = Execution()
    let reading = Task { try await execution.run { try endless.bytes(in: 0..<1) } }
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next() == "begun")
    reading.cancel()
    let error = await #expect(throws: ImageError.self) { try await reading.value }
    #expect(error?.category == .cancelled)
    #expect(await iterator.next() == "cancelled")
  }

  /// Synchronous reads may occupy all threads of Swift's pool.
  @Test(.timeLimit(.minutes(1))) func readsOnAllThreads() async throws {
    let source = ByteSource(count: 256) { range in
      await Task.yield()
      try await Task.sleep(for: .milliseconds(5))
      return Data(range.map { UInt8($0) })
    }
    let count = 8 * ProcessInfo.processInfo.activeProcessorCount
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for start in 0..<count { group.addTask { try source.bytes(in: start..<start + 4) } }
      for try await bytes in group { #expect(bytes.count == 4 && bytes[3] == bytes[0] + 3) }
    }
  }

  @Test func cancellationOfAProgram() {
    let source = ByteSource(count: 8) { _ in throw CancellationError() }
    let error = #expect(throws: ImageError.self) { try source.bytes(in: 0..<4) }
    #expect(error?.category == .cancelled)
  }
}
