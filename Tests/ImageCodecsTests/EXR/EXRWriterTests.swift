// SPDX-License-Identifier: Apache-2.0
import Foundation
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if EXR
@Suite("EXR writing") struct EXRWriterTests {
  /// An image with values of all magnitudes, one row more than OpenEXR compresses in one chunk.
  private func image(components: ImageLayout.Components, hasAlpha: Bool) -> ImagePlanes {
    let format = ImageLayout(
      width: 37, height: 65, components: components, samples: .float, hasAlpha: hasAlpha)
    let planes = (0..<format.planeCount).map { index in
      Plane<Float>(width: 37, height: 65) { samples in
        for position in 0..<37 * 65 {
          let isAlpha = hasAlpha && index == format.planeCount - 1
          let step = Float(position % 41) / 40
          samples.append(isAlpha ? step : exp2(Float(position % 23) - 10) * Float(index + 1) - 0.25)
        }
      }
    }
    return ImagePlanes(layout: format, planes: .float(planes))
  }

  private func output(_ image: ImagePlanes) -> OutputImage {
    OutputImage(
      Image(
        image, CICP(primaries: .bt2020, transfer: .linear), light: LightMetadata(diffuseWhite: 100)),
      exif: ExifBlock.minimal(orientation: .upright), xmp: XMPPacket.empty)
  }

  @Test(arguments: [
    (ImageLayout.Components.rgb, true), (.rgb, false), (.gray, true), (.gray, false),
  ])
  func floatsComeBack(components: ImageLayout.Components, hasAlpha: Bool) throws {
    let image = image(components: components, hasAlpha: hasAlpha)
    let bytes = try output(image).encoded(
      as: .exr, options: EncoderOptions(isLossless: true))
    let document = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions())
    #expect(document.image.layout.components == components)
    #expect(document.image.layout.hasAlpha == hasAlpha)
    #expect(document.image.color.referenceWhite == 100)
    #expect(document.image.color.primaries.isClose(to: .bt2020, tolerance: 1e-6))
    #expect(document.exif == output(image).exif)
    #expect(document.xmp == output(image).xmp)
    #expect(document.notices.isEmpty)
    let decoded = try document.image.decode()
    for (x, y) in [(0, 0), (36, 64), (17, 40), (3, 15), (20, 16)] {
      var expected = image.pixel(x, y)
      if hasAlpha, let alpha = expected.last {
        for index in 0..<expected.count - 1 { expected[index] *= alpha }
      }
      #expect(decoded.pixel(x, y) == expected)
    }
  }

  @Test func halves() throws {
    let format = ImageLayout(width: 6, height: 1, components: .gray, samples: .float)
    let values: [Float] = [1 / 3, 1e6, -1e6, .infinity, 65_519, 1 + exp2(-11)]
    let plane = Plane<Float>(width: 6, height: 1) { for value in values { $0.append(value) } }
    let bytes = try output(ImagePlanes(layout: format, planes: .float([plane]))).encoded(
      as: .exr, options: EncoderOptions())
    let source = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions()).image
    let image = try source.decode()
    let decoded = (0..<6).map { image.pixel($0, 0)[0] }
    #expect(decoded == [0.33325195, 65_504, -65_504, .infinity, 65_504, 1])
  }

  /// A display window that is offset from the data window.
  ///
  /// Pixels outside the data window are 0 and transparent.
  @Test(arguments: [
    (-4, -2, 3, 60), (30, 40, 50, 80), (100, 0, 110, 5), (-30, 0, -20, 5), (0, -9, 5, -3),
    (0, 70, 5, 75),
  ])
  func windows(minX: Int32, minY: Int32, maxX: Int32, maxY: Int32) throws {
    let image = image(components: .rgb, hasAlpha: true)
    var bytes = try output(image).encoded(
      as: .exr, options: EncoderOptions(isLossless: true))
    let name = Array("displayWindow\0box2i\0".utf8)
    let start =
      try #require(
        (0..<bytes.count).first { bytes[$0...].starts(with: name) }) + name.count + 4
    for (index, coordinate) in [minX, minY, maxX, maxY].enumerated() {
      for byte in 0..<4 {
        bytes[start + 4 * index + byte] = UInt8(truncatingIfNeeded: coordinate >> Int32(8 * byte))
      }
    }
    let shown = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions()).image
      .decode(stripHeight: 7)
    #expect(shown.layout.width == Int(maxX - minX) + 1)
    #expect(shown.layout.height == Int(maxY - minY) + 1)
    for y in 0..<shown.layout.height {
      for x in 0..<shown.layout.width {
        let (column, row) = (x + Int(minX), y + Int(minY))
        var expected: [Float] = [0, 0, 0, 0]
        if 0..<37 ~= column, 0..<65 ~= row {
          expected = image.pixel(column, row)
          for index in 0..<3 { expected[index] *= expected[3] }
        }
        #expect(shown.pixel(x, y) == expected, "pixel \(x), \(y)")
      }
    }
  }

  @Test func signalIsRefused() {
    let image = image(components: .rgb, hasAlpha: false)
    let pq = OutputImage(Image(image, CICP(primaries: .bt2020, transfer: .pq)))
    let error = #expect(throws: ImageError.self) {
      try pq.encoded(as: .exr, options: EncoderOptions())
    }
    #expect(error?.category == .invalidArgument)
  }
}
#endif
