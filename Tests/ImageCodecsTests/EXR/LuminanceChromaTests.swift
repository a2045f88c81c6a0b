// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if EXR
@Suite("Luminance and chroma") struct LuminanceChromaTests {
  /// XYZ of the corpus file `exr/oexr-XYZ_YC.exr`.
  ///
  /// Source: OpenEXR 3.1.5, `Imf::RgbaInputFile`, whose arithmetic is in half precision.
  @Test(
    .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"),
    arguments: [
      (0, 0, [0.273926, 0.34375, 0.155762]),
      (305, 203, [0.409424, 0.369141, 0.28833]),
      (304, 203, [0.294678, 0.257812, 0.179565]),
      (203, 101, [0.0549316, 0.0688477, 0.0369263]),
      (17, 350, [0.870117, 0.929688, 0.328125]),
      (500, 77, [0.266846, 0.326172, 0.198364]),
      (595, 405, [0.504395, 0.443359, 0.436768]),
      (401, 12, [0.146118, 0.179688, 0.0894775]),
    ] as [(Int, Int, [Double])])
  func library(x: Int, y: Int, xyz: [Double]) throws {
    let pixel = try corpusPixels().pixel(x, y).map(Double.init)
    let back = ColorPrimaries.bt2020.rgbToXYZ * SIMD3(pixel[0], pixel[1], pixel[2])
    for (index, value) in xyz.enumerated() {
      #expect(abs(back[index] - value) <= 1.5e-3 * (xyz.max() ?? 1))
    }
  }

  /// The corpus also contains the image as RGB; the difference is the loss in chroma.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func sameAsRGB() throws {
    let image = try corpusPixels()
    let original = try Corpus.open("exr/oexr-Rec709.exr").image.decode()
    let matrix = ColorPrimaries.bt2020.conversion(to: .bt709)
    var sum = 0.0
    for y in stride(from: 0, to: 406, by: 5) {
      for x in 0..<610 {
        let (pixel, wanted) = (image.pixel(x, y), original.pixel(x, y))
        let rgb = matrix * SIMD3(Double(pixel[0]), Double(pixel[1]), Double(pixel[2]))
        for c in 0..<3 { sum += abs(rgb[c] - Double(wanted[c])) / max(rgb.max(), 0.01) }
      }
    }
    #expect(sum / (82 * 610 * 3) < 0.02)
  }

  /// The samples do not depend on the size of the blocks.
  @Test(.enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
  func blocksDoNotShow() throws {
    let checksums = try [1, 2, 9].map { threads in
      try Execution(threads: threads).perform {
        try Corpus.open("exr/oexr-XYZ_YC.exr").image.decode().checksum
      }
    }
    #expect(Set(checksums).count == 1)
  }

  private func corpusPixels() throws -> ImagePlanes {
    let document = try Corpus.open("exr/oexr-XYZ_YC.exr")
    #expect(document.image.color.primaries == .bt2020)
    return try document.image.decode()
  }
}
#endif
