// SPDX-License-Identifier: Apache-2.0
package import GainMap
public import HDRCore
public import ImageFiles

extension SourceImage {
  /// Removes an alpha channel that expresses nothing, or that is to be ignored.
  ///
  /// Opaque alpha does not change the image. Alpha that is 0 everywhere was not computed; the image
  /// would be invisible.
  ///
  /// - Parameter use: The handling of alpha.
  /// - Returns: Notices about alpha that was not used.
  /// - Throws: Errors of the decoder; `.cancelled`.
  mutating func applyAlpha(_ use: ConversionRequest.Coding.Alpha) throws(ImageError) -> [Notice] {
    guard image.layout.hasAlpha else { return [] }
    let content = try Execution.part(upTo: 0.1) { () throws(ImageError) in
      use == .ignore ? .opaque : try image.alphaContent()
    }
    guard content != .varying else { return [] }
    image = image.ignoringAlpha()
    return content == .empty
      ? [Notice(.assumed, "assumed: opaque image (its alpha channel is 0 everywhere)")] : []
  }
}

extension SourceImage {
  /// The linear values that a display shows.
  ///
  /// A gain map counts first, then the file's SMPTE ST 2094-50 metadata, then the default operator.
  ///
  /// ```swift
  /// let document = try SourceImage.open(source, options: OpeningOptions())
  /// let shown = try document.rendition(for: .constrainedHigh, display: Headroom(ratio: 4))
  /// ```
  ///
  /// - Parameters:
  ///   - range: Share of the display's headroom that the image may use.
  ///   - display: Headroom of the display, 0...64 stops.
  ///   - method: The operator to use instead of the file's metadata; `nil` for the order above.
  ///   - primaries: Primaries of the result, which contain all its colors; by default those of
  ///     BT.2020.
  /// - Returns: Linear values, upright, 1.0 at reference white, none above the headroom that the
  ///   image may use.
  /// - Throws: Errors of the decoder; `.invalidArgument` for a headroom out of range, and for
  ///   primaries that do not form a triangle.
  public func rendition(
    for range: DynamicRange, display: Headroom, using method: ToneMapOperator? = nil,
    primaries: ColorPrimaries = .bt2020
  ) throws(ImageError) -> Image {
    guard (0...GainMapMetadata.largestStops).contains(display.stops) else {
      throw .outOfRange("display", "0...\(Int(clamping: GainMapMetadata.largestStops)) stops")
    }
    let target = DisplayTarget(headroom: display, range: DynamicRange.Mix(range))
    return try linear(for: RenderingOptions(display: target, method: method), primaries)
  }

  /// The linear values with all their headroom, a gain map applied in full.
  ///
  /// - Parameters:
  ///   - primaries: Primaries of the result; by default those of BT.2020.
  ///   - geometry: Crop, size and rotation, applied in this order; by default none.
  /// - Returns: Linear values, 1.0 at reference white, upright before the rotation.
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
  ///   - method: The operator to use instead of the file's metadata; `nil` as in
  ///     `rendition(for:display:using:primaries:)`.
  ///   - primaries: Primaries of the result, which contain all its colors; by default those of
  ///     Display P3.
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
  /// - Returns: The headroom, and whether it is declared, measured or that of the encoding.
  /// - Throws: Errors of the decoder.
  public func contentHeadroom() throws(ImageError) -> ContentHeadroom {
    let brightest = Headroom(stops: GainMapMetadata.largestStops)
    let options = RenderingOptions(display: DisplayTarget(headroom: brightest))
    let transform = try Execution.operation { () throws(ImageError) in
      try SourceTransform(linear: self, for: options, primaries: .bt2020)
    }
    return transform.content ?? ContentHeadroom(.standard, origin: .encoding)
  }

  /// Light levels of the image with all its headroom, and those of the SDR image that a gain map is for.
  ///
  /// - Parameter notices: Gets the reason if the gain map cannot be decoded, so that the image is measured without it.
  /// - Returns: The levels; those of the SDR image only if a gain map was applied to it.
  /// - Throws: Errors of the decoder.
  package func measuredLight(
    notices: inout [Notice]
  ) throws(ImageError) -> (light: LightLevels, baseline: LightLevels?) {
    try Execution.operation { () throws(ImageError) in
      let baseline = try Execution.part(upTo: 0.5) { () throws(ImageError) in
        try image.lightLevels()
      }
      guard let gainMap, gainMap.metadata?.isBaseHDR == false,
        let map = try decodedGainMap(notices: &notices)
      else { return (baseline, nil) }
      return (try lightLevels(with: map), baseline)
    }
  }

  /// Light levels of the image with a gain map applied in full.
  private func lightLevels(with map: GainMapImage) throws(ImageError) -> LightLevels {
    var target = image.description
    target.color.primaries = .bt2020
    (target.color.transfer, target.color.matrix) = (.linear, .identity)
    (target.layout.components, target.layout.samples) = (.rgb, .float)
    return try ImageTransform(from: image.description, to: target)
      .applying(map, for: Headroom(map.metadata.alternateHeadroom)).measure(try image.planes())
  }

  /// The image in memory as a request asks for it: linear values in single precision, upright.
  ///
  /// - Parameter request: Content, gain map, display, geometry, exposure and primaries; other fields are not used.
  /// - Returns: The image.
  /// - Throws: `.invalidArgument` for an impossible display or geometry; errors of the decoder.
  package func rendered(for request: ConversionRequest) throws(ImageError) -> SourceImage {
    try request.check()
    let (use, rendering) = try request.linearRendering()
    let rendered = try SourceTransform.run { () throws(ImageError) in
      try SourceTransform(
        linear: self, gainMap: use, geometry: request.geometry.edit(of: uprightSize).edit,
        exposure: request.rendition.exposure ?? 0, for: rendering,
        primaries: request.color.primaries ?? .bt2020)
    }
    return SourceImage(rendered.image)
  }

  /// Layout and color of `rendered(for:)`; nothing is decoded.
  ///
  /// Alpha that expresses nothing and the gray of gray gain maps are not known before.
  package func linearDescription(
    for request: ConversionRequest
  ) throws(ImageError) -> ImageDescription {
    let (use, rendering) = try request.linearRendering()
    let weight = GainMapWeight(gainMap, use.limited(for: rendering))
    var document = self
    document.apply(weight, exposure: request.rendition.exposure ?? 0)
    let geometry = try request.geometry.edit(of: uprightSize).edit.parameters(of: self)
    var layout = image.layout
    (layout.width, layout.height) = (geometry.resampling.width, geometry.resampling.height)
    return .linear(
      layout.upright(from: geometry.orientation), isGray: isGray(with: weight == nil ? nil : false),
      request.color.primaries ?? .bt2020, white: document.referenceWhite)
  }

  private func linear(
    for options: RenderingOptions?, _ primaries: ColorPrimaries,
    _ geometry: GeometryEdit = GeometryEdit()
  ) throws(ImageError) -> Image {
    let image = try SourceTransform.run { () throws(ImageError) in
      try SourceTransform(linear: self, geometry: geometry, for: options, primaries: primaries)
    }.image
    guard image.layout.components != .rgb || image.layout.hasAlpha else { return image }
    return try image.linear()
  }
}

extension ConversionRequest {
  /// Use of the gain map, and the display, of the linear values of a request.
  fileprivate func linearRendering() throws(ImageError) -> (
    ConversionOptions.GainMapUse, RenderingOptions?
  ) {
    let display = try renderingOptions() ?? (content == .sdr ? standardRendering : nil)
    if let stops = gainMap.headroomStops { return (.display(Headroom(stops: stops)), display) }
    return (gainMap.use == .drop ? .none : .full, display)
  }
}

extension ImageDescription {
  /// Linear values in single precision, alpha premultiplied.
  static func linear(
    _ layout: ImageLayout, isGray: Bool, _ primaries: ColorPrimaries, white: Double
  ) -> ImageDescription {
    var layout = layout
    layout.components = isGray ? .gray : .rgb
    (layout.samples, layout.isAlphaPremultiplied) = (.float, layout.hasAlpha)
    return ImageDescription(
      layout: layout,
      color: ColorEncoding(primaries: primaries, transfer: .linear, referenceWhite: white),
      light: LightMetadata(diffuseWhite: white))
  }
}

extension GeometryEdit {
  /// Parameters for the stored samples of a document.
  func parameters(of document: SourceImage) throws(ImageError) -> Parameters {
    try parameters(
      width: document.image.layout.width, height: document.image.layout.height,
      orientation: document.image.orientation, limits: Execution.current.limits)
  }
}

/// Weight of a gain map for a display, known before its samples are decoded.
package struct GainMapWeight: Sendable {
  /// Flavor of the metadata in effect.
  package let flavor: GainMapFlavor
  /// Headroom of the display that the gain map is applied for.
  package let display: Headroom
  /// Share of the gain: 0 for the baseline image, 1 or -1 for the alternate image.
  package let value: Double

  let alternate: FoundGainMap.AlternateImage

  /// The weight for a use; `nil` without a gain map that can be applied, or for `.none`.
  init?(_ found: FoundGainMap?, _ use: ConversionOptions.GainMapUse) {
    guard let found, let metadata = found.metadata, let flavor = found.flavor else { return nil }
    switch use {
    case .none: return nil
    case .full: display = metadata.fullHeadroom
    case .display(let headroom): display = headroom
    }
    (self.flavor, alternate) = (flavor, found.alternate)
    value = metadata.weight(for: display)
  }

  /// Returns the light metadata of the image with the gain map applied.
  ///
  /// - Parameter base: Light metadata of the baseline image.
  /// - Returns: Those of the alternate image if it is reached; between the two, only what applies to
  ///   both.
  func light(base: LightMetadata) -> LightMetadata {
    guard value != 0 else { return base }
    var light = abs(value) == 1 ? alternate.light : LightMetadata()
    light.diffuseWhite = light.diffuseWhite ?? base.diffuseWhite
    light.ambientEnvironment = light.ambientEnvironment ?? base.ambientEnvironment
    light.referenceEnvironment = light.referenceEnvironment ?? base.referenceEnvironment
    return light
  }
}

/// A gain map applied by a conversion.
package struct AppliedGainMap: Sendable {
  /// Its weight for the display.
  package let weight: GainMapWeight
  let map: GainMapImage

  /// Decodes the gain map of a document; `nil` without one that can be decoded, with a notice.
  ///
  /// - Throws: `.unsuitable` for one that is required and cannot be decoded.
  init?(
    _ document: SourceImage, _ use: ConversionOptions.GainMapUse, isRequired: Bool = false,
    notices: inout [Notice]
  ) throws(ImageError) {
    if use == .none, let flavor = GainMapWeight(document.gainMap, .full)?.flavor {
      notices.append(Notice(.gainMapDropped, ["flavor": flavor.title]))
    }
    guard let weight = GainMapWeight(document.gainMap, use) else { return nil }
    let decoded = try Execution.part(upTo: 0.1) { () throws(ImageError) in
      isRequired ? try document.requireGainMap() : try document.decodedGainMap(notices: &notices)
    }
    guard let map = decoded else { return nil }
    (self.weight, self.map) = (weight, map)
  }

  /// This gain map, or `nil` if it has no effect.
  var effective: AppliedGainMap? { weight.value == 0 ? nil : self }
}
