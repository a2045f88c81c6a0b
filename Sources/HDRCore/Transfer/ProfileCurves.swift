// SPDX-License-Identifier: Apache-2.0
/// The tone curves of an RGB profile, from signal to linear values.
public struct ProfileCurves: Hashable, Sendable {
  /// The curve of red.
  public var red: Curve
  /// The curve of green.
  public var green: Curve
  /// The curve of blue.
  public var blue: Curve

  public init(red: Curve, green: Curve, blue: Curve) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The curve of component 0, 1 or 2: red, green, blue; other numbers count as the nearest.
  public subscript(component: Int) -> Curve { component < 1 ? red : component == 1 ? green : blue }
}

extension ProfileCurves {
  /// A tone curve as in ICC profiles: equally spaced samples of linear values for signal 0...1.
  ///
  /// The curve is linear between samples. Negative values follow by odd symmetry; above 1 the curve
  /// is constant.
  public struct Curve: Hashable, Sendable {
    /// At least two finite, nondecreasing values.
    public let samples: [Double]

    /// Makes a curve through `samples`; `nil` unless they are at least two, finite and
    /// nondecreasing.
    public init?(samples: [Double]) {
      guard samples.count >= 2, samples.allSatisfy(\.isFinite),
        zip(samples, samples.dropFirst()).allSatisfy({ $0 <= $1 })
      else { return nil }
      self.samples = samples
    }

    /// Linear value of `signal`; NaN for NaN.
    public func linearValue(ofSignal signal: Double) -> Double {
      guard signal >= 0 else { return signal < 0 ? -linearValue(ofSignal: -signal) : signal }
      let position = min(signal, 1) * Double(samples.count - 1)
      let index = min(Int(clamping: position), samples.count - 2)
      let share = position - Double(index)
      return samples[index] * (1 - share) + samples[index + 1] * share
    }

    /// Signal of the linear value `linear`, -1...1; the smallest if the curve is flat.
    ///
    /// It is 0 up to the first sample, and 1 above the last. Negative values follow by odd
    /// symmetry.
    ///
    /// - Complexity: O(log n) for n samples.
    public func signal(ofLinear linear: Double) -> Double {
      guard linear >= 0 else { return linear < 0 ? -signal(ofLinear: -linear) : linear }
      guard linear > samples[0] else { return 0 }
      // The first sample of at least `linear`, by bisection.
      var (below, reaching) = (0, samples.count)
      while reaching - below > 1 {
        let middle = (below + reaching) / 2
        if samples[middle] < linear { below = middle } else { reaching = middle }
      }
      guard reaching < samples.count else { return 1 }
      let share = (linear - samples[below]) / (samples[reaching] - samples[below])
      return (Double(below) + share) / Double(samples.count - 1)
    }
  }
}
