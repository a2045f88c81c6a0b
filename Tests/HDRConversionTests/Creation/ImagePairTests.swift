// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// The SDR image that is generated if only an HDR image is given.
@Suite("SDR baseline image of a gain map") struct ImagePairTests {
  private static let ramp: [Float] = (0..<256).map { 4 * Float($0) / 255 }

  /// Section 9 of the specification: operator, path to white, gamut, 8-bit sRGB curve.
  @Test(arguments: [
    (ToneMapOperator.adaptive, 0.0), (.shoulder, 0.05), (.clip, 0), (.referenceWhite, 0.15),
  ])
  func equalsDefinition(method: ToneMapOperator, desaturation: Double) throws {
    let document = SourceImage(
      [Self.ramp, Self.ramp.map { $0 / 3 }, Self.ramp.map { $0 / 8 }], width: Self.ramp.count,
      encoding: ColorEncoding(primaries: .displayP3, transfer: .linear))
    var options = GainMapEncoder.Options(format: .jpeg, encoder: EncoderOptions())
    #expect(options.method == .adaptive && options.highlightDesaturation == nil)
    options.method = method
    options.highlightDesaturation = desaturation
    let pair = try ImagePair(hdr: document, sdr: nil, options: options)
    let target = ColorEncoding(primaries: .displayP3, transfer: .srgb)
    var format = pair.base
    format.samples = .integer(bits: 8)
    let image = try pair.baseImage(as: .init(layout: format, color: target))
    guard case .integer(let planes) = try image.planes().planes else {
      Issue.record("not integers")
      return
    }
    let codes = planes.map { plane in
      let samples = plane.span
      return samples.indices.map { Double(samples[$0]) }
    }
    let levels = try #require(pair.measurement).levels
    var rendition = try Rendition.standard(
      content: levels.contentHeadroom, key: levels.key, using: method)
    rendition.highlightDesaturation = desaturation
    let mapper = try #require(rendition.gamutMapper(from: .bt2020, to: .displayP3))
    let toBT2020 = ColorPrimaries.displayP3.conversion(to: .bt2020)
    for (index, light) in Self.ramp.map(Double.init).enumerated() {
      let color = toBT2020 * SIMD3(light, light / 3, light / 8)
      let shown = mapper.mapped(rendition.toneMapped(color, for: .displayP3))
      for component in 0..<3 {
        let exact = SRGB.inverseEOTF(min(max(shown[component], 0), 1)) * 255
        // Rounding error, including that of the intermediate 16-bit PQ.
        #expect(abs(codes[component][index] - exact) < 0.6, "\(light), \(component)")
      }
    }
  }

  /// An encoder that takes rows encodes the image that others take as a whole.
  @Test(arguments: [ChromaSubsampling.yuv444, .yuv420])
  func piecesAreTheImage(chroma: ChromaSubsampling) throws {
    let document = SourceImage(
      [Self.ramp, Self.ramp.map { $0 / 3 }, Self.ramp.map { $0 / 8 }], width: 4,
      encoding: ColorEncoding(primaries: .displayP3, transfer: .linear))
    let options = GainMapEncoder.Options(format: .jpeg, encoder: EncoderOptions())
    var pair = try ImagePair(hdr: document, sdr: nil, options: options)
    var layout = pair.base
    (layout.components, layout.samples) = (.ycbcr(chroma), .integer(bits: 8))
    let target = ImageDescription(
      layout: layout,
      color: ColorEncoding(primaries: .displayP3, transfer: .srgb, matrix: .bt601))
    let whole = try pair.baseImage(as: target).planes()
    var end = 0
    try pair.forEachPieceOfBase(as: target) { piece throws(ImageError) in
      let rows = end..<end + piece.layout.height
      guard case .integer(let planes) = piece.planes,
        case .integer(let others) = whole.strip(rows: rows).planes
      else { preconditionFailure("8-bit samples are integers") }
      for (plane, other) in zip(planes, others) { #expect(plane == other) }
      end = rows.upperBound
    }
    #expect(end == 64)
    pair.freeBase()
    #expect(pair.base.height == 64)
  }
}
