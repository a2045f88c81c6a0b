// SPDX-License-Identifier: Apache-2.0

/// Conversion of an image's samples from one description to another, in bands of rows.
///
/// Decoding, primaries, exposure, tone, limits, measurement, encoding and quantization of a row run
/// back to back; no whole image of linear values is built. The result does not depend on the number
/// of threads.
public struct ImageTransform: Sendable {
  /// An image, and the measurements made during its conversion.
  public struct Result: Sendable {
    /// The converted image.
    public var image: Image
    /// Light levels of the image in the primaries of the target; `measurement` selects which.
    public var lightLevels: LightLevels
    /// Pixels that were clipped.
    public var clipping: Clipping
    /// Pixels that a rendition changed.
    public var changes: Changes
  }

  /// Samples, and the measurements made during their conversion.
  package struct Output: Sendable {
    package var image: ImagePlanes
    package var lightLevels: LightLevels
    package var clipping: Clipping
    package var changes: Changes

    /// The measurements.
    package var findings: Findings {
      Findings(lightLevels: lightLevels, clipping: clipping, changes: changes)
    }
  }

  /// Pixels that a rendition changed.
  public struct Changes: Hashable, Sendable {
    /// Number of pixels changed by the tone-mapping operator.
    public var toneMapped = 0
    /// Number of pixels changed by `GamutMapping.soft`, without those above the peak, which are
    /// clipped.
    public var gamutMapped = 0

    package init() {}

    mutating func add(_ other: Changes) {
      toneMapped += other.toneMapped
      gamutMapped += other.gamutMapped
    }
  }

  /// Counts of pixels out of the target's range; a pixel can count in several of them.
  public struct Clipping: Hashable, Sendable {
    /// Number of pixels of the image.
    public var pixelCount: Int
    /// Pixels with a component that is not a number; it is set to 0.
    public var notANumber: Int
    /// Pixels with a component below 0, outside the target's primaries; it is set to 0.
    public var below: Int
    /// Pixels with a component above the target's range or the target display's peak; it is set to
    /// that maximum.
    public var above: Int
    /// Pixels with an infinite component; it is set to the largest value that the target can store,
    /// or to the content's peak before tone mapping.
    public var infinite: Int
    /// Emissive pixels of premultiplied alpha that straight alpha cannot store, such as flames and
    /// glow: components far above alpha.
    public var emissive: Int

    package init(
      pixelCount: Int, notANumber: Int = 0, below: Int = 0, above: Int = 0, infinite: Int = 0,
      emissive: Int = 0
    ) {
      self.pixelCount = pixelCount
      self.notANumber = notANumber
      self.below = below
      self.above = above
      self.infinite = infinite
      self.emissive = emissive
    }
  }

  package let source: ImageDescription
  package let target: ImageDescription
  let exposure: Double
  let rendition: Rendition?
  let resampling: Resampling?
  package let orientation: Orientation
  /// Whether integer samples are dithered; by default false.
  ///
  /// Without dither, gradients with few bits show banding. A value that a code value represents
  /// exactly still becomes that code value.
  public var isDithered = false
  /// Levels that results of `run(_:execution:)` contain, by default all; `measure(_:execution:)`
  /// always measures all.
  public var measurement = LightLevels.Extent.all
  /// The first operation on linear values of the source.
  package var stage: (any LightStage)?

  /// Prepares a conversion.
  ///
  /// - Parameters:
  ///   - source: The image to convert.
  ///   - target: The image to make.
  ///   - exposure: Gain of the linear values, in stops.
  ///   - rendition: Rendering for a display; `nil` keeps the linear values.
  ///   - resampling: Part of the source and size of the result; `nil` for the whole image at its
  ///     own size.
  ///   - orientation: Relation of the source's rows and columns to the target's, which are upright.
  ///     If sides are swapped, `target` has the size of the upright image.
  /// - Precondition: After rotation, the target has the size of the source, or of the resampling,
  ///   whose part is inside the source. Floating-point samples are RGB or gray. The target's matrix
  ///   is the identity for RGB and gray, or has constant coefficients for Y'CbCr; its chroma is
  ///   sited left or centered.
  package init(
    from source: ImageDescription, to target: ImageDescription, exposure: Double = 0,
    rendition: Rendition? = nil,
    resampling: Resampling? = nil, orientation: Orientation = .upright
  ) {
    var size = source.layout
    if let resampling {
      precondition(resampling.part.lies(inWidth: size.width, height: size.height))
      (size.width, size.height) = (resampling.width, resampling.height)
    }
    precondition(size.upright(from: orientation).hasSize(of: target.layout))
    for layout in [source.layout, target.layout] where layout.isFloatingPoint {
      if case .ycbcr = layout.components { preconditionFailure("Y'CbCr of floating point") }
    }
    self.source = source
    self.target = target
    self.resampling = resampling
    self.exposure = exposure
    self.rendition = rendition
    self.orientation = orientation
  }

  /// Whether chroma is encoded at full resolution first; see `ChromaReduction`.
  var reducesChroma: Bool { orientation != .upright && target.layout.chroma.horizontal > 1 }

  /// Whether premultiplied linear values stay premultiplied.
  ///
  /// Primaries and exposure commute with alpha, so values that a division could not restore, and
  /// emissive pixels at alpha 0, stay exact. If the target does not have alpha, these values are
  /// the image composited on black.
  var keepsAssociatedAlpha: Bool {
    guard source.layout.hasAlpha, source.layout.isAlphaPremultiplied, stage == nil,
      source.color.transfer == .linear || source.color.keepsEmission
    else { return false }
    guard target.layout.hasAlpha else { return true }
    return target.layout.isAlphaPremultiplied && rendition == nil
      && (target.color.transfer == .linear || target.color.keepsEmission)
  }

  /// Converts the image that `reader` yields.
  ///
  /// - Parameter reader: Yields the source's samples.
  /// - Returns: The image, its light levels, and counts of clipped pixels.
  /// - Throws: Errors of the reader.
  package func run(_ reader: any RowReader) throws(ImageError) -> Output {
    let engine = ConversionEngine(self)
    var format = target.layout
    if reducesChroma { format.components = .ycbcr(.yuv444) }
    try format.requireMemory()
    var planes = try Destination.make(0..<format.height, of: format) {
      (destination) throws(ImageError) in
      try engine.run(reader, into: destination)
    }
    if reducesChroma, case .integer(let large) = planes {
      planes = .integer(try ChromaReduction(target, isDithered: isDithered).reduced(large))
    }
    return Output(
      image: ImagePlanes(layout: target.layout, planes: planes), lightLevels: engine.levels,
      clipping: engine.clipping, changes: engine.changes)
  }

  /// Converts an image that is in memory.
  ///
  /// - Parameter image: The source's samples.
  /// - Returns: The image, its light levels, and counts of clipped pixels.
  /// - Throws: `.cancelled`.
  package func run(_ image: ImagePlanes) throws(ImageError) -> Output {
    try run(PlanesReader(image))
  }

  /// Measures the linear values that `run` would write, without writing them.
  ///
  /// - Parameter reader: Yields the source's samples.
  /// - Returns: The light levels of the target.
  /// - Throws: Errors of the reader.
  package func measure(_ reader: any RowReader) throws(ImageError) -> LightLevels {
    let engine = ConversionEngine(measuring(.all))
    try engine.run(reader, into: nil)
    return engine.levels
  }

  /// Measures an image in memory as `run` would write it.
  ///
  /// - Parameter image: The source's samples.
  /// - Returns: The light levels of the target.
  /// - Throws: `.cancelled`.
  package func measure(_ image: ImagePlanes) throws(ImageError) -> LightLevels {
    try measure(PlanesReader(image))
  }

  /// Headroom of the linear values that `run` would write, as measured by `measure`, with less
  /// work.
  ///
  /// - Parameters:
  ///   - reader: Yields the source's samples.
  ///   - enough: Headroom at which reading stops.
  /// - Returns: As `LightLevels.contentHeadroom`, or any headroom of at least `enough`.
  /// - Throws: Errors of the reader.
  package func contentHeadroom(
    _ reader: any RowReader, enough: Headroom? = nil
  ) throws(ImageError) -> Headroom {
    try contentStatistics(reader, enough: enough).headroom
  }

  /// Headroom and key of the linear values that `run` would write.
  ///
  /// - Parameters:
  ///   - reader: Yields the source's samples.
  ///   - enough: Headroom at which reading stops; the key is then that of a part. `nil` to read all.
  /// - Returns: As `LightLevels.contentStatistics`, or any headroom of at least `enough`.
  /// - Throws: Errors of the reader.
  package func contentStatistics(
    _ reader: any RowReader, enough: Headroom? = nil
  ) throws(ImageError) -> ToneMapOperator.ContentStatistics {
    let engine = ConversionEngine(measuring(.percentiles))
    try engine.run(reader, into: nil) {
      enough.map { engine.reaches($0) } ?? false
    }
    return engine.levels.contentStatistics
  }

  private func measuring(_ extent: LightLevels.Extent) -> ImageTransform {
    var measuring = self
    measuring.measurement = extent
    return measuring
  }
}

extension ImageTransform {
  /// Measurements of a transform.
  package struct Findings: Sendable {
    package var lightLevels: LightLevels
    package var clipping: Clipping
    package var changes: Changes
  }

  /// Converts the image that `reader` yields, piece by piece, for a writer that takes rows.
  ///
  /// An upright image is never in memory as a whole. A rotated image is made in pieces of at most 8
  /// bytes per pixel of the image; the reader restarts for each piece after the first.
  ///
  /// - Parameters:
  ///   - reader: Yields the source's samples.
  ///   - body: Takes consecutive rows of the target. Their number is a multiple of 32, except in
  ///     the last piece and for a rotated image.
  /// - Returns: The light levels of the target, and counts of clipped pixels.
  /// - Throws: Errors of the reader and of `body`.
  /// - Precondition: The target's chroma is not subsampled if the image is rotated.
  package func run(
    _ reader: any RowReader, eachPiece body: (ImagePlanes) throws(ImageError) -> Void
  ) throws(ImageError) -> Findings {
    precondition(target.layout.chroma.horizontal == 1 || orientation == .upright)
    let engine = ConversionEngine(self)
    if orientation != .upright {
      try runRotated(engine, reader, body)
    } else if let resampling {
      try engine.resample(resampling, reader) { (rows, make) throws(ImageError) in
        try body(image(of: rows) { (destination) throws(ImageError) in try make(destination) })
      }
    } else {
      try engine.forEachStrip(of: reader) { (rows, strip) throws(ImageError) in
        try body(
          image(of: rows) { (destination) throws(ImageError) in
            try engine.convert(strip, rows, into: destination)
          })
      }
    }
    return Findings(lightLevels: engine.levels, clipping: engine.clipping, changes: engine.changes)
  }

  private func runRotated(
    _ engine: ConversionEngine, _ reader: any RowReader,
    _ body: (ImagePlanes) throws(ImageError) -> Void
  ) throws(ImageError) {
    let height = target.layout.height
    let count = min((target.layout.bytesPerPixel + 7) / 8, height)
    for index in 0..<count {
      let rows = height * index / count..<height * (index + 1) / count
      // Every pass reads the whole image; its measurements count once.
      let pass = index == 0 ? engine : ConversionEngine(self)
      var part = target.layout
      part.height = rows.count
      try part.requireMemory()
      try Execution.step(to: index + 1, of: count) { () throws(ImageError) in
        try body(
          image(of: rows) { (destination) throws(ImageError) in
            try pass.run(reader, into: destination)
          })
      }
    }
  }

  private func image<Failure: Error>(
    of rows: Range<Int>, _ fill: (Destination) throws(Failure) -> Void
  ) throws(Failure) -> ImagePlanes {
    ImagePlanes(
      layout: target.layout.strip(height: rows.count),
      planes: try Destination.make(rows, of: target.layout, fill))
  }
}

extension ImageLayout {
  /// Bytes per pixel in planes with full chroma.
  fileprivate var bytesPerPixel: Int { planeCount * (samples == .float ? 4 : 2) }
}

/// First operation on the linear values of an image, such as a gain map, provided by another
/// module.
package protocol LightStage: Sendable {
  /// Primaries of the result.
  var primaries: ColorPrimaries { get }

  /// Makes the working memory for a band of rows.
  func makeBand() -> any LightStageBand
}

/// Working memory for one band.
package protocol LightStageBand: Sendable {
  /// Changes row `y` of the image; rows of a band come in order.
  mutating func apply(to row: inout LinearRow, y: Int)
}
