// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport

/// The sample in column `x` of row `y`.
func sample<Sample>(_ plane: Plane<Sample>, _ x: Int, _ y: Int) -> Sample {
  let row = plane.row(y)
  return row[x]
}

/// All samples, row by row.
func samples<Sample>(_ plane: Plane<Sample>) -> [Sample] {
  let span = plane.span
  return span.indices.map { span[$0] }
}

/// A plane of samples, row by row.
func plane<Sample>(_ samples: [Sample], width: Int) -> Plane<Sample> {
  Plane(width: width, height: samples.count / width) { output in
    for sample in samples { output.append(sample) }
  }
}

/// Small integer images of all component types.
func everyLayout(bits: Int) -> [ImageLayout] {
  let components: [ImageLayout.Components] = [
    .ycbcr(.yuv444), .ycbcr(.yuv422), .ycbcr(.yuv420), .rgb, .gray,
  ]
  return components.map {
    ImageLayout(
      width: 7, height: 5, components: $0, samples: .integer(bits: bits))
  }
}

extension ColorEncoding {
  /// The same color encoding with another range or chroma location.
  func coded(isFullRange: Bool = true, chroma: ChromaLocation = .left) -> ColorEncoding {
    var color = self
    (color.isFullRange, color.chromaLocation) = (isFullRange, chroma)
    return color
  }
}

/// An image of random samples; codes over the whole depth by default.
func randomImage(
  _ format: ImageLayout, seed: UInt64, codes: ClosedRange<Double> = 0...1,
  floats: ClosedRange<Float> = 0...1
) -> ImagePlanes {
  var random = SplitMix(seed: seed)
  func planes<Sample>(_ sample: (Int) -> Sample) -> [Plane<Sample>] {
    (0..<format.planeCount).map { index in
      let size = format.planeSize(index)
      return Plane(width: size.width, height: size.height) { samples in
        for _ in 0..<size.width * size.height { samples.append(sample(index)) }
      }
    }
  }
  switch format.samples {
  case .integer(let bits):
    let largest = Double(1 << bits - 1)
    return ImagePlanes(
      layout: format,
      planes: .integer(
        planes { index in
          // Alpha is not small, so that premultiplied colors stay in range.
          let range = index == format.componentCount ? 0.5...1 : codes
          return UInt16(clamping: (Double.random(in: range, using: &random) * largest).rounded())
        }))
  case .float:
    return ImagePlanes(
      layout: format,
      planes: .float(
        planes { index in
          Float.random(in: index == format.componentCount ? 0.5...1 : floats, using: &random)
        }))
  case .half:
    return ImagePlanes(
      layout: format,
      planes: .half(
        planes { index in
          let range = index == format.componentCount ? 0.5...1 : floats
          return Float16(Float.random(in: range, using: &random)).bitPattern
        }))
  }
}

extension ImagePlanes {
  /// The planes of an integer image; `nil` for a floating-point image.
  var integerPlanes: [Plane<UInt16>]? {
    if case .integer(let planes) = planes { planes } else { nil }
  }

  /// The planes of a floating-point image; `nil` for an integer image.
  var floatPlanes: [Plane<Float>]? {
    if case .float(let planes) = planes { planes } else { nil }
  }
}
