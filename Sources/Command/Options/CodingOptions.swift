// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// Encoding and color of the output.
struct CodingOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: """
      Quality, 0 to 100; 100 is lossless in HEIF, AVIF and JPEG XR. Default: 90 for JPEG, JPEG XL and JPEG XR, \
      and what looks alike in the others: 86 for HDR and 80 for SDR in AVIF, 60 and 50 in HEIF.
      """)
  var quality: Int?

  @Flag(help: .full("Lossless encoding; RGB unless --yuv is given."))
  var lossless = false

  @Option(
    name: .shortAndLong,
    help: .full(
      """
      Encoding speed, 0 to 10; 10 is fastest. Default: 9 for HEIF, 7 for AVIF, 5 for JPEG XL, \
      otherwise 6.
      """))
  var speed: Int?

  @Option(
    name: .shortAndLong,
    help: .full("Bits per sample: 8 (SDR), 10, 12 or 16; 32 for float OpenEXR."))
  var depth: Int?

  @Option(
    name: [.customShort("y"), .customLong("yuv")],
    help: .full("Resolution of color: 444 full, 420 a quarter, as in most photos, 400 gray."))
  var chroma: ChromaSubsampling?

  @Option(
    help: .full(
      """
      pq or hlg for HDR (default: pq), also of SDR images; srgb for SDR; linear for JPEG XL, \
      OpenEXR and JPEG XR.
      """, "pq|hlg|srgb|linear"))
  var transfer: TransferFunction?

  @Option(
    help: .full(
      "Default: bt2020, for SDR those of the input. ISO 22028-5 requires bt2020.", "bt2020|p3|bt709"
    ))
  var primaries: ColorPrimaries?

  @Option(help: .full("Brightness of white, the luminance of linear 1.0 (default 203).", "cd/m²"))
  var referenceWhite: Double?

  @Option(help: .text("Exposure in stops; of a raw file, before its tone curve.", "EV"))
  var exposure: Double?

  /// Sets the fields whose options are given.
  func apply(to request: inout ConversionRequest) {
    if let quality { request.coding.quality = quality }
    if lossless { request.coding.isLossless = true }
    if let speed { request.coding.speed = speed }
    if let depth { request.coding.depth = depth }
    if let chroma { request.coding.chroma = chroma }
    if let transfer { request.color.transfer = transfer }
    if let primaries { request.color.primaries = primaries }
    if let referenceWhite { request.color.referenceWhite = referenceWhite }
    if let exposure { request.rendition.exposure = exposure }
  }
}
