// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if PNG && TIFF && EXR
@Suite("Encoding") struct EncodingTests {
  /// A sink that fails beyond its capacity, as a full disk does.
  private final class FullSink: ByteSink {
    static let full = ImageError(ErrorCode("test", .inputOutput, "the disk is full"))
    private(set) var count = 0
    let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    func append(_ bytes: [UInt8]) throws(ImageError) {
      count += bytes.count
      guard count <= capacity else { throw Self.full }
    }

    func overwrite(_ bytes: [UInt8], at offset: Int) {
      #expect(offset >= 0 && offset + bytes.count <= count)
    }
  }

  /// Noise, which codecs cannot compress.
  private func image(_ format: FileFormat) -> OutputImage {
    let isLight = format == .exr
    let layout = ImageLayout(
      width: 400, height: 300, components: .rgb, samples: isLight ? .half : .integer(bits: 16))
    let planes = (0..<3).map { seed in
      var state = UInt64(seed) + 1
      return Plane<UInt16>(width: 400, height: 300) { samples in
        for _ in 0..<400 * 300 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          samples.append(UInt16(truncatingIfNeeded: state >> 48) & 0x3FFF)
        }
      }
    }
    return OutputImage(
      Image(
        ImagePlanes(layout: layout, planes: isLight ? .half(planes) : .integer(planes)),
        CICP(primaries: .bt2020, transfer: isLight ? .linear : .pq)))
  }

  /// Errors of the sink are passed through the C libraries, wherever they occur.
  @Test(arguments: [FileFormat.png, .tiff, .exr], [0, 20, 300, 100_000, 400_000])
  func errorsOfTheSink(format: FileFormat, capacity: Int) {
    let error = #expect(throws: ImageError.self) {
      try image(format).write(
        to: FullSink(capacity: capacity), as: format, options: EncoderOptions())
    }
    #expect(error?.category == .inputOutput)
    #expect(error?.code == FullSink.full.code)
  }

  /// The image has enough strips for several groups at any number of threads.
  @Test(arguments: [FileFormat.png, .tiff, .exr])
  func bytesDoNotDependOnThreads(format: FileFormat) throws {
    let source = image(format)
    let files = try [1, 2, 3].map { threads in
      try Execution(threads: threads).perform {
        try source.encoded(as: format, options: EncoderOptions(speed: 9))
      }
    }
    #expect(files[0] == files[1] && files[1] == files[2])
    let read = try SourceImage(decoding: ByteSource(files[0]), options: OpeningOptions())
    let (image, original) = (try read.image.decode(), try source.image.planes())
    for (x, y) in [(0, 0), (399, 299), (17, 200)] {
      #expect(image.pixel(x, y) == original.pixel(x, y))
    }
  }
}
#endif
