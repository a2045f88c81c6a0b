// SPDX-License-Identifier: Apache-2.0
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import Testing

@Suite("HDR conversion") struct ImageConverterTests {
  /// A linear BT.2020 image in memory, one gray value per pixel.
  private func document(
    _ gray: [Float], width: Int, orientation: Orientation = .upright,
    hdr: LightMetadata = LightMetadata(), transfer: TransferFunction = .linear,
    referenceWhite: Double = 203
  ) -> SourceImage {
    SourceImage(
      [gray], width: width, orientation: orientation, hdr: hdr,
      encoding: ColorEncoding(
        primaries: .bt2020, transfer: transfer, referenceWhite: referenceWhite))
  }

  private func codes(_ result: ImageConverter.Result) throws -> [Int] {
    guard case .integer(let planes) = try result.output.image.planes().planes else { return [] }
    let plane = planes[0]
    let samples = plane.span
    return samples.indices.map { Int(samples[$0]) }
  }

  private func options(_ format: FileFormat) -> ConversionOptions { .plain(format) }

  /// 16-bit code values of 203, 1000 and 10 000 cd/m², from BT.2100.
  @Test func grayToPQ() throws {
    let result = try ImageConverter(options(.png))
      .run(document([0, 1, 1000 / 203.0, 10_000 / 203.0], width: 4))
    #expect(try codes(result) == [0, 38_055, 49_271, 65_535])
    #expect(result.output.image.light.diffuseWhite == 203)
    #expect(result.output.image.light.contentLightLevel?.maximum == 10_000)
    #expect(result.notices.isEmpty)
  }

  /// 75 % HLG is 203 cd/m² by BT.2408, exactly 0.749877.
  @Test func grayToHLGWithoutShoulder() throws {
    var hlg = options(.png)
    hlg.transfer = .hlg
    let result = try ImageConverter(hlg).run(document([0, 1, 1000 / 203.0], width: 3))
    #expect(
      try codes(result) == [0, Int(clamping: (0.749877364632173 * 65_535).rounded()), 65_535])
    #expect(result.notices.isEmpty)
  }

  /// Values above 1000 cd/m² are compressed by the shoulder, with a notice; reference white is
  /// unchanged.
  @Test func brightLightToHLG() throws {
    var hlg = options(.png)
    hlg.transfer = .hlg
    let result = try ImageConverter(hlg).run(document([0, 1, 10, 4000 / 203.0], width: 4))
    let found = try codes(result)
    #expect(found[1] == 49_143)
    #expect(found[2] > found[1] && found[2] < 65_535)
    #expect(found[3] == 65_535)
    let notice = try #require(
      result.notices.first {
        $0.code.english == "tone mapped from {content} to {peak cd/m²}, the maximum of HLG"
      })
    #expect(notice.category == .clipped && notice.parameters["content"] == .integer(4000))
  }

  /// The shoulder applies where the largest component in BT.2020, not in the target's primaries,
  /// exceeds 1000 cd/m².
  @Test func shoulderCountsInBT2020() throws {
    var hlg = options(.png)
    hlg.transfer = .hlg
    hlg.primaries = .bt709
    let peak = Float(1000 / 203.0)
    let encoding = ColorEncoding(primaries: .bt2020, transfer: .linear)
    let result = try ImageConverter(hlg)
      .run(SourceImage([[peak], [0.9 * peak], [0.9 * peak]], width: 1, encoding: encoding))
    #expect(
      !result.notices.contains {
        $0.code.english == "tone mapped from {content} to {peak cd/m²}, the maximum of HLG"
      })
  }

  @Test func clippingIsReported() throws {
    let result = try ImageConverter(options(.png))
      .run(document([.nan, -1, 1000, 1], width: 2))
    #expect(try codes(result) == [0, 0, 65_535, 38_055])
    #expect(result.notices.filter { $0.category == .clipped }.count == 3)
  }

  /// PQ is absolute: a different diffuse white changes the metadata only.
  @Test func absoluteLightStays() throws {
    let source = document(
      [0.58068888104], width: 1, hdr: LightMetadata(diffuseWhite: 100), transfer: .pq,
      referenceWhite: 100)
    let result = try ImageConverter(options(.png)).run(source)
    #expect(try codes(result) == [38_055])
    #expect(result.output.image.light.diffuseWhite == 100)
    #expect(result.output.image.light.contentLightLevel?.maximum == 203)
  }

  @Test func referenceWhiteOfRelativeLight() throws {
    var bright = options(.png)
    bright.referenceWhite = 100
    let result = try ImageConverter(bright).run(document([1], width: 1))
    #expect(try codes(result) == [33_297])
    #expect(result.output.image.light.diffuseWhite == 100)
  }

  @Test func exposureIsInStops() throws {
    var brighter = options(.png)
    brighter.exposure = 1
    let result = try ImageConverter(brighter).run(document([0.5], width: 1))
    #expect(try codes(result) == [38_055])
  }

  /// An image stored in another orientation is rotated upright if requested.
  @Test func orientationIsBaked() throws {
    var bake = options(.png)
    bake.orientation = .bake
    let light: [Float] = [0, 1, 1000 / 203.0, 100 / 203.0, 0, 1]
    let result = try ImageConverter(bake)
      .run(document(light, width: 3, orientation: .rotated90))
    #expect(result.output.image.layout.width == 2)
    #expect(result.output.image.orientation == .upright)
    // A rotation by 90° clockwise: the first column, read upward, is the first row.
    #expect(try codes(result) == [33_297, 0, 0, 38_055, 38_055, 49_271])
  }

  @Test func metadataFollowsThePolicy() throws {
    let display = LightMetadata.MasteringDisplay(
      primaries: .displayP3, maximumLuminance: 1000, minimumLuminance: 0.005)
    let hdr = LightMetadata(
      ambientEnvironment: LightMetadata.AmbientEnvironment(illuminance: 10, light: .d65),
      masteringDisplay: display)
    let avif = try ImageConverter(options(.avif)).run(document([1], width: 1, hdr: hdr))
    #expect(avif.output.image.light.masteringDisplay == display)
    #expect(avif.output.image.light.ambientEnvironment?.illuminance == 10)
    #expect(avif.output.image.light.contentColorVolume?.maximumLuminance == 203)
    let png = try ImageConverter(options(.png)).run(document([1], width: 1, hdr: hdr))
    #expect(
      png.notices.contains {
        $0.code.english == "not stored: {item} ({format} cannot store it)"
          && $0.parameters["item"] == .text("ambient environment (amve)")
      })
    var silent = options(.avif)
    silent.metadata.contentLightLevel = .drop
    silent.metadata.masteringDisplay = .drop
    let quiet = try ImageConverter(silent).run(document([1], width: 1, hdr: hdr))
    #expect(quiet.output.image.light.contentLightLevel == nil)
    #expect(quiet.output.image.light.masteringDisplay == nil)
  }

  @Test func optionsThatContradict() throws {
    let source = document([1], width: 1)
    var png = options(.png)
    png.chroma = .yuv420
    var shallow = options(.avif)
    shallow.depth = 8
    var tiff = options(.tiff)
    tiff.signaling = .cicp
    var matrix = options(.heif)
    matrix.matrix = .identity
    matrix.chroma = .yuv444
    for options in [png, shallow, tiff, matrix] {
      let error = #expect(throws: ImageError.self) { try ImageConverter(options).run(source) }
      #expect(error?.category == .invalidArgument)
    }
  }
}
