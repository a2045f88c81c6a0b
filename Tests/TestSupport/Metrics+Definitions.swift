package import HDRCore

// The metrics color by color, in double precision: definitions of what comparisons do on rows.

extension DeltaEITP {
  /// Difference of two colors.
  ///
  /// - Parameters:
  ///   - first: Red, green, blue in BT.2020 primaries, cd/m².
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
  /// Ratio between two images of luminance.
  ///
  /// - Parameters:
  ///   - reference: Luminances, cd/m².
  ///   - image: As many luminances, at least one.
  /// - Returns: Decibels; infinite for equal images.
  package static func decibels(_ reference: [Double], _ image: [Double]) -> Double {
    let squares = zip(reference, image).reduce(0) { sum, pair in
      let error = PQ.inverseEOTF(pair.0) - PQ.inverseEOTF(pair.1)
      return sum + error * error
    }
    return decibels(meanSquare: squares / Double(reference.count))
  }

  /// Ratio between two images of color, over all components.
  ///
  /// - Parameters:
  ///   - reference: Red, green, blue, cd/m².
  ///   - image: As many colors in the same primaries, at least one.
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
