// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import ImageCodecs
import Testing

@testable import ContactSheet
@testable import HDRConversion
@testable import ImageFiles

@Suite("Contact sheets") struct SheetTests {
  /// A gray image of linear values.
  private static func item(
    _ light: [Float], width: Int, displays: [SheetItem.Display]
  ) throws -> SheetItem {
    let plane = Plane<Float>(width: width, height: light.count / width) { output in
      for value in light { output.append(value) }
    }
    let format = ImageLayout(
      width: width, height: light.count / width, components: .gray, samples: .float)
    let image = try Image(
      ImageDescription(
        layout: format, color: ColorEncoding(primaries: .bt709, transfer: .linear)),
      planes: .float([plane]))
    return try SheetItem(
      SourceImage(format: .exr, image: image), name: "<a> & \"b\"", displays: displays,
      longSide: 400)
  }

  private static let displays: [SheetItem.Display] =
    [1, 2, 4].map { .headroom(Headroom(ratio: $0)) } + [.full]

  private static let canEmbed = CodecSupport.all.contains { $0.format == .png && $0.canEncode }

  /// An image of one pixel has a sheet and a page.
  @Test(.enabled(if: canEmbed)) func onePixelIsAnImage() throws {
    let item = try Self.item([0.5], width: 1, displays: Self.displays)
    let sheet = try SheetImage([item], coding: .standard).output()
    #expect(sheet.image.layout.width > 4 * 160)
    #expect(try SheetPage.html([item]).contains("id=\"item-0\""))
  }

  /// Equal renditions are embedded once; names are escaped.
  @Test(.enabled(if: canEmbed)) func equalRenditionsAreEmbeddedOnce() throws {
    let html = try SheetPage.html(
      [
        try Self.item([0.5, 1, 1.5, 0.1], width: 2, displays: Self.displays),
        try Self.item([0.5, 6, 1.5, 0.1], width: 2, displays: Self.displays),
      ])
    // 2x, 4x and full, which takes less headroom than 2x, show the same.
    #expect(html.contains("data-layers=\"0 1 1 1\""))
    #expect(html.contains("data-layers=\"0 1 2 3\""))
    #expect(html.split(separator: "class=\"layer\"").count == 2 + 4 + 1)
    #expect(html.contains("<h2>&lt;a&gt; &amp; \"b\"</h2>"))
    let addresses = html.matches(of: /src="([^"]+)"/).map(\.1).filter { $0.count > 20_000 }
    #expect(Set(addresses).count == addresses.count)
  }

  /// Pages with dimmed images open with SDR images that are not; without 1x, or if nothing is dimmed, in the simulation.
  @Test(.enabled(if: canEmbed)) func pagesOpenAtOrdinaryBrightness() throws {
    let light: [Float] = [0.5, 6, 1.5, 0.1]
    func html(_ light: [Float], _ displays: [SheetItem.Display]) throws -> String {
      try SheetPage.html([try Self.item(light, width: 2, displays: displays)])
    }
    let usual = try html(light, Self.displays)
    #expect(usual.contains("<body class=\"ordinary\">") && usual.contains("value=\"0\""))
    #expect(usual.split(separator: "class=\"plain\"").count == 2)
    #expect(usual.contains("data-usual=\"2\"") && usual.contains("data-mode=\"own\""))
    for other in [
      try html([0.5, 0.25], Self.displays), try html(light, Array(Self.displays.dropFirst())),
    ] {
      #expect(other.contains("<body>") && !other.contains("data-mode=\"own\""))
      #expect(!other.contains("class=\"plain\""))
    }
  }

  /// Rare highlights are below the content headroom, but within "full".
  @Test(.enabled(if: canEmbed)) func fullIncludesRareHighlights() throws {
    var light = [Float](repeating: 0.5, count: 40_000)
    light[5] = 30
    let item = try Self.item(light, width: 200, displays: Self.displays)
    #expect(item.contentHeadroom.headroom.ratio < 2 && item.contentHeadroom.origin == .measured)
    #expect(abs(item.reach.ratio - 30) < 1e-9 && !item.fits(Headroom(ratio: 4)))
    #expect(
      try SheetPage.html([item]).contains("data-stops=\"0.0000 1.0000 2.0000 4.9069\""))
    let notes = item.renditions.map { $0.note(of: item, isPQ: false) }
    #expect(notes == ["0 stops", "1 stop", "2 stops", "30x · 4.9 stops"])
    // Sheet and page have the order of the headrooms.
    let dim = try Self.item([0.5, 2.5], width: 2, displays: Self.displays)
    #expect(dim.renditions.map(\.title) == ["1x", "2x", "full", "4x"])
  }

  /// Values above PQ are measured, and their clipping in PQ is noted.
  @Test func valuesAbovePQAreMeasuredAndNoted() throws {
    let item = try Self.item([0.5, 160, 1, 1], width: 2, displays: Self.displays)
    #expect(item.lightLevels.maximum == 32_480 && abs(item.reach.ratio - 160) < 1e-9)
    let full = try #require(item.renditions.last)
    #expect(
      full.note(of: item, isPQ: true) == "160x · 7.3 stops, clipped at 49.3x, the maximum of PQ")
    #expect(full.note(of: item, isPQ: false) == "160x · 7.3 stops")
    #expect(item.clippingInPQ?.parameters["share"] == .number(25))
    let less = try Self.item([0.5, 160, 1, 1], width: 2, displays: [.headroom(Headroom(ratio: 4))])
    #expect(less.clippingInPQ == nil)
  }

  /// Unreadable files are listed on the page.
  @Test(.enabled(if: canEmbed)) func unreadFilesAreNamed() throws {
    let item = try Self.item([0.5], width: 1, displays: Self.displays)
    let html = try SheetPage.html([item], unread: ["<x>.avif"])
    #expect(html.contains("Not read: &lt;x&gt;.avif"))
  }

  /// Rows are as high as their images.
  @Test func rowsFitTheirImages() throws {
    let light = [Float](repeating: 1, count: 2000)
    let wide = try Self.item(light, width: 500, displays: [.full])
    let high = try Self.item(light, width: 4, displays: [.full])
    func height(_ items: [SheetItem]) throws -> Int {
      try SheetImage(items, coding: .standard).output().image.layout.height
    }
    // The first makes columns equally wide.
    let none = try height([wide, wide, wide])
    let one = try height([wide, wide, high])
    let two = try height([wide, high, high])
    #expect(one - none == 2 * (400 - 160))
    #expect(two - one == 2 * (400 - 160))
  }

  /// Captions that do not fit next to a heading are wrapped and increase the row height.
  @Test func captionsOfSmallImagesAreWrapped() throws {
    func height(_ count: Int) throws -> Int {
      let displays = (1...count).map { SheetItem.Display.headroom(Headroom(ratio: Double($0))) }
      let item = try Self.item([0.5, 6, 1.5, 0.1], width: 2, displays: displays)
      return try SheetImage([item], coding: .standard).output().image.layout.height
    }
    let heights = try [1, 4, SheetItem.maximumDisplayCount].map(height)
    #expect(heights[0] < heights[1] && heights[1] < heights[2])
  }
}
