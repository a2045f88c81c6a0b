// SPDX-License-Identifier: Apache-2.0

extension ImageTransform {
  /// Prepares a transform between two images.
  ///
  /// - Parameters:
  ///   - source: The image to transform.
  ///   - target: The image to make.
  ///   - exposure: Gain of the linear values, in stops; finite.
  ///   - rendition: Rendering for a display; `nil` keeps the linear values.
  ///   - resampling: Part of the source and size of the result; `nil` for the whole image at its
  ///     own size.
  ///   - orientation: Relation of the source's rows and columns to the target's. If sides are
  ///     swapped, `target` has the size of the rotated image.
  /// - Throws: `.invalidArgument` if the sizes do not match, the part of `resampling` is not inside
  ///   the source, or `exposure` is not finite; for sizes, depths, primaries and reference whites
  ///   out of range; and for targets that are not supported: floating-point Y'CbCr, chroma sited at
  ///   the top left, or a matrix without constant coefficients. `.unsupported` for a matrix of the
  ///   source that cannot be decoded.
  public init(
    validating source: ImageDescription, to target: ImageDescription, exposure: Double = 0,
    rendition: Rendition? = nil, resampling: Resampling? = nil,
    orientation: Orientation = .upright
  ) throws(ImageError) {
    var size = source.layout
    if let resampling {
      guard resampling.part.lies(inWidth: size.width, height: size.height) else {
        throw ImageError(
          .invalidArgument, "part {part} is not inside the image of {size pixel}",
          [
            "part": [
              resampling.part.x, resampling.part.y, resampling.part.width, resampling.part.height,
            ], "size": .size(size.width, size.height),
          ])
      }
      (size.width, size.height) = (resampling.width, resampling.height)
    }
    size = size.upright(from: orientation)
    guard size.hasSize(of: target.layout) else {
      throw ImageError(
        .imageSizesDiffer,
        [
          "first": .size(size.width, size.height),
          "second": .size(target.layout.width, target.layout.height),
        ])
    }
    try source.checkDecodable()
    try target.check()
    guard exposure.isFinite else {
      throw ImageError(.invalidArgument, "invalid exposure: {stops stop}", ["stops": exposure])
    }
    if case .ycbcr = target.layout.components {
      guard target.color.chromaLocation != .topLeft,
        target.color.matrix != .identity,
        YCbCr(matrix: target.color.matrix, primaries: target.color.primaries) != nil
      else {
        throw ImageError(
          .invalidArgument, "Y'CbCr with matrix {matrix} cannot be encoded",
          ["matrix": target.color.matrix.rawValue])
      }
    }
    self.init(
      from: source, to: target, exposure: exposure, rendition: rendition, resampling: resampling,
      orientation: orientation)
  }

  /// Transforms an image.
  ///
  /// - Parameters:
  ///   - image: An image of the layout of `source`; its color is taken to be that of `source`.
  ///   - execution: Threads, progress and cancellation.
  /// - Returns: An image in memory, its light levels, and counts of clipped and changed pixels.
  /// - Throws: `.invalidArgument` if the layout of `image` is not that of `source`;
  ///   `.limitExceeded` if the budget does not suffice for the result; errors of the decoder;
  ///   `.cancelled`.
  public func run(_ image: Image, execution: Execution = .current) throws(ImageError) -> Result {
    let output = try operation(on: image, execution) { (reader) throws(ImageError) in
      try run(reader)
    }
    return Result(
      image: Image(target, output.image), lightLevels: output.lightLevels,
      clipping: output.clipping,
      changes: output.changes)
  }

  /// Measures the linear values that `run(_:execution:)` would write, without writing them.
  ///
  /// - Parameters:
  ///   - image: The source.
  ///   - execution: Threads, progress and cancellation.
  /// - Returns: The light levels of the target.
  /// - Throws: As `run(_:execution:)`.
  public func measure(
    _ image: Image, execution: Execution = .current
  ) throws(ImageError) -> LightLevels {
    try operation(on: image, execution) { (reader) throws(ImageError) in try measure(reader) }
  }

  /// Measures the headroom of the linear values that `run(_:execution:)` would write.
  ///
  /// It is that of `measure(_:execution:)`, with less work.
  ///
  /// - Parameters:
  ///   - image: The source.
  ///   - execution: Threads, progress and cancellation.
  /// - Returns: As `LightLevels.contentHeadroom`.
  /// - Throws: As `run(_:execution:)`.
  public func contentHeadroom(
    _ image: Image, execution: Execution = .current
  ) throws(ImageError) -> Headroom {
    try contentStatistics(image, execution: execution).headroom
  }

  /// Measures headroom and key of the linear values that `run(_:execution:)` would write.
  ///
  /// - Parameters:
  ///   - image: The source.
  ///   - execution: Threads, progress and cancellation.
  /// - Returns: As `LightLevels.contentStatistics`.
  /// - Throws: As `run(_:execution:)`.
  public func contentStatistics(
    _ image: Image, execution: Execution = .current
  ) throws(ImageError) -> ToneMapOperator.ContentStatistics {
    try operation(on: image, execution) { (reader) throws(ImageError) in
      try contentStatistics(reader)
    }
  }

  private func operation<Value>(
    on image: Image, _ execution: Execution, _ body: (any RowReader) throws(ImageError) -> Value
  ) throws(ImageError) -> Value {
    try execution.run { () throws(ImageError) in
      try Execution.operation { () throws(ImageError) in
        var stages = Stages(1, 2)
        let reader = try stages.next { () throws(ImageError) in try self.reader(of: image) }
        return try stages.next { () throws(ImageError) in try body(reader) }
      }
    }
  }

  private func reader(of image: Image) throws(ImageError) -> any RowReader {
    guard image.layout == source.layout else {
      throw ImageError(
        .packingLayoutDiffers, ["image": "\(image.layout)", "layout": "\(source.layout)"])
    }
    return try image.makeReader()
  }
}

extension ImageDescription {
  /// Fails for invalid layouts and colors, and for a matrix that is not supported.
  package func checkDecodable() throws(ImageError) {
    try check()
    try color.requireDecodable(layout)
  }

  /// Fails for invalid layouts and colors.
  package func check() throws(ImageError) {
    if case .integer(let bits) = layout.samples {
      // Narrow range is defined for 8 bits or more.
      guard (color.isFullRange ? 1...16 : 8...16).contains(bits) else {
        throw ImageError(.depthInvalid, ["bits": bits])
      }
    }
    try layout.checkSize()
    if case .ycbcr = layout.components, layout.isFloatingPoint {
      throw ImageError(
        .invalidArgument,
        "Y'CbCr requires integer samples; floating-point samples must be RGB or gray")
    }
    guard layout.components != .ycbcr(.yuv400) else {
      throw ImageError(.unsupportedValue, ["field": "chroma of a color image", "value": "4:0:0"])
    }
    guard color.primaries.isUsable else {
      throw ImageError(.invalidArgument, "invalid primaries: they do not span a color space")
    }
    guard color.referenceWhite > 0, color.referenceWhite.isFinite else {
      throw ImageError(.referenceWhiteInvalid, ["white": color.referenceWhite])
    }
  }
}

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
  public func contentHeadroom(execution: Execution = .current) throws(ImageError) -> Headroom {
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
