// SPDX-License-Identifier: Apache-2.0
public import GainMap
public import HDRCore
public import ImageFiles

extension ImageFile {
  /// Replaces the gain map, or adds one; the coded baseline image is kept byte for byte.
  ///
  /// ```swift
  /// let base = try SourceImage(image).converted(ConversionRequest(format: .jpeg)).bytes
  /// let file = try ImageFile(parsing: ByteSource(base)).replacingGainMap(with: map)
  /// ```
  ///
  /// `describingGainMap(as:in:)` changes the metadata alone.
  ///
  /// - Parameters:
  ///   - map: The samples, of any size, in the orientation of the stored baseline image, and their
  ///     relation to gain.
  ///   - flavors: Flavors of the metadata; `nil` for those that suit the format and represent them
  ///     exactly.
  ///   - quality: Quality of the gain map, 0...100; `nil` for 80 in HEIF and AVIF, 70 in JPEG and
  ///     JPEG XL. PNG is lossless.
  /// - Returns: The new file; `worstError` is the largest error of the gain by the metadata, in
  ///   stops.
  /// - Throws: `.invalidArgument` for a format without gain maps, samples that it cannot store, a
  ///   quality out of range, and metadata that a flavor cannot represent; errors of the encoder.
  public func replacingGainMap(
    with map: GainMapImage, in flavors: Set<GainMapFlavor>? = nil, quality: Int? = nil
  ) throws(ImageError) -> RewrittenFile {
    try format.checkHoldsGainMap(isBaseHDR: map.metadata.isBaseHDR)
    var request = ConversionRequest(format: format)
    request.gainMap.quality = quality
    try request.check()
    let base = EncoderOptions()
    let usual = base.usualGainMapQuality(in: format)
    var options = GainMapTranscoder.Options(
      format: format, base: base, map: EncoderOptions(quality: quality ?? usual))
    options.flavors = flavors
    let description = FoundGainMap.Description(
      flavor: map.metadata.isApple ? .apple : .iso, metadata: map.metadata, numbers: [])
    let found = FoundGainMap(
      [description],
      alternate: FoundGainMap.AlternateImage(
        cicp: map.alternatePrimaries?.cicp.map {
          .alternate($0, isBaseHDR: map.metadata.isBaseHDR)
        }))
    let encoded = try GainMapTranscoder.encoded(map, found, options, encoder: options.map)
    var result = try joining(encoded.file, encoded.metadata, in: flavors)
    result.add([], worstError: encoded.worstError)
    return result
  }
}

extension CICP {
  /// Code points of the alternate image of a gain map.
  static func alternate(_ primaries: Primaries, isBaseHDR: Bool) -> CICP {
    isBaseHDR
      ? CICP(primaries: primaries, transfer: .srgb, matrix: .bt601)
      : CICP(primaries: primaries, transfer: .pq, matrix: .bt2020NonConstant)
  }
}
