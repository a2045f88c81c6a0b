// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Linear red, green and blue with BT.2020 primaries, in cd/m².
typealias Light = SIMD3<Double>

/// An image computed pixel by pixel.
struct Scene: Sendable {
  var width: Int
  var height: Int
  /// Whether the image has alpha.
  var hasCoverage = false
  /// Linear components and alpha of the pixel in column `x` and row `y`.
  var pixel: @Sendable (_ x: Int, _ y: Int) -> Sample

  /// Components of a pixel.
  struct Sample {
    var light: Light
    /// Straight alpha, 0...1.
    var coverage = 1.0
  }
}

/// Linear interpolation: `from` if `amount` is 0, `to` if it is 1.
func mix(_ from: Light, _ to: Light, _ amount: Double) -> Light { from + (to - from) * amount }

/// Hermite interpolation: 0 below `low`, 1 above `high`.
func smoothstep(_ low: Double, _ high: Double, _ value: Double) -> Double {
  let t = min(max((value - low) / (high - low), 0), 1)
  return t * t * (3 - 2 * t)
}

extension Scene {
  /// The scene as a Radiance HDR file, where 1.0 is 203 cd/m²; negative components are 0.
  ///
  /// Source: "Radiance File Formats", Picture File Format (.hdr): three mantissas of 8 bits with a
  /// common exponent, in rows with run-length encoding.
  func radiance() -> [UInt8] {
    let header = """
      #?RADIANCE
      FORMAT=32-bit_rle_rgbe
      PRIMARIES=0.708 0.292 0.170 0.797 0.131 0.046 0.3127 0.3290

      -Y \(height) +X \(width)

      """
    var bytes = Array(header.utf8)
    for y in 0..<height {
      let row = (0..<width).map {
        Self.rgbe(pixel($0, y).light / ColorEncoding.defaultReferenceWhite)
      }
      bytes += [2, 2, UInt8(width >> 8), UInt8(width & 255)]
      for component in 0..<4 { bytes += Self.runs(row.map { $0[component] }) }
    }
    return bytes
  }

  private static func rgbe(_ light: Light) -> SIMD4<UInt8> {
    let light = light.clamped(lowerBound: .zero, upperBound: Light(repeating: .infinity))
    guard light.max() > 0 else { return .zero }
    var exponent = Int(light.max().exponent) + 1
    func mantissas() -> Light { (light * 256 / exp2(exponent)).rounded(.toNearestOrAwayFromZero) }
    if mantissas().max() == 256 { exponent += 1 }
    let (codes, biased) = (SIMD3<UInt8>(mantissas()), exponent + 128)
    return biased > 0 ? SIMD4(codes, UInt8(biased)) : .zero
  }

  private static func exp2(_ exponent: Int) -> Double {
    Double(sign: .plus, exponent: exponent, significand: 1)
  }

  /// Run-length encoded bytes: a count above 128 and one byte, or a count and as many bytes.
  private static func runs(_ bytes: [UInt8]) -> [UInt8] {
    var coded: [UInt8] = []
    var rest = bytes[...]
    while let first = rest.first {
      let count = min(rest.prefix { $0 == first }.count, 127)
      coded += count > 1 ? [128 + UInt8(count), first] : [1, first]
      rest = rest.dropFirst(count)
    }
    return coded
  }
}
