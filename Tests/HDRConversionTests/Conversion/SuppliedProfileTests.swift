// SPDX-License-Identifier: Apache-2.0
import HDRConversion
import HDRCore
import ImageCodecs
import ImageFiles
import Testing

/// An ICC profile given by the caller is embedded only if it describes the samples.
@Suite("Given profile") struct SuppliedProfileTests {
  private func result(
    _ format: FileFormat, icc: ConversionRequest.Item<[UInt8]>,
    signaling: ConversionRequest.Color.Signaling? = nil
  ) throws -> ImageConverter.Result {
    var options = ConversionOptions.plain(format)
    options.icc = icc
    options.signaling = signaling
    return try ImageConverter(options).run(.white())
  }

  private func profile(_ primaries: CICP.Primaries, _ transfer: CICP.Transfer) throws -> [UInt8] {
    try ICCProfile.generate(for: CICP(primaries: primaries, transfer: transfer))
  }

  private let gamma = ICCCurve.parametric(function: 0, parameters: [2.2])

  @Test(arguments: [FileFormat.png, .tiff, .avif, .heif])
  func aProfileOfTheSamplesIsEmbedded(format: FileFormat) throws {
    let given = try profile(.bt2020, .pq)
    #expect(try result(format, icc: .value(given)).output.icc == given)
  }

  @Test(arguments: [FileFormat.png, .tiff, .avif, .heif])
  func contradictionsAreRefused(format: FileFormat) throws {
    let refused = [
      try profile(.bt2020, .hlg), try profile(.displayP3, .pq),
      ICCProfile.generate(primaries: .adobeRGB, curve: gamma, description: "Adobe RGB"),
    ]
    for icc in refused {
      let error = #expect(throws: ImageError.self) { try result(format, icc: .value(icc)) }
      #expect(error?.category == .invalidArgument)
      #expect(error?.code.english == "the given ICC profile does not describe the samples: {cause}")
    }
  }

  /// A profile whose curve differs from the code points is allowed only if code points take
  /// precedence.
  @Test func fallbackCurvesStandBesideCodePointsOfPNG() throws {
    let fallback = ICCProfile.generate(primaries: .bt2020, curve: gamma, description: "fallback")
    #expect(try result(.png, icc: .value(fallback)).output.icc == fallback)
    #expect(throws: ImageError.self) {
      try result(.png, icc: .value(fallback), signaling: .icc)
    }
    for format in [FileFormat.tiff, .avif] {
      #expect(throws: ImageError.self) { try result(format, icc: .value(fallback)) }
    }
  }

  @Test func grayProfilesAreForGray() throws {
    var gray = try profile(.bt2020, .pq)
    gray.replaceSubrange(16..<20, with: Array("GRAY".utf8))
    #expect(throws: ImageError.self) { try result(.png, icc: .value(gray)) }
  }

  @Test func noProfileIsNoProfile() {
    for bytes in [[], Array("<x:xmpmeta/>".utf8), [UInt8](repeating: 0, count: 500)] {
      let error = #expect(throws: ImageError.self) { try result(.png, icc: .value(bytes)) }
      #expect(error?.category == .truncated || error?.category == .malformed)
    }
  }

  /// The last carrier of color cannot be dropped.
  @Test func theOnlyCarrierStays() throws {
    for (format, signaling) in [
      (FileFormat.tiff, ConversionRequest.Color.Signaling?.none), (.png, .icc), (.avif, .icc),
    ] {
      let error = #expect(throws: ImageError.self) {
        try result(format, icc: .drop, signaling: signaling)
      }
      #expect(error?.category == .invalidArgument)
      #expect(error?.code.id == "target/profile-required")
    }
    #expect(try result(.png, icc: .drop, signaling: .both).output.icc == nil)
  }
}
