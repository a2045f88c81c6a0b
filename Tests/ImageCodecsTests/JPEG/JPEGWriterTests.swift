// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if JPEG
@Suite("JPEG writing") struct JPEGWriterTests {
  private func output(_ components: ImageLayout.Components) -> OutputImage {
    let format = ImageLayout(
      width: 101, height: 67, components: components, samples: .integer(bits: 8))
    let planes = (0..<format.planeCount).map { index in
      let size = format.planeSize(index)
      return Plane<UInt16>(width: size.width, height: size.height) { samples in
        for y in 0..<size.height {
          for x in 0..<size.width { samples.append(UInt16(40 + index * 30 + x + y / 2)) }
        }
      }
    }
    return OutputImage(
      Image(
        ImagePlanes(layout: format, planes: .integer(planes)),
        CICP(primaries: .bt709, transfer: .srgb, matrix: .bt601), chromaLocation: .center),
      signalsCICP: false)
  }

  @Test(arguments: [
    ImageLayout.Components.ycbcr(.yuv444), .ycbcr(.yuv422), .ycbcr(.yuv420), .gray,
  ])
  func samplesComeBack(components: ImageLayout.Components) throws {
    let output = output(components)
    let bytes = try output.encoded(as: .jpeg, options: EncoderOptions(quality: 98))
    let image = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions()).image
    #expect(image.layout == output.image.layout)
    guard case .integer(let decoded) = try image.decode(stripHeight: 20).planes,
      case .integer(let coded) = try output.image.planes().planes
    else {
      Issue.record("not integers")
      return
    }
    for (decoded, coded) in zip(decoded, coded) {
      for index in coded.span.indices {
        #expect(abs(Int(decoded.span[index]) - Int(coded.span[index])) <= 2)
      }
    }
  }

  @Test func quality() throws {
    let sizes = try [10, 50, 95].map { quality in
      try output(.ycbcr(.yuv420)).encoded(
        as: .jpeg, options: EncoderOptions(quality: quality)
      ).count
    }
    #expect(sizes == sizes.sorted())
    #expect(Set(sizes).count == 3)
  }

  @Test func metadata() throws {
    var output = output(.ycbcr(.yuv420))
    output.icc = ICCProfile.generate(primaries: .displayP3, curve: .srgb, description: "test")
    output.exif = ExifBlock.minimal(orientation: .upright)
    output.image.orientation = .rotated180
    output.xmp = XMPPacket.empty
    let bytes = try output.encoded(as: .jpeg, options: EncoderOptions())
    let document = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions())
    #expect(document.image.color.primaries == .displayP3)
    #expect(document.image.orientation == .rotated180)
    #expect(document.xmp == XMPPacket.empty)
    #expect(document.notices.isEmpty)
  }

  @Test func onlyWhatJPEGHolds() {
    var narrow = output(.ycbcr(.yuv420))
    narrow.image.color.matrix = .bt2020NonConstant
    let options = EncoderOptions()
    #expect(throws: ImageError.self) { try narrow.encoded(as: .jpeg, options: options) }
    #expect(throws: ImageError.self) { try output(.rgb).encoded(as: .jpeg, options: options) }
    let lossless = EncoderOptions(isLossless: true)
    #expect(throws: ImageError.self) { try output(.gray).encoded(as: .jpeg, options: lossless) }
  }
}
#endif
