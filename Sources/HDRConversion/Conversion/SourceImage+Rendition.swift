// SPDX-License-Identifier: Apache-2.0
public import HDRCore
public import ImageCodecs
internal import ImageFiles
internal import GainMap

extension SourceImage {
  /// The linear values that a display shows.
  ///
  /// A gain map counts first, then the file's SMPTE ST 2094-50 metadata, then the default operator.
  ///
  ///     let document = try SourceImage.open(source, options: OpeningOptions())
  ///     let shown = try document.rendition(for: .constrainedHigh, display: Headroom(ratio: 4))
  ///
  /// - Parameters:
  ///   - range: Share of the display's headroom that the image may use.
  ///   - display: Headroom of the display.
  ///   - method: The operator to use instead of the file's metadata.
  ///   - primaries: Primaries of the result, which contain all its colors.
  /// - Returns: Linear values, upright, none above the headroom that the image may use.
  /// - Throws: Errors of the decoder; `.invalidArgument` for a display that is not possible.
  public func rendition(
    for range: DynamicRange, display: Headroom, using method: ToneMapOperator? = nil,
    primaries: ColorPrimaries = .bt2020
  ) throws(ImageError) -> Image {
    let target = DisplayTarget(headroom: display, range: DynamicRange.Mix(range))
    return try linear(for: RenderingOptions(display: target, method: method), primaries)
  }

  /// The linear values with all their headroom, a gain map applied in full.
  ///
  /// - Parameters:
  ///   - primaries: Primaries of the result.
  ///   - geometry: Crop, size and rotation, applied in this order.
  /// - Returns: Linear values, upright before the rotation.
  /// - Throws: Errors of the decoder; `.invalidArgument` for a crop outside the image,
  ///   `.limitExceeded` for a result that is too large.
  public func expandedToHDR(
    primaries: ColorPrimaries = .bt2020, geometry: GeometryEdit = GeometryEdit()
  ) throws(ImageError) -> Image {
    try linear(for: nil, primaries, geometry)
  }

  /// The linear values for displays without headroom: the SDR image of a file with a gain map.
  ///
  /// - Parameters:
  ///   - method: The operator to use instead of the file's metadata.
  ///   - primaries: Primaries of the result, which contain all its colors.
  /// - Returns: Linear values of at most 1.0, upright.
  /// - Throws: Errors of the decoder.
  public func toneMappedToSDR(
    using method: ToneMapOperator? = nil, primaries: ColorPrimaries = .displayP3
  ) throws(ImageError) -> Image {
    try rendition(for: .standard, display: .standard, using: method, primaries: primaries)
  }

  /// Headroom that the image uses with all of its gain map, and its source.
  ///
  /// May read the whole image. Single pixels can be brighter.
  ///
  /// - Returns: The image that renditions are computed from.
  /// - Throws: Errors of the decoder.
  public func contentHeadroom() throws(ImageError) -> ContentHeadroom {
    let brightest = Headroom(stops: GainMapMetadata.largestStops)
    let options = RenderingOptions(display: DisplayTarget(headroom: brightest))
    let transform = try SourceTransform(linear: self, for: options, primaries: .bt2020)
    return transform.content ?? ContentHeadroom(.standard, origin: .encoding)
  }

  /// The image in memory as a request asks for it: linear values in single precision, upright.
  ///
  /// - Parameter request: Content, gain map, display, geometry, exposure and primaries; other fields are not used.
  /// - Returns: The image.
  /// - Throws: `.invalidArgument` for an impossible display or geometry; errors of the decoder.
  package func rendered(for request: ConversionRequest) throws(ImageError) -> SourceImage {
    try request.check()
    var use = ConversionOptions.GainMapUse.full
    if request.gainMap.use == .drop { use = .none }
    if let stops = request.gainMap.headroomStops { use = .display(Headroom(stops: stops)) }
    var rendering = try request.renderingOptions()
    if rendering == nil, request.content == .sdr { rendering = request.standardRendering }
    let transform = try SourceTransform(
      linear: self, gainMap: use, geometry: request.geometry.edit(of: uprightSize).edit,
      exposure: request.rendition.exposure ?? 0, for: rendering,
      primaries: request.color.primaries ?? .bt2020)
    return SourceImage(try transform.run().image)
  }

  private func linear(
    for options: RenderingOptions?, _ primaries: ColorPrimaries,
    _ geometry: GeometryEdit = GeometryEdit()
  ) throws(ImageError) -> Image {
    let image = try SourceTransform(
      linear: self, geometry: geometry, for: options, primaries: primaries
    ).run().image
    guard image.layout.components != .rgb || image.layout.hasAlpha else { return image }
    return try image.linear()
  }
}
