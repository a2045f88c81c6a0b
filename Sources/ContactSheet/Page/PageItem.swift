internal import Foundation
internal import HDRCore
internal import ImageCodecs

/// The pictures of one item as a page embeds them.
struct PageItem {
  let item: SheetItem
  let simulation: Simulation
  let threads: Int

  /// One section of the page.
  func html(index: Int) throws(ImageError) -> String {
    let name = item.name.escaped
    var layers = ""
    var stops: [String] = []
    var buttons = ""
    let ordered = item.renditions.sorted { $0.headroom.stops < $1.headroom.stops }
    for (place, rendition) in ordered.enumerated() {
      let simulated = try standard(simulation.shown(rendition.picture))
      let real = try pq(rendition.picture)
      let title = "\(name), \(rendition.headroom.words)".escapedQuotes
      let hidden = place == 0 ? "" : " style=\"opacity:0\""
      layers += """
        <div class="layer"\(hidden)><img class="sim" alt="\(title), simulated" src="\(simulated)">\
        <img class="real" alt="\(title)" src="\(real)" loading="lazy"></div>

        """
      stops.append(String(format: "%.4f", rendition.headroom.stops))
      let label = rendition.display == .full ? "full" : rendition.title
      buttons += """
        <button type="button" data-place="\(place)" aria-label="headroom \(rendition.headroom.words)">\
        <img alt="" src="\(simulated)"><span>\(label)</span></button>

        """
    }
    let ratio = String(format: "%.5f", Double(item.full.width) / Double(item.full.height))
    return """
      <section class="item" id="item-\(index)" data-stops="\(stops.joined(separator: " "))" \
      aria-label="\(name.escapedQuotes)">
      <h2>\(name)</h2>
      <div class="stage" style="--ratio:\(ratio)">
      \(layers)</div>
      <div class="control">
      <label for="range-\(index)">Headroom</label>
      <input id="range-\(index)" type="range" min="0" max="\(max(ordered.count - 1, 0))" step="0.01" \
      value="0"\(ordered.count < 2 ? " disabled" : "")>
      <output for="range-\(index)"></output>
      </div>
      <div class="strip">
      \(buttons)</div>
      \(try views())
      \(tables)
      </section>
      """
  }

  private func views() throws(ImageError) -> String {
    let thresholds = item.thresholds
    let shares = thresholds.enumerated().map { index, threshold in
      let share = String(format: "%.3g", 100 * Views.share(of: item.full, above: threshold))
      let color = Views.maskColors[min(index, Views.maskColors.count - 1)].web
      let ratio = String(format: "%.3g", threshold.ratio)
      return "<span><i style=\"background:\(color)\"></i>\(share) % above \(ratio)x</span>"
    }.joined(separator: " ")
    let scale = stride(from: StopScale.lowest, to: StopScale.highest, by: 2).map { stop in
      "<span><i style=\"background:\(StopScale.code(of: stop).web)\"></i>\(stop > 0 ? "+" : "")\(stop)</span>"
    }.joined(separator: " ")
    var figures = [
      figure("Stops of luminance", try standard(Views.stops(item.full)), scale),
      figure(
        "Beyond the display", try standard(Views.clipping(item.full, above: thresholds)), shares),
      figure(
        "Waveform",
        try standard(
          Views.waveform(item.full, size: (width: item.full.width, height: item.full.height))),
        "from \(StopScale.lowest) to +\(StopScale.highest) stops, upward"),
      "<figure>\(histogram)<figcaption><b>Histogram</b> stops above reference white</figcaption></figure>",
    ]
    if let gainMap = item.gainMap {
      figures.append(figure("Gain map", try standard(gainMap), "samples as they are stored"))
    }
    return "<div class=\"views\">\n\(figures.joined(separator: "\n"))\n</div>"
  }

  private func figure(_ title: String, _ source: String, _ note: String) -> String {
    "<figure><img alt=\"\(title)\" src=\"\(source)\"><figcaption><b>\(title)</b> \(note)</figcaption></figure>"
  }

  /// Bars of the colors of their stops.
  private var histogram: String {
    let count = 140
    let bins = Views.histogram(item.full, bins: count)
    let range = Double(StopScale.highest - StopScale.lowest)
    let bars = bins.enumerated().map { index, share in
      let stop = Double(StopScale.lowest) + Double(index) / Double(count - 1) * range
      let height = share.squareRoot() * 88
      return String(
        format: "<rect x=\"%d\" y=\"%.2f\" width=\"0.9\" height=\"%.2f\" fill=\"%@\"/>", index,
        90 - height, height, StopScale.code(of: Int(stop.rounded(.down))).web)
    }.joined()
    let white = StopScale.position(of: 1) * Double(count)
    let line = String(format: "M%.2f 0V90", white)
    return """
      <svg viewBox="0 0 \(count) 90" preserveAspectRatio="none" role="img" \
      aria-label="Histogram of luminance">\(bars)\
      <path d="\(line)" stroke="#9094a0" stroke-width=".4"/></svg>
      """
  }

  private var tables: String {
    let light = item.light
    let measured = [
      ("MaxCLL", String(format: "%.4g cd/m²", light.maximum)),
      ("MaxFALL", String(format: "%.4g cd/m²", light.average)),
      ("content headroom", light.contentHeadroom.words),
    ]
    let facts = (item.facts.map { ($0.name, $0.value) } + measured).map {
      "<dt>\($0.0.escaped)</dt><dd>\($0.1.escaped)</dd>"
    }.joined(separator: "\n")
    let verdicts = item.verdicts.map { verdict -> String in
      let state =
        verdict.failures.isEmpty ? (verdict.warnings.isEmpty ? "pass" : "warn") : "fail"
      let words =
        ["pass": "holds", "warn": "holds, with warnings", "fail": "does not hold"][state] ?? ""
      let notes = (verdict.failures + verdict.warnings).map { "<li>\($0.escaped)</li>" }.joined()
      return """
        <div class="verdict \(state)"><b>\(verdict.standard.escaped)</b> <em>\(words)</em>\
        \(notes.isEmpty ? "" : "<ul>\(notes)</ul>")</div>
        """
    }.joined(separator: "\n")
    return """
      <div class="words"><dl>\(facts)</dl>
      <div class="verdicts">\(verdicts)</div></div>
      """
  }

  /// sRGB as JPEG, or PNG where this build has no JPEG.
  private func standard(_ picture: Canvas) throws(ImageError) -> String {
    let format = FileFormat.jpeg.isWritable ? FileFormat.jpeg : .png
    return try embedded(
      picture, as: format, ColorEncoding(primaries: .bt709, transfer: .srgb), bits: 8,
      CICP(
        primaries: .bt709, transfer: .srgb, matrix: format == .jpeg ? .bt601 : .identity,
        isFullRange: true))
  }

  /// PQ as AVIF, or PNG where this build has no AVIF.
  private func pq(_ picture: Canvas) throws(ImageError) -> String {
    let format = FileFormat.avif.isWritable ? FileFormat.avif : .png
    return try embedded(
      picture, as: format, ColorEncoding(primaries: .bt2020, transfer: .pq), bits: 10,
      CICP(
        primaries: .bt2020, transfer: .pq, matrix: format == .avif ? .bt2020NonConstant : .identity,
        isFullRange: true))
  }

  /// The bytes of a file as an address.
  private func embedded(
    _ picture: Canvas, as format: FileFormat, _ encoding: ColorEncoding, bits: Int, _ cicp: CICP
  ) throws(ImageError) -> String {
    var encoding = encoding
    encoding.matrix = cicp.matrix
    let components: StoredFormat.Components =
      cicp.matrix == .identity ? .rgb : .ycbcr(.yuv444)
    let siting = format == .jpeg ? ChromaSiting.center : .left
    let target = PictureConversion.Coding(
      format: StoredFormat(
        width: picture.width, height: picture.height, components: components,
        samples: .integer(bits: bits)), encoding: encoding, siting: siting)
    let stored = picture.image.stored(as: target, threads: threads)
    let isPQ = encoding.transfer == .pq
    let output = PictureOutput(
      image: stored.image, cicp: cicp, chromaSiting: siting,
      hdr: isPQ
        ? HDRDescription(contentLightLevel: stored.light.contentLightLevel) : HDRDescription(),
      signalsCICP: format != .jpeg)
    let bytes = try output.encoded(
      as: format, options: EncoderOptions(quality: 85, speed: 8, threads: threads))
    return "data:image/\(format.rawValue);base64," + Data(bytes).base64EncodedString()
  }
}

extension FileFormat {
  fileprivate var isWritable: Bool {
    CodecSupport.all.contains { $0.format == self && $0.canWrite }
  }
}

extension UInt32 {
  /// As CSS spells a color.
  var web: String { String(format: "#%06x", self) }
}

extension String {
  /// Text between tags.
  var escaped: String {
    replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
      .replacingOccurrences(of: ">", with: "&gt;")
  }

  /// Escaped text between quotes.
  var escapedQuotes: String { replacingOccurrences(of: "\"", with: "&quot;") }
}
