// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Opening") struct OpeningTests {
  /// The memory limit applies to the byte.
  @Test(arguments: formats)
  func memoryLimit(format: FileFormat) throws {
    let isLight = format == .exr
    let layout = ImageLayout(
      width: 64, height: 64, components: .rgb, samples: isLight ? .half : .integer(bits: 10))
    let planes = [Plane<UInt16>](
      repeating: Plane(width: 64, height: 64, filledWith: 0x200), count: 3)
    let image = ImagePlanes(layout: layout, planes: isLight ? .half(planes) : .integer(planes))
    let source = OutputImage(
      Image(image, CICP(primaries: .bt2020, transfer: isLight ? .linear : .pq)))
    let bytes = try source.encoded(
      as: format, options: EncoderOptions(isLossless: true))
    var limits = ImageLimits()
    limits.memory = 64 * 64 * 3 * 2
    _ = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions(limits: limits))
    limits.memory -= 1
    let error = #expect(throws: ImageError.self) {
      try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions(limits: limits))
    }
    #expect(error?.category == .limitExceeded)
  }

  private static var formats: [FileFormat] {
    var formats: [FileFormat] = []
    #if PNG
    formats.append(.png)
    #endif
    #if TIFF
    formats.append(.tiff)
    #endif
    #if EXR
    formats.append(.exr)
    #endif
    #if AVIF
    formats.append(.avif)
    #endif
    return formats
  }
}
