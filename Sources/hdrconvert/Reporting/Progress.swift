internal import ArgumentParser
internal import HDRConversion
internal import ImageFiles

/// Display of progress.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
  /// A bar on a terminal.
  case auto
  case bar
  /// One JSON object a line on standard error.
  case json
  case none
}

/// Progress of one job.
final class Progress {
  private let style: ProgressStyle
  private let label: String
  private var shown = -1

  init(_ style: ProgressStyle, label: String) {
    self.style = style == .auto ? (Console.isWatched ? .bar : .none) : style
    self.label = label.visible
  }

  /// Shows `share`, 0...1, of the stage; repeats are free.
  func show(_ share: Double, stage: String) {
    let percent = Int(share * 100)
    guard style != .none, percent != shown else { return }
    shown = percent
    switch style {
    case .json:
      Console.show("{\"progress\": \(percent), \"stage\": \"\(stage)\"}\n")
    default:
      let filled = percent * 30 / 100
      let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: 30 - filled)
      Console.show("\r\(label) [\(bar)] \(percent) % \(stage)   ")
    }
  }

  /// Erases the bar.
  func finish() {
    guard style == .bar, shown >= 0 else { return }
    Console.show("\r" + String(repeating: " ", count: label.count + 60) + "\r")
  }
}
