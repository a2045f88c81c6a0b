// SPDX-License-Identifier: Apache-2.0
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import TestSupport
import Testing

@Suite("EXR reading", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct EXRReaderTests {
  /// Width, height and planes of the display window, and CRC-32 of its planes.
  ///
  /// Source: OpenImageIO 3 from its PyPI wheel, as 32-bit floats placed in the display window.
  @Test(arguments: [
    ("aces-ricd.exr", 2048, 1080, 4, 0x39B5_E70B),
    ("colour-1ch.exr", 256, 256, 1, 0x334F_E3EC),
    ("gainmapjs-gray.exr", 8, 8, 3, 0xCF41_7AA1),
    ("gainmapjs-memorial.exr", 512, 768, 3, 0xCDBE_5D3C),
    ("imagers-crop-datawindow.exr", 1920, 1920, 4, 0xB571_CA0E),
    ("oexr-BrightRings.exr", 800, 800, 3, 0xABE9_4B01),
    ("oexr-BrightRingsNanInf.exr", 800, 800, 3, 0x965A_E469),
    ("oexr-CandleGlass.exr", 1000, 810, 4, 0x2B1E_9D2C),
    ("oexr-Cannon.exr", 780, 566, 3, 0x02D3_7984),
    ("oexr-ColorCodedLevels.exr", 512, 512, 4, 0x4484_C26E),
    ("oexr-Fog.exr", 1000, 672, 1, 0x967C_96B7),
    ("oexr-GammaChart.exr", 800, 800, 3, 0x47F8_992A),
    ("oexr-Garden.exr", 874, 493, 1, 0x47A7_6206),
    ("oexr-GoldenGate.exr", 1262, 860, 3, 0x60E1_25FC),
    ("oexr-Rec709.exr", 610, 406, 3, 0x2C21_2C9C),
    ("oexr-WideColorGamut.exr", 800, 800, 3, 0x84B7_0070),
    ("oexr-WideFloatRange.exr", 500, 500, 1, 0x6A64_4171),
    ("oexr-comp-dwaa-v1.exr", 587, 675, 4, 0x64BB_DE13),
    ("oexr-t01.exr", 400, 300, 3, 0x6F21_1294),
    ("oexr-t05.exr", 340, 260, 3, 0x9721_4E6B),
    ("oexr-t12.exr", 400, 100, 3, 0x611F_B420),
  ])
  func samples(name: String, width: Int, height: Int, planes: Int, checksum: UInt32) throws {
    let image = try Corpus.open("exr/\(name)", options: OpeningOptions()).image
    #expect(image.layout.width == width)
    #expect(image.layout.height == height)
    #expect(image.layout.planeCount == planes)
    #expect(try image.decode().checksum == checksum)
  }
}
