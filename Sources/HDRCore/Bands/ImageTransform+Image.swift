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
  public func run(
    _ image: Image, execution: Execution = .current
  ) throws(ImageError) -> Result {
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
