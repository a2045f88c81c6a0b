// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

@testable import Command

@Suite("Progress of many inputs") struct BatchProgressTests {
  private static func job(_ path: String) -> BatchJob {
    BatchJob(input: BatchInput(argument: path), output: .success("out/" + path))
  }

  private final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// The values of a key in all lines.
    func values(_ key: String) throws -> [Double?] {
      try lines.withLock { lines in
        try lines.map { line in
          let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
          return object?[key] as? Double
        }
      }
    }

    var text: String { lines.withLock { $0.joined() } }
  }

  /// Files in work count by their shares; one that is processed again does not decrease the sum.
  @Test func filesInWorkCount() throws {
    let log = Log()
    var progress = BatchProgress(.json, total: 4) { log.add($0) }
    var summary = BatchSummary()
    progress.update(0, share: 0.5, summary)
    // Within the interval.
    progress.update(1, share: 0.5, summary)
    summary.add(BatchResult(.done), of: Self.job("a"), at: 0)
    progress.finish(0, "a", summary)
    summary.add(BatchResult(.doneBefore), of: Self.job("b"), at: 2)
    progress.finish(2, "b", summary)
    progress.update(1, share: 0, summary)
    for (index, name) in [(1, "c"), (3, "d")] {
      summary.add(BatchResult(.done), of: Self.job(name), at: index)
      progress.finish(index, name, summary)
    }
    #expect(try log.values("progress") == [12, 37, 62, 75, 100])
    #expect(try log.values("done") == [0, 1, 1, 2, 3])
    #expect(try log.values("secondsLeft").last == 0)
  }

  @Test func aBarHasNoTimeLeftWithoutARate() {
    let log = Log()
    var progress = BatchProgress(.bar, total: 2) { log.add($0) }
    var summary = BatchSummary()
    summary.add(BatchResult(.doneBefore), of: Self.job("a"), at: 0)
    progress.finish(0, "a", summary)
    #expect(log.text.contains("1/2") && log.text.contains("? left, 0 failed"))
  }
}
