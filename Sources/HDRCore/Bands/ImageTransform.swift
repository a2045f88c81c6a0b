/// Conversion of an image's samples from one description to another, in bands of rows.
///
/// Decoding, primaries, exposure, tone, limits, measurement, encoding and quantization of a row run
/// back to back; no whole image of linear values is built. The result does not depend on the number
/// of threads.
public struct ImageTransform: Sendable {
  /// The image that was made, and what was measured on the way.
  public struct Result: Sendable {
    /// The image that was made.
    public var image: Image
    /// Light levels of the image, as far as they were measured.
    public var light: LightLevels
    /// Pixels that were clipped.
    public var clipping: Clipping
    /// Pixels that a rendition changed.
    public var changes: Changes
  }

  /// The samples that were made, and what was measured on the way.
  package struct Output: Sendable {
    package var image: ImagePlanes
    package var light: LightLevels
    package var clipping: Clipping
    package var changes: Changes
  }

  /// Pixels that a rendition changed.
  public struct Changes: Hashable, Sendable {
    /// By the operator.
    public var toneMapped = 0
    /// By `GrayMix`, but for light above the peak, which is clipped.
    public var gamutMapped = 0

    public init() {}

    mutating func add(_ other: Changes) {
      toneMapped += other.toneMapped
      gamutMapped += other.gamutMapped
    }
  }

  /// Pixels out of the target's range, of `pixelCount`.
  public struct Clipping: Hashable, Sendable {
    /// Pixels of the image.
    public var pixelCount: Int
    /// With a component that was not a number; it became 0.
    public var notANumber: Int
    /// With a component below 0, outside the target's primaries; it became 0.
    public var below: Int
    /// With a component above the target's range, or above the peak of the display that is
    /// rendered for; it became the largest.
    public var above: Int
    /// With an infinite component; it became the largest that the target can store, or the
    /// content's peak where that is rendered.
    public var infinite: Int
    /// Emissive pixels of premultiplied alpha that straight alpha cannot store: flames and glow, with
    /// components far above their alpha.
    public var glowing: Int

    public init(
      pixelCount: Int, notANumber: Int = 0, below: Int = 0, above: Int = 0, infinite: Int = 0,
      glowing: Int = 0
    ) {
      self.pixelCount = pixelCount
      self.notANumber = notANumber
      self.below = below
      self.above = above
      self.infinite = infinite
      self.glowing = glowing
    }
  }

  package let source: ImageDescription
  let target: ImageDescription
  let exposure: Double
  let rendition: Rendition?
  let resampling: Resampling?
  package let orientation: Orientation
  /// Whether integer samples are dithered.
  ///
  /// With few bits, gradients show steps otherwise. A value that a code value represents exactly
  /// still becomes that code value.
  public var isDithered = false
  /// Levels that results contain; `measure` always finds all.
  public var measurement = LightLevels.Extent.all
  /// The first operation on linear values of the source.
  package var stage: (any LightStage)?

  /// Plans a conversion.
  ///
  /// - Parameters:
  ///   - source: The image to convert.
  ///   - target: The image to make.
  ///   - exposure: Applied to the linear values, in stops.
  ///   - rendition: Rendering for a display; `nil` leaves the linear values as they are.
  ///   - resampling: The part of the source that shall be shown, and its size; `nil` for all of it.
  ///   - orientation: How the source's rows and columns relate to the target's: they are turned on
  ///     the way. Where sides change places, `target` has the size of the upright image.
  /// - Precondition: The target has the size of the source, or that of the resampling, whose part
  ///   lies inside the source, once turned. Samples of floating point are RGB or gray. The target's
  ///   matrix is the identity for RGB and gray or has constant coefficients for Y'CbCr, its chroma
  ///   is left or centered.
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

  /// Whether chroma is coded as large as luma first, see `ChromaReduction`.
  var reducesChroma: Bool { orientation != .upright && target.layout.chroma.horizontal > 1 }

  /// Whether light multiplied by coverage goes through as it is.
  ///
  /// Primaries and exposure commute with coverage; so light that no division would bring back, or
  /// that is there without coverage, stays exact. Without coverage, such light is what is seen on
  /// black, whatever becomes of it.
  var keepsAssociatedAlpha: Bool {
    guard source.layout.hasAlpha, source.layout.isAlphaPremultiplied, stage == nil,
      source.color.transfer == .linear
    else { return false }
    guard target.layout.hasAlpha else { return true }
    return target.layout.isAlphaPremultiplied && target.color.transfer == .linear
      && rendition == nil
  }

  /// Converts the image that `reader` yields.
  ///
  /// - Parameters:
  ///   - reader: Yields the source's samples.
  ///   - progress: Called between strips with the share that is done.
  /// - Returns: The image, its light levels, and what was clipped.
  /// - Throws: Errors of the reader.
  package func run(
    _ reader: any RowReader, progress: ((Double) -> Void)? = nil
  ) throws(ImageError) -> Output {
    try run { (engine, destination) throws(ImageError) in
      try engine.run(reader, into: destination, progress: progress)
    }
  }

  /// Converts an image that is in memory.
  ///
  /// - Parameter image: The source's samples.
  /// - Returns: The image, its light levels, and what was clipped.
  /// - Throws: `.cancelled`.
  package func run(_ image: ImagePlanes) throws(ImageError) -> Output {
    try run { (engine, destination) throws(ImageError) in
      try engine.run(image, into: destination)
    }
  }

  /// Measures the light that `run` would write, without writing it.
  ///
  /// - Parameters:
  ///   - reader: Yields the source's samples.
  ///   - progress: Called between strips with the share that is done.
  /// - Returns: The light levels of the target.
  /// - Throws: Errors of the reader.
  package func measure(
    _ reader: any RowReader, progress: ((Double) -> Void)? = nil
  ) throws(ImageError) -> LightLevels {
    let engine = ConversionEngine(measuring(.all))
    try engine.run(reader, into: nil, progress: progress)
    return engine.levels
  }

  /// Measures the light of an image in memory as `run` would write it.
  ///
  /// - Parameter image: The source's samples.
  /// - Returns: The light levels of the target.
  /// - Throws: `.cancelled`.
  package func measure(_ image: ImagePlanes) throws(ImageError) -> LightLevels {
    let engine = ConversionEngine(measuring(.all))
    try engine.run(image, into: nil)
    return engine.levels
  }

  /// Headroom of the light that `run` would write, as `measure` finds it, for less work.
  ///
  /// - Parameters:
  ///   - reader: Yields the source's samples.
  ///   - enough: Headroom from which on no more of the image is looked at.
  /// - Returns: As `LightLevels.contentHeadroom`, or any that is at least `enough`.
  /// - Throws: Errors of the reader.
  package func contentHeadroom(
    _ reader: any RowReader, enough: Headroom? = nil
  ) throws(ImageError) -> Headroom {
    let engine = ConversionEngine(measuring(.percentiles))
    try engine.run(reader, into: nil, progress: nil) {
      enough.map { engine.reaches($0) } ?? false
    }
    return engine.levels.contentHeadroom
  }

  private func measuring(_ extent: LightLevels.Extent) -> ImageTransform {
    var measuring = self
    measuring.measurement = extent
    return measuring
  }

  private func run(
    _ fill: (ConversionEngine, Destination) throws(ImageError) -> Void
  ) throws(ImageError) -> Output {
    let engine = ConversionEngine(self)
    var format = target.layout
    if reducesChroma { format.components = .ycbcr(.yuv444) }
    var planes = try Destination.make(0..<format.height, of: format) {
      (destination) throws(ImageError) in
      try fill(engine, destination)
    }
    if reducesChroma, case .integer(let large) = planes {
      planes = .integer(
        try ChromaReduction(target, isDithered: isDithered).reduced(large))
    }
    return Output(
      image: ImagePlanes(layout: target.layout, planes: planes), light: engine.levels,
      clipping: engine.clipping, changes: engine.changes)
  }
}
