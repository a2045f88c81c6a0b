// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRCore
internal import ImageFiles
internal import Synchronization

/// Display of progress.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
  /// A bar on a terminal.
  case auto
  case bar
  /// One JSON object a line on standard error.
  case json
  case none
}

/// Progress of one job: a percentage that never decreases, and is 100 only when the job is complete.
final class Progress: Sendable {
  private struct State {
    var shown = -1
    var isActive = true
  }

  private let style: ProgressStyle
  /// Takes the share of one of several inputs, which have one display.
  private let showShare: (@Sendable (Double) -> Void)?
  /// Has the display, if this is the process of a job.
  private let command: CommandFiles?
  private let label: String
  private let write: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - style: Form of the display.
  ///   - label: Name of the job.
  ///   - write: Writes to the terminal or the log.
  init(
    _ style: ProgressStyle, label: String,
    write: @escaping @Sendable (String) -> Void = { Console.show($0) }
  ) {
    showShare = InputReport.current?.showShare
    let style: ProgressStyle = InputReport.current == nil ? style : .none
    self.style = style == .auto ? (Console.isWatched ? .bar : .none) : style
    self.label = label.visible
    self.write = write
    command = self.style == .none && showShare == nil ? nil : CommandFiles.current
    command?.tell(.progress(.begin(style: self.style.rawValue, label: label)))
  }

  /// Whether the share is shown, or counts in that of several inputs.
  private var isShown: Bool { style != .none || showShare != nil }

  /// Runs an operation, whose progress is shown.
  ///
  /// - Parameters:
  ///   - stage: The stage to show; `nil` for those of the operation.
  ///   - body: The operation.
  /// - Returns: Its result.
  /// - Throws: Errors of `body`.
  func watch<Value, Failure: Error>(
    stage: String? = nil, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard isShown else { return try body() }
    var execution = Execution.current
    execution.progress = { share in
      // The job is complete when its outputs are.
      if share < 1 { self.show(share, stage: stage ?? Execution.current.stage.rawValue) }
      return true
    }
    return try execution.perform(body)
  }

  /// Shows `share`, 0...1, of the stage; repeats are free.
  func show(_ share: Double, stage: String) {
    guard isShown else { return }
    state.withLock { display(share, stage, &$0) }
  }

  /// Shows that the job is complete, and erases the bar.
  func complete() {
    guard isShown else { return }
    if let command { return command.tell(.progress(.complete)) }
    state.withLock { state in
      guard state.isActive, state.shown >= 0 else { return }
      display(1, "complete", &state)
    }
    finish()
  }

  /// Erases the bar.
  func finish() {
    if let command { return command.tell(.progress(.finish)) }
    state.withLock { state in
      guard state.isActive else { return }
      state.isActive = false
      guard style == .bar, state.shown >= 0 else { return }
      write("\r" + String(repeating: " ", count: label.count + 60) + "\r")
    }
  }

  private func display(_ share: Double, _ stage: String, _ state: inout State) {
    let percent = Int(clamping: share * 100)
    guard state.isActive, percent > state.shown else { return }
    state.shown = percent
    if let command { return command.tell(.progress(.show(share, stage: stage))) }
    if let showShare { return showShare(share) }
    switch style {
    case .json:
      write("{\"progress\": \(percent), \"stage\": \"\(stage)\"}\n")
    default:
      let filled = percent * 30 / 100
      let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: 30 - filled)
      write("\r\(label) [\(bar)] \(percent) % \(stage)   ")
    }
  }
}
