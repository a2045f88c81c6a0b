// SPDX-License-Identifier: Apache-2.0
import Foundation
import HDRConversion
import HDRCore
import ImageFiles

/// A 12-megapixel image of linear values with slopes, edges and some noise, in half precision.
struct Scene {
  static let width = 4000
  static let height = 3000
  static let pixels = width * height
  static let linear = ColorEncoding(primaries: .displayP3, transfer: .linear)
  static let format = ImageLayout(
    width: width, height: height, components: .rgb, samples: .float)

  /// 40 megapixels, which HEIF and AVIF hold as a grid.
  static let grid = (width: 8000, height: 5000)

  /// Bytes per pixel that an encoder gets: three planes of 16-bit integers, or those of 4:2:0.
  static func codedBytesPerPixel(_ chroma: ChromaSubsampling) -> Double {
    chroma == .yuv420 ? 3 : 6
  }

  /// An image for encoders alone, in the layout that the command gives them: 10 bits.
  static func coded(
    width: Int = width, height: Int, chroma: ChromaSubsampling = .yuv444
  ) throws -> OutputImage {
    let format = ImageLayout(
      width: width, height: height, components: .ycbcr(chroma), samples: .integer(bits: 10))
    let planes = try (0..<3).map { index in
      let size = format.planeSize(index)
      var samples: [UInt16] = []
      for y in 0..<size.height {
        for x in 0..<size.width {
          samples.append(UInt16(300 + 100 * index + x / 40 + y / 30 + (x ^ y) % 4))
        }
      }
      return try Plane<UInt16>(width: size.width, height: size.height, samples: samples)
    }
    let color = ColorEncoding(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    return OutputImage(
      try Image(ImageDescription(layout: format, color: color), planes: .integer(planes)))
  }

  let image: Image

  init() throws {
    let planes = try [1, 1.1, 0.9].map { scale in
      var samples: [Float] = []
      var noise = UInt64(scale * 1000)
      for y in 0..<Self.height {
        for x in 0..<Self.width {
          noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          let stops =
            3 * sin(Double(x) / 300 * scale) + 3 * cos(Double(y) / 200)
            + Double(noise >> 40) / Double(1 << 24) * 0.05 - 2
          samples.append(Float(Float16(exp2(stops))))
        }
      }
      return try Plane<Float>(width: Self.width, height: Self.height, samples: samples)
    }
    image = try Image(
      ImageDescription(layout: Self.format, color: Self.linear), planes: .float(planes))
  }
}
