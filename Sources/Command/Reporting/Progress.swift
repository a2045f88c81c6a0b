// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Dispatch
internal import HDRConversion
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
///
/// While a library works without reporting, the estimate proceeds with time.
final class Progress: Sendable {
  private struct State {
    var shown = -1
    var isActive = true
    var estimate: ProgressEstimate?
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

  /// Shows `share`, 0...1, of the stage; repeats are free.
  func show(_ share: Double, stage: String) {
    guard isShown else { return }
    if let command { return command.tell(.progress(.show(share, stage: stage))) }
    state.withLock { display(share, stage, &$0) }
  }

  /// Shows the progress of a conversion, now and until `finish`.
  func update(_ event: ConversionEvent) {
    guard isShown else { return }
    if let command { return command.tell(.progress(ProgressChange(event))) }
    let isFirst = state.withLock { state in
      let isFirst = state.estimate == nil
      state.estimate = state.estimate ?? ProgressEstimate(at: Self.now)
      state.estimate?.update(event, at: Self.now)
      display(&state)
      return isFirst
    }
    if isFirst { tick() }
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

  /// Seconds of a clock that only runs forward.
  private static var now: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

  private func tick() {
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { [weak self] in
      guard let self else { return }
      let isActive = state.withLock { state in
        display(&state)
        return state.isActive
      }
      if isActive { tick() }
    }
  }

  private func display(_ state: inout State) {
    guard let share = state.estimate?.share(at: Self.now), let stage = state.estimate?.stage
    else { return }
    display(share, stage.rawValue, &state)
  }

  private func display(_ share: Double, _ stage: String, _ state: inout State) {
    let percent = Int(clamping: share * 100)
    guard state.isActive, percent > state.shown else { return }
    state.shown = percent
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
