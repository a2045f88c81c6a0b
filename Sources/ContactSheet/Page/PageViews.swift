// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

/// Analysis views of an item as figures of a page.
struct PageViews {
  let item: SheetItem
  let encoder: DataURLEncoder

  /// Size of figures; they are shown smaller until they are enlarged.
  private static let frame = (width: 640, height: 640)
  private static let plot = (width: 640, height: 427)

  func html() throws(ImageError) -> String {
    let thresholds = item.thresholds
    let shares = thresholds.enumerated().map { index, threshold in
      let share = item.share(above: threshold).escaped
      let color = AnalysisViews.maskColor(index).web
      let ratio = threshold.ratio.digits
      return "<span><i style=\"background:\(color)\"></i>\(share) above \(ratio)x</span>"
    }.joined(separator: " ")
    let scale = stride(from: StopScale.lowest, to: StopScale.highest, by: 2).map { stop in
      "<span><i style=\"background:\(StopScale.code(of: stop).web)\"></i>\(stop > 0 ? "+" : "")\(stop)</span>"
    }.joined(separator: " ")
    let small = item.full.reduced(into: Self.frame)
    var figures = [
      figure("Stops of luminance", try encoder.standard(AnalysisViews.stops(small)), scale),
      figure(
        "Above the display",
        try encoder.standard(AnalysisViews.clipping(small, above: thresholds)),
        shares),
      figure(
        "Waveform", try encoder.standard(AnalysisViews.waveform(item.full, size: Self.plot)),
        "from \(StopScale.lowest) to +\(StopScale.highest) stops, upward"),
      Self.figure("Histogram", panel: histogram, "stops above reference white"),
    ]
    if let gainMap = item.gainMap {
      let image = try encoder.standard(gainMap.reduced(into: Self.frame))
      figures.append(figure("Gain map", image, "stored samples"))
    }
    return "<div class=\"views\">\n\(figures.joined(separator: "\n"))\n</div>"
  }

  private func figure(_ title: String, _ source: String, _ note: String) -> String {
    Self.figure(title, panel: "<img class=\"panel\" alt=\"\(title)\" src=\"\(source)\">", note)
  }

  /// A figure that is enlarged by a click.
  private static func figure(_ title: String, panel: String, _ note: String) -> String {
    """
    <figure><button type="button" aria-label="Enlarge \(title)">\(panel)</button>\
    <figcaption><b>\(title)</b> \(note)</figcaption></figure>
    """
  }

  /// Histogram as SVG, with bars in false colors.
  private var histogram: String {
    let count = 140
    let bins = AnalysisViews.histogram(item.full, bins: count)
    let range = Double(StopScale.highest - StopScale.lowest)
    let bars = bins.enumerated().map { index, share in
      let stop = Double(StopScale.lowest) + Double(index) / Double(count - 1) * range
      let height = share.squareRoot() * 88
      let top = (90 - height).formatted(as: "%.2f")
      return """
        <rect x="\(index)" y="\(top)" width="0.9" height="\(height.formatted(as: "%.2f"))" \
        fill="\(StopScale.code(of: Int(clamping: stop.rounded(.down))).web)"/>
        """
    }.joined()
    let white = StopScale.position(of: 1) * Double(count)
    let line = "M\(white.formatted(as: "%.2f")) 0V90"
    return """
      <svg class="panel" viewBox="0 0 \(count) 90" preserveAspectRatio="none" role="img" \
      aria-label="Histogram of luminance">\(bars)\
      <path d="\(line)" stroke="#9094a0" stroke-width=".4"/></svg>
      """
  }
}

extension UInt32 {
  /// CSS color.
  fileprivate var web: String { "#" + String(self | 0x100_0000, radix: 16).dropFirst() }
}
