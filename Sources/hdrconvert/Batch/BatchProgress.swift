// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore

/// Progress over all inputs of a command: share, rate, time left and failures.
struct BatchProgress: Sendable {
  private let style: ProgressStyle
  private let total: Int
  private let write: @Sendable (String) -> Void

  /// - Parameters:
  ///   - style: Kind of display.
  ///   - total: Number of inputs.
  ///   - write: Writes to the terminal or the log.
  init(
    _ style: ProgressStyle, total: Int,
    write: @escaping @Sendable (String) -> Void = { Console.show($0) }
  ) {
    self.style = style == .auto ? (Console.isWatched ? .bar : .none) : style
    self.total = total
    self.write = write
  }

  /// Shows the progress after an input.
  func show(_ summary: BatchSummary, last file: String) {
    guard total > 0, style == .bar || style == .json else { return }
    let finished = summary.finished
    let rate = Double(finished) / max(summary.seconds, 1e-3)
    let left = Double(total - finished) / rate
    guard style == .json else {
      let filled = finished * 30 / total
      let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: 30 - filled)
      write(
        "\r[\(bar)] \(finished)/\(total), \(Self.rounded(rate)) files/s, \(Self.time(left)) left, "
          + "\(summary.count(of: .failed)) failed   ")
      return
    }
    let line = Line(
      progress: finished * 100 / total, stage: finished == total ? "complete" : "files",
      total: total, done: summary.count(of: .done), failed: summary.count(of: .failed),
      skipped: summary.count(of: .skipped) + summary.count(of: .doneBefore),
      filesPerSecond: Self.rounded(rate), secondsLeft: Self.rounded(left), input: file)
    if let text = JSONLine.text(line) { write(text) }
  }

  /// Erases the bar, before other text is printed.
  func hide() {
    if style == .bar { write("\r\u{1B}[K") }
  }

  /// Erases the bar.
  func finish() { hide() }

  /// A line of `--progress json`.
  private struct Line: Encodable {
    let progress: Int
    let stage: String
    let total: Int
    let done: Int
    let failed: Int
    let skipped: Int
    let filesPerSecond: Double
    let secondsLeft: Double
    /// The input that was finished last.
    let input: String
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  /// Minutes and seconds, or hours and minutes.
  private static func time(_ seconds: Double) -> String {
    let whole = Int(min(seconds, 1e9).rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return whole < 3600
      ? "\(whole / 60):\(two(whole % 60))" : "\(whole / 3600) h \(two(whole / 60 % 60)) min"
  }
}
