// SPDX-License-Identifier: Apache-2.0
import Foundation
import PixelKernels
import TestSupport
import Testing

@testable import HDRCore

@Suite("Functions for metrics") struct LuminanceEncodingsTests {
  /// Luminances of all magnitudes up to above the peak of PQ.
  private static let luminances: [Float] = stride(
    from: UInt32(0), to: Float(12_000).bitPattern, by: 97 * 1009
  ).map(Float.init(bitPattern:))

  private func values(_ function: SampledFunction<Double>, of row: [Float]) -> [Double] {
    var out = [Double](repeating: 0, count: row.count)
    function.apply(to: row, into: &out)
    return out
  }

  @Test func pqFollowsItsDefinition() {
    for (luminance, signal) in zip(
      Self.luminances, values(LuminanceEncodings.pq, of: Self.luminances))
    {
      #expect(abs(signal - PQ.inverseEOTF(Double(luminance))) < 5e-8, "\(luminance)")
    }
  }

  @Test func pu21FollowsItsDefinition() {
    for (luminance, signal) in zip(
      Self.luminances, values(LuminanceEncodings.pu21, of: Self.luminances))
    {
      #expect(abs(signal - PU21.signal(ofLuminance: Double(luminance))) < 1e-4, "\(luminance)")
    }
  }

  /// Source: `pu21_banding_glare.csv`.
  @Test func pu21EqualsVectors() throws {
    let rows = try VectorTable("pu21_banding_glare").rows
    let signals = values(LuminanceEncodings.pu21, of: rows.map { Float($0["nits"]) })
    for (row, signal) in zip(rows, signals) {
      #expect(abs(signal - row["pu21"]) < 2e-4, "\(row.name)")
    }
  }

  @Test func whatIsBelowBlackCountsAsBlack() {
    #expect(
      values(LuminanceEncodings.pq, of: [-1, -.infinity, .nan, 0]).allSatisfy {
        $0 == PQ.inverseEOTF(0)
      })
  }
}
