// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension Execution {
  /// A stage of a conversion.
  public enum Stage: String, Hashable, Sendable, CaseIterable {
    /// The file is opened, and images that are decoded as a whole are decoded.
    case reading
    /// The headroom of the image is measured, which takes a pass of its own.
    case measuring
    /// Samples are decoded and converted; formats whose encoders accept rows are encoded as well.
    case converting
    /// The whole image is encoded and written.
    case encoding
  }

  /// The operation whose progress is reported, and the part of it that the current work is.
  struct Observation: Sendable {
    private let reported = Reported()
    /// The shares of the operation that the part takes.
    fileprivate var shares = 0.0...1.0
    fileprivate var stage = Stage.reading

    /// The share of the operation that was reported last.
    private final class Reported: Sendable {
      let share = Mutex(-1.0)
    }

    /// Returns whether a share is larger than those before.
    fileprivate func advance(to share: Double) -> Bool {
      reported.share.withLock { last in
        guard share > last else { return false }
        last = share
        return true
      }
    }

    /// Returns the part that begins with what was reported last, and ends with a share of this part.
    fileprivate func part(upTo end: Double, _ stage: Stage?) -> Observation {
      var part = self
      let end = share(of: end)
      part.shares = min(max(reported.share.withLock { $0 }, shares.lowerBound), end)...end
      part.stage = stage ?? self.stage
      return part
    }

    /// Returns the share of the operation for a share of the part.
    fileprivate func share(of part: Double) -> Double {
      shares.lowerBound + (shares.upperBound - shares.lowerBound) * min(max(part, 0), 1)
    }
  }

  /// Runs an operation whose progress the current execution observes: 0, shares that never fall, and at its end 1,
  /// once.
  ///
  /// An operation within another one is a part of it.
  ///
  /// - Parameter body: The operation.
  /// - Returns: Its result.
  /// - Throws: Errors of `body`.
  package static func operation<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var execution = current
    guard execution.progress != nil, execution.observation == nil else { return try body() }
    execution.observation = Observation()
    execution.send(0)
    let value = try execution.perform(body)
    execution.observation?.stage = .encoding
    execution.send(1)
    return value
  }

  /// Runs a part of the current operation.
  ///
  /// It begins with what was reported last, so that parts without reports leave their shares to the next ones.
  ///
  /// - Parameters:
  ///   - end: Share of the current work that is done when the part ends, 0...1.
  ///   - stage: The stage; `nil` for that of the current work.
  ///   - body: The part.
  /// - Returns: Its result.
  /// - Throws: Errors of `body`.
  package static func part<Value, Failure: Error>(
    upTo end: Double, _ stage: Stage? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var execution = current
    guard let observation = execution.observation else { return try body() }
    execution.observation = observation.part(upTo: end, stage)
    return try execution.perform(body)
  }

  /// Runs the part of a loop, and reports its end.
  ///
  /// - Parameters:
  ///   - end: Index after the last one of the part.
  ///   - count: Number of indices of the loop.
  ///   - body: The part.
  /// - Throws: Errors of `body`; `.cancelled`.
  package static func step(
    to end: Int, of count: Int, _ body: () throws(ImageError) -> Void
  ) throws(ImageError) {
    let share = Double(end) / Double(max(count, 1))
    try part(upTo: share, nil, body)
    try current.report(share)
  }

  /// Reports the completed share of the current work, 0...1.
  ///
  /// - Throws: `.cancelled` if the receiver or the task cancels the operation.
  package func report(_ share: Double) throws(ImageError) {
    advance(to: share)
    try checkCancellation()
  }

  /// As `report(_:)`, for code that notices the cancellation later.
  func advance(to share: Double) {
    guard let whole = observation?.share(of: share) else { return }
    // The end is reported when the operation has ended.
    if whole < 1 { send(whole) }
  }

  /// The stage of the current work.
  package var stage: Stage { observation?.stage ?? .reading }

  private func send(_ share: Double) {
    guard let progress, observation?.advance(to: share) == true else { return }
    if !perform({ progress(share) }) { cancel() }
  }

  /// The conditions of work on another thread, which does not report.
  var withoutProgress: Execution {
    var execution = self
    (execution.progress, execution.observation) = (nil, nil)
    return execution
  }
}

/// The stages of some work, one after the other.
package struct Stages {
  private var ends: ArraySlice<Double>

  /// Divides the progress of the current work.
  ///
  /// - Parameter times: Times that the stages are expected to take, in one unit.
  package init(_ times: Double...) {
    let total = max(times.reduce(0, +), .leastNormalMagnitude)
    var sum = 0.0
    ends = ArraySlice(
      times.map { time in
        sum += time
        return sum / total
      })
  }

  /// Runs the next stage.
  ///
  /// - Parameters:
  ///   - stage: Its name; `nil` for that of the current work.
  ///   - body: The work.
  /// - Returns: Its result.
  /// - Throws: Errors of `body`.
  package mutating func next<Value, Failure: Error>(
    _ stage: Execution.Stage? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try Execution.part(upTo: ends.popFirst() ?? 1, stage, body)
  }
}
