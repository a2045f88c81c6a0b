// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

/// The definitions, compared with results of an independent program for the published formulas.
@Suite("Tone operators") struct OperatorVectorTests {
  @Test func bt2390EqualsVectors() throws {
    for row in try VectorTable("bt2390_eetf").rows {
      let eetf = BT2390EETF(
        source: row["src_black_nits"]...row["src_peak_nits"],
        target: row["dst_black_nits"]...row["dst_peak_nits"])
      let signal = eetf.signal(ofSignal: row["pq_in"])
      #expect(isClose(signal, row["pq_out"], relative: 1e-11), "\(row.name)")
      #expect(
        isClose(PQ.eotf(signal), row["nits_out"], relative: 1e-9, absolute: 1e-12), "\(row.name)")
    }
  }

  /// The operator on relative linear values equals the function on luminance with a black of 0.
  @Test func bt2390OnLightEqualsVectors() throws {
    let white = ColorEncoding.defaultReferenceWhite
    let rows = try VectorTable("bt2390_eetf").rows.filter {
      $0["src_black_nits"] == 0 && $0["dst_black_nits"] == 0 && $0["dst_peak_nits"] >= white
    }
    try #require(rows.count > 800)
    for row in rows {
      let curve = try BT2390(
        content: Headroom(ratio: row["src_peak_nits"] / white),
        display: Headroom(ratio: row["dst_peak_nits"] / white))
      let mapped = curve.mapped(row["nits_in"] / white) * white
      #expect(isClose(mapped, row["nits_out"], relative: 1e-9, absolute: 1e-12), "\(row.name)")
    }
  }

  @Test func bt2446ALumaEqualsVectors() throws {
    for row in try VectorTable("bt2446a_curve").rows {
      let luma = try Self.methodA(row).luma(ofLuma: row["y_prime_in"])
      #expect(isClose(luma, row["y_prime_out"], relative: 1e-11), "\(row.name)")
    }
  }

  @Test func bt2446AColorEqualsVectors() throws {
    for row in try VectorTable("bt2446a_rgb").rows {
      let method = try Self.methodA(row)
      let light = row.color("in_r_rel_peak", "in_g_rel_peak", "in_b_rel_peak")
      let expected = row.color("out_r_gamma24", "out_g_gamma24", "out_b_gamma24")
      let shown = method.toneMapped(light * method.range.contentPeak) / method.displayPeak
      let signal = SIMD3(
        Gamma.inverseEOTF(shown.x, exponent: 2.4), Gamma.inverseEOTF(shown.y, exponent: 2.4),
        Gamma.inverseEOTF(shown.z, exponent: 2.4))
      #expect(isClose(signal, expected, relative: 1e-9), "\(row.name)")
    }
  }

  /// The operator for a row of the vectors.
  private static func methodA(_ row: VectorTable.Row) throws -> BT2446A {
    try BT2446A(
      content: Headroom(ratio: row["L_HDR"] / ColorEncoding.defaultReferenceWhite),
      display: Headroom(ratio: row["L_SDR"] / BT2446A.standardWhite))
  }

  @Test func reinhardEqualsVectors() throws {
    let rows = try VectorTable("peer_curves").rows.filter {
      $0.text("operator") == "reinhard_extended_maxrgb"
    }
    try #require(rows.count == 220)
    for row in rows {
      let (content, display) = try Self.headrooms(row)
      let mapped = try ExtendedReinhard(content: content, display: display).mapped(row["x_in"])
      #expect(isClose(mapped, row["y_out"], relative: 1e-11), "\(row.name)")
    }
  }

  /// The Mobius curve of libplacebo is the shoulder with a knee at 0.3 of the display's peak.
  @Test func shoulderIsTheMobiusCurve() throws {
    let rows = try VectorTable("peer_curves").rows.filter { $0.text("operator") == "mobius_j0.3" }
    try #require(rows.count == 220)
    for row in rows {
      let (content, display) = try Self.headrooms(row)
      let shoulder = try RationalShoulder(content: content, display: display, kneeShare: 0.3)
      #expect(isClose(shoulder.mapped(row["x_in"]), row["y_out"], relative: 1e-9), "\(row.name)")
    }
  }

  /// The tone curve of Khronos PBR Neutral is the shoulder for content of unlimited peak, with a
  /// knee at 0.76.
  @Test func shoulderIsTheKhronosCurve() throws {
    let rows = try VectorTable("peer_curves").rows.filter {
      $0.text("operator") == "khronos_pbr_neutral_peak"
    }
    try #require(rows.count == 60)
    let shoulder = try RationalShoulder(
      content: Headroom(ratio: 1e15), display: .standard, kneeShare: 0.76)
    for row in rows {
      #expect(isClose(shoulder.mapped(row["x_in"]), row["y_out"], relative: 1e-9), "\(row.name)")
    }
  }

  private static func headrooms(
    _ row: VectorTable.Row
  ) throws -> (content: Headroom, display: Headroom) {
    let numbers = row.text("parameters").split(separator: ";").compactMap {
      $0.split(separator: "=").last.flatMap { Double($0) }
    }
    try #require(numbers.count == 2)
    return (Headroom(ratio: numbers[0]), Headroom(ratio: numbers[1]))
  }

  /// Source: the operator overview of the specification, from 1000 cd/m² to displays of headroom 1
  /// and 2.
  @Test(arguments: [
    (ToneMapOperator.shoulder, [0.180, 0.500, 0.765, 0.910, 0.960], [0.180, 1.000, 1.573, 1.803]),
    (.referenceWhite, [0.090, 0.250, 0.500, 0.745, 0.864], [0.147, 0.816, 1.341, 1.642]),
    (.reinhard, [0.154, 0.340, 0.521, 0.722, 0.843], [0.168, 0.722, 1.165, 1.497]),
    (.bt2390, [0.180, 0.496, 0.784, 0.956, 0.992], [0.180, 1.000, 1.747, 1.955]),
    (.bt2446a, [0.097, 0.230, 0.406, 0.650, 0.810], []),
    (.clip, [0.18, 0.5, 1, 1, 1], [0.18, 1, 2, 2]),
  ])
  func neutralLight(method: ToneMapOperator, standard: [Double], double: [Double]) throws {
    let content = Headroom(ratio: 1000 / ColorEncoding.defaultReferenceWhite)
    let toStandard = try method.toneMap(content: content, display: .standard)
    for (light, expected) in zip([0.18, 0.5, 1, 2, 3], standard) {
      let shown = toStandard.toneMapped(SIMD3(repeating: light)).x
      #expect(abs(shown - expected) <= 6e-4, "\(light)")
    }
    let toDouble = try method.toneMap(content: content, display: Headroom(ratio: 2))
    for (light, expected) in zip([0.18, 1, 2, 3], double) {
      #expect(abs(toDouble.toneMapped(SIMD3(repeating: light)).x - expected) <= 6e-4, "\(light)")
    }
  }
}
