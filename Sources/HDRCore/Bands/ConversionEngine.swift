internal import PixelKernels
internal import Synchronization

/// The prepared stages of a conversion, and the sums of all bands so far.
final class ConversionEngine: Sendable {
  private let width: Int
  private let height: Int
  private let hasAlpha: Bool
  /// Whether light comes out of the decoder as if alone, to be measured times coverage.
  private let dividesByCoverage: Bool
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
    dividesByCoverage = hasAlpha && !conversion.keepsAssociatedAlpha
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
    encoder = RowEncoder(
      format: targetFormat, encoding: target.encoding, siting: target.siting)
    totals = Mutex(Totals())
  }

  /// Converts strip after strip of what `reader` yields.
  func run(
    _ reader: any RowReader, into destination: Destination?, threads: Int,
    progress: ((Double) -> Void)?
  ) throws(ImageError) {
    // Enough bands for all threads; few enough that a strip is a small part of a large picture.
    let stripHeight = bandHeight * max(2 * threads, 4)
    for start in stride(from: 0, to: height, by: stripHeight) {
      let rows = start..<min(start + stripHeight, height)
      let wanted =
        max(rows.lowerBound - decoder.context, 0)..<min(rows.upperBound + decoder.context, height)
      let strip = try reader.read(rows: wanted)
      forEachBand(of: rows, threads: threads) { band in
        convert(band, of: strip, startingAt: wanted.lowerBound, into: destination)
      }
      progress?(Double(rows.upperBound) / Double(height))
    }
  }

  /// Converts all of a picture.
  func run(_ image: StoredImage, into destination: Destination?, threads: Int) {
    forEachBand(of: 0..<height, threads: threads) { band in
      convert(band, of: image, startingAt: 0, into: destination)
    }
  }

  private func convert(
    _ band: Range<Int>, of strip: StoredImage, startingAt first: Int,
    into destination: Destination?
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
      decoder.decode(strip, row: y - first, into: &row, scratch: &decoding)
      staging?.apply(to: &row, y: y)
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
