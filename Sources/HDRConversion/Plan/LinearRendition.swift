// SPDX-License-Identifier: Apache-2.0
package import HDRCore
package import ImageCodecs

// Images in memory, for callers that read samples.

extension SourceImage {
  /// Prepares linear values of this image: with all headroom, or as the display of a request shows them.
  ///
  /// - Parameter request: Gain map, display, geometry, exposure and primaries; other fields are not used.
  /// - Returns: The transform, which yields rows.
  /// - Throws: `.invalidArgument` for an impossible display or geometry; errors of the decoder.
  package func linearTransform(
    for request: ConversionRequest
  ) throws(ImageError) -> SourceTransform {
    try request.check()
    var use = ConversionOptions.GainMapUse.full
    if request.gainMap.use == .drop { use = .none }
    if let stops = request.gainMap.headroomStops { use = .display(Headroom(stops: stops)) }
    var rendering = try request.renderingOptions()
    if rendering == nil, request.content == .sdr { rendering = request.standardRendering }
    return try SourceTransform(
      linear: self, gainMap: use, geometry: request.geometry.edit(of: uprightSize).edit,
      exposure: request.rendition.exposure ?? 0, for: rendering,
      primaries: request.color.primaries ?? .bt2020)
  }

  /// The image in memory as a request asks for it: linear values in single precision, upright.
  ///
  /// - Parameter request: Gain map, display, geometry, exposure and primaries.
  /// - Returns: The image.
  /// - Throws: As `linearTransform(for:)`.
  package func rendered(for request: ConversionRequest) throws(ImageError) -> SourceImage {
    SourceImage(try linearTransform(for: request).run().image)
  }
}
