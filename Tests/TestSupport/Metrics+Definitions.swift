// SPDX-License-Identifier: Apache-2.0
package import HDRCore

// Reference implementations of the metrics for single colors, in double precision.

extension DeltaEITP {
  /// Color difference between two colors.
  ///
  /// - Parameters:
  ///   - first: Linear red, green, blue with BT.2020 primaries, in cd/m².
  ///   - second: The other color.
  /// - Returns: Delta E ITP.
  package static func between(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
    let difference = ICtCp.signal(ofLuminance: first) - ICtCp.signal(ofLuminance: second)
    // T is half of Ct; P is Cp.
    let itp = difference * SIMD3(720, 360, 720)
    return (itp * itp).sum().squareRoot()
  }
}

extension PQPSNR {
  /// PSNR in PQ between two luminance images.
  ///
  /// - Parameters:
  ///   - reference: Luminances in cd/m²; at least one.
  ///   - image: The same number of luminances.
  /// - Returns: Decibels; infinite for equal images.
  package static func decibels(_ reference: [Double], _ image: [Double]) -> Double {
    let squares = zip(reference, image).reduce(0) { sum, pair in
      let error = PQ.inverseEOTF(pair.0) - PQ.inverseEOTF(pair.1)
      return sum + error * error
    }
    return decibels(meanSquare: squares / Double(reference.count))
  }

  /// PSNR in PQ between two color images, over all components.
  ///
  /// - Parameters:
  ///   - reference: Linear red, green, blue in cd/m²; at least one color.
  ///   - image: The same number of colors with the same primaries.
  /// - Returns: Decibels; infinite for equal images.
  package static func decibels(
    _ reference: [SIMD3<Double>], _ image: [SIMD3<Double>]
  ) -> Double {
    func components(_ colors: [SIMD3<Double>]) -> [Double] {
      colors.flatMap { [$0.x, $0.y, $0.z] }
    }
    return decibels(components(reference), components(image))
  }
}
