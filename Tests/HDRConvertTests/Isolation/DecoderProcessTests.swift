// SPDX-License-Identifier: Apache-2.0
#if PNG && RAW
import Foundation
import HDRCore
import ImageContainers
import Testing

import DecoderStub
@testable import ImageCodecs

/// Decoder processes with a library that does what no codec should.
@Suite("Decoder processes") struct DecoderProcessTests {
  /// The program that serves the library.
  static let program: String = {
    let name = "DecoderStub"
    let folders = [Bundle.main.bundleURL, Bundle.main.executableURL?.deletingLastPathComponent()]
      .compactMap(\.self)
    let found = folders.flatMap { [$0, $0.deletingLastPathComponent()] }.map {
      $0.appending(path: name).path
    }
    return found.first { FileManager.default.isExecutableFile(atPath: $0) } ?? name
  }()

  static func execution(
    timeLimit: Double = 30, memory: Int = 1 << 30, threads: Int = 1
  ) -> Execution {
    Execution(
      threads: threads, budget: Execution.Budget(memory: memory),
      isolation: Execution.Isolation(timeLimit: timeLimit, program: program))
  }

  private func result(
    of call: StubService.Call, timeLimit: Double = 30, input: [UInt8] = [1, 2, 3]
  ) throws(ImageError) -> StubService.Result {
    let memory = 256 << 20
    return try Self.execution(timeLimit: timeLimit, memory: memory)(
      { () throws(ImageError) -> StubService.Result in
        guard let process = try DecoderProcess.start() else {
          throw ImageError(.isolationUnavailable)
        }
        return try process.call(StubService.self, call, beginning: DecoderInput(input))
      } as () throws(ImageError) -> StubService.Result)
  }

  private func code(
    of call: StubService.Call, timeLimit: Double = 30, input: [UInt8] = [1, 2, 3]
  ) -> String? {
    do throws(ImageError) {
      _ = try result(of: call, timeLimit: timeLimit, input: input)
      return nil
    } catch {
      #expect(error.parameters["library"] == .text("stub"), "\(error)")
      #expect(error.category == .codecFailure, "\(error)")
      return error.code.id
    }
  }

  /// More than one message holds.
  @Test func inputIsRead() throws {
    let bytes = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    #expect(try result(of: .echo, input: Array(bytes.prefix(100_000))).bytes.count == 100_000)
    #expect(
      try result(of: .echo, input: Array(bytes.prefix(999))).bytes == Array(bytes.prefix(999)))
  }

  @Test(arguments: [StubService.Call.crash, .abort]) func crashes(call: StubService.Call) {
    #expect(code(of: call) == "codec/crashed")
  }

  @Test func endsWithoutResult() { #expect(code(of: .exit) == "codec/reply-invalid") }

  /// Both a library that computes without end and one that reads without end.
  @Test(arguments: [StubService.Call.loop, .readForever]) func hangs(call: StubService.Call) {
    // More than is read ahead.
    let input = [UInt8](repeating: 0, count: 1 << 17)
    #expect(code(of: call, timeLimit: 0.3, input: input) == "codec/timed-out")
  }

  #if os(Linux)
  @Test(.enabled(if: DecoderProcessServer.limitsMemory)) func exhaustsMemory() {
    #expect(code(of: .allocate) == "codec/out-of-memory")
  }

  @Test(arguments: [
    StubService.Call.openFile, .createFile, .openSocket, .execute, .fork, .killParent,
    .changeLimit, .mapExecutable,
  ])
  func isRefused(call: StubService.Call) throws {
    #expect(try result(of: call).error == EPERM)
  }
  #endif

  @Test func startsThreads() throws { #expect(try result(of: .startThread).error == 0) }

  /// The crash of one process does not affect others, nor their server.
  @Test func continuesAfterCrash() throws {
    for _ in 0..<3 {
      #expect(code(of: .crash) == "codec/crashed")
      #expect(try result(of: .echo).bytes == [1, 2, 3])
    }
  }

  @Test func programIsMissing() {
    let execution = Execution(isolation: Execution.Isolation(program: "/nonexistent/program"))
    #expect {
      try execution { () throws(ImageError) in _ = try DecoderProcess.start() }
    } throws: {
      ($0 as? ImageError)?.code.id == "isolation/unavailable"
    }
  }

  /// Cancellation ends a library call that does not return.
  @Test func cancellation() async throws {
    let execution = Self.execution(timeLimit: 60)
    let task = Task { () -> ImageError? in
      do throws(ImageError) {
        try await execution { () throws(ImageError) -> Void in
          let process = try DecoderProcess.start()
          _ = try process?.call(StubService.self, .loop, beginning: DecoderInput([]))
        }
        return nil
      } catch {
        return error
      }
    }
    try await Task.sleep(for: .milliseconds(300))
    execution.cancel()
    #expect(await task.value?.category == .cancelled)
  }
}
#endif
