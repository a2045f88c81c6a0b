internal import PixelKernels
internal import Synchronization

/// The prepared stages of a conversion, and the sums of all bands so far.
final class ConversionEngine: Sendable {
  private let width: Int
  private let height: Int
  private let orientation: Orientation
  /// Layout of the samples that come out, as large and as turned as those that go in.
  private let encodedFormat: StoredFormat
  private let hasAlpha: Bool
  /// Whether light comes out of the decoder as if alone, to be measured times coverage.
  private let dividesByCoverage: Bool
  /// Whether what coverage hides is lost: the picture is one on black.
  private let isFlattened: Bool
  private let decoder: RowDecoder
  private let stage: (any LightStage)?
  private let steps: LightSteps
  private let plan: LightCounter.Plan
  private let encoder: RowEncoder
  private let totals: Mutex<Totals>

  private struct Totals {
    var light = LightCounter()
    var clipped = pk_clip_count()
    var glowing = 0
    var changes = PictureConversion.Changes()
  }

  init(_ conversion: PictureConversion) {
    let (source, target) = (conversion.source, conversion.target)
    width = source.format.width
    height = source.format.height
    hasAlpha = source.format.hasAlpha || target.format.hasAlpha
    isFlattened = source.format.hasAlpha && !target.format.hasAlpha
    dividesByCoverage = hasAlpha && !isFlattened && !conversion.keepsAssociatedAlpha
    var (sourceFormat, targetFormat) = (source.format, target.format)
    if conversion.keepsAssociatedAlpha {
      (sourceFormat.isAlphaPremultiplied, targetFormat.isAlphaPremultiplied) = (false, false)
    }
    decoder = RowDecoder(
      format: sourceFormat, encoding: source.encoding, siting: source.siting)
    stage = conversion.stage
    var light = source.encoding
    light.primaries = stage?.primaries ?? light.primaries
    steps = LightSteps(
      from: light, to: target.encoding, exposure: conversion.exposure,
      rendition: conversion.rendition, isLimited: !target.format.isFloatingPoint,
      losesGlow: sourceFormat.isAlphaPremultiplied && !targetFormat.isAlphaPremultiplied)
    plan = LightCounter.Plan(target.encoding)
    orientation = conversion.orientation
    if conversion.reducesChroma { targetFormat.components = .ycbcr(.yuv444) }
    (targetFormat.width, targetFormat.height) = (width, height)
    encodedFormat = targetFormat
    encoder = RowEncoder(
      format: targetFormat, encoding: target.encoding, siting: target.siting,
      chromaBits: conversion.reducesChroma ? ChromaReduction.largeBits : nil,
      isDithered: target.isDithered)
    totals = Mutex(Totals())
  }

  /// Converts all that `reader` yields.
  func run(
    _ reader: any RowReader, into destination: Destination?, threads: Int,
    progress: ((Double) -> Void)?
  ) throws(ImageError) {
    try forEachStrip(of: reader, threads: threads, progress: progress) {
      (rows, strip) throws(ImageError) in
      convert(strip, rows, into: destination, threads: threads)
    }
  }

  /// Reads a picture strip by strip, each with the rows beside it that decoding needs.
  func forEachStrip(
    of reader: any RowReader, threads: Int, progress: ((Double) -> Void)?,
    _ body: (_ rows: Range<Int>, _ strip: SourceStrip) throws(ImageError) -> Void
  ) throws(ImageError) {
    // Enough bands for all threads; few enough that a strip is a small part of a large picture.
    let stripHeight = bandHeight * max(2 * threads, 4)
    for start in stride(from: 0, to: height, by: stripHeight) {
      let rows = start..<min(start + stripHeight, height)
      let wanted =
        max(rows.lowerBound - decoder.context, 0)..<min(rows.upperBound + decoder.context, height)
      let image = try reader.read(rows: wanted)
      try body(rows, SourceStrip(image: image, first: wanted.lowerBound))
      progress?(Double(rows.upperBound) / Double(height))
    }
  }

  /// Converts all of a picture.
  func run(_ image: StoredImage, into destination: Destination?, threads: Int) {
    convert(SourceStrip(image: image, first: 0), 0..<height, into: destination, threads: threads)
  }

  /// Rows of the source.
  struct SourceStrip: Sendable {
    var image: StoredImage
    /// The row that is the first of `image`.
    var first: Int
  }

  /// Converts rows of a strip.
  func convert(
    _ strip: SourceStrip, _ rows: Range<Int>, into destination: Destination?, threads: Int
  ) {
    forEachBand(of: rows, threads: threads) { band in
      guard let destination, orientation != .upright else {
        return convert(band, of: strip, into: destination)
      }
      destination.fillTurned(band, of: encodedFormat, from: orientation) {
        convert(band, of: strip, into: $0)
      }
    }
  }

  private func convert(
    _ band: Range<Int>, of strip: SourceStrip, into destination: Destination?
  ) {
    var row = LightRow(width: width, hasAlpha: hasAlpha)
    var decoding = RowDecoder.Scratch(width: width)
    var staging = stage?.makeBand()
    var encoding = RowEncoder.Scratch(width: width)
    var bins = [UInt32](repeating: 0, count: width)
    var light = LightCounter()
    var stepping = LightSteps.Scratch(width: width)
    var shown = LightRow(width: dividesByCoverage ? width : 0, hasAlpha: false)
    for y in band {
      decoder.decode(strip.image, row: y - strip.first, into: &row, scratch: &decoding)
      staging?.apply(to: &row, y: y)
      if isFlattened { row.multiply(byGain: row.alpha) }
      steps.apply(to: &row, scratch: &stepping)
      if dividesByCoverage { shown.assign(shownOf: row) }
      light.add(dividesByCoverage ? shown : row, plan: plan, scratch: &bins)
      if let destination {
        encoder.encode(&row, y: y, into: destination, scratch: &encoding)
      }
    }
    totals.withLock { totals in
      totals.light.add(light)
      totals.clipped.add(decoding.clipped)
      totals.clipped.add(stepping.clipped)
      totals.glowing += stepping.glowing
      totals.changes.add(stepping.changes)
      totals.clipped.add(encoding.clipped)
    }
  }

  /// Light levels of the target.
  var levels: LightLevels {
    totals.withLock { LightLevels($0.light, plan: plan, pixelCount: width * height) }
  }

  /// What a rendition changed.
  var changes: PictureConversion.Changes { totals.withLock { $0.changes } }

  /// What had to be clipped.
  var clipping: PictureConversion.Clipping {
    let (clipped, glowing) = totals.withLock { ($0.clipped, $0.glowing) }
    return PictureConversion.Clipping(
      pixelCount: width * height, notANumber: Int(clipped.not_a_number),
      below: Int(clipped.below), above: Int(clipped.above), glowing: glowing)
  }
}

extension pk_clip_count {
  fileprivate mutating func add(_ other: pk_clip_count) {
    not_a_number += other.not_a_number
    below += other.below
    above += other.above
  }
}
