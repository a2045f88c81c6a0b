// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Plots of luminance, with a line at reference white.
enum SheetPlots {
  /// Waveform of luminance.
  static func waveform(of image: Canvas, width: Int, height: Int) -> Canvas {
    var canvas = AnalysisViews.waveform(image, size: (width: width, height: height))
    let white = Int(clamping: (1 - StopScale.position(of: 1)) * Double(height))
    canvas.fill(
      Rectangle(x: 0, y: white, width: width, height: 1), Palette.quiet, opacity: 0.6)
    return canvas
  }

  /// Histogram of luminance, from dark to bright.
  static func histogram(of image: Canvas, width: Int, height: Int) -> Canvas {
    var canvas = Canvas(width: width, height: height, background: Palette.panel)
    for (x, share) in AnalysisViews.histogram(image, bins: width).enumerated() where share > 0 {
      let stop =
        Double(StopScale.lowest)
        + Double(x) / Double(max(width - 1, 1)) * Double(StopScale.highest - StopScale.lowest)
      let bar = Int(clamping: (share.squareRoot() * Double(height - 8)).rounded(.up))
      canvas.fill(
        Rectangle(x: x, y: height - bar, width: 1, height: bar),
        StopScale.color(of: Int(clamping: stop.rounded(.down))))
    }
    let white = Int(clamping: StopScale.position(of: 1) * Double(width - 1))
    canvas.fill(
      Rectangle(x: white, y: 0, width: 1, height: height), Palette.quiet, opacity: 0.6)
    return canvas
  }

  /// Waveform above histogram.
  static func both(of image: Canvas, width: Int, height: Int, gap: Int) -> Canvas {
    var plots = Canvas(width: width, height: height, background: Palette.background)
    let upper = (height - gap) / 2
    plots.place(waveform(of: image, width: width, height: upper), at: 0, 0, radius: 6)
    plots.place(
      histogram(of: image, width: width, height: height - gap - upper), at: 0, upper + gap,
      radius: 6)
    return plots
  }
}
