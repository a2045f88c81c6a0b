// SPDX-License-Identifier: Apache-2.0
package import GainMap
internal import HDRCore

/// Reference implementation of gain map sampling at the pixels of an image, in double precision.
///
/// Samples are converted to logarithmic gain before interpolation.
///
/// Source: ISO 21496-1, clauses 6.2.1 and 6.2.2, in this order.
package struct GainMapSampler: Sendable {
  private let map: GainMapImage
  private let size: (width: Int, height: Int)
  /// Base-2 logarithms of gain in row order, for each component.
  private let logGains: [[Double]]

  /// Creates a sampler for an image of this size.
  ///
  /// - Parameters:
  ///   - map: A gain map without chroma subsampling.
  ///   - width: Width of the image.
  ///   - height: Height of the image.
  package init(_ map: GainMapImage, width: Int, height: Int) {
    self.map = map
    size = (width, height)
    guard case .integer(let planes) = map.planes.planes,
      case .integer(let bits) = map.image.layout.samples
    else { preconditionFailure("a gain map has integer samples") }
    let format = map.image.layout
    precondition(format.chroma == .yuv444 || format.chroma == .yuv400, "subsampled chroma")
    let levels = Quantization(bits: bits, isFullRange: map.image.color.isFullRange)
    let toRGB: Matrix3x3? =
      if case .ycbcr = format.components {
        (YCbCr(matrix: map.image.color.matrix, primaries: .bt709) ?? .bt601).toRGB
      } else {
        nil
      }
    var logGains = [[Double]](repeating: [], count: 3)
    for y in 0..<format.height {
      let rows = planes.map { plane in
        let row = plane.row(y)
        return row.indices.map { row[$0] }
      }
      for x in 0..<format.width {
        let sample: SIMD3<Double>
        if let toRGB {
          sample =
            toRGB
            * SIMD3(
              levels.signal(ofCode: rows[0][x]), levels.chroma(ofCode: rows[1][x]),
              levels.chroma(ofCode: rows[2][x]))
        } else {
          let signals = rows.map { levels.signal(ofCode: $0[x]) }
          sample = SIMD3(signals[0], signals[signals.count / 2], signals[signals.count - 1])
        }
        for component in 0..<3 {
          logGains[component].append(
            map.metadata.logGain(ofSample: sample[component], component: component))
        }
      }
    }
    self.logGains = logGains
  }

  /// Base-2 logarithm of the gain at a pixel: bilinear, center-aligned, clamped to the edges.
  package func logGain(x: Int, y: Int, component: Int) -> Double {
    let (width, height) = (map.image.layout.width, map.image.layout.height)
    let (column, u) = Self.position(x, of: size.width, in: width)
    let (row, v) = Self.position(y, of: size.height, in: height)
    func at(_ column: Int, _ row: Int) -> Double {
      logGains[component][min(row, height - 1) * width + min(column, width - 1)]
    }
    let above = at(column, row) * (1 - u) + at(column + 1, row) * u
    let below = at(column, row + 1) * (1 - u) + at(column + 1, row + 1) * u
    return above * (1 - v) + below * v
  }

  private static func position(_ index: Int, of count: Int, in samples: Int) -> (Int, Double) {
    let center = (Double(index) + 0.5) * Double(samples) / Double(count) - 0.5
    let held = min(max(center, 0), Double(samples - 1))
    return (Int(clamping: held), held - held.rounded(.down))
  }
}
