// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageFiles
internal import Platform

/// A contact sheet as an image: for each file a row of renditions and a row of analysis views.
public struct SheetImage {
  /// Encoding of the sheet.
  public enum Coding: Sendable {
    /// 8-bit sRGB, with headroom simulated by dimming.
    case standard
    /// PQ, for displays with headroom.
    case pq
  }

  private let items: [SheetItem]
  private let unread: [String]
  private let coding: Coding
  private let simulation: HeadroomSimulation
  private let columns: Int
  /// Width of a rendition's frame.
  private let tileWidth: Int

  private static let margin = 48
  private static let gap = 20
  private static let caption = 50
  private static let title = 84
  private static let details = StrokeFont(size: 13, color: Palette.quiet)
  private static let label = StrokeFont(size: 15, color: Palette.text, weight: 0.14)
  private static let small = StrokeFont(size: 12, color: Palette.quiet)
  /// Smaller images are enlarged.
  fileprivate static let smallest = (width: 240, height: 160)

  /// A sheet.
  ///
  /// - Parameters:
  ///   - items: The images, with the same displays.
  ///   - unread: Names of files that could not be read.
  ///   - coding: Encoding of the sheet.
  /// - Throws: `.invalidArgument` for invalid headrooms.
  public init(_ items: [SheetItem], unread: [String] = [], coding: Coding) throws(ImageError) {
    self.items = items
    self.unread = unread
    self.coding = coding
    simulation = try HeadroomSimulation(brightest: items.brightest)
    columns = max(items.map(\.renditions.count).max() ?? 1, 4)
    tileWidth = items.map(\.plotSize.width).max() ?? 1
  }

  /// The sheet, ready for encoding as PNG.
  ///
  /// - Returns: RGB with code points and, in PQ, light levels.
  /// - Throws: `.cancelled`.
  public func output() throws(ImageError) -> OutputImage {
    let isHDR = coding == .pq
    let encoding = ColorEncoding(primaries: isHDR ? .bt2020 : .bt709, transfer: isHDR ? .pq : .srgb)
    let canvas = drawn()
    let format = ImageLayout(
      width: canvas.width, height: canvas.height, components: .rgb,
      samples: .integer(bits: isHDR ? 16 : 8))
    let result = try canvas.output(as: .init(layout: format, color: encoding))
    let light =
      isHDR
      ? LightMetadata(
        diffuseWhite: encoding.referenceWhite,
        contentLightLevel: result.lightLevels.contentLightLevel) : LightMetadata()
    return OutputImage(
      Image(ImageDescription(layout: format, color: encoding, light: light), result.image))
  }

  private var contentWidth: Int { columns * tileWidth + (columns - 1) * Self.gap }

  private func height(of item: SheetItem) -> Int {
    let details = item.summary.extraHeight(in: Self.details, width: Double(contentWidth))
    let rows = rows(of: item).map { item.plotSize.height + captionHeight(of: $0) }
    return Self.title + details + rows.reduce(0, +) + Self.gap + Self.margin
  }

  private func drawn() -> Canvas {
    let header = SheetHeader(
      coding: coding, simulation: simulation, unread: unread, width: contentWidth)
    let heights = items.map(height)
    var canvas = Canvas(
      width: contentWidth + 2 * Self.margin, height: header.height + heights.reduce(0, +),
      background: Palette.background)
    header.draw(on: &canvas, x: Self.margin)
    var top = header.height
    for (item, height) in zip(items, heights) {
      draw(item, on: &canvas, top: top)
      top += height
    }
    return canvas
  }

  private func draw(_ item: SheetItem, on canvas: inout Canvas, top: Int) {
    let (x, width) = (Double(Self.margin), Double(contentWidth))
    canvas.fill(Rectangle(x: Self.margin, y: top, width: contentWidth, height: 1), Palette.faint)
    let title = StrokeFont(size: 19, color: Palette.text, weight: 0.14)
    title.draw(title.fitting(item.name, width: width), on: &canvas, x: x, y: Double(top) + 20)
    item.summary.draw(in: Self.details, on: &canvas, x: x, y: Double(top) + 53, width: width)
    var bottom =
      top + Self.title + item.summary.extraHeight(in: Self.details, width: width)
      + item.plotSize.height
    for row in rows(of: item) {
      for (column, view) in row.enumerated() { draw(view, column, bottom, on: &canvas) }
      bottom += captionHeight(of: row) + Self.gap + item.plotSize.height
    }
  }

  /// An image with its caption.
  private struct View {
    let title: String
    let note: WrappedText
    let image: () -> Canvas
  }

  /// The row of renditions and the row of analysis views.
  private func rows(of item: SheetItem) -> [[View]] {
    let shown = item.renditions.map { rendition in
      View(title: rendition.title, note: WrappedText(rendition.note(of: item, isPQ: coding == .pq)))
      {
        coding == .pq ? rendition.image : simulation.shown(rendition.image)
      }
    }
    return [shown, views(of: item)]
  }

  private func views(of item: SheetItem) -> [View] {
    let thresholds = item.thresholds
    let shares = thresholds.enumerated().map { index, threshold in
      WrappedText.Phrase(
        text: "\(item.share(above: threshold)) > \(threshold.ratio.digits)x",
        swatch: LinearColor(sRGB: AnalysisViews.maskColor(index)))
    }
    let views = [
      View(title: "Stops", note: WrappedText("false colors of luminance")) {
        AnalysisViews.stops(item.full)
      },
      View(title: "Above", note: WrappedText(shares, separator: "   ")) {
        AnalysisViews.clipping(item.full, above: thresholds)
      },
    ]
    let size = item.plotSize
    guard let gainMap = item.gainMap else {
      return views + [
        View(title: "Waveform", note: Self.axis) {
          SheetPlots.waveform(of: item.full, width: size.width, height: size.height)
        },
        View(title: "Histogram", note: WrappedText("stops above reference white")) {
          SheetPlots.histogram(of: item.full, width: size.width, height: size.height)
        },
      ]
    }
    return views + [
      View(title: "Waveform, histogram", note: Self.axis) {
        SheetPlots.both(of: item.full, width: size.width, height: size.height, gap: Self.gap / 2)
      },
      View(title: "Gain map", note: WrappedText("stored samples")) { gainMap },
    ]
  }

  private static let axis = WrappedText("\(StopScale.lowest) to +\(StopScale.highest) stops")

  /// Draws a view whose image ends at `bottom`.
  private func draw(_ view: View, _ column: Int, _ bottom: Int, on canvas: inout Canvas) {
    let left = Self.margin + column * (tileWidth + Self.gap)
    let shown = view.image().enlarged(into: Self.smallest)
      .reduced(into: (tileWidth, canvas.height))
    canvas.place(shown, at: left, bottom - shown.height, radius: 6)
    let (x, y) = (Double(left), Double(bottom + 14))
    Self.label.draw(view.title, on: &canvas, x: x, y: y)
    view.note.draw(
      in: Self.small, on: &canvas, x: x, y: y + 2.5, width: Double(tileWidth),
      indent: Self.indent(of: view))
  }

  private static func indent(of view: View) -> Double { label.width(of: view.title) + 14 }

  /// Height of the captions of a row.
  private func captionHeight(of row: [View]) -> Int {
    let extra = row.map { view in
      view.note.extraHeight(in: Self.small, width: Double(tileWidth), indent: Self.indent(of: view))
    }
    return Self.caption + (extra.max() ?? 0)
  }
}

extension [SheetItem] {
  /// The largest headroom of any rendition.
  var brightest: Headroom {
    let stops = flatMap { item in
      item.renditions.map { Swift.min($0.headroom.stops, item.contentHeadroom.headroom.stops) }
    }
    return Headroom(stops: stops.max() ?? 0)
  }
}

extension Double {
  /// At least three significant digits, without an exponent.
  var digits: String {
    magnitude >= 100
      ? self.formatted(as: "%.0f") : magnitude >= 0.01 ? self.formatted(as: "%.3g") : "0"
  }
}

extension SheetItem {
  /// Size of waveform and histogram: that of the image, with a minimum.
  fileprivate var plotSize: (width: Int, height: Int) {
    (max(full.width, SheetImage.smallest.width), max(full.height, SheetImage.smallest.height))
  }

  /// The largest component in cd/m², or `infinite`.
  var maximum: String {
    let largest = Double(Float16.greatestFiniteMagnitude) * lightLevels.referenceWhite
    return lightLevels.maximum > largest ? "infinite" : lightLevels.maximum.digits
  }

  /// The details in one text.
  fileprivate var summary: WrappedText {
    let words = [
      "content headroom \(contentHeadroom.headroom.ratio.digits)x (\(contentHeadroom.origin.rawValue))",
      "MaxCLL \(maximum), MaxFALL \(lightLevels.average.digits) cd/m²",
    ]
    return WrappedText(
      (details.map(\.phrase) + words).map { WrappedText.Phrase(text: $0) }, separator: "  ·  ")
  }
}

extension SheetItem.DisplayedRendition {
  var title: String {
    let words = headroom.words
    return display == .full ? "full" : String(words.prefix { $0 != " " })
  }

  /// Caption of the rendition.
  func note(of item: SheetItem, isPQ: Bool) -> String {
    let clipping =
      isPQ && min(headroom.stops, item.reach.stops) > item.largestInPQ.stops + 1e-6
      ? ", clipped at \(item.largestInPQ.ratio.digits)x, the maximum of PQ" : ""
    if display == .full { return headroom.words + clipping }
    let words = headroom.words.drop { $0 != "·" }.dropFirst(2)
    return words + (clipping.isEmpty && item.fits(headroom) ? ", full range" : clipping)
  }
}

/// Plots of luminance, with a line at reference white.
enum SheetPlots {
  /// Waveform of luminance.
  static func waveform(of image: Canvas, width: Int, height: Int) -> Canvas {
    var canvas = AnalysisViews.waveform(image, size: (width: width, height: height))
    let white = Int(clamping: (1 - StopScale.position(of: 1)) * Double(height))
    canvas.fill(Rectangle(x: 0, y: white, width: width, height: 1), Palette.quiet, opacity: 0.6)
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
    canvas.fill(Rectangle(x: white, y: 0, width: 1, height: height), Palette.quiet, opacity: 0.6)
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

/// Header of a sheet: title, viewing conditions and legend.
struct SheetHeader {
  let coding: SheetImage.Coding
  let simulation: HeadroomSimulation
  /// Files that could not be read.
  let unread: [String]
  /// Width in pixels.
  let width: Int

  private static let top = 44
  private static let title = StrokeFont(size: 26, color: Palette.text, weight: 0.14)
  private static let textFont = StrokeFont(size: 14, color: Palette.quiet)
  private static let cell = 26
  private static let gap = 48
  private static let stops = Array(StopScale.lowest..<StopScale.highest)
  private static let scaleSize = (width: stops.count * cell, height: 62)

  /// Whether the legend is to the right of the text instead of below it.
  private var isWide: Bool { width >= 2 * Self.scaleSize.width + Self.gap }

  private var noteWidth: Double { Double(isWide ? width - Self.scaleSize.width - Self.gap : width) }

  /// Height of the header.
  var height: Int {
    Self.top + 88 + note.extraHeight(in: Self.textFont, width: noteWidth)
      + (isWide ? 0 : Self.scaleSize.height)
  }

  func draw(on canvas: inout Canvas, x: Int) {
    let left = Double(x)
    Self.title.draw("Rendition for each display", on: &canvas, x: left, y: Double(Self.top))
    note.draw(in: Self.textFont, on: &canvas, x: left, y: Double(Self.top + 44), width: noteWidth)
    if isWide {
      drawScale(on: &canvas, x: x + width - Self.scaleSize.width, y: Self.top + 2)
    } else {
      drawScale(on: &canvas, x: x, y: height - 44 - Self.scaleSize.height + 18)
    }
  }

  private var note: WrappedText {
    WrappedText(
      unread.isEmpty
        ? viewingConditions : viewingConditions + "; not read: " + unread.joined(separator: ", "))
  }

  private var viewingConditions: String {
    switch coding {
    case .pq: "PQ: reference white is 203 cd/m²; view it on a display with this headroom"
    case .standard:
      "simulated for a display without headroom: white is " + simulation.stops.digits
        + " stops darker in every rendition"
        + (simulation.compressesHighlights ? ", and brighter values are compressed" : "")
    }
  }

  /// Draws the legend of stops.
  private func drawScale(on canvas: inout Canvas, x: Int, y: Int) {
    let small = StrokeFont(size: 11, color: Palette.quiet)
    for (index, stop) in Self.stops.enumerated() {
      let area = Rectangle(x: x + index * Self.cell, y: y, width: Self.cell - 2, height: 20)
      canvas.fill(area, StopScale.color(of: stop), radius: 3)
      guard stop % 2 == 0 else { continue }
      small.draw(
        stop > 0 ? "+\(stop)" : "\(stop)", on: &canvas, x: Double(area.x), y: Double(y + 28),
        alignment: .center)
    }
    small.draw(
      "stops above reference white", on: &canvas, x: Double(x + Self.scaleSize.width),
      y: Double(y + 48), alignment: .right)
  }
}
