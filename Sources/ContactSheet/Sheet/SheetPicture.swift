internal import Foundation
public import HDRCore
public import ImageCodecs

/// A contact sheet as one picture: a row of renditions for each file, and below it what their light
/// is made of.
public struct SheetPicture {
  /// How the sheet is coded.
  public enum Coding: Sendable {
    /// sRGB of 8 bits, with the headroom simulated by dimming.
    case standard
    /// PQ: what each display shows, on a display that has the headroom.
    case pq
  }

  private let items: [SheetItem]
  private let coding: Coding
  private let simulation: Simulation
  private let columns: Int
  /// Width of a rendition's frame.
  private let tileWidth: Int

  private static let margin = 48
  private static let gap = 20
  private static let header = 132
  private static let caption = 50
  private static let title = 84
  /// Smaller pictures are shown with larger pixels.
  fileprivate static let smallest = (width: 240, height: 160)

  /// Plans a sheet.
  ///
  /// - Parameters:
  ///   - items: The pictures, with the same displays.
  ///   - coding: How the sheet is coded.
  /// - Throws: `.invalidArgument` for headrooms that make no sense.
  public init(_ items: [SheetItem], coding: Coding) throws(ImageError) {
    self.items = items
    self.coding = coding
    simulation = try Simulation(brightest: items.brightest)
    columns = max(items.map(\.renditions.count).max() ?? 1, 4)
    tileWidth = items.map(\.plotSize.width).max() ?? 1
  }

  /// The sheet, ready to be coded as PNG.
  ///
  /// - Parameter threads: Bands worked on at the same time.
  /// - Returns: RGB with its code points and, in PQ, its light levels.
  public func output(threads: Int) -> PictureOutput {
    let isHDR = coding == .pq
    let encoding = ColorEncoding(
      primaries: isHDR ? .bt2020 : .bt709, transfer: isHDR ? .pq : .srgb)
    let canvas = drawn()
    let format = StoredFormat(
      width: canvas.width, height: canvas.height, components: .rgb,
      samples: .integer(bits: isHDR ? 16 : 8))
    let result = canvas.image.stored(
      as: .init(format: format, encoding: encoding), threads: threads)
    let hdr =
      isHDR
      ? HDRDescription(
        diffuseWhite: encoding.referenceWhite,
        contentLightLevel: result.light.contentLightLevel) : HDRDescription()
    return PictureOutput(
      image: result.image,
      cicp: CICP(
        primaries: isHDR ? .bt2020 : .bt709, transfer: isHDR ? .pq : .srgb, matrix: .identity,
        isFullRange: true), hdr: hdr)
  }

  private static func height(of item: SheetItem) -> Int {
    title + 2 * (item.plotSize.height + caption) + gap + margin
  }

  private func drawn() -> Canvas {
    let width = 2 * Self.margin + columns * tileWidth + (columns - 1) * Self.gap
    let height = Self.header + items.map(Self.height).reduce(0, +)
    var canvas = Canvas(width: width, height: height, background: Palette.background)
    drawHeader(on: &canvas)
    var top = Self.header
    for item in items {
      draw(item, on: &canvas, top: top)
      top += Self.height(of: item)
    }
    return canvas
  }

  private func drawHeader(on canvas: inout Canvas) {
    let x = Double(Self.margin)
    Lettering(size: 26, color: Palette.text, weight: 0.14)
      .draw("What each display shows", on: &canvas, x: x, y: 44)
    let note =
      coding == .pq
      ? "PQ: reference white is 203 cd/m²; see it on a display that has the headroom"
      : "simulated for a display without headroom: white is "
        + simulation.stops.digits + " stops darker than usual in every rendition"
        + (simulation.compressesHighlights ? ", and what is brighter than that is compressed" : "")
    Lettering(size: 14, color: Palette.quiet).draw(note, on: &canvas, x: x, y: 88)
    drawScale(on: &canvas)
  }

  /// The colors of the stops, at the right of the header.
  private func drawScale(on canvas: inout Canvas) {
    let cell = 26
    let stops = Array(StopScale.lowest..<StopScale.highest)
    let left = canvas.width - Self.margin - stops.count * cell
    guard left > 1000 else { return }
    let small = Lettering(size: 11, color: Palette.quiet)
    for (index, stop) in stops.enumerated() {
      let area = Rectangle(x: left + index * cell, y: 46, width: cell - 2, height: 20)
      canvas.fill(area, StopScale.color(of: stop), radius: 3)
      guard stop % 2 == 0 else { continue }
      small.draw(
        stop > 0 ? "+\(stop)" : "\(stop)", on: &canvas, x: Double(area.x), y: 74,
        alignment: .center)
    }
    small.draw(
      "stops above reference white", on: &canvas, x: Double(canvas.width - Self.margin), y: 94,
      alignment: .right)
  }

  private func draw(_ item: SheetItem, on canvas: inout Canvas, top: Int) {
    let x = Double(Self.margin)
    let width = Double(canvas.width - 2 * Self.margin)
    canvas.fill(
      Rectangle(x: Self.margin, y: top, width: Int(width), height: 1), Palette.faint)
    let title = Lettering(size: 19, color: Palette.text, weight: 0.14)
    title.draw(title.fitting(item.name, width: width), on: &canvas, x: x, y: Double(top) + 20)
    let facts = Lettering(size: 13, color: Palette.quiet)
    facts.draw(
      facts.fitting(item.summary, width: width), on: &canvas, x: x, y: Double(top) + 53)
    let first = top + Self.title
    for (column, rendition) in item.renditions.enumerated() {
      let picture = coding == .pq ? rendition.picture : simulation.shown(rendition.picture)
      place(
        (rendition.title, rendition.note(of: item), picture), column, first,
        item.plotSize.height, on: &canvas)
    }
    let second = first + item.plotSize.height + Self.caption + Self.gap
    for (column, view) in views(of: item).enumerated() {
      place(view, column, second, item.plotSize.height, on: &canvas)
    }
  }

  private typealias View = (title: String, note: String, picture: Canvas)

  private func views(of item: SheetItem) -> [View] {
    let thresholds = item.thresholds
    let shares = thresholds.map { threshold in
      "\((100 * item.share(above: threshold)).digits) % > \(threshold.ratio.digits)x"
    }
    var views: [View] = [
      ("Stops", "false colors of luminance", Views.stops(item.full)),
      (
        "Beyond", shares.joined(separator: ",  "),
        Views.clipping(item.full, above: thresholds)
      ),
    ]
    let (width, height) = item.plotSize
    guard let gainMap = item.gainMap else {
      views.append(("Waveform", Self.axis, waveform(of: item, height: height)))
      views.append(
        ("Histogram", "stops above reference white", histogram(of: item, height: height)))
      return views
    }
    var plots = Canvas(width: width, height: height, background: Palette.background)
    let upper = (height - Self.gap / 2) / 2
    plots.place(waveform(of: item, height: upper), at: 0, 0, radius: 6)
    plots.place(
      histogram(of: item, height: height - Self.gap / 2 - upper), at: 0, upper + Self.gap / 2,
      radius: 6)
    views.append(("Waveform, histogram", Self.axis, plots))
    views.append(("Gain map", "samples as they are stored", gainMap))
    return views
  }

  private static let axis = "\(StopScale.lowest) to +\(StopScale.highest) stops"

  /// Luminance upward, with a line at reference white.
  private func waveform(of item: SheetItem, height: Int) -> Canvas {
    let width = item.plotSize.width
    var canvas = Views.waveform(item.full, size: (width: width, height: height))
    let white = Int((1 - StopScale.position(of: 1)) * Double(height))
    canvas.fill(
      Rectangle(x: 0, y: white, width: width, height: 1), Palette.quiet, opacity: 0.6)
    return canvas
  }

  /// Pixels at each luminance, from dark to bright, with a line at reference white.
  private func histogram(of item: SheetItem, height: Int) -> Canvas {
    let width = item.plotSize.width
    var canvas = Canvas(width: width, height: height, background: Palette.panel)
    for (x, share) in Views.histogram(item.full, bins: width).enumerated() where share > 0 {
      let stop =
        Double(StopScale.lowest)
        + Double(x) / Double(max(width - 1, 1)) * Double(StopScale.highest - StopScale.lowest)
      let bar = Int((share.squareRoot() * Double(height - 8)).rounded(.up))
      canvas.fill(
        Rectangle(x: x, y: height - bar, width: 1, height: bar),
        StopScale.color(of: Int(stop.rounded(.down))))
    }
    let white = Int(StopScale.position(of: 1) * Double(width - 1))
    canvas.fill(
      Rectangle(x: white, y: 0, width: 1, height: height), Palette.quiet, opacity: 0.6)
    return canvas
  }

  private func place(
    _ view: View, _ column: Int, _ top: Int, _ height: Int, on canvas: inout Canvas
  ) {
    let left = Self.margin + column * (tileWidth + Self.gap)
    let shown = view.picture.enlarged(into: Self.smallest).reduced(into: (tileWidth, height))
    canvas.place(shown, at: left, top + height - shown.height, radius: 6)
    let y = Double(top + height) + 14
    let label = Lettering(size: 15, color: Palette.text, weight: 0.14)
    label.draw(view.title, on: &canvas, x: Double(left), y: y)
    let small = Lettering(size: 12, color: Palette.quiet)
    let room = Double(tileWidth) - label.width(of: view.title) - 14
    small.draw(
      small.fitting(view.note, width: room), on: &canvas,
      x: Double(left) + label.width(of: view.title) + 14, y: y + 2.5)
  }
}

extension [SheetItem] {
  /// The largest headroom that any of the pictures uses on its displays.
  var brightest: Headroom {
    let stops = flatMap { item in
      item.renditions.map { Swift.min($0.headroom.stops, item.light.contentHeadroom.stops) }
    }
    return Headroom(stops: stops.max() ?? 0)
  }
}

extension Double {
  /// Three digits or more, never as a power of ten.
  var digits: String {
    magnitude >= 100
      ? String(format: "%.0f", self) : magnitude >= 0.01 ? String(format: "%.3g", self) : "0"
  }
}

extension SheetItem {
  /// Pixels of waveform and histogram: as many as the picture has, unless that is very small.
  fileprivate var plotSize: (width: Int, height: Int) {
    (max(full.width, SheetPicture.smallest.width), max(full.height, SheetPicture.smallest.height))
  }

  /// The facts in a line.
  var summary: String {
    let words = [
      "headroom \(light.contentHeadroom.ratio.digits)x",
      "MaxCLL \(light.maximum.digits), MaxFALL \(light.average.digits) cd/m²",
    ]
    return (facts.map(\.value) + words).joined(separator: "  ·  ")
  }
}

extension SheetItem.Rendition {
  var title: String {
    let words = headroom.words
    return display == .full ? "full" : String(words.prefix { $0 != " " })
  }

  /// What the display does to the picture.
  func note(of item: SheetItem) -> String {
    if display == .full { return headroom.words }
    let words = headroom.words.drop { $0 != "·" }.dropFirst(2)
    guard item.light.contentHeadroom.stops > headroom.stops + 0.01 else {
      return "\(words), all there is"
    }
    return String(words)
  }
}
