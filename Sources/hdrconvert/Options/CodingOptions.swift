// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles
internal import ImageReports

/// Encoding and color of the output.
struct CodingOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: """
      Quality, 0 to 100; 100 is lossless in HEIF and AVIF. Default: 75 for HEIF, 94 for AVIF, 90 \
      for JPEG.
      """)
  var quality: Int?

  @Flag(help: ArgumentHelp("Lossless encoding; RGB unless --yuv is given.", visibility: .inFull))
  var lossless = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      """
      Encoding speed, 0 to 10; 10 is fastest. Default: 9 for HEIF, 7 for AVIF, 5 for JPEG XL, \
      otherwise 6.
      """, visibility: .inFull))
  var speed: Int?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Bits per sample: 8 (SDR), 10, 12 or 16; 32 for float OpenEXR.", visibility: .inFull))
  var depth: Int?

  @Option(
    name: [.customShort("y"), .customLong("yuv")],
    help: ArgumentHelp("Chroma subsampling.", visibility: .inFull))
  var chroma: ChromaSubsampling?

  @Option(help: ArgumentHelp("Range of the samples.", valueName: "range", visibility: .inFull))
  var range: CodedRange?

  @Option(
    help: ArgumentHelp(
      "pq or hlg (default pq), for JPEG XL also linear; SDR images are srgb.", visibility: .inFull))
  var transfer: String?

  @Option(
    help: ArgumentHelp(
      "bt2020, p3 or bt709 (default bt2020; bt709 for SDR). ISO 22028-5 requires bt2020.",
      visibility: .inFull))
  var primaries: String?

  @Option(
    help: ArgumentHelp(
      "CICP code points: primaries, transfer, matrix, range.", valueName: "P/T/M[/R]",
      visibility: .inFull))
  var cicp: String?

  @Option(
    help: ArgumentHelp(
      "HLG only: display- or scene-referred (ICC tag 'ciis').", visibility: .inFull))
  var imageState: ColorEncoding.ImageState?

  @Option(help: ArgumentHelp("Carriers of the color description.", visibility: .inFull))
  var signal: ConversionOptions.Signaling?

  @Option(
    help: ArgumentHelp(
      "Luminance of linear 1.0 (default 203).", valueName: "cd/m²", visibility: .inFull))
  var referenceWhite: Double?

  @Option(
    help: ArgumentHelp(
      "Exposure in stops; of a raw file, before its tone curve.", valueName: "EV",
      visibility: .inFull))
  var exposure = 0.0

  @Option(
    help: ArgumentHelp(
      "Orientation: keep it as metadata, or bake it into the samples.", visibility: .inFull))
  var orientation = ConversionOptions.OrientationPolicy.keep

  enum CodedRange: String, ExpressibleByArgument, CaseIterable {
    case full
    case limited
  }

  func validate() throws {
    guard (0...100).contains(quality ?? 0) else { throw ValidationError("--quality takes 0...100") }
    guard (0...10).contains(speed ?? 0) else { throw ValidationError("--speed takes 0...10") }
    guard exposure.isFinite, abs(exposure) <= 32 else {
      throw ValidationError("--exposure takes -32...32 stops")
    }
    if let referenceWhite, !(referenceWhite >= 1 && referenceWhite <= 10_000) {
      throw ValidationError("--reference-white takes 1...10000 cd/m²")
    }
    if cicp != nil, transfer != nil || primaries != nil || range != nil {
      throw ValidationError("--cicp excludes --transfer, --primaries and --range")
    }
  }

  /// Quality and speed for a format.
  func encoder(for format: FileFormat) -> EncoderOptions {
    EncoderOptions(
      quality: quality ?? format.traits.usualQuality, isLossless: lossless,
      speed: speed ?? format.traits.usualSpeed)
  }

  /// - Parameters:
  ///   - options: The options to complete.
  ///   - transfers: Values that `--transfer` accepts for formats other than OpenEXR.
  /// - Throws: `ValidationError` for other values.
  func apply(
    to options: inout ConversionOptions, transfers: [TransferFunction] = [.pq, .hlg]
  ) throws(ValidationError) {
    options.depth = depth
    // OpenEXR rounds samples to half unless 32 bits are requested.
    if options.format.traits.storesLinearValues, depth == 32 { options.encoder.isLossless = true }
    options.chroma = chroma
    options.signaling = signal
    options.orientation = orientation
    options.referenceWhite = referenceWhite
    options.exposure = exposure
    if let range { options.isFullRange = range == .full }
    if let transfer {
      let traits = options.format.traits
      let allowed =
        traits.storesLinearValues
        ? [.linear] : transfers + (traits.linearDepths.all.isEmpty ? [] : [.linear])
      guard let named = namedTransfer(transfer[...]), allowed.contains(named) else {
        let names = allowed.map(\.name).joined(separator: " or ")
        throw ValidationError(
          "--transfer takes \(names) for \(options.format.title), not '\(transfer)'")
      }
      options.transfer = named
    }
    if let primaries {
      guard let named = try? namedPrimaries(primaries[...]), named.cicp != nil else {
        throw ValidationError("--primaries takes bt2020, p3 or bt709, not '\(primaries)'")
      }
      options.primaries = named
    }
    try applyCICP(to: &options, transfers)
    guard let imageState else { return }
    guard options.transfer == .hlg || imageState == .display else {
      throw ValidationError("--image-state scene requires --transfer hlg")
    }
    options.imageState = .value(imageState)
  }

  private func applyCICP(
    to options: inout ConversionOptions, _ transfers: [TransferFunction]
  ) throws(ValidationError) {
    guard let cicp else { return }
    let code = try value(of: "--cicp") { () throws(ValidationError) in try parseCICP(cicp) }
    guard let primaries = ColorPrimaries(code.primaries) else {
      throw ValidationError("--cicp: primaries \(code.primaries.rawValue) cannot be written")
    }
    guard let transfer = TransferFunction(code.transfer), transfers.contains(transfer) else {
      let names = transfers.map(\.name).joined(separator: " or ")
      throw ValidationError("--cicp: transfer \(code.transfer.rawValue) is not \(names)")
    }
    options.primaries = primaries
    options.transfer = transfer
    options.matrix = code.matrix
    options.isFullRange = code.isFullRange
  }
}
