internal import Dispatch
internal import PixelKernels
internal import Synchronization

/// The way of a picture's samples from one coding to another, through light, in bands of rows.
///
/// Decoding, primaries, exposure, tone, limits, measurement, encoding and quantization of a row run
/// back to back; no whole picture of light is ever built. The result does not depend on the number
/// of threads.
public struct PictureConversion: Sendable {
  /// A picture's layout and meaning.
  public struct Coding: Sendable {
    public var format: StoredFormat
    public var encoding: ColorEncoding
    public var siting: ChromaSiting

    public init(format: StoredFormat, encoding: ColorEncoding, siting: ChromaSiting = .left) {
      self.format = format
      self.encoding = encoding
      self.siting = siting
    }
  }

  /// What came out, and what was seen on the way.
  public struct Result: Sendable {
    public var image: StoredImage
    public var light: LightLevels
    public var clipping: Clipping
  }

  /// Pixels that the target cannot say, of `pixelCount`.
  public struct Clipping: Hashable, Sendable {
    public var pixelCount = 0
    /// With a component that was not a number; it became 0.
    public var notANumber = 0
    /// With a component below 0, outside the target's primaries; it became 0.
    public var below = 0
    /// With a component above what the target can say; it became the largest.
    public var above = 0
  }

  private let source: Coding
  private let target: Coding
  private let exposure: Double
  private let shoulder: RationalShoulder?

  /// Plans a conversion.
  ///
  /// - Parameters:
  ///   - source: The picture that the reader yields.
  ///   - target: The picture to make.
  ///   - exposure: Applied to the light, in stops.
  ///   - shoulder: A tone curve for the light of the target, from the content's headroom to the
  ///     target's. PQ needs none.
  /// - Precondition: Both pictures have the same size; the target's matrix is the identity for RGB
  ///   and gray or has constant coefficients for Y'CbCr, its chroma is left or centered.
  public init(
    from source: Coding, to target: Coding, exposure: Double = 0,
    shoulder: RationalShoulder? = nil
  ) {
    precondition(source.format.width == target.format.width)
    precondition(source.format.height == target.format.height)
    self.source = source
    self.target = target
    self.exposure = exposure
    self.shoulder = shoulder
  }

  /// Converts the picture that `reader` yields.
  ///
  /// - Parameters:
  ///   - reader: Yields the source's samples.
  ///   - threads: Bands worked on at the same time, at least 1.
  ///   - progress: Called between strips with the share that is done.
  /// - Returns: The picture, its light levels, and what had to be clipped.
  /// - Throws: What the reader finds wrong.
  public func run(
    _ reader: any RowReader, threads: Int, progress: ((Double) -> Void)? = nil
  ) throws(ImageError) -> Result {
    let format = target.format
    let sizes = (0..<format.planeCount).map { format.planeSize($0) }
    let engine = Engine(self)
    switch format.samples {
    case .integer:
      var planes = sizes.map { Plane<UInt16>(width: $0.width, height: $0.height, filledWith: 0) }
      let outcome = SharedPlanes.withShared(&planes) { shared in
        engine.run(reader, into: .integer(shared), threads: threads, progress: progress)
      }
      try outcome.get()
      return engine.result(StoredImage(format: format, planes: .integer(planes)))
    case .float:
      var planes = sizes.map { Plane<Float>(width: $0.width, height: $0.height, filledWith: 0) }
      let outcome = SharedPlanes.withShared(&planes) { shared in
        engine.run(reader, into: .float(shared), threads: threads, progress: progress)
      }
      try outcome.get()
      return engine.result(StoredImage(format: format, planes: .float(planes)))
    }
  }

  /// Measures the light that `run` would write, without writing it.
  ///
  /// - Parameters:
  ///   - reader: Yields the source's samples.
  ///   - threads: Bands worked on at the same time, at least 1.
  ///   - progress: Called between strips with the share that is done.
  /// - Returns: The light levels of the target.
  /// - Throws: What the reader finds wrong.
  public func measure(
    _ reader: any RowReader, threads: Int, progress: ((Double) -> Void)? = nil
  ) throws(ImageError) -> LightLevels {
    let engine = Engine(self)
    try engine.run(reader, into: nil, threads: threads, progress: progress).get()
    return engine.levels
  }

  /// The prepared stages of a conversion, and the sums of all bands so far.
  private final class Engine: Sendable {
    private let width: Int
    private let height: Int
    private let decoder: RowDecoder
    private let steps: LightSteps
    private let plan: LightCounter.Plan
    private let encoder: RowEncoder
    private let referenceWhite: Double
    private let hasAlpha: (source: Bool, target: Bool)
    private let totals = Mutex((light: LightCounter(), clipped: pk_clip_count()))

    init(_ conversion: PictureConversion) {
      let (source, target) = (conversion.source, conversion.target)
      width = source.format.width
      height = source.format.height
      decoder = RowDecoder(
        format: source.format, encoding: source.encoding, siting: source.siting)
      let isLimited = target.format.samples != .float
      steps = LightSteps(
        from: source.encoding, to: target.encoding, exposure: conversion.exposure,
        shoulder: conversion.shoulder, isLimited: isLimited)
      plan = LightCounter.Plan(primaries: target.encoding.primaries)
      encoder = RowEncoder(
        format: target.format, encoding: target.encoding, siting: target.siting)
      referenceWhite = target.encoding.referenceWhite
      hasAlpha = (source.format.hasAlpha, target.format.hasAlpha)
    }

    func run(
      _ reader: any RowReader, into destination: Destination?, threads: Int,
      progress: ((Double) -> Void)?
    ) -> Swift.Result<Void, ImageError> {
      // Enough bands for all threads; few enough that a strip is a small part of a large picture.
      let stripHeight = bandHeight * max(2 * threads, 4)
      for start in stride(from: 0, to: height, by: stripHeight) {
        let rows = start..<min(start + stripHeight, height)
        let wanted =
          max(rows.lowerBound - decoder.context, 0)..<min(rows.upperBound + decoder.context, height)
        let strip: StoredImage
        do throws(ImageError) {
          strip = try reader.read(rows: wanted)
        } catch {
          return .failure(error)
        }
        forEachBand(of: rows, threads: threads) { band in
          convert(band, of: strip, startingAt: wanted.lowerBound, into: destination)
        }
        progress?(Double(rows.upperBound) / Double(height))
      }
      return .success(())
    }

    private func convert(
      _ band: Range<Int>, of strip: StoredImage, startingAt first: Int,
      into destination: Destination?
    ) {
      var row = LightRow(width: width, hasAlpha: hasAlpha.source || hasAlpha.target)
      var decoding = RowDecoder.Scratch(width: width)
      var encoding = RowEncoder.Scratch(width: width)
      var bins = [UInt32](repeating: 0, count: width)
      var light = LightCounter()
      var clipped = pk_clip_count()
      for y in band {
        decoder.decode(strip, row: y - first, into: &row, scratch: &decoding)
        steps.apply(to: &row, counting: &clipped)
        light.add(row, plan: plan, scratch: &bins)
        if let destination {
          encoder.encode(&row, y: y, into: destination, scratch: &encoding)
        }
      }
      totals.withLock { totals in
        totals.light.add(light)
        totals.clipped.add(clipped)
        totals.clipped.add(encoding.clipped)
      }
    }

    var levels: LightLevels {
      totals.withLock { totals in
        LightLevels(
          totals.light, plan: plan, referenceWhite: referenceWhite, pixelCount: width * height)
      }
    }

    func result(_ image: StoredImage) -> PictureConversion.Result {
      let clipped = totals.withLock { $0.clipped }
      return Result(
        image: image, light: levels,
        clipping: Clipping(
          pixelCount: width * height, notANumber: Int(clipped.not_a_number),
          below: Int(clipped.below), above: Int(clipped.above)))
    }
  }
}

extension pk_clip_count {
  fileprivate mutating func add(_ other: pk_clip_count) {
    not_a_number += other.not_a_number
    below += other.below
    above += other.above
  }
}
