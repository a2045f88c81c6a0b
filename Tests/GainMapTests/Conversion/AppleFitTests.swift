// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Fits to Apple's curve") struct AppleFitTests {
  /// Source: `gainmap-conversion.md`, section 3: routes C and E for H = 2, 4, 4.88, 8.
  static let routes:
    [(curve: GainMapMetadata.AppleCurve, ratio: Double, gamma: Double, error: Double)] = [
      (.srgb, 2, 0.555, 0.0128), (.srgb, 4, 0.677, 0.0535), (.srgb, 4.880772, 0.715, 0.0692),
      (.srgb, 8, 0.8135, 0.1142), (.bt709, 2, 0.639, 0.0086), (.bt709, 4, 0.7875, 0.0401),
      (.bt709, 4.880772, 0.834, 0.0523), (.bt709, 8, 0.9575, 0.0862),
    ]

  @Test func routesOfTheSheet() throws {
    for route in Self.routes {
      let map = try GainMapMetadata(appleHeadroom: Headroom(ratio: route.ratio), curve: route.curve)
      let fit = try AppleFit(to: map)
      let channel = fit.metadata.channels[0]
      // The parameters of the notes have the documented error; the fit is at least as accurate.
      let sheet = (0...255).reduce(0.0) { worst, code in
        let sample = Double(code) / 255
        let logGain = map.largestGain * pow(sample, 1 / route.gamma)
        return max(worst, abs(logGain - map.logGain(ofSample: sample, component: 0)))
      }
      #expect(isClose(sheet, route.error, absolute: 6e-5), "\(route)")
      #expect(fit.worstError <= sheet + 1e-9, "\(route)")
      #expect(isClose(channel.gamma.value, route.gamma, absolute: 1.5e-3), "\(route)")
      #expect(channel.minimum.value == 0, "\(route)")
      #expect(fit.metadata.alternateHeadroom.value == channel.maximum.value)
      #expect(isClose(channel.maximum.value, log2(route.ratio), absolute: 1e-9))
      #expect(fit.metadata.obstacleToApple(mapIsGray: true) == nil)
    }
  }

  @Test func worked3() throws {
    let fit = try AppleFit(to: try GainMapMetadata(appleHeadroom: Headroom(ratio: 8)))
    #expect(
      ISO21496Payload(fit.metadata).serialized
        == hex(
          """
          00000000 40 0000000000000001 0000000300000001 0000000000000001 0000000300000001
          0000065b000007d0 0000000000000001 0000000000000001
          """))
  }

  /// The reported error bounds the error of linear values, for every code value and weight.
  @Test func renderingsDifferByTheReportedErrorAtMost() throws {
    for ratio in [1.0, 1.2, 3.3, 6.9, 40] {
      let map = try GainMapMetadata(appleHeadroom: Headroom(ratio: ratio))
      let fit = try AppleFit(to: map)
      let (apple, iso) = (map, fit.metadata)
      var worst = 0.0
      for code in 0...255 {
        for share in [0.3, 1] {
          let display = Headroom(stops: map.largestGain * share)
          func light(_ meaning: GainMapMetadata) -> Double {
            meaning.applied(
              to: 0.3, logGain: meaning.logGain(ofSample: Double(code) / 255, component: 0),
              weight: meaning.weight(for: display), component: 0)
          }
          worst = max(worst, abs(log2(light(apple) / light(iso))))
        }
      }
      #expect(worst <= fit.worstError + 1e-6, "H = \(ratio)")
      #expect(worst >= 0.9 * fit.worstError || ratio == 1, "H = \(ratio)")
    }
  }

  /// Fitted to its samples, an image has less error on average; no sample has more than is tolerable.
  @Test(arguments: [38, 90, 200], [2.0, 5, 8])
  func samplesOfAnImage(usual: Int, ratio: Double) throws {
    let map = try GainMapMetadata(appleHeadroom: Headroom(ratio: ratio))
    let counts = (0...255).map { abs($0 - usual) < 12 ? 1000 : 10 }
    func mean(_ fit: AppleFit) -> Double {
      let errors = counts.enumerated().map { code, count in
        let sample = Double(code) / 255
        return Double(count)
          * abs(
            fit.metadata.logGain(ofSample: sample, component: 0)
              - map.logGain(ofSample: sample, component: 0))
      }
      return errors.reduce(0, +) / Double(counts.reduce(0, +))
    }
    let (even, fitted) = (try AppleFit(to: map), try AppleFit(to: map, counts: counts))
    #expect(mean(fitted) < 0.7 * mean(even), "\(mean(fitted)), \(mean(even))")
    #expect(fitted.isTolerable)
    #expect(fitted.metadata.alternateHeadroom == even.metadata.alternateHeadroom)
    let empty = try AppleFit(to: map, counts: counts.map { _ in 0 })
    #expect(empty == even)
  }
}
