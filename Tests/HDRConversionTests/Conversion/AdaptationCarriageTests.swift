// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// Carriers of SMPTE ST 2094-50 metadata in files, and their precedence.
@Suite("Carriage of ST 2094-50") struct AdaptationCarriageTests {
  private static let ramp: [Float] = (0..<4096).map { 4.926 * Float($0 % 64) / 63 }

  private static func document() -> SourceImage {
    SourceImage(
      [ramp, ramp.map { $0 / 2 }, ramp.map { $0 / 5 }], width: 64,
      encoding: ColorEncoding(primaries: .bt2020, transfer: .linear))
  }

  private static func written(_ options: ConversionOptions) throws -> [UInt8] {
    try ImageConverter(options).run(document()).output
      .encoded(as: options.format, options: options.encoder)
  }

  private static func options(
    _ format: FileFormat, _ signaling: ConversionRequest.Color.Signaling? = nil
  ) -> ConversionOptions {
    var options = ConversionOptions.plain(format)
    options.metadata.adaptation = .shoulder
    options.signaling = signaling
    return options
  }

  private static let coded: [FileFormat] = {
    var formats: [FileFormat] = []
    #if HEIF
    formats.append(.heif)
    #endif
    #if AVIF
    formats.append(.avif)
    #endif
    return formats
  }()

  /// HEIF and AVIF store the metadata in profile and bitstream or in the bitstream only; samples
  /// are unchanged.
  @Test(arguments: coded) func bitstream(format: FileFormat) throws {
    let both = ByteSource(try Self.written(Self.options(format)))
    let inspection = try ImageFile(parsing: both).contents()
    let found = try #require(inspection.primary.color?.adaptations)
    #expect(found.map(\.carrier) == [.profile, .bitstream])
    #expect(found[0].adaptation == found[1].adaptation)
    #expect(found[0].adaptation.toneMap?.alternates.count == 4)
    #expect(inspection.notices.isEmpty, "\(inspection.notices)")

    let alone = ByteSource(try Self.written(Self.options(format, .cicp)))
    let document = try SourceImage(decoding: alone, options: OpeningOptions())
    #expect(document.declaredColor.icc == nil && document.notices.isEmpty)
    #expect(document.headroomAdaptation == found[0].adaptation)
    var plain = Self.options(format, .cicp)
    plain.metadata.adaptation = ConversionRequest.Metadata.Adaptation.none
    let without = try SourceImage(
      decoding:
        ByteSource(try Self.written(plain)), options: OpeningOptions())
    #expect(without.headroomAdaptation == nil)
    let rows = 0..<document.image.layout.height
    #expect(
      try document.image.makeReader().read(rows: rows).integerRows
        == without.image.makeReader().read(rows: rows).integerRows)
  }

  /// The metadata of the file takes precedence over the default operator, whatever its carrier.
  @Test(arguments: coded) func isObeyed(format: FileFormat) throws {
    let source = ByteSource(try Self.written(Self.options(format, .cicp)))
    let document = try SourceImage(decoding: source, options: OpeningOptions())
    var options = ConversionOptions.plain(.png)
    options.rendering = RenderingOptions(
      display: DisplayTarget(headroom: Headroom(ratio: 2)), method: nil)
    #expect(try ImageConverter(options).run(document).rendering?.authority == .headroomAdaptation)
  }

  /// The metadata is kept if linear values are unchanged, even with a profile given by the caller.
  @Test(arguments: coded) func isKept(format: FileFormat) throws {
    let source = ByteSource(try Self.written(Self.options(format)))
    let document = try SourceImage(decoding: source, options: OpeningOptions())
    var options = ConversionOptions.plain(format)
    options.icc = .value(
      try ICCProfile.generate(for: CICP(primaries: .bt2020, transfer: .pq)))
    options.signaling = .both
    let image = try ImageConverter(options).run(document).output
    #expect(image.headroomAdaptation == document.headroomAdaptation)
    let again = try SourceImage(
      decoding:
        ByteSource(try image.encoded(as: format, options: options.encoder)),
      options: OpeningOptions())
    #expect(again.headroomAdaptation == document.headroomAdaptation)
  }

  @Test func carriersThatDiffer() throws {
    let one = HeadroomAdaptation(
      toneMap: AdaptiveToneMap(baselineHeadroom: Headroom(stops: 2), method: .referenceWhite))
    let other = HeadroomAdaptation(
      toneMap: AdaptiveToneMap(baselineHeadroom: Headroom(stops: 3), method: .referenceWhite))
    let icc = try ICCProfile.generate(
      for: CICP(primaries: .bt2020, transfer: .pq), headroomAdaptation: one)
    let foreign: [UInt8] = [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04]
    let found = FoundHeadroomAdaptations(
      icc: icc, messages: [foreign, try other.t35Payload()], transfer: .pq)
    #expect(found.all.map(\.adaptation) == [one, other])
    #expect(found.notices.map(\.category) == [.conflict])
    let broken = FoundHeadroomAdaptations(
      icc: nil, messages: [Array(try other.t35Payload().dropLast()), try one.t35Payload()],
      transfer: .hlg)
    #expect(broken.all == [FoundHeadroomAdaptation(carrier: .bitstream, adaptation: one)])
    #expect(broken.notices.map(\.category) == [.irregular])
    let standard = FoundHeadroomAdaptations(icc: icc, messages: [], transfer: .srgb)
    #expect(standard.all.isEmpty && standard.notices.map(\.category) == [.irregular])
  }
}

extension ImagePlanes {
  fileprivate var integerRows: [[UInt16]] {
    guard case .integer(let planes) = planes else {
      Issue.record("samples are not integers")
      return []
    }
    return planes.map { plane in
      let samples = plane.span
      return samples.indices.map { samples[$0] }
    }
  }
}
