// SPDX-License-Identifier: Apache-2.0
import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// Alpha that expresses nothing, and options for alpha that does.
@Suite("Handling of alpha") struct AlphaUseTests {
  private static let width = 4
  private static let height = 300

  /// Linear values of 0.5 with premultiplied alpha, constant except for its last sample.
  private static func document(
    alpha: Float, last: Float, samples: ImageLayout.Samples = .float
  ) throws -> SourceImage {
    let layout = ImageLayout(
      width: width, height: height, components: .rgb, samples: samples, hasAlpha: true,
      isAlphaPremultiplied: true)
    var alphas = [Float](repeating: alpha, count: width * height)
    alphas[alphas.count - 1] = last
    let values = [[Float]](repeating: [Float](repeating: 0.5, count: width * height), count: 3)
    let color = ColorEncoding(primaries: .bt2020, transfer: .linear)
    let description = ImageDescription(layout: layout, color: color)
    let all = values + [alphas]
    guard samples == .half else {
      let planes = all.map { values in
        Plane<Float>(width: width, height: height) { plane in values.forEach { plane.append($0) } }
      }
      return SourceImage(try Image(description, planes: .float(planes)))
    }
    let planes = all.map { values in
      Plane<UInt16>(width: width, height: height) { plane in
        values.forEach { plane.append(Float16($0).bitPattern) }
      }
    }
    return SourceImage(try Image(description, planes: .half(planes)))
  }

  private static func converted(
    _ document: SourceImage, alpha: ConversionRequest.Coding.Alpha = .keep,
    to format: FileFormat = .png
  ) throws -> ImageConverter.Result {
    var options = ConversionOptions.plain(format)
    options.alpha = alpha
    return try ImageConverter(options).run(document)
  }

  /// The code value of linear 0.5.
  private static let code = PQ.inverseEOTF(0.5 * 203) * 65_535

  private static func codes(_ result: ImageConverter.Result) throws -> [UInt16] {
    guard case .integer(let planes) = try result.output.image.planes().planes else { return [] }
    let plane = planes[0]
    let samples = plane.span
    return [samples[0], samples[samples.count - 1]]
  }

  @Test(arguments: [ImageLayout.Samples.float, .half])
  func emptyAlphaCountsAsAbsent(samples: ImageLayout.Samples) throws {
    let result = try Self.converted(try Self.document(alpha: 0, last: 0, samples: samples))
    #expect(!result.output.image.layout.hasAlpha)
    #expect(
      result.notices.contains {
        $0.code.english == "assumed: opaque image (its alpha channel is 0 everywhere)"
      })
    #expect(abs(result.lightLevels.maximum - 101.5) < 0.1)
    for code in try Self.codes(result) { #expect(abs(Double(code) - Self.code) < 1.5) }
  }

  @Test(arguments: [FileFormat.png, .exr]) func opaqueAlphaIsDropped(format: FileFormat) throws {
    let result = try Self.converted(try Self.document(alpha: 1, last: 1), to: format)
    #expect(!result.output.image.layout.hasAlpha)
    #expect(!result.notices.contains { $0.message.contains("alpha") })
  }

  /// One sample that differs, in the last row, keeps the channel.
  @Test(arguments: [(Float(1), Float(0.5)), (0, 0.5), (1, 0)])
  func varyingAlphaIsKept(alpha: Float, last: Float) throws {
    let document = try Self.document(alpha: alpha, last: last)
    #expect(try Self.converted(document).output.image.layout.hasAlpha)
  }

  /// Premultiplied values are the image composed on black, emissive pixels included.
  @Test func dropped() throws {
    let document = try Self.document(alpha: 1, last: 0)
    for use in [ConversionRequest.Coding.Alpha.drop, .ignore] {
      let result = try Self.converted(document, alpha: use)
      #expect(!result.output.image.layout.hasAlpha)
      #expect(!result.notices.contains { $0.message.contains("alpha") })
      for code in try Self.codes(result) { #expect(abs(Double(code) - Self.code) < 1.5) }
    }
  }

  @Test(arguments: [FileFormat.avif, .heif, .exr]) func premultiplied(format: FileFormat) throws {
    let result = try Self.converted(
      try Self.document(alpha: 1, last: 0), alpha: .premultiplied, to: format)
    #expect(result.output.image.layout.isAlphaPremultiplied)
    #expect(!result.notices.contains { $0.code.id == "pixels/emissive" })
    guard format != .exr else { return }
    let codes = try Self.codes(result)
    #expect(codes.count == 2 && codes[0] == codes[1])
  }

  @Test(arguments: [FileFormat.png, .tiff, .jxl])
  func premultipliedIsRefused(format: FileFormat) throws {
    let document = try Self.document(alpha: 1, last: 0)
    #expect {
      try Self.converted(document, alpha: .premultiplied, to: format)
    } throws: { error in
      (error as? ImageError)?.code.id == "target/premultiplied-unsupported"
    }
  }

  /// Straight alpha: composed on black, or the components as stored.
  @Test func straight() throws {
    let layout = ImageLayout(
      width: 2, height: 1, components: .rgb, samples: .integer(bits: 8), hasAlpha: true)
    func plane(_ first: UInt16, _ second: UInt16) -> Plane<UInt16> {
      Plane(width: 2, height: 1) { samples in
        samples.append(first)
        samples.append(second)
      }
    }
    let colors = [plane(200, 200), plane(200, 200), plane(200, 200), plane(255, 0)]
    let document = SourceImage(
      try Image(
        ImageDescription(
          layout: layout, color: ColorEncoding(primaries: .bt709, transfer: .srgb)),
        planes: .integer(colors)))
    let shown = try Self.codes(try Self.converted(document, alpha: .drop))
    #expect(shown[0] > 20_000 && shown[1] == 0)
    let stored = try Self.codes(try Self.converted(document, alpha: .ignore))
    #expect(stored[0] == stored[1] && stored[0] == shown[0])
  }
}
