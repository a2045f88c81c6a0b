// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// The share of a conversion that is done.
///
/// A stage that reports its own progress counts as reported. One that does not, such as an image
/// that a library encodes in a single call, is estimated from the time that it is expected to take;
/// the estimate approaches its end without reaching it. The share never decreases, and remains below
/// 1, because only the caller knows that the file is complete.
///
///     var estimate = ProgressEstimate(at: 0)
///     estimate.update(.planned([.converting: 1, .encoding: 3]), at: 0)
///     estimate.update(.progress(.encoding, 0), at: 1)
///     print(estimate.share(at: 2.5))  // Half of the encoding is done: 0.625.
package struct ProgressEstimate: Sendable {
  /// The stage that runs.
  package private(set) var stage = ConversionStage.reading
  private var expected: [ConversionStage: Double] = [:]
  /// Time at which the stage began, in seconds.
  private var beginning: Double
  private var reported = 0.0
  /// Seconds that completed stages were expected to take, and took.
  private var completed = (expected: 0.0, actual: 0.0)
  private var largest = 0.0

  /// - Parameter now: The time, in seconds of any clock.
  package init(at now: Double) { beginning = now }

  /// Takes a report of the conversion.
  package mutating func update(_ event: ConversionEvent, at now: Double) {
    switch event {
    case .planned(let stages): expected = stages
    case .progress(let next, let share):
      if next != stage {
        if let duration = expected[stage], duration > 0 {
          completed.expected += duration
          completed.actual += now - beginning
        }
        (stage, beginning) = (next, now)
      }
      reported = min(max(share, 0), 1)
    }
  }

  /// The share of the whole conversion that is done, below 1.
  package mutating func share(at now: Double) -> Double {
    let total = expected.values.reduce(0, +)
    guard total > 0 else { return largest }
    let before = ConversionStage.allCases.prefix { $0 != stage }
    let done = before.reduce(0) { $0 + (expected[$1] ?? 0) }
    let duration = expected[stage] ?? 0
    let share = (done + duration * shareOfStage(expectedIn: duration, at: now)) / total
    largest = max(largest, min(share, Self.most))
    return largest
  }

  /// The largest share of a conversion that is not known to be complete.
  private static let most = 0.99

  private func shareOfStage(expectedIn duration: Double, at now: Double) -> Double {
    guard reported == 0, duration > 0 else { return reported }
    let elapsed = (now - beginning) / (duration * slowness)
    // A straight line, continued by a curve that approaches 1.
    return elapsed < 0.8 ? max(elapsed, 0) : 1 - 0.2 * exp(4 - 5 * elapsed)
  }

  /// Time that this machine takes, relative to the expected one.
  ///
  /// Stages of one conversion load a machine differently, so that half of the difference (in stops)
  /// counts.
  private var slowness: Double {
    guard completed.expected > 0, completed.actual > 0 else { return 1 }
    return min(max((completed.actual / completed.expected).squareRoot(), 0.25), 4)
  }
}
