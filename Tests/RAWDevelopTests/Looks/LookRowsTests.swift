// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import RAWDevelop

extension ProfileLook: CustomTestStringConvertible {
  /// The name in logs.
  var testDescription: String {
    let parts: [(name: String, isThere: Bool)] = [
      ("HueSatMap", hueSatMap != nil), ("gain table map", gainTableMap != nil),
      ("look table", lookTable != nil),
    ]
    let tables =
      parts.filter(\.isThere).map(\.name)
      + (rgbTables.map { ["\($0.tables.count) RGB tables"] } ?? [])
    return ([isHDR ? "HDR" : "SDR", "exposure \(exposure)"] + tables).joined(separator: ", ")
  }
}

@Suite("Looks on rows") struct LookRowsTests {
  /// A table without any symmetry.
  private static func table(values: Int, isEncoded: Bool = false) -> HueSatMap {
    var entries: [Float] = []
    for index in 0..<9 * 5 * values {
      let angle = Float(index)
      entries.append(25 * sin(1.3 * angle))
      entries.append(1 + 0.3 * sin(0.7 * angle))
      entries.append(1 + 0.2 * cos(2.1 * angle))
    }
    return HueSatMap(
      hues: 9, saturations: 5, values: values, isEncoded: isEncoded, entries: entries)
  }

  private static func gains(gamma: Double) -> GainTableMap {
    let gains = (0..<3 * 4 * 8).map { 0.6 + 0.5 * sin(Float($0) * 0.9) }
    return GainTableMap(
      rows: 3, columns: 4, tableSize: 8, spacing: SIMD2(0.4, 0.27), origin: SIMD2(0.1, 0.05),
      weights: [0.2, 0.5, 0.1, 0.05, 0.15], gamma: gamma, gains: gains)
  }

  private static func look(
    isHDR: Bool = false, hueSatMap: HueSatMap? = nil, gains: GainTableMap? = nil,
    exposure: Double = 0, shadows: Double = 0, lookTable: HueSatMap? = nil, boost: Double = 1,
    boostShadow: Double = 1, colors: RGBTables? = nil
  ) -> ProfileLook {
    ProfileLook(
      isHDR: isHDR, hueSatMap: hueSatMap, gainTableMap: gains, gainExposure: exp2(exposure),
      exposure: exposure,
      ramp: ExposureRamp(
        stops: exposure, shadows: shadows, peak: ProfileLook.peak(isHDR: isHDR)),
      lookTable: lookTable,
      tone: ToneRendering(
        curve: .standard, exposure: exposure, boost: boost, boostShadow: boostShadow, isHDR: isHDR),
      rgbTables: colors)
  }

  private static func colors(
    _ encoding: RGBTable.Encoding, _ primaries: ColorPrimaries, isExtending: Bool,
    _ method: RGBTables.Method = .weightedSum, masks: [String?] = [nil]
  ) -> RGBTables {
    RGBTables(
      method: method,
      tables: masks.enumerated().map { number, mask in
        let step = 0.37 + 0.11 * Float(number)
        let table = RGBTable(
          encoding: encoding, primaries: primaries, isExtending: isExtending, divisions: 5,
          entries: (0..<375).map { 0.5 + 0.5 * sin(Float($0) * step) })
        return .init(mask: mask, table: table)
      })
  }

  /// Overlapping masks of other sizes than the image.
  private static let masks = ["skin": mask(31, 7, 0.21), "sky": mask(90, 20, 0.13)]

  private static func mask(_ width: Int, _ height: Int, _ step: Float) -> Plane<UInt16> {
    Plane(width: width, height: height) { output in
      for index in 0..<width * height {
        output.append(
          UInt16(clamping: 65_535 * min(max(0.5 + 0.9 * sin(Float(index) * step), 0), 1)))
      }
    }
  }

  /// The bilinear value of a mask at the center of a pixel.
  private static func coverage(
    _ mask: Plane<UInt16>, _ x: Double, _ y: Double, of size: (width: Int, height: Int)
  ) -> Double {
    let across = x * Double(mask.width) / Double(size.width) - 0.5
    let down = y * Double(mask.height) / Double(size.height) - 0.5
    func sample(_ column: Double, _ row: Double) -> Double {
      let row = mask.row(min(max(Int(clamping: row), 0), mask.height - 1))
      return Double(row[min(max(Int(clamping: column), 0), mask.width - 1)]) / 65_535
    }
    let (left, top) = (across.rounded(.down), down.rounded(.down))
    let (right, bottom) = (across - left, down - top)
    return (1 - bottom) * ((1 - right) * sample(left, top) + right * sample(left + 1, top))
      + bottom * ((1 - right) * sample(left, top + 1) + right * sample(left + 1, top + 1))
  }

  @Test(
    "rows follow the definition",
    arguments: [
      look(), look(exposure: 1.25, shadows: 0.005), look(exposure: -1.5), look(boost: 0.4),
      look(boostShadow: 1.7), look(boost: 0), look(hueSatMap: table(values: 1)),
      look(lookTable: table(values: 6)), look(lookTable: table(values: 6, isEncoded: true)),
      look(gains: gains(gamma: 1), exposure: 0.7), look(gains: gains(gamma: 2.2)),
      look(
        hueSatMap: table(values: 3, isEncoded: true), gains: gains(gamma: 0.5), exposure: 0.5,
        shadows: 0.005, lookTable: table(values: 4)),
      look(colors: colors(.sRGB, .bt709, isExtending: false)),
      look(colors: colors(.power18, .displayP3, isExtending: true)),
      look(colors: colors(.linear, .look, isExtending: true)),
      look(colors: colors(.sRGB, .bt709, isExtending: true, masks: ["skin", nil, "sky"])),
      look(colors: colors(.linear, .bt2020, isExtending: true, masks: ["sky", "skin"])),
      look(colors: colors(.sRGB, .displayP3, isExtending: true, .sequential, masks: ["sky", nil])),
      look(
        colors: colors(.power22, .bt2020, isExtending: true, .sequential, masks: [nil, "skin"])),
      look(colors: colors(.sRGB, .bt709, isExtending: false, masks: ["hair"])),
      look(isHDR: true, exposure: 1, colors: colors(.sRGB, .bt2020, isExtending: true)),
      look(
        isHDR: true, exposure: 1,
        colors: colors(.linear, .look, isExtending: false, masks: ["skin", nil])),
      look(isHDR: true, exposure: 2), look(isHDR: true, exposure: -2),
      look(isHDR: true, lookTable: table(values: 6)),
      look(isHDR: true, hueSatMap: table(values: 1), lookTable: table(values: 6, isEncoded: true)),
    ])
  func definition(look: ProfileLook) {
    var noise = SplitMix(seed: 5)
    let size = (width: 700, height: 40)
    let whole = RawArea(x: 0, y: 0, width: size.width, height: size.height)
    let grid = DevelopedGrid(crop: whole, active: whole, scale: .one)
    let columns = 130..<642
    var row = LinearRow(width: columns.count, hasAlpha: false)
    for x in 0..<columns.count {
      let light = exp2(Float.random(in: -12...(look.isHDR ? 3 : 0.2), using: &noise))
      row.red[x] = light * Float.random(in: -0.05...1, using: &noise)
      row.green[x] = light * Float.random(in: 0...1, using: &noise)
      row.blue[x] = x % 7 == 0 ? row.green[x] : light * Float.random(in: 0...1, using: &noise)
      if x % 5 == 0 { (row.red[x], row.green[x], row.blue[x]) = (light, light, light) }
    }
    let before = row
    let rows = LookRows(look, grid: grid, masks: Self.masks)
    let levels = rows.apply(to: &row, y: 17, columns: columns)
    var (scene, unlimited) = (before, levels)
    rows.makeScene(of: &scene, y: 17, columns: columns, levels: &unlimited)
    for x in 0..<columns.count {
      let color = SIMD3(
        Double(before.red[x]), Double(before.green[x]), Double(before.blue[x]))
      let map = look.gainTableMap
      let place = GainTableMap.Position(index: 0, next: 0, share: 0)
      let row17 = map?.position(row: 17.5, of: size.height) ?? place
      let column = map?.position(column: Double(x) + 130.5, of: size.width) ?? place
      let coverage = Self.masks.mapValues {
        Self.coverage($0, Double(x) + 130.5, 17.5, of: size)
      }
      func compare(
        _ row: LinearRow, _ scene: [Float], _ expected: ProfileLook.Shown, _ shown: Float? = nil
      ) {
        let found = SIMD3(Double(row.red[x]), Double(row.green[x]), Double(row.blue[x]))
        let error = (found - expected.color).clamped(
          lowerBound: SIMD3(repeating: -1), upperBound: SIMD3(repeating: 1))
        // Tables stretch what single precision rounds.
        let bound = 1e-4 * max(1, expected.color.max())
        #expect(max(error.max(), -error.min()) < bound, "\(x): \(color) \(found) \(expected)")
        #expect(abs(Double(scene[x]) - expected.scene) <= 1e-5 * max(1, expected.scene))
        guard let shown else { return }
        #expect(abs(Double(shown) - expected.color.max()) < bound)
      }
      compare(
        row, levels.scene, look.shown(color, row: row17, column: column, coverage: coverage),
        levels.shown[x])
      compare(
        scene, unlimited.scene,
        look.sceneColor(color, row: row17, column: column, coverage: coverage))
    }
  }

  @Test func numbersThatAreNone() {
    var row = LinearRow(width: 4, hasAlpha: false)
    row.red = [.nan, .infinity, -.infinity, 3e38]
    row.green = [1, .nan, 2, -3e38]
    row.blue = [0.5, 0.1, .nan, 0]
    let area = RawArea(x: 0, y: 0, width: 4, height: 1)
    let grid = DevelopedGrid(crop: area, active: area, scale: .one)
    for isHDR in [false, true] {
      let look = Self.look(
        isHDR: isHDR, hueSatMap: Self.table(values: 3), gains: Self.gains(gamma: 2), exposure: 3,
        lookTable: Self.table(values: 2, isEncoded: true))
      var (row, scene) = (row, row)
      let rows = LookRows(look, grid: grid)
      var levels = rows.apply(to: &row, y: 0, columns: 0..<4)
      rows.makeScene(of: &scene, y: 0, columns: 0..<4, levels: &levels)
      let isFinite = [row, scene].allSatisfy {
        ($0.red + $0.green + $0.blue).allSatisfy { $0.isFinite }
      }
      #expect(isFinite)
    }
  }

  @Test(
    "highlights are extended by the definition, and mid-tones do not change",
    arguments: [0.33, 1, 2])
  func recovery(amount: Double) {
    let recovery = HighlightRecovery(scale: 1.7, amount: amount)
    var row = LinearRow(width: 512, hasAlpha: false)
    var scene = row
    var levels = LookRows.Levels(width: 512)
    for x in 0..<512 {
      let shown = Float(x) / 511
      levels.shown[x] = shown
      levels.scene[x] = shown * exp2(Float(x % 37) / 8 - 1)
      (row.red[x], row.green[x], row.blue[x]) = (shown, shown / 2, shown / 3)
      (scene.red[x], scene.green[x], scene.blue[x]) = (shown / 5, shown, shown / 4)
    }
    let before = row
    func color(_ row: LinearRow, _ x: Int) -> SIMD3<Double> {
      SIMD3(Double(row.red[x]), Double(row.green[x]), Double(row.blue[x]))
    }
    recovery.apply(to: &row, scene: scene, levels: levels)
    for x in 0..<512 {
      let (shown, light) = (Double(levels.shown[x]), Double(levels.scene[x]))
      let stops = recovery.stops(shown: shown, scene: light)
      let expected = recovery.color(
        look: color(before, x), scene: color(scene, x), shown: shown, stops: stops)
      let error = color(row, x) - expected
      #expect(max(error.max(), -error.min()) < 2e-5 * exp2(stops))
      #expect(stops >= 0 && stops <= 3)
      // Up to two stops, highlights are those of the scene.
      if shown == 1, (0...2).contains(log2(1.7 * light)) {
        #expect(abs(stops - log2(1.7 * light)) < 0.01)
      }
      if shown <= 0.45 { #expect(color(row, x) == color(before, x)) }
    }
    let none = HighlightRecovery(scale: 2, amount: 0)
    #expect(none.color(look: .one, scene: .zero, shown: 1, stops: 3) == .one)
  }
}
