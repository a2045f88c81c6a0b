// SPDX-License-Identifier: Apache-2.0
// The transforms of `ImageTransform` as functions of an image.

extension Image {
  /// Returns the image in another layout and color encoding.
  ///
  /// A change of the reference white keeps luminances. Values out of range are clipped;
  /// `ImageTransform.run(_:execution:)` counts them.
  ///
  /// - Parameters:
  ///   - target: Layout and color of the result, which has the size of this image.
  ///   - exposure: Gain of the linear values, in stops.
  ///   - rendition: Rendering for a display; `nil` keeps the linear values.
  ///   - execution: Threads, progress and cancellation.
  /// - Returns: An image in memory; its light metadata and orientation are those of `target`, and
  ///   its rows and columns are those of this image.
  /// - Throws: As `ImageTransform.init(validating:to:exposure:rendition:resampling:orientation:)`
  ///   and `ImageTransform.run(_:execution:)`.
  public func transformed(
    to target: ImageDescription, exposure: Double = 0, rendition: Rendition? = nil,
    execution: Execution = .current
  ) throws(ImageError) -> Image {
    var transform = try ImageTransform(
      validating: description, to: target, exposure: exposure, rendition: rendition)
    transform.measurement = .nothing
    return try transform.run(self, execution: execution).image
  }

  /// Returns the linear values of the image, as RGB in single precision.
  ///
  /// Samples that are not numbers become 0, infinite samples 1e30 before primaries are converted.
  ///
  /// - Parameters:
  ///   - primaries: Primaries of the result; `nil` keeps those of the image.
  ///   - execution: Threads, progress and cancellation.
  /// - Returns: An image in memory with straight alpha, 1.0 for reference white; components may be
  ///   negative and above the peak.
  /// - Throws: As `transformed(to:exposure:rendition:execution:)`.
  public func linear(
    primaries: ColorPrimaries? = nil, execution: Execution = .current
  ) throws(ImageError) -> Image {
    var target = description.linear
    target.color.primaries = primaries ?? color.primaries
    target.layout.isAlphaPremultiplied = false
    return try transformed(to: target, execution: execution)
  }

  /// Measures the light levels of the image in its own primaries, including its headroom.
  ///
  /// - Parameter execution: Threads, progress and cancellation.
  /// - Returns: The levels, in cd/m²; `contentHeadroom` is the headroom.
  /// - Throws: As `transformed(to:exposure:rendition:execution:)`.
  public func lightLevels(execution: Execution = .current) throws(ImageError) -> LightLevels {
    try ImageTransform(validating: description, to: description.linear)
      .measure(self, execution: execution)
  }

  /// Measures the headroom of the image content in BT.2020, as used by tone mapping operators.
  ///
  /// - Parameter execution: Threads, progress and cancellation.
  /// - Returns: The 99.99th percentile of the largest component over reference white, at least 0
  ///   stops.
  /// - Throws: As `transformed(to:exposure:rendition:execution:)`.
  public func contentHeadroom(
    execution: Execution = .current
  ) throws(ImageError) -> Headroom {
    try contentStatistics(execution: execution).headroom
  }

  /// Measures the headroom and the key of the image content in BT.2020, as used by tone mapping
  /// operators.
  ///
  /// - Parameter execution: Threads, progress and cancellation.
  /// - Returns: The headroom as `contentHeadroom(execution:)`, and the key, `LightLevels.key`.
  /// - Throws: As `transformed(to:exposure:rendition:execution:)`.
  public func contentStatistics(
    execution: Execution = .current
  ) throws(ImageError) -> ToneMapOperator.ContentStatistics {
    var target = description.linear
    target.color.primaries = .bt2020
    return try ImageTransform(validating: description, to: target)
      .contentStatistics(self, execution: execution)
  }

  /// Tone maps the linear values for a display of less headroom.
  ///
  /// On a display with at least the headroom of the content, the values are unchanged.
  ///
  ///     let laptop = try image.toneMapped(to: Headroom(ratio: 2))
  ///     let standard = try image.toneMapped(to: .standard, using: .bt2390)
  ///
  /// - Parameters:
  ///   - display: Headroom of the display, at least 0 stops.
  ///   - method: The operator.
  ///   - content: Headroom of the image; `nil` to measure it. An operator that uses the key, as the
  ///     default does, measures the image in any case.
  ///   - execution: Threads, progress and cancellation.
  /// - Returns: Linear values in the same primaries, limited to the display's peak unless the
  ///   content's headroom does not exceed the display's.
  /// - Throws: As `Rendition.init(_:content:key:display:referenceWhite:)` and
  ///   `transformed(to:exposure:rendition:execution:)`.
  public func toneMapped(
    to display: Headroom, using method: ToneMapOperator = .adaptive, content: Headroom? = nil,
    execution: Execution = .current
  ) throws(ImageError) -> Image {
    var found = ToneMapOperator.ContentStatistics(headroom: content ?? .standard)
    if content == nil || method.usesKey { found = try contentStatistics(execution: execution) }
    let rendition = try Rendition(
      method, content: content ?? found.headroom, key: found.key, display: display,
      referenceWhite: color.referenceWhite)
    guard !rendition.toneMap.isIdentity else { return try linear(execution: execution) }
    return try transformed(to: description.linear, rendition: rendition, execution: execution)
  }
}
