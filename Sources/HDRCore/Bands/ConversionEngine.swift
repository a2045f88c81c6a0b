// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels
internal import Synchronization

/// The prepared stages of a conversion, and the running sums of all bands.
final class ConversionEngine: Sendable {
  let rows: LinearRowDecoder
  let resampling: Resampling?
  let hasAlpha: Bool
  /// Whether linear values are straight, not premultiplied by alpha.
  let isStraight: Bool
  /// Whether the decoder yields straight values, which are measured multiplied by alpha.
  let dividesByCoverage: Bool
  /// Whether values are multiplied by alpha, which is dropped: the image is composited on black.
  private let isFlattened: Bool
  private let width: Int
  private let height: Int
  private let orientation: Orientation
  /// Layout of the encoded samples before rotation.
  private let encodedFormat: ImageLayout
  private let steps: ColorPipeline
  private let lightParameters: LightCounter.Parameters
  private let measurement: LightLevels.Extent
  private let encoder: RowEncoder
  /// Whether the samples of the target are those of the source.
  let copiesSamples: Bool
  private let totals: Mutex<Totals>

  fileprivate struct Totals {
    var light: LightCounter
    var clipped = pk_clip_count()
    var emissive = 0
    var changes = ImageTransform.Changes()
  }

  init(_ conversion: ImageTransform) {
    let (source, target) = (conversion.source, conversion.target)
    resampling = conversion.resampling
    width = resampling?.width ?? source.layout.width
    height = resampling?.height ?? source.layout.height
    hasAlpha = source.layout.hasAlpha || target.layout.hasAlpha
    isStraight = hasAlpha && !conversion.keepsAssociatedAlpha
    isFlattened = isStraight && source.layout.hasAlpha && !target.layout.hasAlpha
    dividesByCoverage = isStraight && !isFlattened
    var (sourceFormat, targetFormat) = (source.layout, target.layout)
    if conversion.keepsAssociatedAlpha {
      (sourceFormat.isAlphaPremultiplied, targetFormat.isAlphaPremultiplied) = (false, false)
    }
    let first = conversion.componentFunction
    rows = LinearRowDecoder(
      sourceFormat, source.color, hasAlpha: hasAlpha, stage: conversion.stage, followedBy: first,
      keepsEmission: conversion.keepsAssociatedAlpha && source.color.keepsEmission)
    var light = source.color
    light.primaries = conversion.stage?.primaries ?? light.primaries
    steps = ColorPipeline(
      from: light, to: target.color, exposure: conversion.exposure,
      rendition: conversion.rendition,
      isUnbounded: source.layout.isFloatingPoint || conversion.stage != nil,
      isLimited: !target.layout.isFloatingPoint,
      losesGlow: sourceFormat.isAlphaPremultiplied
        && !(targetFormat.isAlphaPremultiplied && target.color.transfer == .linear),
      isBegun: first != nil)
    lightParameters = LightCounter.Parameters(target.color)
    measurement = conversion.measurement
    orientation = conversion.orientation
    if conversion.reducesChroma { targetFormat.components = .ycbcr(.yuv444) }
    (targetFormat.width, targetFormat.height) = (width, height)
    encodedFormat = targetFormat
    encoder = RowEncoder(
      targetFormat, target.color,
      chromaBits: conversion.reducesChroma ? ChromaReduction.largeBits : nil,
      isDithered: conversion.isDithered,
      keepsEmission: conversion.keepsAssociatedAlpha && target.layout.hasAlpha
        && target.color.keepsEmission)
    copiesSamples =
      conversion.changesNothing && source.color == target.color && source.layout == targetFormat
    totals = Mutex(Totals(light: LightCounter(conversion.measurement)))
  }

  /// Converts the image that `reader` yields, until `isDone` returns true.
  func run(
    _ reader: any RowReader, into destination: Destination?,
    until isDone: () -> Bool = { false }
  ) throws(ImageError) {
    if let resampling {
      return try resample(resampling, reader) {
        (_, make) throws(ImageError) in
        try make(destination)
      }
    }
    try forEachStrip(of: reader, until: isDone) {
      (lines, strip) throws(ImageError) in
      try convert(strip, lines, into: destination)
    }
  }

  /// Reads an image strip by strip, each with the adjacent rows that decoding needs.
  func forEachStrip(
    of reader: any RowReader, until isDone: () -> Bool = { false },
    _ body: (_ lines: Range<Int>, _ strip: LinearRowDecoder.Strip) throws(ImageError) -> Void
  ) throws(ImageError) {
    let strips = strips(of: height)
    let reading = rows.strips(strips, of: reader)
    defer { reading.finish() }
    for lines in strips where !isDone() {
      try Execution.step(to: lines.upperBound, of: height) { () throws(ImageError) in
        try body(lines, try reading.next())
      }
    }
  }

  /// Converts rows of a strip.
  func convert(
    _ strip: LinearRowDecoder.Strip, _ lines: Range<Int>, into destination: Destination?
  ) throws(ImageError) {
    try forEachBand(of: lines) { band in
      fill(band, of: destination) { convert(band, of: strip, into: $0) }
    }
  }

  /// Fills a band in stored orientation with `body`, and writes it in upright orientation.
  func fill(_ band: Range<Int>, of destination: Destination?, _ body: (Destination?) -> Void) {
    guard let destination, orientation != .upright else { return body(destination) }
    destination.fillRotated(band, of: encodedFormat, from: orientation) { body($0) }
  }

  private func convert(
    _ band: Range<Int>, of strip: LinearRowDecoder.Strip, into destination: Destination?
  ) {
    if measuresSignals, destination == nil { return measureSignals(of: band, of: strip) }
    var decoding = rows.makeBand()
    var finishing = Finishing(self)
    for y in band {
      if copiesSamples { destination?.copy(y, of: strip) }
      if copiesSamples, measurement == .nothing { continue }
      rows.decode(y, of: strip, into: &decoding)
      finishing.apply(to: &decoding.row, y: y, into: copiesSamples ? nil : destination)
    }
    add(decoding)
    add(finishing)
  }

  /// Whether the largest components can be counted before they are linearized.
  private var measuresSignals: Bool {
    measurement == .percentiles && rows.stage == nil && steps.isIdentity && !hasAlpha
      && rows.decoder.hasOneCurve
  }

  /// Counts the largest components of rows, which needs one curve instead of three.
  private func measureSignals(of band: Range<Int>, of strip: LinearRowDecoder.Strip) {
    var decoding = rows.makeBand()
    var maxima = decoding.row.red
    var bins = [UInt32](repeating: 0, count: width)
    var light = LightCounter(measurement)
    for y in band {
      rows.decodeMaxima(y, of: strip, into: &maxima, by: &decoding)
      light.add(maxima: maxima, scratch: &bins)
    }
    totals.withLock { $0.light.add(light) }
  }

  /// The steps from linear values to rows of the target.
  struct Finishing {
    private let engine: ConversionEngine
    private var encoding: RowEncoder.Scratch
    private var bins: [UInt32]
    private var light: LightCounter
    private var stepping: ColorPipeline.Scratch
    private var shown: LinearRow

    init(_ engine: ConversionEngine) {
      self.engine = engine
      light = LightCounter(engine.measurement)
      encoding = RowEncoder.Scratch(width: engine.width)
      bins = [UInt32](repeating: 0, count: engine.width)
      stepping = ColorPipeline.Scratch(width: engine.width)
      shown = LinearRow(width: engine.dividesByCoverage ? engine.width : 0, hasAlpha: false)
    }

    /// Processes row `y`; rows of a band come in order, and bands start at even rows.
    mutating func apply(to row: inout LinearRow, y: Int, into destination: Destination?) {
      if engine.isFlattened { row.multiply(byGain: row.alpha) }
      engine.steps.apply(to: &row, scratch: &stepping)
      if engine.measurement != .nothing { measure(row) }
      if let destination {
        engine.encoder.encode(&row, y: y, into: destination, scratch: &encoding)
      }
    }

    private mutating func measure(_ row: LinearRow) {
      if engine.dividesByCoverage { shown.assign(shownOf: row) }
      light.add(
        engine.dividesByCoverage ? shown : row, parameters: engine.lightParameters, scratch: &bins)
    }

    fileprivate func add(to totals: inout Totals) {
      totals.light.add(light)
      totals.clipped.add(stepping.clipped)
      totals.emissive += stepping.emissive
      totals.changes.add(stepping.changes)
      totals.clipped.add(encoding.clipped)
    }
  }

  /// Counts the clipped pixels of a decoded band.
  func add(_ decoding: LinearRowDecoder.Band) {
    totals.withLock { $0.clipped.add(decoding.clipped) }
  }

  /// Counts the levels and clipped pixels of a finished band.
  func add(_ finishing: Finishing) { totals.withLock { finishing.add(to: &$0) } }

  /// Light levels of the target.
  var levels: LightLevels {
    guard measurement != .nothing else { return LightLevels(unmeasured: lightParameters) }
    return totals.withLock {
      LightLevels($0.light, parameters: lightParameters, pixelCount: width * height)
    }
  }

  /// Whether the rows so far prove that the image has at least this headroom.
  func reaches(_ headroom: Headroom) -> Bool {
    totals.withLock { $0.light.reaches(headroom, pixelCount: width * height) }
  }

  /// Pixels that a rendition changed.
  var changes: ImageTransform.Changes { totals.withLock { $0.changes } }

  /// Pixels that were clipped.
  var clipping: ImageTransform.Clipping {
    let (clipped, emissive) = totals.withLock { ($0.clipped, $0.emissive) }
    return ImageTransform.Clipping(
      pixelCount: width * height, notANumber: Int(clipped.not_a_number),
      below: Int(clipped.below), above: Int(clipped.above), infinite: Int(clipped.infinite),
      emissive: emissive)
  }
}

extension ImageTransform {
  /// Whether all samples of the source are linear values of the target's range, unchanged.
  fileprivate var changesNothing: Bool {
    guard case .integer = source.layout.samples, source.color.isFullRange,
      source.layout.components == .rgb || source.layout.components == .gray
    else { return false }
    return stage == nil && resampling == nil && rendition == nil && exposure == 0
      && !source.layout.hasAlpha
  }

  /// The first function of each linear component, if no other step needs the values before it.
  fileprivate var componentFunction: (@Sendable (Double) -> Double)? {
    guard stage == nil, resampling == nil, !source.layout.hasAlpha,
      RowDecoder.hasCurves(source.color)
    else { return nil }
    return ColorPipeline.componentFunction(
      from: source.color, to: target.color, exposure: exposure, rendition: rendition)
  }
}
