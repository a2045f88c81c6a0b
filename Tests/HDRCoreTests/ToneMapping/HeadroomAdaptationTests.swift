// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("SMPTE ST 2094-50 evaluation") struct HeadroomAdaptationTests {
  private static func referenceWhite(_ baseline: Double) -> AdaptiveToneMap {
    AdaptiveToneMap(baselineHeadroom: Headroom(stops: baseline), method: .referenceWhite)
  }

  @Test func referenceWhitePointsEqualVectors() throws {
    for row in try VectorTable("st2094_50_rwtmo_points").rows {
      let alternates = Self.referenceWhite(row["baseline_headroom"]).alternates
      let alternate = try #require(
        alternates[safe: Int(clamping: row["alternate_index"])], "\(row.name)")
      #expect(
        isClose(alternate.headroom.stops, row["alternate_headroom"], absolute: 1e-15), "\(row.name)"
      )
      #expect(alternate.mixing == .maximumOnly)
      let point = try #require(
        alternate.curve.points[safe: Int(clamping: row["point"])], "\(row.name)")
      #expect(isClose(point.light, row["x"]), "\(row.name)")
      #expect(isClose(point.gain, row["y_log2gain"], absolute: 1e-14), "\(row.name)")
      #expect(isClose(point.slope, row["slope_m"], absolute: 1e-12), "\(row.name)")
    }
  }

  @Test func referenceWhiteCurveEqualsVectors() throws {
    for row in try VectorTable("st2094_50_rwtmo_curve").rows {
      let gain = Self.referenceWhite(row["baseline_headroom"])
        .gain(for: Headroom(stops: row["target_headroom"]))
      let light = SIMD3(repeating: row["max_rgb_in"])
      #expect(isClose(gain.stops(for: light).x, row["gain_log2"], absolute: 1e-12), "\(row.name)")
      #expect(isClose(gain.toneMapped(light).y, row["max_rgb_out"], relative: 1e-11), "\(row.name)")
    }
  }

  /// Equal to the table of Skia's tests.
  @Test func referenceWhiteColorsEqualVectors() throws {
    for row in try VectorTable("st2094_50_rwtmo_rgb").rows {
      let gain = Self.referenceWhite(row["baseline_headroom"])
        .gain(for: Headroom(stops: row["target_headroom"]))
      let shown = gain.toneMapped(row.color("in_r", "in_g", "in_b"))
      #expect(
        isClose(shown, row.color("out_r", "out_g", "out_b"), relative: 1e-11), "\(row.name)")
    }
  }

  @Test func noAlternatesWithoutHeadroom() {
    let map = Self.referenceWhite(0)
    #expect(map.alternates.isEmpty)
    #expect(map.gain(for: Headroom(stops: 2)).isIdentity)
    #expect(map.gain(for: Headroom(stops: 2)).toneMapped(SIMD3(3, 0, -1)) == SIMD3(3, 0, -1))
  }

  @Test func sharesEqualVectors() throws {
    for row in try VectorTable("st2094_50_weights").rows {
      let alternates = try row.text("alternate_headrooms").split(separator: " ").map {
        AdaptiveToneMap.Alternate(
          headroom: Headroom(stops: try #require(Double($0))), mixing: .maximumOnly,
          curve: try AdaptiveToneMap.GainCurve([.init(light: 1, gain: 0, slope: 0)]))
      }
      let map = AdaptiveToneMap(
        baselineHeadroom: Headroom(stops: row["baseline_headroom"]),
        method: .alternates(alternates, primaries: .bt2020))
      let shares = map.shares(for: Headroom(stops: row["target_headroom"]))
      let expected = [("alt_a", "weight_a"), ("alt_b", "weight_b")].filter { row[$0.0] >= 0 }
      #expect(shares.count == expected.count, "\(row.name)")
      for (share, columns) in zip(shares, expected) {
        #expect(share.alternate == Int(clamping: row[columns.0]), "\(row.name)")
        #expect(isClose(share.weight, row[columns.1], absolute: 1e-12), "\(row.name)")
      }
    }
  }

  /// Equal to SciPy's PCHIP.
  @Test func pchipSlopesEqualVectors() throws {
    let curves = Dictionary(grouping: try VectorTable("st2094_50_pchip").rows) { $0["curve"] }
    for rows in curves.values {
      let curve = try AdaptiveToneMap.GainCurve(
        pchip: rows.map {
          AdaptiveToneMap.GainCurve.Point(light: $0["x"], gain: $0["y"], slope: .nan)
        })
      for (point, row) in zip(curve.points, rows) {
        #expect(isClose(point.slope, row["slope_m"], absolute: 1e-14), "\(row.name)")
      }
    }
  }

  @Test func mixingEqualsVectors() throws {
    for row in try VectorTable("st2094_50_mixing").rows {
      let mixing = AdaptiveToneMap.ComponentMixing(
        red: row["k_red"], green: row["k_green"], blue: row["k_blue"], maximum: row["k_max"],
        minimum: row["k_min"], component: row["k_component"])
      let mixed = mixing.mixed(row.color("in_r", "in_g", "in_b"))
      #expect(isClose(mixed, row.color("mix_r", "mix_g", "mix_b"), absolute: 1e-15), "\(row.name)")
    }
  }

  /// A jump in slope: two points at the same linear value, each with the secant of its side.
  @Test func pchipOfCoincidentPoints() throws {
    let curve = try AdaptiveToneMap.GainCurve(
      pchip: [(1, 0), (2, -1), (2, -1), (3, -3), (4, -5)].map {
        AdaptiveToneMap.GainCurve.Point(light: $0.0, gain: $0.1, slope: 0)
      })
    #expect(curve.points.map(\.slope) == [-1, -1, -2, -2, -2])
    #expect(curve.gain(ofLinear: 1.5) == -0.5)
    #expect(curve.gain(ofLinear: 2) == -1)
    #expect(curve.gain(ofLinear: 2.5) == -2)
  }

  /// Below the first point the gain is constant; above the last point the output is constant.
  @Test func gainOutsideThePoints() throws {
    let curve = try AdaptiveToneMap.GainCurve([
      .init(light: 1, gain: -0.5, slope: 0), .init(light: 4, gain: -2, slope: -0.3),
    ])
    #expect(curve.gain(ofLinear: 0) == -0.5)
    #expect(curve.gain(ofLinear: -3) == -0.5)
    #expect(curve.gain(ofLinear: 4) == -2)
    #expect(curve.gain(ofLinear: 16) == -4)
  }

  @Test func impossibleCurvesAreRefused() {
    let point = AdaptiveToneMap.GainCurve.Point(light: 1, gain: 0, slope: 0)
    let below = AdaptiveToneMap.GainCurve.Point(light: 0.5, gain: 0, slope: 0)
    let nothing = AdaptiveToneMap.GainCurve.Point(light: .nan, gain: 0, slope: 0)
    for points in [[], [point, below], Array(repeating: point, count: 33), [nothing]] {
      let error = #expect(throws: ImageError.self) { try AdaptiveToneMap.GainCurve(points) }
      #expect(error?.category == .malformed)
    }
  }

  /// With separate components, the result of one does not depend on the others.
  @Test func componentMixing() throws {
    let curve = try AdaptiveToneMap.GainCurve([
      .init(light: 0.5, gain: 0, slope: 0), .init(light: 4, gain: -2, slope: -0.3),
    ])
    let map = AdaptiveToneMap(
      baselineHeadroom: Headroom(stops: 2),
      method: .alternates(
        [AdaptiveToneMap.Alternate(headroom: .standard, mixing: .componentOnly, curve: curve)],
        primaries: .displayP3))
    let gain = map.gain(for: .standard)
    #expect(gain.primaries == .displayP3)
    let shown = gain.toneMapped(SIMD3(4, 0.25, -0.5))
    #expect(isClose(shown, SIMD3(1, 0.25, -0.5)))
  }
}

extension Array {
  /// The element at `index`; `nil` if the index is out of range.
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
