// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Progress over all inputs of a command: share, rate, time left and failures.
///
/// An input that is being processed counts by its own share, so that few large files move the
/// progress as well.
struct BatchProgress {
  /// Shares of the inputs that are being processed, 0...1, by their indices.
  private var running: [Int: Double] = [:]
  /// The largest share that was shown: an input that is processed again does not decrease it.
  private var largest = 0.0
  /// Seconds at which progress was last shown.
  private var lastShown = -Self.interval
  private let style: ProgressStyle
  private let total: Int
  private let write: @Sendable (String) -> Void

  /// Seconds between two displays, unless an input ends.
  private static let interval = 0.5

  /// - Parameters:
  ///   - style: Form of the display.
  ///   - total: Number of inputs.
  ///   - write: Writes to the terminal or the log.
  init(
    _ style: ProgressStyle, total: Int,
    write: @escaping @Sendable (String) -> Void = { text in
      // An input whose share changed does not own this text.
      InputReport.$current.withValue(nil) { Console.show(text) }
    }
  ) {
    self.style = style == .auto ? (Console.isWatched ? .bar : .none) : style
    self.total = total
    self.write = write
  }

  /// Whether anything is shown.
  var isShown: Bool { total > 0 && (style == .bar || style == .json) }

  /// Takes the share of an input that is being processed.
  mutating func update(_ index: Int, share: Double, _ summary: BatchSummary) {
    running[index] = share
    guard isShown, summary.seconds >= lastShown + Self.interval else { return }
    show(summary, input: nil)
  }

  /// Shows the progress after an input.
  mutating func finish(_ index: Int, _ file: String, _ summary: BatchSummary) {
    running[index] = nil
    guard isShown else { return }
    show(summary, input: file)
  }

  private mutating func show(_ summary: BatchSummary, input: String?) {
    let finished = summary.finished
    // Only inputs that were processed have a rate.
    let parts = running.values.reduce(0, +)
    let processed = Double(summary.count(of: .done) + summary.count(of: .failed)) + parts
    let rate = processed / max(summary.seconds, 1e-3)
    let remaining = max(Double(total - finished) - parts, 0)
    let left = finished == total ? 0 : rate > 0 ? remaining / rate : nil
    largest = max(largest, min((Double(finished) + parts) / Double(total), 1))
    lastShown = summary.seconds
    let percent = finished == total ? 100 : min(Int(clamping: largest * 100), 99)
    guard style == .json else {
      let filled = percent * 30 / 100
      let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: 30 - filled)
      write(
        "\r[\(bar)] \(finished)/\(total), \(Self.rounded(rate)) files/s, "
          + "\(left.map(Self.time) ?? "?") left, \(summary.count(of: .failed)) failed   ")
      return
    }
    let line = Line(
      progress: percent, stage: finished == total ? "complete" : "files",
      total: total, done: summary.count(of: .done), failed: summary.count(of: .failed),
      skipped: summary.count(of: .skipped) + summary.count(of: .doneBefore),
      filesPerSecond: Self.rounded(rate), secondsLeft: left.map(Self.rounded), input: input)
    if let text = JSONLine.text(line) { write(text) }
  }

  /// Erases the bar, before other text is printed.
  func hide() {
    if style == .bar { write("\r\u{1B}[K") }
  }

  /// A line of `--progress json`.
  private struct Line: Encodable {
    let progress: Int
    let stage: String
    let total: Int
    let done: Int
    let failed: Int
    let skipped: Int
    let filesPerSecond: Double
    /// `nil` before any work is done.
    let secondsLeft: Double?
    /// The input that was finished; `nil` if none was since the last line.
    let input: String?
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  /// Minutes and seconds, or hours and minutes.
  private static func time(_ seconds: Double) -> String {
    let whole = Int(clamping: min(seconds, 1e9).rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return whole < 3600
      ? "\(whole / 60):\(two(whole % 60))" : "\(whole / 3600) h \(two(whole / 60 % 60)) min"
  }
}
