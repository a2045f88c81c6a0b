// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Curves of ICC profiles") struct ProfileCurvesTests {
  @Test func refusesWhatIsNoCurve() {
    #expect(ProfileCurves.Curve(samples: []) == nil)
    #expect(ProfileCurves.Curve(samples: [0.5]) == nil)
    #expect(ProfileCurves.Curve(samples: [0, 0.6, 0.5]) == nil)
    #expect(ProfileCurves.Curve(samples: [0, .nan]) == nil)
    #expect(ProfileCurves.Curve(samples: [0, .infinity]) == nil)
    #expect(ProfileCurves.Curve(samples: [0, 0, 1, 1]) != nil)
  }

  @Test func interpolatesAndExtends() throws {
    let curve = try #require(ProfileCurves.Curve(samples: [0, 0.2, 1]))
    let pairs = [(0, 0), (0.25, 0.1), (0.5, 0.2), (0.75, 0.6), (1, 1), (-0.25, -0.1)]
    for (signal, light) in pairs {
      #expect(isClose(curve.linearValue(ofSignal: signal), light, absolute: 1e-15))
      #expect(isClose(curve.signal(ofLinear: light), signal, absolute: 1e-15))
    }
    #expect(curve.linearValue(ofSignal: 7) == 1)
    #expect(curve.signal(ofLinear: 7) == 1)
    #expect(curve.linearValue(ofSignal: .nan).isNaN)
    #expect(curve.signal(ofLinear: .nan).isNaN)
  }

  @Test func flatPartsGiveTheSmallestSignal() throws {
    let curve = try #require(ProfileCurves.Curve(samples: [0.1, 0.1, 0.5, 0.5, 0.9]))
    #expect(curve.signal(ofLinear: 0.05) == 0)
    #expect(curve.signal(ofLinear: 0.1) == 0)
    #expect(curve.signal(ofLinear: 0.5) == 0.5)
    #expect(curve.signal(ofLinear: 0.95) == 1)
  }

  @Test func densifiedSRGBIsSRGB() throws {
    let samples = (0...1023).map { SRGB.eotf(Double($0) / 1023) }
    let curve = try #require(ProfileCurves.Curve(samples: samples))
    let curves = ProfileCurves(red: curve, green: curve, blue: curve)
    for step in 0...333 {
      let signal = Double(step) / 333
      let light = TransferFunction.sampled(curves).linearValue(
        ofSignal: signal, referenceWhite: 203)
      // The error of linear interpolation is at most h² f'' / 8.
      #expect(isClose(light, SRGB.eotf(signal), absolute: 4e-7))
      let back = TransferFunction.sampled(curves).signal(ofLinear: light, referenceWhite: 203)
      #expect(isClose(back, signal, absolute: 1e-13))
    }
  }

  @Test func componentsHaveTheirOwnCurve() throws {
    let curves = ProfileCurves(
      red: try #require(ProfileCurves.Curve(samples: [0, 1])),
      green: try #require(ProfileCurves.Curve(samples: [0, 0.5])),
      blue: try #require(ProfileCurves.Curve(samples: [0, 0.25])))
    let transfer = TransferFunction.sampled(curves)
    for (component, white) in [1, 0.5, 0.25].enumerated() {
      #expect(transfer.linearValue(ofSignal: 1, component: component, referenceWhite: 203) == white)
    }
    #expect(transfer.linearValue(ofSignal: 1, referenceWhite: 203) == 0.5)
  }
}
