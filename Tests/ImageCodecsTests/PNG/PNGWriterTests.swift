// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if PNG
@Suite("PNG writing") struct PNGWriterTests {
  private func image(
    bits: Int, components: ImageLayout.Components, hasAlpha: Bool
  ) -> ImagePlanes {
    let format = ImageLayout(
      width: 19, height: 7, components: components, samples: .integer(bits: bits),
      hasAlpha: hasAlpha)
    let planes = (0..<format.planeCount).map { index in
      Plane<UInt16>(width: 19, height: 7) { samples in
        for position in 0..<19 * 7 {
          samples.append(UInt16((position * 7919 + index * 104_729) % (1 << bits)))
        }
      }
    }
    return ImagePlanes(layout: format, planes: .integer(planes))
  }

  @Test(
    arguments: [8, 10, 12, 16],
    [(ImageLayout.Components.rgb, false), (.rgb, true), (.gray, false), (.gray, true)])
  func codesComeBack(bits: Int, layout: (ImageLayout.Components, Bool)) throws {
    let image = image(bits: bits, components: layout.0, hasAlpha: layout.1)
    let output = OutputImage(Image(image, CICP(primaries: .bt2020, transfer: .pq)))
    let bytes = try output.encoded(as: .png, options: EncoderOptions())
    let document = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions())
    #expect(document.image.layout == image.layout)
    #expect(document.image.color.transfer == .pq)
    #expect(document.notices.isEmpty)
    #expect(try document.image.decode().checksum == image.checksum)
  }

  @Test(arguments: 0...10)
  func everySpeed(speed: Int) throws {
    let image = image(bits: 16, components: .rgb, hasAlpha: true)
    let output = OutputImage(Image(image, CICP(primaries: .bt2020, transfer: .hlg)))
    let bytes = try output.encoded(as: .png, options: EncoderOptions(speed: speed))
    let document = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions())
    #expect(try document.image.decode().checksum == image.checksum)
  }

  /// Files do not depend on the pieces in which rows are appended, nor on the number of threads.
  @Test(arguments: [1, 16, 45, 200], [1, 3]) func piecesAreTheImage(height: Int, threads: Int)
    throws
  {
    // A block has 32 rows.
    let layout = ImageLayout(
      width: 8100, height: 200, components: .rgb, samples: .integer(bits: 10))
    let planes = (0..<3).map { index in
      Plane<UInt16>(width: layout.width, height: layout.height) { samples in
        for position in 0..<layout.width * layout.height {
          samples.append(UInt16((position * 7919 + index * 104_729) >> 9 & 1023))
        }
      }
    }
    let image = ImagePlanes(layout: layout, planes: .integer(planes))
    var output = OutputImage(
      Image(image, CICP(primaries: .bt2020, transfer: .pq)), signalsCICP: false)
    output.image.light.contentLightLevel = .init(maximum: 900, maximumAverage: 90)
    output.xmp = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"/>".utf8)
    let whole = try output.encoded(as: .png, options: EncoderOptions())
    let sink = MemorySink()
    try Execution(threads: threads).perform {
      let header = StreamedImage(output)
      let stream = try #require(
        try header.makeStream(to: sink, as: .png, options: EncoderOptions(), isRotated: true))
      for start in stride(from: 0, to: layout.height, by: height) {
        try stream.append(image.strip(rows: start..<min(start + height, layout.height)))
      }
      try stream.finish(header)
    }
    #expect(sink.bytes == whole)
  }

  /// Several blocks of rows, in which different filters are best: gradients along rows, along
  /// columns and diagonal, few values, and noise.
  @Test(arguments: [8, 10, 16]) func blocksOfRows(bits: Int) throws {
    let (width, height) = (1999, 1003)
    let format = ImageLayout(
      width: width, height: height, components: .rgb, samples: .integer(bits: bits))
    let planes = (0..<3).map { index in
      var random = SplitMix(seed: UInt64(index))
      return Plane<UInt16>(width: width, height: height) { samples in
        for position in 0..<width * height {
          let (x, y) = (position % width, position / width)
          let noise = Int(truncatingIfNeeded: random.next() >> 40)
          let value = [x * 7, y * 31, (x + y) * 3 + noise & 1, x / 50 % 3 * 200, noise][y / 80 % 5]
          samples.append(UInt16(truncatingIfNeeded: value) & UInt16((1 << bits) - 1))
        }
      }
    }
    let image = ImagePlanes(layout: format, planes: .integer(planes))
    let output = OutputImage(Image(image, CICP(primaries: .bt2020, transfer: .pq)))
    func bytes(_ threads: Int) throws -> [UInt8] {
      try Execution(threads: threads).perform {
        try output.encoded(as: .png, options: EncoderOptions())
      }
    }
    let file = try bytes(1)
    #expect(try bytes(3) == file)
    #expect(try PNGFile(parsing: ByteSource(file)).chunks.count { "\($0.type)" == "IDAT" } > 2)
    let document = try SourceImage(decoding: ByteSource(file), options: OpeningOptions())
    #expect(try document.image.decode().checksum == image.checksum)
  }

  /// Equal rows of noise, of which a block has eight: every filter but Up leaves noise.
  @Test func filtersOfWideImages() throws {
    let (width, height) = (30_000, 20)
    let layout = ImageLayout(
      width: width, height: height, components: .rgb, samples: .integer(bits: 16))
    let planes = (0..<3).map { index in
      var random = SplitMix(seed: UInt64(index))
      let row = (0..<width).map { _ in UInt16(truncatingIfNeeded: random.next() >> 40) }
      return Plane<UInt16>(width: width, height: height) { samples in
        for position in 0..<width * height { samples.append(row[position % width]) }
      }
    }
    let image = ImagePlanes(layout: layout, planes: .integer(planes))
    let output = OutputImage(Image(image, CICP(primaries: .bt2020, transfer: .pq)))
    let bytes = try output.encoded(as: .png, options: EncoderOptions())
    #expect(bytes.count < 2 * 6 * width)
    let document = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions())
    #expect(try document.image.decode().checksum == image.checksum)
  }

  /// Source: project notes on PNG HDR chunks, which list chunks and order.
  @Test func metadata() throws {
    let exif = ExifBlock.minimal(orientation: .upright)
    let description = LightMetadata(
      diffuseWhite: 180,
      masteringDisplay: LightMetadata.MasteringDisplay(
        primaries: .bt2020, maximumLuminance: 1000, minimumLuminance: 0.0005),
      contentLightLevel: LightMetadata.ContentLightLevel(maximum: 1000, maximumAverage: 203))
    let profile = [UInt8](repeating: 7, count: 300)
    let output = OutputImage(
      Image(
        image(bits: 10, components: .rgb, hasAlpha: false), CICP(primaries: .bt2020, transfer: .pq),
        light: description, orientation: .rotated90), icc: profile, exif: exif, xmp: XMPPacket.empty
    )
    let bytes = try output.encoded(as: .png, options: EncoderOptions())
    let file = try PNGFile(parsing: ByteSource(bytes))
    let types = file.chunks.map { "\($0.type)" }
    let beforeSamples = types.prefix { $0 != "IDAT" }
    #expect(
      Set(beforeSamples) == ["IHDR", "sBIT", "cICP", "mDCV", "cLLI", "iCCP", "eXIf", "iTXt"])
    #expect(beforeSamples.count == 8)
    #expect(hex(of: "cICP", in: file) == "09100001")
    #expect(
      hex(of: "mDCV", in: file) == "8a48390821349baa199608fc3d1340420098968000000005")
    #expect(hex(of: "cLLI", in: file) == "00989680001ef9b0")
    #expect(hex(of: "sBIT", in: file) == "0a0a0a")
    #expect(try file.profile()?.bytes == profile)

    let document = try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions())
    #expect(document.image.orientation == .rotated90)
    #expect(document.image.light == description)
    #expect(document.image.color.referenceWhite == 180)
  }

  /// Source: project notes on PNG HDR chunks: PQ of 203 cd/m² in 10 bits.
  @Test func widening() {
    #expect(UInt16(594).widened(from: 10, to: 16) == 0x94A5)
    #expect(UInt16(4095).widened(from: 12, to: 16) == 0xFFFF)
    #expect(UInt16(1).widened(from: 1, to: 8) == 0xFF)
    #expect(UInt16(0x123).widened(from: 9, to: 16) == 0x9180 | 0x123 >> 2)
    for code in UInt16(0)..<1024 {
      #expect(code.widened(from: 10, to: 16) >> 6 == code)
    }
  }

  @Test func multipliedAlphaIsRefused() {
    var format = ImageLayout(
      width: 1, height: 1, components: .gray, samples: .integer(bits: 8), hasAlpha: true)
    format.isAlphaPremultiplied = true
    let plane = Plane<UInt16>(width: 1, height: 1, filledWith: 0)
    let image = ImagePlanes(layout: format, planes: .integer([plane, plane]))
    let output = OutputImage(Image(image, CICP(primaries: .bt2020, transfer: .pq)))
    let error = #expect(throws: ImageError.self) {
      try output.encoded(as: .png, options: EncoderOptions())
    }
    #expect(error?.category == .invalidArgument)
  }

  private func hex(of type: String, in file: PNGFile) -> String? {
    guard let chunk = file.chunks.first(where: { "\($0.type)" == type }) else { return nil }
    return try? file.data(of: chunk).map { byte in
      let text = String(byte, radix: 16)
      return text.count == 1 ? "0" + text : text
    }.joined()
  }
}
#endif
