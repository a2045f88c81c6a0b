// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// Files that are written and read back, with both codecs.
@Suite("HEIF and AVIF round trips") struct RoundTripTests {
  struct Layout: CustomTestStringConvertible {
    var codec: ItemCodec
    var components: ImageLayout.Components
    var bits: Int
    var matrix: CICP.Matrix

    var testDescription: String { "\(codec) \(components) \(bits)" }
  }

  static let layouts: [Layout] = [ItemCodec.hevc, .av1].flatMap { codec in
    [8, 10, 12].flatMap { bits in
      [
        Layout(codec: codec, components: .gray, bits: bits, matrix: .identity),
        Layout(codec: codec, components: .ycbcr(.yuv420), bits: bits, matrix: .bt2020NonConstant),
        Layout(codec: codec, components: .ycbcr(.yuv422), bits: bits, matrix: .bt2020NonConstant),
        Layout(codec: codec, components: .ycbcr(.yuv444), bits: bits, matrix: .ictcp),
        Layout(codec: codec, components: .rgb, bits: bits, matrix: .identity),
      ]
    }
  }

  static let lossless = EncoderOptions(isLossless: true, speed: 8)

  static func written(
    _ output: OutputImage, _ codec: ItemCodec, options: EncoderOptions = lossless,
    limit: CodedItemLimit? = nil
  ) throws -> [UInt8] {
    var writer = HEIFImageWriter(output, codec: codec, options: options, limit: limit)
    let sink = MemorySink()
    try writer.write(to: sink)
    return sink.bytes
  }

  static func opened(_ bytes: [UInt8]) throws -> SourceImage {
    try SourceImage(decoding: ByteSource(bytes), options: OpeningOptions())
  }

  /// More tiles than a grid can have.
  @Test func tooManyTiles() {
    let image = TestImage.make(.gray, bits: 8, width: 64 * 257, height: 16)
    let output = OutputImage(Image(image, CICP(primaries: .bt709, transfer: .srgb)))
    let error = #expect(throws: ImageError.self) {
      _ = try Self.written(
        output, .hevc, limit: CodedItemLimit(pixels: 64 * 64, width: 64, height: 64))
    }
    #expect(
      error?.code.english == "an image of {size pixel} needs more than 256 tiles in a row or column"
    )
  }

  @Test(arguments: layouts)
  func losslessIsExact(layout: Layout) throws {
    for (width, height) in [(131, 97), (64, 40), (3, 5), (1, 1)] {
      let image = TestImage.make(
        layout.components, bits: layout.bits, width: width, height: height, hasAlpha: true)
      let cicp = CICP(primaries: .bt2020, transfer: .pq, matrix: layout.matrix)
      let bytes = try Self.written(OutputImage(Image(image, cicp)), layout.codec)
      let document = try Self.opened(bytes)
      let decoded = try document.image.decode()
      #expect(decoded.layout == image.layout, "\(width)x\(height)")
      #expect(decoded.checksum == image.checksum, "\(width)x\(height)")
      #expect(document.notices == [])
    }
  }

  /// Bitstream and container specify the same color, which is the requested one.
  @Test(arguments: layouts, [true, false])
  func bitstreamMatchesTheContainer(layout: Layout, isFullRange: Bool) throws {
    let image = TestImage.make(
      layout.components, bits: layout.bits, width: 70, height: 50)
    let cicp = CICP(
      primaries: .displayP3, transfer: .hlg, matrix: layout.matrix, isFullRange: isFullRange)
    let bytes = try Self.written(
      OutputImage(Image(image, cicp)), layout.codec,
      options: EncoderOptions(quality: 60, speed: 9))
    let file = try HEIFFile(parsing: ByteSource(bytes))
    let item = try file.primaryItem
    let expected = layout.components == .gray ? CICP.Matrix.bt601 : layout.matrix
    #expect(item.cicp?.matrix == expected)
    #expect(item.cicp?.primaries == .displayP3)
    #expect(item.cicp?.transfer == .hlg)
    #expect(item.cicp?.isFullRange == isFullRange)
    if let configuration = item.property(HEVCConfigurationBox.self) {
      #expect(try configuration.sequenceParameterSet.usability?.cicp == item.cicp)
      #expect(try configuration.inconsistentFields == [])
    } else {
      let configuration = try #require(item.property(AV1ConfigurationBox.self))
      let header = try AV1SequenceHeader(ofItem: file.data(of: item.id))
      #expect(header.cicp == item.cicp)
      #expect(configuration.inconsistentFields(with: header) == [])
      #expect(header.chromaSamplePosition == (layout.components == .ycbcr(.yuv420) ? 1 : 0))
    }
  }

  @Test(arguments: [ItemCodec.hevc, .av1])
  func gridsAreExact(codec: ItemCodec) throws {
    // 4:2:0 of odd size: the grid is even, and `clap` crops it.
    let image = TestImage.make(
      .ycbcr(.yuv420), bits: 10, width: 301, height: 187, hasAlpha: true)
    let cicp = CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    let bytes = try Self.written(
      OutputImage(Image(image, cicp, orientation: .rotated90)), codec,
      limit: CodedItemLimit(pixels: 128 * 128, width: 128, height: 128))
    let file = try HEIFFile(parsing: ByteSource(bytes))
    #expect(try file.primaryItem.type == "grid")
    let tiles = file.items.filter { $0.type == codec.itemType }
    #expect(tiles.count == 12)
    #expect(tiles.filter(\.isHidden).count == 12)
    for threads in [1, 3] {
      let document = try Self.opened(bytes)
      let decoded = try Execution(threads: threads).perform { try document.image.decode() }
      #expect(decoded.layout == image.layout)
      #expect(decoded.checksum == image.checksum)
      #expect(document.image.orientation == .rotated90)
      #expect(document.notices == [])
    }
  }

  @Test(arguments: [ItemCodec.hevc, .av1])
  func metadataSurvives(codec: ItemCodec) throws {
    let image = TestImage.make(.rgb, bits: 10, width: 40, height: 30)
    var output = OutputImage(
      Image(image, CICP(primaries: .bt2020, transfer: .pq), orientation: .transversed))
    output.image.light = LightMetadata(
      diffuseWhite: 203,
      referenceEnvironment: LightMetadata.ReferenceEnvironment(
        surroundLuminance: 5, surroundLight: Chromaticity(x: 0.3127, y: 0.329),
        peripheryLuminance: 5, peripheryLight: Chromaticity(x: 0.3127, y: 0.329)),
      ambientEnvironment: LightMetadata.AmbientEnvironment(
        illuminance: 10, light: Chromaticity(x: 0.3127, y: 0.329)),
      masteringDisplay: LightMetadata.MasteringDisplay(
        primaries: .bt2020, maximumLuminance: 1000, minimumLuminance: 0.0005),
      contentColorVolume: LightMetadata.ContentColorVolume(primaries: .displayP3),
      contentLightLevel: LightMetadata.ContentLightLevel(maximum: 1000, maximumAverage: 203))
    output.exif = ExifBlock.minimal(orientation: .upright)
    output.xmp = Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \
      rdf:about=""/></rdf:RDF></x:xmpmeta>
      """.utf8)
    output.icc = [UInt8](repeating: 7, count: 200)
    let document = try Self.opened(try Self.written(output, codec))
    #expect(document.image.light == output.image.light)
    #expect(document.image.orientation == .transversed)
    #expect(document.declaredColor.cicp == output.image.color.cicp)
    #expect(document.declaredColor.icc == output.icc)
    #expect(document.xmp == output.xmp)
    let exif = try ExifBlock(parsing: #require(document.exif))
    #expect(exif.orientation == .transversed)
  }

  @Test(arguments: [ItemCodec.hevc, .av1])
  func premultipliedAlphaIsSignaled(codec: ItemCodec) throws {
    let image = TestImage.make(.rgb, bits: 10, width: 40, height: 30, hasAlpha: true)
    var format = image.layout
    format.isAlphaPremultiplied = true
    let output = OutputImage(
      Image(
        ImagePlanes(layout: format, planes: image.planes), CICP(primaries: .bt2020, transfer: .pq)))
    let document = try Self.opened(try Self.written(output, codec))
    #expect(document.image.layout.isAlphaPremultiplied)
  }

  @Test(arguments: Orientation.allCases)
  func orientationSurvives(orientation: Orientation) throws {
    let image = TestImage.make(.gray, bits: 10, width: 40, height: 30)
    let output = OutputImage(
      Image(image, CICP(primaries: .bt2020, transfer: .pq), orientation: orientation))
    let document = try Self.opened(try Self.written(output, .av1))
    #expect(document.image.orientation == orientation)
    #expect(document.image.layout.width == 40)
  }

  /// With an ICC profile alone, code points contain only matrix and range, also in the bitstream.
  @Test func codePointsCanBeSilent() throws {
    let image = TestImage.make(.ycbcr(.yuv444), bits: 10, width: 70, height: 50)
    var output = OutputImage(
      Image(image, CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)))
    output.signalsCICP = false
    output.icc = [UInt8](repeating: 7, count: 200)
    for codec in [ItemCodec.hevc, .av1] {
      let document = try Self.opened(try Self.written(output, codec))
      #expect(
        document.declaredColor.cicp
          == CICP(primaries: .unspecified, transfer: .unspecified, matrix: .bt2020NonConstant))
    }
  }

  /// AV1 cannot signal the center, where chroma of unknown location is.
  @Test(arguments: [ItemCodec.hevc, .av1], [ChromaLocation.left, .center, .topLeft])
  func chromaLocationIsWrittenAndRead(codec: ItemCodec, location: ChromaLocation) throws {
    let image = TestImage.make(.ycbcr(.yuv420), bits: 10, width: 70, height: 50)
    let cicp = CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)
    let bytes = try Self.written(
      OutputImage(Image(image, cicp, chromaLocation: location)), codec)
    let document = try Self.opened(bytes)
    #expect(document.image.color.chromaLocation == location)
    #expect(try document.image.decode().checksum == image.checksum)
    let item = try HEIFFile(parsing: ByteSource(bytes)).primaryItem
    switch codec {
    case .hevc:
      let set = try item.property(HEVCConfigurationBox.self)?.sequenceParameterSet
      #expect(set?.usability?.chromaLocation ?? .left == location)
    case .av1:
      let position = item.property(AV1ConfigurationBox.self)?.chromaSamplePosition
      #expect(position == [.left: 1, .center: 0, .topLeft: 2][location])
    }
  }

  @Test(arguments: [ItemCodec.hevc, .av1])
  func bytesDoNotDependOnThreads(codec: ItemCodec) throws {
    let image = TestImage.make(.ycbcr(.yuv444), bits: 10, width: 300, height: 200)
    let output = OutputImage(
      Image(image, CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant)))
    let files = try [1, 2, 5].map { threads in
      try Execution(threads: threads).perform {
        try Self.written(output, codec, options: EncoderOptions(quality: 80))
      }
    }
    #expect(files.map(\.hashValue).allSatisfy { $0 == files[0].hashValue })
  }

  @Test(arguments: [ItemCodec.hevc, .av1])
  func refusesWhatItCannotCode(codec: ItemCodec) {
    let cicp = CICP(primaries: .bt2020, transfer: .pq)
    for bits in [9, 16] {
      let image = TestImage.make(.rgb, bits: bits, width: 8, height: 8)
      #expect(throws: ImageError.self) {
        try Self.written(OutputImage(Image(image, cicp)), codec)
      }
    }
  }
}
#endif
