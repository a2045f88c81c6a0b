// SPDX-License-Identifier: Apache-2.0
import Foundation
import GainMap
@testable import HDRConversion
import HDRCore
import TestSupport
import Testing

@testable import ImageCodecs
@testable import ImageFiles

#if JPEG && AVIF
@Suite("Transcoding gain map images", .enabled(if: Corpus.isPresent, "no corpus (HDR_CORPUS)"))
struct GainMapTranscoderTests {
  private func move(
    _ name: String, to format: FileFormat, _ flavors: Set<GainMapFlavor>?, isExact: Bool = false
  ) throws -> GainMapTranscoder {
    var options = GainMapTranscoder.Options(
      format: format, base: EncoderOptions(quality: 98, speed: 10),
      map: EncoderOptions(quality: 98, speed: 10))
    (options.flavors, options.isExact) = (flavors, isExact)
    return try GainMapTranscoder(ImageFile(parsing: Corpus.source(name)), options)
  }

  private func reopened(_ file: RewrittenFile) throws -> SourceImage {
    try SourceImage(
      decoding:
        ByteSource(try file.bytes.allBytes()), options: OpeningOptions())
  }

  /// Only the map is re-encoded, and its gain matches Apple's curve within the reported error.
  @Test func exactMaps() throws {
    let source = try move(
      "jpeg-apple/handmade-makernote.jpg", to: .jpeg, [.iso, .xmp], isExact: true)
    let result = try source.transcoded()
    #expect(result.reencodedPayloads == ["image 1"])
    #expect(result.worstError < 0.02 && result.worstError > 0)
    let document = try reopened(result)
    #expect(document.gainMap?.carriers.map(\.flavor) == [.iso, .xmp])
    let map = try #require(try document.decodeGainMap())
    let difference = try LogGainDifference(
      source.map.codes(), metadata: source.map.metadata, map)
    #expect(difference.worst == result.worstError)
    // The same samples cannot represent both flavors.
    #expect(throws: ImageError.self) {
      _ = try move(
        "jpeg-apple/handmade-makernote.jpg", to: .jpeg, [.iso, .apple], isExact: true
      ).transcoded()
    }
  }

  @Test func otherCodecs() throws {
    let result = try move("jpeg-uhdr/lrc14-1-xmp-iso.jpg", to: .avif, [.iso]).transcoded()
    #expect(result.reencodedPayloads.count == 2)
    let document = try reopened(result)
    #expect(document.format == .avif)
    #expect(document.exif != nil)
    #expect(throws: ImageError.self) {
      _ = try move("avif-gainmap/libavif-seine-hdrbase.avif", to: .jpeg, [.iso]).transcoded()
    }
  }

  /// JPEG output gets an ICC profile and Exif entries that other formats do not need.
  @Test func intoJPEG() throws {
    let source = try move("avif-gainmap/libavif-seine-sdr.avif", to: .jpeg, [.iso])
    #expect(source.document.declaredColor.icc == nil)
    let before = try ExifBlock(parsing: try #require(source.document.exif))
    #expect(before.exposure?[.componentsConfiguration] == nil)
    let document = try reopened(try source.transcoded())
    #expect(
      document.declaredColor.icc
        == (try ICCProfile.generate(
          for: CICP(primaries: .bt709, transfer: .srgb))))
    let exif = try ExifBlock(parsing: try #require(document.exif))
    #expect(exif.exposure?[.componentsConfiguration] != nil)
    #expect(exif.number(.pixelXDimension) == Double(document.image.layout.width))
    #expect(try exif.text(.model) == before.text(.model))
  }

  /// Light levels that a file declares are measured when the image is encoded again.
  ///
  /// Source: ITU-R BT.2100, table 4, of the largest sample (CTA-861.3).
  @Test func lightLevelOfBaseline() throws {
    let name = "avif-gainmap/libavif-seine-hdrbase.avif"
    var edit = MetadataEdit()
    edit.contentLightLevel = .set(.init(maximum: 10, maximumAverage: 5))
    let file = try ImageFile(parsing: Corpus.source(name)).edited(by: edit)
    let options = try move(name, to: .png, [.iso]).options
    let result = try GainMapTranscoder(
      ImageFile(parsing: ByteSource(file.bytes.allBytes())), options
    ).transcoded()
    let image = try reopened(result).image
    #expect(image.color.transfer == .pq)
    let pixels = try image.planes()
    guard case .integer(let planes) = pixels.planes,
      case .integer(let bits) = pixels.layout.samples
    else {
      Issue.record("not integers")
      return
    }
    let largest = planes.flatMap { Array($0.span) }.max() ?? 0
    // The level is measured before samples are rounded.
    let bounds = [-0.5, 0.5].map { offset in
      let root = pow((Double(largest) + offset) / Double(1 << bits - 1), 32 / 2523.0)
      return 10_000
        * pow((root - 3424 / 4096.0) / (2413 / 128.0 - 2392 / 128.0 * root), 16_384 / 2610.0)
    }
    let level = try #require(image.light.contentLightLevel)
    #expect(bounds[0] <= level.maximum && level.maximum <= bounds[1])
    #expect(level.maximumAverage > 100 && level.maximumAverage < level.maximum)
    // Without a declared level, none is written.
    let silent = try move("avif-gainmap/libavif-seine-sdr.avif", to: .png, [.iso]).transcoded()
    #expect(try reopened(silent).image.light.contentLightLevel == nil)
  }

  #if HEIF
  /// The level of the alternate image is that of the baseline image and the gain map.
  @Test func lightLevelOfAlternate() throws {
    let name = "avif-gainmap/libavif-seine-sdr.avif"
    let source = try move(name, to: .avif, [.iso])
    var metadata = source.found
    metadata.alternate.light.contentLightLevel = .init(maximum: 10, maximumAverage: 5)
    let wrong = try GainMapTranscoder.joined(
      base: source.file,
      map: source.file.parsing(source.file.standaloneFile(ofGainMapAt: source.place)), metadata,
      source.options)
    var options = source.options
    options.format = .heif
    let file = try ImageFile(parsing: ByteSource(wrong.bytes.allBytes()))
    let result = try reopened(GainMapTranscoder(file, options).transcoded())
    let level = try #require(result.gainMap?.alternate.light.contentLightLevel)
    // The rendition of the file for its full headroom, in linear values.
    let map = try #require(try result.decodeGainMap())
    var target = result.image.description
    (target.color.primaries, target.color.transfer, target.color.matrix) =
      (.bt2020, .linear, .identity)
    (target.layout.components, target.layout.samples) = (.rgb, .float)
    let rendition = try ImageTransform(from: result.image.description, to: target)
      .applying(map, for: Headroom(map.metadata.alternateHeadroom)).run(result.image.planes())
    guard case .float(let planes) = rendition.image.planes else {
      Issue.record("not floating point")
      return
    }
    let largest = planes.flatMap { Array($0.span) }.max() ?? 0
    let luminance = Double(largest) * target.color.referenceWhite
    #expect(abs(level.maximum / luminance - 1) < 0.08)
  }
  #endif

  /// An SDR baseline image can be stored as JPEG, an HDR baseline image cannot.
  @Test func swapsIntoJPEG() throws {
    let source = try move("avif-gainmap/libavif-seine-hdrbase.avif", to: .jpeg, nil)
    let result = try source.swapped()
    let document = try reopened(result)
    #expect(document.format == .jpeg && !document.isHighDynamicRange)
    let meaning = try #require(document.gainMap?.metadata)
    #expect(meaning.alternateHeadroom.value == source.map.metadata.baseHeadroom.value)
    #expect(meaning.baseHeadroom.value == 0)
    let refused = #expect(throws: ImageError.self) {
      _ = try move("avif-gainmap/libavif-seine-sdr.avif", to: .jpeg, nil).swapped()
    }
    #expect(refused?.category == .invalidArgument)
  }

  /// The gain is applied at full resolution, so that an HDR baseline made with it has 4:4:4 chroma
  /// by default.
  @Test func chromaOfSwapped() throws {
    let name = "jpeg-uhdr/libavif-paris-icc.jpg"
    let cases: [(ChromaSubsampling?, ChromaSubsampling)] = [(nil, .yuv444), (.yuv420, .yuv420)]
    for (chroma, expected) in cases {
      var options = GainMapTranscoder.Options(
        format: .avif, base: EncoderOptions(quality: 50, speed: 10),
        map: EncoderOptions(quality: 50, speed: 10))
      (options.flavors, options.chroma) = ([.iso], chroma)
      let source = try GainMapTranscoder(ImageFile(parsing: Corpus.source(name)), options)
      #expect(source.document.image.layout.chroma == .yuv420)
      #expect(try reopened(source.swapped()).image.layout.chroma == expected)
    }
    var options = try move(name, to: .avif, [.iso]).options
    options.chroma = .yuv400
    #expect(throws: ImageError.self) {
      try GainMapTranscoder(ImageFile(parsing: Corpus.source(name)), options).checkSwapping()
    }
  }

  /// Two swaps restore the metadata; the bytes of the map never change.
  @Test func swaps() throws {
    let source = try move("avif-gainmap/libavif-seine-sdr.avif", to: .avif, nil)
    let once = try source.swapped()
    #expect(once.reencodedPayloads.count == 1)
    let document = try reopened(once)
    #expect(document.isHighDynamicRange)
    #expect(document.image.light.diffuseWhite == ColorEncoding.defaultReferenceWhite)
    // BT.709 and its matrix, as the file specifies for the alternate image.
    #expect(once.notices.count { $0.category == .nonconforming } == 2)
    let again = try GainMapTranscoder(
      ImageFile(parsing: ByteSource(try once.bytes.allBytes())), source.options
    ).swapped()
    let back = try reopened(again)
    #expect(!back.isHighDynamicRange)
    #expect(back.gainMap?.metadata == source.map.metadata)
    let digests = try (once.payloads + again.payloads).map { try $0.sha256() }
    guard case .item(let id) = source.place else {
      Issue.record("no item")
      return
    }
    let map = try #require(
      try source.file.codedPayloads().first { $0.name.hasPrefix("item \(id) ") })
    #expect(digests.count { (try? map.sha256()) == $0 } == 2)
  }
}
#endif
