// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if TIFF
@Suite("TIFF writing") struct TIFFWriterTests {
  private func output(
    bits: Int, components: ImageLayout.Components = .rgb, hasAlpha: Bool = false,
    isPremultiplied: Bool = false, height: Int = 9
  ) -> OutputImage {
    let format = ImageLayout(
      width: 513, height: height, components: components, samples: .integer(bits: bits),
      hasAlpha: hasAlpha, isAlphaPremultiplied: isPremultiplied)
    let planes = (0..<format.planeCount).map { index in
      Plane<UInt16>(width: 513, height: height) { samples in
        for position in 0..<513 * height {
          samples.append(UInt16((position * 40_503 + index * 104_729) % (1 << bits)))
        }
      }
    }
    return OutputImage(
      Image(
        ImagePlanes(layout: format, planes: .integer(planes)),
        CICP(primaries: .bt2020, transfer: .pq)), signalsCICP: false)
  }

  @Test(arguments: [
    (8, ImageLayout.Components.rgb, false, false), (16, .rgb, true, false),
    (16, .rgb, true, true), (16, .gray, false, false), (16, .gray, true, false),
  ])
  func codesComeBack(
    bits: Int, components: ImageLayout.Components, hasAlpha: Bool, isPremultiplied: Bool
  ) throws {
    let output = output(
      bits: bits, components: components, hasAlpha: hasAlpha, isPremultiplied: isPremultiplied)
    let bytes = try output.encoded(as: .tiff, options: EncoderOptions())
    let image = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions()).image
    #expect(image.layout == output.image.layout)
    #expect(try image.decode().checksum == output.image.checksum)
  }

  @Test func tenBitsAreWidened() throws {
    let output = output(bits: 10)
    let bytes = try output.encoded(as: .tiff, options: EncoderOptions())
    let image = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions()).image
      .decode()
    let original = try output.image.planes()
    for x in [0, 1, 250, 512] {
      let widened = original.pixel(x, 4).map {
        Float(UInt16(clamping: $0).widened(from: 10, to: 16))
      }
      #expect(image.pixel(x, 4) == widened)
    }
  }

  /// A file of many strips is identical for one and for three threads.
  @Test func threads() throws {
    let output = output(bits: 16, height: 600)
    let files = try [1, 3].map { threads in
      try Execution(threads: threads).perform {
        try output.encoded(as: .tiff, options: EncoderOptions(speed: 9))
      }
    }
    #expect(files[0] == files[1])
    let file = try TIFFFile(parsing: ByteSource(files[0]))
    #expect(try file.integers(.stripOffsets, in: file.directories[0]).count == 4)
    let image = try SourceImage(decoding: ByteSource(files[0]), options: OpeningOptions()).image
    #expect(try image.decode(stripHeight: 150).checksum == output.image.checksum)
  }

  /// The file uses the byte order of its Exif.
  @Test(arguments: [TIFFFile.ByteOrder.littleEndian, .bigEndian])
  func metadata(order: TIFFFile.ByteOrder) throws {
    var exposure = NewTIFFDirectory()
    exposure.set(.exposureTime, [1, 60 as UInt32], type: .rational, count: 1, order: order)
    exposure.set(.colorSpace, [0xFFFF as UInt16], type: .short, order: order)
    var main = NewTIFFDirectory()
    main.set(.make, undefined: Array("Maker\0".utf8), type: .ascii)
    main.set(.orientation, [3 as UInt16], type: .short, order: order)
    main.set(.exifDirectory, exposure)
    var output = output(bits: 16)
    output.exif = order.header(firstDirectoryAt: 8) + main.serialized(at: 8, order: order)
    output.image.orientation = .rotated90
    output.icc = [UInt8](repeating: 3, count: 201)
    output.xmp = XMPPacket.empty
    output.image.light.diffuseWhite = 150

    let bytes = try output.encoded(as: .tiff, options: EncoderOptions())
    let document = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions())
    #expect(try document.image.decode().checksum == output.image.checksum)
    #expect(document.image.orientation == .rotated90)
    #expect(document.declaredColor.icc == output.icc)
    #expect(document.image.light.diffuseWhite == 150)
    let block = try ExifBlock(parsing: #require(document.exif))
    #expect(block.structure.byteOrder == order)
    #expect(try block.text(.make) == "Maker")
    #expect(block.number(.exposureTime) == 1.0 / 60)
    // The orientation is stored in the file's first directory and removed from Exif.
    #expect(block.orientation == nil)
  }

  @Test func floatsAreRefused() {
    let plane = Plane<Float>(width: 1, height: 1, filledWith: 0)
    let format = ImageLayout(width: 1, height: 1, components: .gray, samples: .float)
    let output = OutputImage(
      Image(
        ImagePlanes(layout: format, planes: .float([plane])),
        CICP(primaries: .bt2020, transfer: .linear)))
    let error = #expect(throws: ImageError.self) {
      try output.encoded(as: .tiff, options: EncoderOptions())
    }
    #expect(error?.category == .invalidArgument)
  }
}
#endif
