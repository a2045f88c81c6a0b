// SPDX-License-Identifier: Apache-2.0
#if JPEG
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// JPEG that is encoded while its image is converted.
@Suite("JPEG streams") struct JPEGStreamTests {
  /// The file equals that of encoding the whole image.
  ///
  /// The strips may end within blocks, and the image may be resized.
  @Test(arguments: [1, 15, 128, 129, 300], [false, true])
  func isTheFileOfTheWhole(height: Int, isResized: Bool) throws {
    let format = ImageLayout(
      width: 37, height: height, components: .rgb, samples: .integer(bits: 10))
    let planes = (0..<3).map { component in
      Plane<UInt16>(width: 37, height: height) { samples in
        for place in 0..<37 * height {
          samples.append(UInt16((place * (7 + component) + place / 37 * 5) & 1023))
        }
      }
    }
    let image = ImagePlanes(layout: format, planes: .integer(planes))
    let document = SourceImage(
      format: .png,
      image: Image(image, ColorEncoding(primaries: .bt2020, transfer: .pq)))
    var options = ConversionOptions(
      format: .jpeg, encoder: EncoderOptions(quality: 80))
    (options.transfer, options.primaries) = (.srgb, .displayP3)
    options.rendering = RenderingOptions(display: DisplayTarget(headroom: .standard))
    if isResized { options.geometry.size = .exact(width: 20, height: max(height / 2, 1)) }
    let whole = try ImageConverter(options).run(document)
    let sink = MemorySink()
    let written = try ImageConverter(options).write(document, to: sink)
    #expect(sink.bytes == (try whole.output.encoded(as: .jpeg, options: options.encoder)))
    #expect(written.image == whole.output.image.description)
    #expect(written.notices == whole.notices)
  }

  /// A file that is not finished is freed, wherever libjpeg has moved it.
  @Test(arguments: [0, 16, 32, 512]) func isAbandoned(height: Int) throws {
    let image = TestImage.make(.ycbcr(.yuv420), bits: 8, width: 300, height: 512)
    let cicp = CICP(primaries: .bt709, transfer: .srgb, matrix: .bt601, isFullRange: true)
    let stream = try JPEGStream(
      Image(image, cicp).description, options: EncoderOptions(quality: 100))
    if height > 0 { try stream.append(image.strip(rows: 0..<height)) }
  }

  /// Rows are encoded under the conditions of the operation that appends them.
  @Test func cancellationEndsTheEncoder() throws {
    let image = TestImage.make(.ycbcr(.yuv420), bits: 8, width: 64, height: 32)
    let cicp = CICP(primaries: .bt709, transfer: .srgb, matrix: .bt601, isFullRange: true)
    let description = Image(image, cicp).description
    let execution = Execution()
    let error = #expect(throws: ImageError.self) {
      try execution.run { () throws(ImageError) in
        let stream = try JPEGStream(description, options: EncoderOptions())
        execution.cancel()
        try stream.append(image)
        _ = try stream.finish()
      }
    }
    #expect(error?.category == .cancelled, "\(String(describing: error))")
  }
}
#endif
