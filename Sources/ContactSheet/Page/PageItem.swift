// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform

/// An item as a section of a page.
struct PageItem {
  let item: SheetItem
  let encoder: DataURLEncoder
  let simulation: HeadroomSimulation

  /// Headroom that the simulation begins with: that of a phone.
  private static let usual = Headroom(ratio: 4)
  /// Whether the page opens with the SDR rendition as bright as it is meant.
  let opensOrdinary: Bool

  /// HTML of the section.
  func html(index: Int) throws(ImageError) -> String {
    let name = item.name.escaped
    let renditions = item.renditions
    var images: [SheetItem.DisplayedRendition] = []
    var layerIndices: [Int] = []
    var layers = ""
    if opensOrdinary, let ordinary = item.ordinary {
      layers = """
        <img class="plain" alt="\(name.escapedQuotes), SDR" src="\(try encoder.standard(ordinary))">

        """
    }
    var buttons = ""
    for (place, rendition) in renditions.enumerated() {
      // Equal renditions are embedded once; the script copies them to the buttons.
      if images.last?.image.resembles(rendition.image) != true {
        let title = "\(name), \(rendition.headroom.words)".escapedQuotes
        let hidden = images.isEmpty ? "" : " style=\"opacity:0\""
        layers += """
          <div class="layer"\(hidden)><img class="sim" alt="\(title), simulated" \
          src="\(try encoder.standard(simulation.shown(rendition.image)))"><img class="real" alt="\(title)" \
          src="\(try encoder.pq(rendition.image))" loading="lazy"></div>

          """
        images.append(rendition)
      }
      layerIndices.append(images.count - 1)
      let label = rendition.display == .full ? "full" : rendition.title
      buttons += """
        <button type="button" data-place="\(place)" aria-label="headroom \(rendition.headroom.words)">\
        <img alt=""><span>\(label)</span></button>

        """
    }
    let usual = renditions.lastIndex { $0.headroom.stops <= Self.usual.stops } ?? 0
    let stops = renditions.map { $0.headroom.stops.formatted(as: "%.4f") }
    let ratio = (Double(item.full.width) / Double(item.full.height)).formatted(as: "%.5f")
    return """
      <section class="item" id="item-\(index)" data-stops="\(stops.joined(separator: " "))" \
      data-layers="\(layerIndices.map(String.init).joined(separator: " "))" data-usual="\(usual)" \
      aria-label="\(name.escapedQuotes)">
      <h2>\(name)</h2>
      <div class="control">
      <label for="range-\(index)">Headroom</label>
      <input id="range-\(index)" type="range" min="0" max="\(max(renditions.count - 1, 0))" \
      step="0.01" value="\(opensOrdinary ? 0 : usual)"\(renditions.count < 2 ? " disabled" : "")>
      <output for="range-\(index)"></output>
      <button type="button" class="enlarge">Enlarge</button>
      </div>
      <div class="stage" style="--ratio:\(ratio)">
      \(layers)</div>
      <div class="strip">
      \(buttons)</div>
      \(try PageViews(item: item, encoder: encoder).html())
      \(tables)
      </section>
      """
  }

  private var tables: String {
    let light = item.lightLevels
    let measured = [
      ("MaxCLL", "\(item.maximum) cd/m²" + (item.clippingInPQ == nil ? "" : "; PQ ends at 10000")),
      ("MaxFALL", "\(light.average.digits) cd/m²"),
      (
        "content headroom",
        "\(item.contentHeadroom.headroom.words), \(item.contentHeadroom.origin.rawValue)"
      ),
    ]
    let details = (item.details.map { ($0.name, $0.value) } + measured).map {
      "<dt>\($0.0.escaped)</dt><dd>\($0.1.escaped)</dd>"
    }.joined(separator: "\n")
    let verdicts = item.verdicts.map { verdict -> String in
      let state = verdict.failures.isEmpty ? (verdict.warnings.isEmpty ? "pass" : "warn") : "fail"
      let result =
        ["pass": "passed", "warn": "passed with warnings", "fail": "failed"][state] ?? ""
      let notes = (verdict.failures + verdict.warnings).map { "<li>\($0.escaped)</li>" }.joined()
      return """
        <div class="verdict \(state)"><b>\(verdict.standard.escaped)</b> <em>\(result)</em>\
        \(notes.isEmpty ? "" : "<ul>\(notes)</ul>")</div>
        """
    }.joined(separator: "\n")
    return """
      <div class="words"><dl>\(details)</dl>
      <div class="verdicts">\(verdicts)</div></div>
      """
  }
}

extension Canvas {
  /// Whether two images are visually equal.
  fileprivate func resembles(_ other: Canvas) -> Bool {
    (width, height) == (other.width, other.height)
      && zip(pixels, other.pixels).allSatisfy { pair in
        let (difference, sum) = (pair.0 - pair.1, pair.0 + pair.1)
        return (difference * difference).max() <= pow(0.002 * sum.max() + 1e-4, 2)
      }
  }
}

extension String {
  /// Text escaped for element content.
  var escaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;")
  }

  /// Escaped text for attribute values.
  var escapedQuotes: String { replacing("\"", with: "&quot;") }
}

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
