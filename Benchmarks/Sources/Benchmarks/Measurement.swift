// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One line of the report: a time or an amount, and how it compares.
struct Measurement: Encodable {
  let name: String
  let value: Double
  let unit: String
  /// Value over that of a memory copy of the same bytes, in the same run; for times only.
  var copies: Double?
  /// Upper limit of the value.
  var goal: Double?
}

/// Wall-clock seconds of the best of several runs; noise only ever adds.
func bestTime(of runs: Int = 7, _ body: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  return try (0..<runs).map { _ in
    let elapsed = try clock.measure(body)
    return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
  }.min() ?? .infinity
}

/// Seconds that the process's threads have computed.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Seconds that the process's threads compute in the best of several runs: what a machine without
/// other work would need, times its cores.
func bestProcessorTime(of runs: Int = 7, _ body: () throws -> Void) rethrows -> Double {
  try (0..<runs).map { _ in
    let start = processorTime()
    try body()
    return processorTime() - start
  }.min() ?? .infinity
}

/// Seconds to copy `count` bytes that are not in the cache of a small loop.
func copyTime(bytes count: Int, repetitions: Int = 1) -> Double {
  let source = [UInt8](repeating: 1, count: count)
  var target = [UInt8](repeating: 0, count: count)
  return bestTime {
    for _ in 0..<repetitions {
      target.withUnsafeMutableBytes { target in
        source.withUnsafeBytes { target.copyMemory(from: $0) }
      }
    }
  } / Double(repetitions)
}
