// SPDX-License-Identifier: Apache-2.0
#if JPEG && HEIF && AVIF
import Foundation
import GainMap
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Gain map encoder") struct GainMapEncoderTests {
  private static let width = 96
  private static let height = 64

  /// A highlight of 2000 cd/m² in front of a color gradient of at least 1 cd/m².
  private func bright(_ width: Int = width, _ height: Int = height) -> SourceImage {
    func plane(_ value: @escaping (Int, Int) -> Double) -> Plane<UInt16> {
      Plane(width: width, height: height) { samples in
        for y in 0..<height {
          for x in 0..<width {
            let isLamp = (20..<40).contains(x) && (20..<40).contains(y)
            samples.append(UInt16(clamping: PQ.inverseEOTF(isLamp ? 2000 : value(x, y)) * 65_535))
          }
        }
      }
    }
    let format = ImageLayout(
      width: width, height: height, components: .rgb, samples: .integer(bits: 16))
    let image = ImagePlanes(
      layout: format,
      planes: .integer([
        plane { x, _ in 1 + 3 * Double(x) }, plane { _, y in 1 + 3 * Double(y) },
        plane { x, y in 1 + Double(x + y) },
      ]))
    return document(image, ColorEncoding(primaries: .bt2020, transfer: .pq))
  }

  /// The same image at half the luminance, clipped, in 8-bit sRGB.
  private func standard(_ orientation: Orientation = .upright) throws -> SourceImage {
    let bright = bright()
    let encoding = ColorEncoding(primaries: .bt709, transfer: .srgb)
    let target = ImageDescription(
      layout: ImageLayout(
        width: Self.width, height: Self.height, components: .rgb, samples: .integer(bits: 8)),
      color: encoding)
    let image = try ImageTransform(
      from: .init(layout: bright.image.layout, color: bright.image.color), to: target,
      exposure: -1
    ).run(bright.image.makeReader()).image
    // Rotated by the inverse of the orientation.
    let back: Orientation = orientation == .rotated90 ? .rotated270 : orientation
    var document = document(image.upright(from: back), encoding)
    document.image.orientation = orientation
    return document
  }

  private func document(_ image: ImagePlanes, _ encoding: ColorEncoding) -> SourceImage {
    SourceImage(
      format: .png,
      image: Image(image, encoding))
  }

  private func options(_ format: FileFormat) -> GainMapEncoder.Options {
    var options = GainMapEncoder.Options(
      format: format, encoder: EncoderOptions(quality: 90))
    options.map.scale = 1
    return options
  }

  private func read(_ result: GainMapEncoder.Result) throws -> SourceImage {
    try SourceImage(
      decoding:
        ByteSource(ByteSource(result.bytes).bytes(in: 0..<result.bytes.count)),
      options: OpeningOptions())
  }

  @Test("an image without highlights is valid, but not for a gain map")
  func noHeadroom() throws {
    let error = try #require(
      #expect(throws: ImageError.self) {
        try GainMapEncoder(options(.jpeg)).run(hdr: try standard())
      })
    #expect(error.category == .unsuitable && error.code.id == "create/no-headroom")
  }

  /// An HDR image that is converted as the gain is computed, or while the SDR image is encoded, yields the file of one
  /// in memory.
  @Test(arguments: [false, true])
  func measuredOnDemand(isKept: Bool) throws {
    // More than one strip, whose rows do not divide by the scale.
    let (width, height) = (50, 901)
    let hdr = bright(width, height)
    var sdr = try SourceImage(
      decoding:
        ByteSource(GainMapEncoder(options(.jpeg)).run(hdr: hdr).bytes), options: OpeningOptions())
    sdr.gainMaps = []
    var options = options(.jpeg)
    options.keepsCodedBaseline = isKept
    (options.map.componentCount, options.map.scale) = (1, 4)
    let once = try ImagePair(hdr: hdr, sdr: sdr, options: options)
    #expect(once.measurement == nil)
    let sampled = try GainMapEncoder(options).run(hdr: hdr, sdr: sdr)
    options.measurement = .full
    func pair(threads: Int) throws -> (ImagePair, GainMapEncoder.Result) {
      try Execution(threads: threads).perform {
        (
          try ImagePair(hdr: hdr, sdr: sdr, options: options),
          try GainMapEncoder(options).run(hdr: hdr, sdr: sdr)
        )
      }
    }
    let (unconverted, full) = try pair(threads: 1)
    #expect((unconverted.measurement == nil) == !isKept)
    let (_, concurrent) = try pair(threads: 2)
    #expect(sampled.quality.measuredShare < 1 && full.quality.measuredShare == 1)
    #expect(sampled.metadata == full.metadata)
    #expect(sampled.lightLevels.maximum == full.lightLevels.maximum)
    #expect(sampled.lightLevels.contentHeadroom == full.lightLevels.contentHeadroom)
    #expect(sampled.notices.map(\.code.id).sorted() == full.notices.map(\.code.id).sorted())
    func bytes(_ result: GainMapEncoder.Result) throws -> [UInt8] {
      Array(try ByteSource(result.bytes).bytes(in: 0..<result.bytes.count))
    }
    #expect(try bytes(sampled) == bytes(full))
    #expect(try bytes(concurrent) == bytes(full))
    #expect(concurrent.notices == full.notices)
    #expect(concurrent.quality == full.quality)
    // Without highlights.
    for measurement in [GainMapQuality.Extent.sampled, .full] {
      options.measurement = measurement
      let dark = try #require(
        #expect(throws: ImageError.self) {
          try Execution(threads: 2).perform { try GainMapEncoder(options).run(hdr: sdr, sdr: sdr) }
        })
      #expect(dark.code.id == "create/no-headroom")
    }
  }

  /// An HDR image of one component, with a map of three.
  @Test(arguments: [1, 2]) func grayPair(threads: Int) throws {
    let layout = ImageLayout(
      width: Self.width, height: Self.height, components: .gray, samples: .integer(bits: 16))
    let plane = Plane<UInt16>(width: layout.width, height: layout.height) { samples in
      for index in 0..<layout.width * layout.height {
        samples.append(UInt16(clamping: PQ.inverseEOTF(index % 50 == 0 ? 1000 : 100) * 65_535))
      }
    }
    let hdr = document(
      ImagePlanes(layout: layout, planes: .integer([plane])),
      ColorEncoding(primaries: .bt2020, transfer: .pq))
    let sdr = try standard()
    let result = try Execution(threads: threads).perform {
      try GainMapEncoder(options(.jpeg)).run(hdr: hdr, sdr: sdr)
    }
    #expect(result.mapLayout.componentCount == 3)
  }

  @Test("mattes are stored with the baseline image", arguments: [FileFormat.jpeg, .heif, .avif])
  func mattes(format: FileFormat) throws {
    let skin = "urn:com:apple:photo:2019:aux:semanticskinmatte"
    var document = bright()
    document.image.orientation = .rotated90
    document.auxiliaries = [
      AuxiliaryImage(
        type: skin,
        image: try Image(
          ImageDescription(
            layout: ImageLayout(
              width: 48, height: 32, components: .gray, samples: .integer(bits: 8)),
            color: .data),
          planes: .integer([Plane(width: 48, height: 32, filledWith: 255)])))
    ]
    let result = try GainMapEncoder(options(format)).run(hdr: document)
    let bytes = try ByteSource(result.bytes).bytes(in: 0..<result.bytes.count)
    let file = try ImageFile(parsing: ByteSource(bytes))
    let found = try file.namedAuxiliaries.filter { $0.type == skin }
    let isLost = result.notices.contains {
      $0.code.id == "auxiliary/not-storable"
        && $0.parameters["names"] == .list([.text("skin matte")])
    }
    guard format != .jpeg else {
      #expect(found.isEmpty && isLost)
      return
    }
    #expect(found.count == 1 && !isLost)
    let matte = try #require(
      try ImageFile(parsing: ByteSource(bytes)).contents().images
        .first { $0.auxiliaryType == skin })
    #expect((matte.layout.width, matte.layout.height) == (32, 48))
  }

  @Test(arguments: [FileFormat.jpeg, .heif, .avif], [false, true])
  func ofOneRendition(format: FileFormat, isBaseHDR: Bool) throws {
    guard format != .jpeg || !isBaseHDR else { return }
    var options = options(format)
    options.isBaseHDR = isBaseHDR
    options.chroma = .yuv444
    let result = try GainMapEncoder(options).run(hdr: bright())
    #expect(result.quality.meanDeltaE < 5, "\(result.quality)")
    #expect(result.baseByteCount + result.mapByteCount < result.bytes.count)
    let document = try read(result)
    #expect(document.notices.isEmpty, "\(document.notices)")
    #expect(document.image.color.transfer == (isBaseHDR ? .pq : .srgb))
    let map = try #require(document.gainMap)
    let flavors = Set(map.flavors)
    #expect(flavors == (format == .jpeg ? [.iso, .xmp] : [.iso]))
    let meaning = try #require(map.metadata)
    let headrooms = [meaning.baseHeadroom.value, meaning.alternateHeadroom.value]
    // Ratio of the highlight to reference white.
    #expect(abs((headrooms.max() ?? 0) - log2(2000 / 203)) < 0.03 && headrooms.min() == 0)
    #expect((meaning.baseHeadroom.value > 0) == isBaseHDR)
    if format != .jpeg {
      #expect(map.alternate.cicp?.transfer == (isBaseHDR ? .srgb : .pq))
      #expect((map.alternate.light.contentLightLevel != nil) == !isBaseHDR)
    }
  }

  /// The declared headroom is used unless it exceeds the measured one by more than a stop or is
  /// below 1.
  ///
  /// The same rule applies to `render`.
  @Test(arguments: [(3000, 3000), (1500, 1500), (10_000, 2000), (150, 2000)])
  func declaredHeadroom(declared: Double, expected: Double) throws {
    var document = bright()
    document.image.light.contentLightLevel = LightMetadata.ContentLightLevel(
      maximum: declared, maximumAverage: 100)
    let result = try GainMapEncoder(options(.jpeg)).run(hdr: document)
    let stops = result.metadata.alternateHeadroom.value
    #expect(abs(stops - log2(expected / 203)) < 0.01)
    #expect(
      result.notices.contains {
        $0.code.english
          == "{source} specifies a peak of {declared}x the reference white, the image reaches "
          + "{measured}x; rendered for the image"
      }
        == (declared == 10_000))
    var options = ConversionOptions(format: .png, encoder: EncoderOptions())
    options.rendering = RenderingOptions(display: DisplayTarget(headroom: .standard))
    options.transfer = .srgb
    let content = try ImageConverter(options).run(document).rendering?.content.headroom.stops
    if declared > 203 { #expect(abs(try #require(content) - stops) < 0.01) }
  }

  @Test(arguments: [Orientation.upright, .rotated90, .mirrored])
  func ofTwoRenditions(orientation: Orientation) throws {
    var standard = try standard(orientation)
    standard.exif = try ExifBlock.consistent(nil, with: .flipped)
    let result = try GainMapEncoder(options(.jpeg)).run(hdr: bright(), sdr: standard)
    #expect(result.quality.meanDeltaE < 8, "\(result.quality)")
    // Half as bright, with the highlight clipped at white: 2000 cd/m² relative to 203 cd/m².
    #expect(abs(result.metadata.logGain(ofSample: 1, component: 1) - log2(2000 / 203)) < 0.1)
    let document = try read(result)
    #expect(document.image.orientation == .upright && document.exif != nil)
    #expect(document.image.layout.width == Self.width)
  }

  @Test func renditionsThatDoNotFit() throws {
    let authoring = try GainMapEncoder(options(.jpeg))
    func refuses(_ hdr: SourceImage, _ sdr: SourceImage) -> Bool {
      (try? authoring.run(hdr: hdr, sdr: sdr)) == nil
    }
    #expect(try refuses(bright(48, 32), standard()))
    #expect(refuses(bright(), bright()))
    // No pixel exceeds reference white.
    #expect(try refuses(standard(), standard()))
  }

  /// A reader of an image that is damaged.
  private final class DamagedReader: RowReader {
    let layout: ImageLayout
    private let file: String

    init(_ layout: ImageLayout, _ file: String) {
      self.layout = layout
      self.file = file
    }

    func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
      throw ImageError(.libraryFailed, ["library": "\(file)", "detail": "damaged"])
    }
  }

  private func damaged(_ document: SourceImage, _ file: String) -> SourceImage {
    var document = document
    let description = document.image.description
    document.image = Image(description) { () throws(ImageError) in
      DamagedReader(description.layout, file)
    }
    return document
  }

  /// The error of the HDR image comes first, and different sizes before any decoding.
  @Test(arguments: [1, 2]) func errorsOfPairs(threads: Int) throws {
    func error(_ hdr: SourceImage, _ sdr: SourceImage) throws -> String {
      let error = try #require(
        #expect(throws: ImageError.self) {
          try Execution(threads: threads).perform {
            try GainMapEncoder(options(.jpeg)).run(hdr: hdr, sdr: sdr)
          }
        })
      return "\(error.code.id): \(error)"
    }
    let sdr = try damaged(standard(), "sdr.png")
    #expect(try error(damaged(bright(), "hdr.png"), sdr).contains("hdr.png"))
    #expect(try error(bright(), sdr).contains("sdr.png"))
    #expect(try error(damaged(bright(48, 32), "hdr.png"), sdr).contains("create/sizes-differ"))
  }

  @Test func whatCannotBe() {
    func refuses(_ format: FileFormat, _ change: (inout GainMapEncoder.Options) -> Void) -> Bool {
      var options = options(format)
      change(&options)
      return (try? GainMapEncoder(options)) == nil
    }
    #expect(refuses(.tiff) { _ in })
    #expect(!refuses(.png) { $0.flavors = [.iso] })
    #expect(refuses(.jpeg) { $0.isBaseHDR = true })
    #expect(refuses(.jpeg) { $0.depth = 10 })
    #expect(refuses(.jpeg) { $0.map.depth = 10 })
    #expect(refuses(.avif) { $0.map.depth = 12 })
    #expect(refuses(.heif) { $0.chroma = .yuv400 })
    #expect(refuses(.heif) { ($0.flavors, $0.map.componentCount) = ([.apple], 3) })
    #expect(refuses(.heif) { ($0.flavors, $0.isBaseHDR) = ([.apple], true) })
    #expect(!refuses(.heif) { $0.flavors = [.iso, .apple] })
  }

  /// Decoders in hardware decode HEVC with 4:2:0; `--yuv 444` is an option.
  @Test func chromaOfTheBaselineImage() throws {
    for (format, quality, expected) in [
      (FileFormat.heif, 90, ChromaSubsampling.yuv420), (.heif, 50, .yuv420), (.avif, 50, .yuv444),
      (.jpeg, 95, .yuv444), (.jpeg, 90, .yuv420),
    ] {
      var options = options(format)
      options.encoder.quality = quality
      #expect(try GainMapEncodingParameters(options).chroma == expected)
      options.chroma = .yuv444
      #expect(try GainMapEncodingParameters(options).chroma == .yuv444)
    }
  }

  /// Both flavors share one gray gain map, whose samples follow Apple's curve.
  @Test func applesMap() throws {
    var options = options(.heif)
    options.flavors = [.iso, .apple]
    let result = try GainMapEncoder(options).run(hdr: bright())
    let document = try read(result)
    let map = try #require(document.gainMap)
    #expect(map.flavors == [.iso, .apple])
    #expect(map.auxiliary == .apple && map.layout?.componentCount == 1)
    #expect(result.metadata.alternateHeadroom.value == 3)
    #expect(result.notices.contains { $0.category == .clipped })
  }

  /// A gain in the primaries of the baseline image cannot produce colors outside them; a gain in
  /// wider primaries can.
  @Test func colorsOutsideTheBase() throws {
    let wide = try GainMapEncoder(options(.avif)).run(hdr: bright())
    #expect(!wide.metadata.usesBaseColorSpace)
    var described = options(.avif)
    described.flavors = [.iso, .xmp]
    let narrow = try GainMapEncoder(described).run(hdr: bright())
    #expect(narrow.metadata.usesBaseColorSpace)
    #expect(wide.quality.meanDeltaE < narrow.quality.meanDeltaE)
    let told = [wide, narrow].map { result in
      result.notices.filter { $0.code.id == "create/colors-outside-base" }
    }
    #expect(told.map(\.count) == [0, 1])
    #expect(told[1].first?.parameters["flavors"] == .list([.text("iso"), .text("xmp")]))
    described.map.componentCount = 1
    let gray = try GainMapEncoder(described).run(hdr: bright())
    #expect(
      gray.notices.contains {
        $0.code.id == "create/colors-outside-base" && $0.parameters["components"] == .integer(1)
      })
  }

  /// `MA1B` requires Main profile for all images, but the gain map is 4:4:4.
  @Test func brandsOfBaseAndMap() throws {
    var options = options(.avif)
    options.chroma = .yuv420
    let result = try GainMapEncoder(options).run(hdr: bright())
    let file = try HEIFFile(parsing: ByteSource(result.bytes))
    #expect(file.fileType.compatibleBrands.contains("MA1A"))
    #expect(!file.fileType.compatibleBrands.contains("MA1B"))
    #expect(file.fileType.compatibleBrands.contains("tmap"))
  }

  @Test func smallestFileWithinAnError() throws {
    var options = options(.jpeg)
    options.map.scale = nil
    options.chroma = .yuv444
    // The image contains colors outside P3, which XMP (hdrgm) metadata cannot represent.
    options.flavors = [.iso]
    options.targetError = 12
    let loose = try GainMapEncoder(options).run(hdr: bright())
    options.targetError = 8
    let tight = try GainMapEncoder(options).run(hdr: bright())
    #expect(loose.quality.deltaE99 <= 12 && tight.quality.deltaE99 <= 8)
    #expect(loose.bytes.count < tight.bytes.count)
    #expect(tight.trialCount <= 24)
    options.targetError = 0.01
    let impossible = try GainMapEncoder(options)
    let refused = #expect(throws: ImageError.self) { _ = try impossible.run(hdr: bright()) }
    // The obstacle is not an option that was given.
    #expect(refused?.code.id == "create/target-error-unreachable")
    #expect(refused?.parameters["obstacle"] == .text("format"))
  }

  /// A gain map needs 10 bits for an error that 8 bits cannot reach.
  @Test func depthOfTheMapFollowsTheError() throws {
    var options = options(.avif)
    options.chroma = .yuv444
    options.encoder.quality = 100
    var reached: [Double] = []
    for depth in [8, 10] {
      options.map.depth = depth
      reached.append(try GainMapEncoder(options).run(hdr: bright()).quality.deltaE99)
    }
    try #require(reached[1] < reached[0])
    options.map.depth = nil
    options.targetError = (reached[0] + reached[1]) / 2
    let result = try GainMapEncoder(options).run(hdr: bright())
    #expect(result.mapLayout.samples == .integer(bits: 10))
    #expect(result.quality.deltaE99 <= (reached[0] + reached[1]) / 2)
  }

  @Test func sameFileForAnyNumberOfThreads() throws {
    func bytes(_ threads: Int) throws -> [UInt8] {
      let bytes = try Execution(threads: threads).perform {
        try GainMapEncoder(options(.jpeg)).run(hdr: bright()).bytes
      }
      let source = ByteSource(bytes)
      return try source.bytes(in: 0..<source.count)
    }
    #expect(try bytes(1) == bytes(3))
  }
}
#endif
