internal import ArgumentParser
internal import HDRConversion
internal import ImageFiles

/// How to show that work goes on.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
  /// A bar, if people watch.
  case auto
  case bar
  /// One JSON object a line on standard error.
  case json
  case none
}

/// Shows how much of one job is done.
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

  /// Takes the bar away.
  func finish() {
    guard style == .bar, shown >= 0 else { return }
    Console.show("\r" + String(repeating: " ", count: label.count + 60) + "\r")
  }
}
