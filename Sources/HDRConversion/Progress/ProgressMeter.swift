// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform
internal import Synchronization

/// Reports the progress of a conversion, also while a library call reports nothing.
///
/// Reports come from the thread that does the work.
final class ProgressMeter: Sendable {
  private let report: @Sendable (ConversionProgress) -> Void
  private let estimate = Mutex(ProgressEstimate(at: 0))
  private let start = ContinuousClock.now

  init(_ report: @escaping @Sendable (ConversionProgress) -> Void) { self.report = report }

  /// Runs the work, and reports its end.
  func watch<Result>(_ body: () throws(ImageError) -> Result) throws(ImageError) -> Result {
    var execution = Execution.current
    let thread = threadIdentity()
    // Parts of the work do not report for themselves.
    execution.progress = nil
    execution.tick = { if threadIdentity() == thread { self.advance { _, _ in } } }
    let result = try execution.perform(body)
    report(ConversionProgress(stage: .encoding, share: 1))
    try execution.checkCancellation()
    return result
  }

  func update(_ event: ConversionEvent) { advance { $0.update(event, at: $1) } }

  private func advance(_ change: (inout ProgressEstimate, Double) -> Void) {
    let now = (ContinuousClock.now - start) / .seconds(1)
    report(
      estimate.withLock { estimate in
        change(&estimate, now)
        return ConversionProgress(stage: estimate.stage, share: estimate.share(at: now))
      })
  }
}
