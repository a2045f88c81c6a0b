// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import HDRCore
internal import ImageFiles

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
