// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels
internal import Synchronization

/// The prepared stages of a comparison, and the running sums of all bands.
final class ComparisonEngine: Sendable {
  private let first: DisplayedRows
  private let second: DisplayedRows
  private let coverage: LightComparison.Coverage
  private let measurement: LightLevels.Extent
  /// The bands of rows that are compared.
  private let bands: [Range<Int>]
  private let totals: Mutex<Totals>

  /// Sums of one band.
  ///
  /// Floating-point sums depend on their order, so each band has its own until all are complete.
  private struct BandSums {
    var deltaE = 0.0
    var pq = 0.0
    var pu21 = 0.0
    var largest: Float = 0
  }

  private struct Totals {
    var bands: [BandSums]
    var histogram = DifferenceHistogram()
    var firstLight: LightCounter
    var secondLight: LightCounter
    var firstClipped = pk_clip_count()
    var secondClipped = pk_clip_count()
  }

  init(
    _ first: ImageTransform, _ second: ImageTransform, coverage: LightComparison.Coverage,
    measurement: LightLevels.Extent, bandInterval: Int
  ) {
    self.first = DisplayedRows(first)
    self.second = DisplayedRows(second, multipliesByCoverage: coverage == .own)
    self.coverage = coverage
    self.measurement = measurement
    let height = self.first.height
    let bandCount = (height + bandHeight - 1) / bandHeight
    bands = Self.bands(ofHeight: height, interval: bandInterval)
    totals = Mutex(
      Totals(
        bands: [BandSums](repeating: BandSums(), count: bandCount),
        firstLight: LightCounter(measurement), secondLight: LightCounter(measurement)))
  }

  /// The bands of rows of an image that are compared: all, or the first half or quarter of some.
  static func bands(ofHeight height: Int, interval: Int) -> [Range<Int>] {
    let bandCount = (height + bandHeight - 1) / bandHeight
    let interval = min(max(interval, 1), bandCount)
    let rows = bandHeight / (interval == 1 ? 1 : interval < largeInterval ? 2 : 4)
    return stride(from: interval / 2, to: bandCount, by: interval).map {
      $0 * bandHeight..<min($0 * bandHeight + rows, height)
    }
  }

  /// The distance from which a quarter of each band is enough: only large images have it.
  private static let largeInterval = 8

  /// Compares the strips of two readers.
  func run(
    _ firstReader: any RowReader, _ secondReader: any RowReader, into map: SharedPlanes<UInt8>?
  ) throws(ImageError) {
    if bands.reduce(0, { $0 + $1.count }) < first.height {
      return try compareSome(firstReader, secondReader, into: map)
    }
    let strips = strips(of: first.height)
    let firstReading = first.rows.strips(strips, of: firstReader)
    let secondReading = second.rows.strips(strips, of: secondReader)
    defer {
      firstReading.finish()
      secondReading.finish()
    }
    for rows in strips {
      try Execution.step(to: rows.upperBound, of: first.height) { () throws(ImageError) in
        let (firstStrip, secondStrip) = (try firstReading.next(), try secondReading.next())
        try forEachBand(of: rows) { band in
          compare(band, firstStrip, secondStrip, into: map)
        }
      }
    }
  }

  /// Compares some bands, which are read one by one.
  private func compareSome(
    _ firstReader: any RowReader, _ secondReader: any RowReader, into map: SharedPlanes<UInt8>?
  ) throws(ImageError) {
    typealias Strip = LinearRowDecoder.Strip
    let group = 2 * Execution.current.threads
    for start in stride(from: 0, to: bands.count, by: group) {
      let rows = bands[start..<min(start + group, bands.count)]
      try Execution.step(to: rows.endIndex, of: bands.count) { () throws(ImageError) in
        let strips = try rows.map { band throws(ImageError) -> (band: Range<Int>, Strip, Strip) in
          (
            band, try first.rows.strip(band, of: firstReader),
            try second.rows.strip(band, of: secondReader)
          )
        }
        try concurrentForEach(strips.count) { index in
          compare(strips[index].band, strips[index].1, strips[index].2, into: map)
        }
      }
    }
  }

  private func compare(
    _ rows: Range<Int>, _ firstStrip: LinearRowDecoder.Strip,
    _ secondStrip: LinearRowDecoder.Strip,
    into map: SharedPlanes<UInt8>?
  ) {
    let width = first.width
    var (one, other) = (first.makeBand(), second.makeBand())
    var (firstRow, secondRow) = (ComparedRow(first), ComparedRow(second))
    var (firstLight, secondLight) = (LightCounter(measurement), LightCounter(measurement))
    var scratch = [UInt32](repeating: 0, count: width)
    var deltaE = [Float](repeating: 0, count: width)
    var sums = BandSums()
    var bins: [Int] = []
    bins.reserveCapacity(width * rows.count)
    for y in rows {
      first.decode(y, of: firstStrip, into: &one)
      second.decode(y, of: secondStrip, into: &other)
      if coverage == .first { second.cover(&other, like: one) }
      if measurement != .nothing {
        firstLight.add(one.row, parameters: first.lightParameters, scratch: &scratch)
        secondLight.add(other.row, parameters: second.lightParameters, scratch: &scratch)
      }
      firstRow.assign(one.row)
      secondRow.assign(other.row)
      firstRow.deltaE(to: secondRow, into: &deltaE)
      sums.pq += firstRow.pqError(to: secondRow)
      sums.pu21 += firstRow.pu21Error(to: secondRow)
      for difference in deltaE {
        sums.deltaE += Double(difference)
        sums.largest = max(sums.largest, difference)
        bins.append(DifferenceHistogram.bin(difference))
      }
      map?.withRow(y, of: 0) { levels in
        for x in deltaE.indices { levels[x] = DifferenceScale.level(of: deltaE[x]) }
      }
    }
    firstRow.clipped.not_a_number = one.notANumberCount
    secondRow.clipped.not_a_number = other.notANumberCount
    totals.withLock { totals in
      totals.firstClipped.add(firstRow.clipped)
      totals.secondClipped.add(secondRow.clipped)
      totals.bands[rows.lowerBound / bandHeight] = sums
      totals.histogram.add(bins)
      totals.firstLight.add(firstLight)
      totals.secondLight.add(secondLight)
    }
  }

  /// Number of pixels that are compared.
  private var pixelCount: Int { first.width * bands.reduce(0) { $0 + $1.count } }

  private func levels(_ light: LightCounter, _ parameters: LightCounter.Parameters) -> LightLevels {
    measurement == .nothing
      ? LightLevels(unmeasured: parameters)
      : LightLevels(light, parameters: parameters, pixelCount: pixelCount)
  }

  /// The measured differences.
  func result(map: Plane<UInt8>?) -> LightComparison.Result {
    let pixelCount = pixelCount
    return totals.withLock { totals in
      let sums = totals.bands.reduce(into: BandSums()) { sums, band in
        sums.deltaE += band.deltaE
        sums.pq += band.pq
        sums.pu21 += band.pu21
        sums.largest = max(sums.largest, band.largest)
      }
      let largest = Double(sums.largest)
      return LightComparison.Result(
        deltaE: LightComparison.Statistics(
          mean: sums.deltaE / Double(pixelCount),
          percentile95: min(totals.histogram.percentile(0.95), largest),
          percentile99: min(totals.histogram.percentile(0.99), largest), maximum: largest),
        pqPSNR: PQPSNR.decibels(meanSquare: sums.pq / Double(3 * pixelCount)),
        pu21PSNR: PU21.decibels(meanSquare: sums.pu21 / Double(pixelCount)),
        comparedShare: Double(pixelCount) / Double(first.width * first.height),
        first: levels(totals.firstLight, first.lightParameters),
        second: levels(totals.secondLight, second.lightParameters),
        firstClipping: .init(totals.firstClipped, of: pixelCount),
        secondClipping: .init(totals.secondClipped, of: pixelCount), map: map)
    }
  }
}

extension ImageTransform.Clipping {
  fileprivate init(_ count: pk_clip_count, of pixelCount: Int) {
    self.init(
      pixelCount: pixelCount, notANumber: Int(count.not_a_number), below: Int(count.below),
      above: Int(count.above), infinite: Int(count.infinite))
  }
}

/// A row in the encodings of the metrics.
private struct ComparedRow {
  private var light: LinearRow
  private var luminance: [Float]
  private var pq: [[Double]]
  private var cones: [[Double]]
  private var pu21: [Double]
  fileprivate(set) var clipped = pk_clip_count()
  /// From multiples of reference white to cd/m².
  private let scale: [Float]

  init(_ source: DisplayedRows) {
    let width = source.width
    light = LinearRow(width: width, hasAlpha: false)
    luminance = light.red
    pu21 = [Double](repeating: 0, count: width)
    pq = [pu21, pu21, pu21]
    cones = pq
    let white = Float(source.lightParameters.referenceWhite)
    scale = [white, 0, 0, 0, white, 0, 0, 0, white]
  }

  /// Assigns linear values in multiples of reference white.
  mutating func assign(_ row: LinearRow) {
    light.red.assign(row.red)
    light.green.assign(row.green)
    light.blue.assign(row.blue)
    light.multiply(by: scale)
    let (peak, slack) = (Float(PQ.peakLuminance), Float(ColorPipeline.slackLuminance))
    light.clip(peak: peak, low: -slack, high: peak + slack, counting: &clipped)
    light.luminance(Self.luminanceWeights, into: &luminance)
    LuminanceEncodings.pu21.apply(to: luminance, into: &pu21)
    light.sample(LuminanceEncodings.pq, into: &pq)
    light.multiply(by: Self.lmsFromRGB)
    light.sample(LuminanceEncodings.pq, into: &cones)
  }

  func deltaE(to other: ComparedRow, into deltaE: inout [Float]) {
    precondition(deltaE.count == luminance.count && other.luminance.count == luminance.count)
    // SAFETY: all rows are as wide as the image, the matrix has nine elements.
    unsafe pk_delta_e_itp(
      cones[0], cones[1], cones[2], other.cones[0], other.cones[1], other.cones[2], &deltaE,
      deltaE.count, Self.itpFromPQ)
  }

  /// Sum over the three components.
  func pqError(to other: ComparedRow) -> Double {
    zip(pq, other.pq).reduce(0) { $0 + Self.squaredError($1.0, $1.1) }
  }

  func pu21Error(to other: ComparedRow) -> Double { Self.squaredError(pu21, other.pu21) }

  private static func squaredError(_ first: [Double], _ second: [Double]) -> Double {
    precondition(first.count == second.count)
    // SAFETY: both rows are `count` long.
    return unsafe pk_squared_error(first, second, first.count)
  }

  private static let luminanceWeights = SIMD3<Float>(ColorPrimaries.bt2020.luminanceWeights)
  private static let lmsFromRGB = ICtCp.lmsFromRGB.elements.map { Float($0) }
  private static let itpFromPQ = Array(DeltaEITP.fromPQ.elements)
}

extension LinearRow {
  fileprivate func sample(_ function: SampledFunction<Double>, into out: inout [[Double]]) {
    function.apply(to: red, into: &out[0])
    function.apply(to: green, into: &out[1])
    function.apply(to: blue, into: &out[2])
  }
}

/// Linear values of an image composited on black, row by row: decoded, converted to the target's
/// primaries, multiplied by alpha.
struct DisplayedRows: Sendable {
  let width: Int
  let height: Int
  let lightParameters: LightCounter.Parameters
  let rows: LinearRowDecoder
  /// Whether values remain to be multiplied by alpha.
  private let isStraight: Bool
  private let steps: ColorPipeline

  /// Prepares a transform.
  ///
  /// - Parameters:
  ///   - conversion: A transform to floating point; its target is not written.
  ///   - multipliesByCoverage: Whether linear values are multiplied by the image's own alpha.
  init(_ conversion: ImageTransform, multipliesByCoverage: Bool = true) {
    let source = conversion.source
    width = source.layout.width
    height = source.layout.height
    let stage = conversion.stage
    var format = source.layout
    let isShown =
      multipliesByCoverage && format.isAlphaPremultiplied && stage == nil
      && (source.color.transfer == .linear || source.color.keepsEmission)
    if isShown { format.isAlphaPremultiplied = false }
    isStraight = multipliesByCoverage && format.hasAlpha && !isShown
    rows = LinearRowDecoder(
      format, source.color, stage: stage, keepsEmission: isShown && source.color.keepsEmission)
    var light = source.color
    light.primaries = stage?.primaries ?? light.primaries
    steps = ColorPipeline(
      from: light, to: conversion.target.color, exposure: conversion.exposure,
      rendition: conversion.rendition, isUnbounded: source.layout.isFloatingPoint || stage != nil,
      isLimited: false)
    lightParameters = LightCounter.Parameters(conversion.target.color)
  }

  /// Makes the working memory for a band of rows.
  func makeBand() -> Band { Band(linear: rows.makeBand(), stepping: .init(width: width)) }

  /// The rows that processing a band needs.
  struct Band {
    fileprivate var linear: LinearRowDecoder.Band
    fileprivate var stepping: ColorPipeline.Scratch

    /// Linear values of the row that was decoded last.
    var row: LinearRow { linear.row }
    /// Pixels so far with a component that was not a number.
    var notANumberCount: UInt64 { linear.notANumberCount }
  }

  /// Multiplies the row that was decoded last by the alpha of another image.
  func cover(_ band: inout Band, like other: Band) {
    if !other.row.alpha.isEmpty { band.linear.row.multiply(byGain: other.row.alpha) }
  }

  /// Decodes row `y` into `band.row`; rows of a band come in order.
  func decode(_ y: Int, of strip: borrowing LinearRowDecoder.Strip, into band: inout Band) {
    rows.decode(y, of: strip, into: &band.linear)
    steps.apply(to: &band.linear.row, scratch: &band.stepping)
    if isStraight { band.linear.row.multiply(byGain: band.linear.row.alpha) }
  }
}

/// Encodings of luminance for error metrics.
enum LuminanceEncodings {
  /// PQ signal; linear below luminances that are black at any depth.
  static let pq = SampledFunction<Double>(luminances: -60..<14, definition: PQ.inverseEOTF)
  /// Signal of PU21; constant below 0.005 cd/m².
  static let pu21 = SampledFunction<Double>(luminances: -8..<14, definition: PU21.signal)
}
