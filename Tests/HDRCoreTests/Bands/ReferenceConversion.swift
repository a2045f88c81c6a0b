// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRCore

/// Reference implementation of the conversion in double precision, one pixel at a time, composed of
/// the definitions.
struct ReferenceConversion {
  let coding: ImageDescription

  private var format: ImageLayout { coding.layout }
  private var encoding: ColorEncoding { coding.color }

  private var quantization: Quantization? {
    guard case .integer(let bits) = format.samples else { return nil }
    return Quantization(bits: bits, isFullRange: encoding.isFullRange)
  }

  // MARK: Samples to linear values

  /// Linear color and alpha of the pixel at (x, y).
  func light(_ image: ImagePlanes, _ x: Int, _ y: Int) -> (color: SIMD3<Double>, alpha: Double) {
    var components = SIMD3<Double>()
    for plane in 0..<3 {
      let source = format.components == .gray ? 0 : plane
      components[plane] = signal(image, plane: source, x, y)
    }
    var alpha = 1.0
    if format.hasAlpha {
      alpha = coverage(image, x, y)
      if format.isAlphaPremultiplied, alpha > 0 { components /= alpha }
      alpha = min(max(alpha, 0), 1)
    }
    return (light(ofComponents: components), alpha)
  }

  private func light(ofComponents components: SIMD3<Double>) -> SIMD3<Double> {
    let white = encoding.referenceWhite
    var signal = components
    if case .ycbcr = format.components {
      switch encoding.matrix {
      case .ictcp:
        if encoding.transfer == .hlg {
          let scene = ICtCp.scene(ofSignal: components)
          return HLG.ootf(scene, peak: 1000, gamma: 1.2) / white
        }
        return ICtCp.luminance(ofSignal: components) / white
      case .bt2020Constant, .chromaDerivedConstant:
        signal = ConstantLuminance(encoding)?.decode(components) ?? signal
      case .yCgCo: signal = YCgCo.toRGB * components
      case .yCgCoRe, .yCgCoRo: signal = reversibleSignal(components)
      default:
        if let matrix = YCbCr(matrix: encoding.matrix, primaries: encoding.primaries) {
          signal = matrix.toRGB * components
        }
      }
      // Full range does not have codes out of 0...1; results of the matrix outside are clipped, as
      // displays do.
      if encoding.isFullRange { signal.clamp(lowerBound: .zero, upperBound: .one) }
    }
    if encoding.transfer == .hlg {
      return HLG.linearValue(ofSignal: signal, referenceWhite: white, weights: hlgWeights)
    }
    var light = SIMD3<Double>()
    for component in 0..<3 {
      light[component] = encoding.transfer.linearValue(
        ofSignal: signal[component], component: component, referenceWhite: white)
    }
    return light
  }

  /// R'G'B' of YCgCo-Re and YCgCo-Ro, whose R'G'B' has fewer bits.
  private func reversibleSignal(_ codes: SIMD3<Double>) -> SIMD3<Double> {
    guard let quantization, let extra = YCgCo.extraBits(of: encoding.matrix) else { return codes }
    let integers = (0..<3).map { Int(clamping: codes[$0].rounded()) }
    let rgb = YCgCo.rgb(ofReversible: SIMD3(integers[0], integers[1], integers[2]))
    let levels = Quantization(
      bits: quantization.bits - extra, isFullRange: quantization.isFullRange)
    return (SIMD3<Double>(rgb) - levels.signalOffset) / levels.signalScale
  }

  private var hlgWeights: SIMD3<Double> {
    encoding.primaries == .bt2020
      ? HLG.luminanceWeights : encoding.primaries.luminanceWeights
  }

  private func signal(_ image: ImagePlanes, plane: Int, _ x: Int, _ y: Int) -> Double {
    guard case .ycbcr(let chroma) = format.components, plane > 0 else {
      return value(image, plane, x, y, isChroma: false)
    }
    // Chroma is interpolated linearly between the nearest samples, with repeated edges.
    let size = format.planeSize(plane)
    let shiftX = chroma.horizontal == 2 && encoding.chromaLocation == .center ? 0.5 : 0
    let shiftY = chroma.vertical == 2 && encoding.chromaLocation != .topLeft ? 0.5 : 0
    let atX = (Double(x) - shiftX) / Double(chroma.horizontal)
    let atY = (Double(y) - shiftY) / Double(chroma.vertical)
    var sum = 0.0
    for (column, shareX) in neighbors(atX, count: size.width) {
      for (row, shareY) in neighbors(atY, count: size.height) {
        sum += shareX * shareY * value(image, plane, column, row, isChroma: true)
      }
    }
    return sum
  }

  private func neighbors(_ position: Double, count: Int) -> [(index: Int, share: Double)] {
    let first = Int(clamping: position.rounded(.down))
    let share = position - position.rounded(.down)
    return [(first, 1 - share), (first + 1, share)].map { (min(max($0, 0), count - 1), $1) }
  }

  private func value(
    _ image: ImagePlanes, _ plane: Int, _ x: Int, _ y: Int, isChroma: Bool
  ) -> Double {
    switch image.planes {
    case .float(let planes): return Double(sample(planes[plane], x, y))
    case .half(let planes): return Double(Float16(bitPattern: sample(planes[plane], x, y)))
    case .integer(let planes):
      let code = sample(planes[plane], x, y)
      guard let quantization else { return .nan }
      guard case .ycbcr = format.components else { return quantization.signal(ofCode: code) }
      let offset = isChroma ? quantization.chromaOffset : quantization.signalOffset
      switch encoding.matrix {
      case .yCgCoRe, .yCgCoRo: return Double(code) - (isChroma ? offset : 0)
      case .yCgCo: return (Double(code) - offset) / quantization.signalScale
      default:
        return isChroma ? quantization.chroma(ofCode: code) : quantization.signal(ofCode: code)
      }
    }
  }

  private func coverage(_ image: ImagePlanes, _ x: Int, _ y: Int) -> Double {
    switch image.planes {
    case .float(let planes): return Double(sample(planes[format.componentCount], x, y))
    case .half(let planes):
      return Double(Float16(bitPattern: sample(planes[format.componentCount], x, y)))
    case .integer(let planes):
      let code = sample(planes[format.componentCount], x, y)
      return Double(code) / Double(quantization?.maximumCode ?? 0)
    }
  }

  // MARK: Linear values to codes

  /// Codes of an image of linear values; one array for each plane, row by row.
  func codes(_ light: [SIMD3<Double>], alpha: [Double]) -> [[UInt16]] {
    guard let quantization else { return [] }
    let (width, height) = (format.width, format.height)
    var components = zip(light, alpha).map { light, alpha in
      let signal = signal(ofLinear: light)
      return format.isAlphaPremultiplied ? signal * alpha : signal
    }
    var isYCbCr = false
    if case .ycbcr = format.components,
      let matrix = YCbCr(matrix: encoding.matrix, primaries: encoding.primaries)
    {
      components = components.map { matrix.fromRGB * $0 }
      isYCbCr = true
    }
    var planes: [[UInt16]] = []
    for plane in 0..<format.componentCount {
      let isChroma = isYCbCr && plane > 0
      let full = components.map { $0[plane] }
      let samples = isChroma ? subsampled(full, width, height) : full
      planes.append(
        samples.map {
          isChroma ? quantization.code(ofChroma: $0) : quantization.code(ofSignal: $0)
        })
    }
    if format.hasAlpha {
      let opaque = Quantization(bits: quantization.bits, isFullRange: true)
      planes.append(alpha.map { opaque.code(ofSignal: $0) })
    }
    return planes
  }

  private func signal(ofLinear light: SIMD3<Double>) -> SIMD3<Double> {
    let white = encoding.referenceWhite
    var light = light
    if encoding.transfer == .hlg {
      let scene = HLG.inverseOOTF(light * white, peak: 1000, gamma: 1.2, weights: hlgWeights)
      light = scene.clamped(lowerBound: .zero, upperBound: .one)
    }
    if format.components == .gray {
      let weights =
        encoding.transfer == .hlg ? hlgWeights : encoding.primaries.luminanceWeights
      light = SIMD3(repeating: (light * weights).sum())
    }
    var signal = SIMD3<Double>()
    for component in 0..<3 {
      signal[component] =
        encoding.transfer == .hlg
        ? HLG.oetf(light[component])
        : encoding.transfer.signal(
          ofLinear: light[component], component: component, referenceWhite: white)
    }
    return signal
  }

  /// Mean of the samples around each chroma sample: two columns, or three with weights 1, 2, 1; two
  /// rows.
  ///
  /// Edges are repeated.
  private func subsampled(_ full: [Double], _ width: Int, _ height: Int) -> [Double] {
    let chroma = format.chroma
    guard chroma.horizontal == 2 else { return full }
    let columns =
      encoding.chromaLocation == .center
      ? [(0, 0.5), (1, 0.5)] : [(-1, 0.25), (0, 0.5), (1, 0.25)]
    let rows = chroma.vertical == 2 ? [(0, 0.5), (1, 0.5)] : [(0, 1)]
    let size = format.planeSize(1)
    var samples: [Double] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        var sum = 0.0
        for (dx, shareX) in columns {
          for (dy, shareY) in rows {
            let column = min(max(2 * x + dx, 0), width - 1)
            let row = min(chroma.vertical * y + dy, height - 1)
            sum += shareX * shareY * full[row * width + column]
          }
        }
        samples.append(sum)
      }
    }
    return samples
  }
}
