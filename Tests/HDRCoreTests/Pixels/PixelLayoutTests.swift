// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@Suite("Pixel layout") struct PixelLayoutTests {
  @Test(arguments: [
    (PixelLayout.Packing.rgba8, 4), (.rgba16, 8), (.rgbaHalf, 8), (.rgbaFloat, 16), (.rgb10a2, 4),
    (.bgr10a2, 4),
  ])
  func interleaved(packing: PixelLayout.Packing, bytesPerPixel: Int) throws {
    let layout = PixelLayout(packing, width: 5, height: 3)
    #expect(layout.rows == [.init(offset: 0, stride: 5 * bytesPerPixel)])
    #expect(try layout.byteCount() == 15 * bytesPerPixel)
    #expect(layout.imageLayout.hasAlpha && layout.imageLayout.components == .rgb)
  }

  @Test func biplanar() throws {
    let layout = PixelLayout(.p010, width: 5, height: 3)
    #expect(layout.rows == [.init(offset: 0, stride: 10), .init(offset: 30, stride: 12)])
    #expect(try layout.byteCount() == 54)
    #expect(
      layout.imageLayout
        == ImageLayout(
          width: 5, height: 3, components: .ycbcr(.yuv420), samples: .integer(bits: 10)))
  }

  /// The last row does not require padding.
  @Test func strides() throws {
    var layout = PixelLayout(.rgba8, width: 3, height: 2, alpha: .opaque)
    layout.rows = [.init(offset: 8, stride: 64)]
    #expect(try layout.byteCount() == 8 + 64 + 12)
    #expect(!layout.imageLayout.hasAlpha)
  }

  @Test(arguments: [
    [PixelLayout.Rows(offset: 0, stride: 11)], [.init(offset: -1, stride: 12)],
    [.init(offset: 0, stride: -12)], [.init(offset: 0, stride: .max)],
    [.init(offset: .max, stride: 12)], [],
    [.init(offset: 0, stride: 12), .init(offset: 0, stride: 12)],
  ])
  func rowsThatDoNotFit(rows: [PixelLayout.Rows]) {
    var layout = PixelLayout(.rgba8, width: 3, height: 3)
    layout.rows = rows
    let error = #expect(throws: ImageError.self) { try layout.byteCount() }
    #expect(error?.category == .invalidArgument)
    let bytes = [UInt8](repeating: 0, count: 100)
    #expect(throws: ImageError.self) {
      _ = try ImagePlanes(pixels: bytes.span, layout: layout)
    }
  }
}
