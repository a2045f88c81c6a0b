// SPDX-License-Identifier: Apache-2.0
package import HDRCore

extension FilterTaps {
  /// Reference implementation of one-dimensional filtering, in double precision.
  package func filtered(_ samples: [Double]) -> [Double] {
    (0..<count).map { index in
      let start = Int(first[index])
      let sum = range(ofSum: index).reduce(0.0) { sum, sample in
        sum + Double(weights[index * taps + sample - start]) * samples[sample]
      }
      let nearest = max(start + margin, 0)..<min(start + taps - margin, sourceCount)
      let (low, high) = (samples[nearest].min() ?? sum, samples[nearest].max() ?? sum)
      return min(max(sum, low), high)
    }
  }
}
