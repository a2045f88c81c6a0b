// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import HDRConversion

/// Permission to re-encode, and the quality.
struct RecodingOptions: ParsableArguments {
  @Flag(help: "Re-encode images that the output cannot store as they are.")
  var allowReencode = false

  @Option(
    name: .shortAndLong,
    help: """
      Quality of a re-encoded baseline image, 0 to 100. Default: 50 for HEIF, 80 for AVIF, 90 for \
      JPEG, less if the file would be larger than its input.
      """)
  var quality: Int?

  @Option(
    help: .full(
      """
      Quality of a re-encoded gain map, 0 to 100; default: follows that of the baseline image (JPEG: \
      70 with 90).
      """, "q"))
  var gainmapQuality: Int?

  @Option(
    name: .shortAndLong,
    help: .full(
      "Encoding speed, 0 to 10; 10 is fastest. Default: 9 for HEIF, 7 for AVIF, 6 for JPEG."))
  var speed: Int?

  @OptionGroup var metadata: MakerNotesOption

  /// Whether a quality was given.
  var givesQuality: Bool { quality != nil || gainmapQuality != nil }

  /// Sets the fields whose options are given.
  func apply(to request: inout ConversionRequest) throws(Failure) {
    if allowReencode { request.copying = .preferred }
    if let quality { request.coding.quality = quality }
    if let gainmapQuality { request.gainMap.quality = gainmapQuality }
    if let speed { request.coding.speed = speed }
    try metadata.apply(to: &request)
  }
}
