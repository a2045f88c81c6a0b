import Foundation
import HDRCore
import ImageContainers
import Testing

@testable import ImageCodecs

#if EXR
@Suite("EXR writing") struct EXRWriterTests {
  /// A picture with light of all sizes, one row more than OpenEXR compresses together.
  private func picture(components: StoredFormat.Components, hasAlpha: Bool) -> StoredImage {
    let format = StoredFormat(
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
    return StoredImage(format: format, planes: .float(planes))
  }

  private func output(_ image: StoredImage) -> PictureOutput {
    PictureOutput(
      image: image, cicp: CICP(primaries: .bt2020, transfer: .linear),
      hdr: HDRDescription(diffuseWhite: 100), exif: ExifBlock.minimal(orientation: .upright),
      xmp: XMPPacket.empty)
  }

  @Test(arguments: [
    (StoredFormat.Components.rgb, true), (.rgb, false), (.gray, true), (.gray, false),
  ])
  func floatsComeBack(components: StoredFormat.Components, hasAlpha: Bool) throws {
    let image = picture(components: components, hasAlpha: hasAlpha)
    let bytes = try EXRCodec.write(
      output(image), options: EncoderOptions(isLossless: true, threads: 2))
    let document = try PictureDocument.open(ByteSource(bytes), options: OpeningOptions())
    #expect(document.base.format.components == components)
    #expect(document.base.format.hasAlpha == hasAlpha)
    #expect(document.base.encoding.referenceWhite == 100)
    #expect(document.base.encoding.primaries.isClose(to: .bt2020, tolerance: 1e-6))
    #expect(document.exif == output(image).exif)
    #expect(document.xmp == output(image).xmp)
    #expect(document.notices.isEmpty)
    let decoded = try document.base.decode()
    for (x, y) in [(0, 0), (36, 64), (17, 40), (3, 15), (20, 16)] {
      var expected = image.pixel(x, y)
      if hasAlpha, let alpha = expected.last {
        for index in 0..<expected.count - 1 { expected[index] *= alpha }
      }
      #expect(decoded.pixel(x, y) == expected)
    }
  }

  @Test func halves() throws {
    let format = StoredFormat(width: 6, height: 1, components: .gray, samples: .float)
    let values: [Float] = [1 / 3, 1e6, -1e6, .infinity, 65_519, 1 + exp2(-11)]
    let plane = Plane<Float>(width: 6, height: 1) { for value in values { $0.append(value) } }
    let bytes = try EXRCodec.write(
      output(StoredImage(format: format, planes: .float([plane]))),
      options: EncoderOptions(threads: 1))
    let picture = try PictureDocument.open(ByteSource(bytes), options: OpeningOptions()).base
    let image = try picture.decode()
    let decoded = (0..<6).map { image.pixel($0, 0)[0] }
    #expect(decoded == [0.33325195, 65_504, -65_504, .infinity, 65_504, 1])
  }

  @Test func signalIsRefused() {
    let image = picture(components: .rgb, hasAlpha: false)
    let pq = PictureOutput(image: image, cicp: CICP(primaries: .bt2020, transfer: .pq))
    let error = #expect(throws: ImageError.self) {
      try EXRCodec.write(pq, options: EncoderOptions(threads: 1))
    }
    #expect(error?.code == .invalidArgument)
  }
}
#endif
