// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Synchronization

/// The gain between two images, averaged over the areas of the samples of a gain map.
///
/// Definition: the mean of `GainMapMetadata.Channel.logGain(from:to:isBaseHDR:)` over the area.
struct LogGainPass: Sendable {
  /// Log gains in steps of `LogGainHistogram`, and their histograms.
  struct Result {
    var planes: [Plane<UInt16>]
    var histograms: [LogGainHistogram]
    /// Pixels of the alternate image with a component that is too far below zero for a gain, if they
    /// were counted; see `GainMapCreation.Candidate`.
    var outOfGamutCount: Int
  }

  /// Strips of both images for some rows of the gain map.
  private typealias Sources = (base: LinearRowDecoder.Strip, alternate: LinearRowDecoder.Strip)

  private let base: LinearRows
  private let alternate: LinearRows
  private let options: GainMapCreation.Options
  /// The offsets of the results.
  private let offsets: [Float]
  /// The lowest component that needs no count, for each offset; empty if pixels are not counted.
  private let lowest: [Float]
  private let weights: SIMD3<Float>
  private let width: Int
  private let height: Int
  private let columns: BoxFilter
  private let lines: BoxFilter

  /// Prepares for two images.
  ///
  /// - Parameters:
  ///   - base: The baseline image.
  ///   - alternate: The alternate image.
  ///   - options: Properties of the gain map.
  ///   - offsets: Offsets of the results; `nil` for that of `options`.
  ///   - countsOutOfGamut: Whether pixels out of the gamut of the gain are counted.
  init(
    base: ImageDescription, alternate: ImageDescription, options: GainMapCreation.Options,
    offsets: [SignedRational]? = nil, countsOutOfGamut: Bool = false
  ) {
    self.offsets = (offsets ?? [options.offset]).map { Float($0.value) }
    // Components that are negative by less than a 10-bit step count as rounding errors.
    lowest =
      countsOutOfGamut
      ? self.offsets.map { -max(options.componentCount == 3 ? $0 : 0, 1 / 1024) } : []
    let primaries = (options.usesBaseColorSpace ? base : alternate).color.primaries
    self.base = LinearRows(base, primaries: primaries)
    self.alternate = LinearRows(alternate, primaries: primaries)
    self.options = options
    weights = SIMD3<Float>(primaries.luminanceWeights)
    width = base.layout.width
    height = base.layout.height
    columns = BoxFilter(from: width, to: (width + options.scale - 1) / options.scale)
    lines = BoxFilter(from: height, to: (height + options.scale - 1) / options.scale)
  }

  /// Returns the gain for each offset.
  ///
  /// - Throws: Errors of the readers; `.cancelled`.
  func run(base: any RowReader, alternate: any RowReader) throws(ImageError) -> [Result] {
    let layout = ImageLayout(
      width: columns.count, height: lines.count,
      components: options.componentCount == 1 ? .gray : .rgb, samples: .integer(bits: 16))
    // Memory of finished bands, with their histograms.
    let idle = Mutex<[Work]>([])
    let planes = try SharedPlanes<UInt16>.makePlanes(layout, imageCount: offsets.count) {
      (shared) throws(ImageError) in
      let strips = strips(of: lines.count, bandHeight: bandRows)
      let covered = strips.map { (lines[$0.lowerBound].first?.sample ?? 0)..<end(of: $0) }
      let reading = (
        base: self.base.strips(covered, of: base),
        alternate: self.alternate.strips(covered, of: alternate)
      )
      defer {
        reading.base.finish()
        reading.alternate.finish()
      }
      for strip in strips {
        try Execution.step(to: strip.upperBound, of: lines.count) { () throws(ImageError) in
          let sources = (base: try reading.base.next(), alternate: try reading.alternate.next())
          try forEachBand(of: strip, height: bandRows) { band in
            var work =
              idle.withLock { $0.popLast() }
              ?? Work(
                base: self.base.makeBand(), alternate: self.alternate.makeBand(), width: width,
                areas: columns.count, count: options.componentCount * offsets.count,
                countCount: lowest.count)
            measure(band, of: sources, into: shared, &work)
            idle.withLock { $0.append(work) }
          }
        }
      }
    }
    var histograms = [LogGainHistogram](repeating: LogGainHistogram(), count: planes.count)
    var counts = [Int](repeating: 0, count: offsets.count)
    for work in idle.withLock({ $0 }) {
      for index in histograms.indices { histograms[index].add(work.histograms[index]) }
      for index in work.outOfGamutCounts.indices { counts[index] += work.outOfGamutCounts[index] }
    }
    return offsets.indices.map { index in
      let own = index * options.componentCount..<(index + 1) * options.componentCount
      return Result(
        planes: Array(planes[own]), histograms: Array(histograms[own]),
        outOfGamutCount: counts[index])
    }
  }

  /// Rows of the gain map in a band, which covers about as many rows of the images as other bands.
  private var bandRows: Int { max(bandHeight / options.scale, 1) }

  private func end(of strip: Range<Int>) -> Int {
    (lines[strip.upperBound - 1].last?.sample ?? height - 1) + 1
  }

  private static let codes = QuantizationScale(
    offset: Float(LogGainHistogram.zero), scale: Float(LogGainHistogram.stepsPerStop),
    highest: 65535)

  private func measure(
    _ band: Range<Int>, of sources: Sources, into planes: SharedPlanes<UInt16>, _ work: inout Work
  ) {
    for line in band {
      if lines.isIdentity {
        logGain(of: line, isFirst: true, sources, &work)
        swap(&work.sums, &work.averages)
      } else {
        sum(line, sources, &work)
      }
      for index in work.sums.indices {
        planes.withRow(line, of: index) { codes in
          work.sums[index].quantize(Self.codes, into: &codes)
          count(codes.span, of: line, &work.histograms[index])
        }
      }
    }
  }

  /// Length of the runs of samples that are counted or skipped.
  static let run = 128

  /// Whether a quarter of the samples is counted, in runs along diagonals.
  ///
  /// The largest rectangle between the runs has two rows of two runs. It may be skipped if the range
  /// may exclude as many outliers.
  private var countsQuarter: Bool {
    Double(columns.count) * Double(lines.count) * options.outlierShare >= Double(4 * Self.run)
  }

  /// Counts all or a quarter of the samples of a row.
  private func count(_ codes: Span<UInt16>, of line: Int, _ histogram: inout LogGainHistogram) {
    guard countsQuarter else { return histogram.add(codes) }
    let run = Self.run
    for start in stride(from: run * (line % 4), to: codes.count, by: 4 * run) {
      histogram.add(codes.extracting(start..<min(start + run, codes.count)))
    }
  }

  /// Memory for one band at a time, and the histograms of all its bands.
  private struct Work: Sendable {
    /// The row of `averages`.
    var row = -1
    var base: LinearRows.Band
    var alternate: LinearRows.Band
    var logGain: [Float]
    var luminance: ([Float], [Float])
    var averages: [[Float]]
    var sums: [[Float]]
    var histograms: [LogGainHistogram]
    var outOfGamutCounts: [Int]

    init(
      base: LinearRows.Band, alternate: LinearRows.Band, width: Int, areas: Int, count: Int,
      countCount: Int
    ) {
      self.base = base
      self.alternate = alternate
      logGain = [Float](repeating: 0, count: width)
      luminance = (logGain, logGain)
      averages = [[Float]](repeating: [Float](repeating: 0, count: areas), count: count)
      sums = averages
      histograms = [LogGainHistogram](repeating: LogGainHistogram(), count: count)
      outOfGamutCounts = [Int](repeating: 0, count: countCount)
    }
  }

  /// Adds the rows that a row of the gain map covers.
  private func sum(_ line: Int, _ sources: Sources, _ work: inout Work) {
    for index in work.sums.indices { work.sums[index].clear() }
    let covered = line == 0 ? 0 : end(of: line - 1..<line)
    for (y, weight) in lines[line] {
      if work.row != y {
        work.row = y
        logGain(of: y, isFirst: y >= covered, sources, &work)
      }
      for index in work.sums.indices { work.sums[index].add(work.averages[index], weight: weight) }
    }
  }

  /// Assigns the averages of a row; `isFirst` states whether no other call has this row.
  private func logGain(of y: Int, isFirst: Bool, _ sources: Sources, _ work: inout Work) {
    work.base.decode(y, of: sources.base)
    work.alternate.decode(y, of: sources.alternate)
    if isFirst { countOutOfGamut(work.alternate.row, &work.outOfGamutCounts) }
    work.base.copyTransparentPixels(to: &work.alternate)
    guard options.componentCount == 3 else {
      work.base.row.luminance(weights, into: &work.luminance.0)
      work.alternate.row.luminance(weights, into: &work.luminance.1)
      return average([work.luminance.0], [work.luminance.1], &work)
    }
    let (base, alternate) = (work.base.row, work.alternate.row)
    average(
      [base.red, base.green, base.blue], [alternate.red, alternate.green, alternate.blue], &work)
  }

  private func countOutOfGamut(_ row: LinearRow, _ counts: inout [Int]) {
    for (index, lowest) in lowest.enumerated() { counts[index] += row.pixelCount(below: lowest) }
  }

  /// Averages the log gains of a row, whose components are given, over the columns that a sample of
  /// the gain map covers.
  private func average(_ base: [[Float]], _ alternate: [[Float]], _ work: inout Work) {
    for index in work.averages.indices {
      let (component, offset) = (index % base.count, offsets[index / base.count])
      if columns.isIdentity {
        assign(from: base[component], to: alternate[component], offset, &work.averages[index])
      } else {
        assign(from: base[component], to: alternate[component], offset, &work.logGain)
        columns.average(work.logGain, into: &work.averages[index])
      }
    }
  }

  /// Assigns the log gain from the darker to the brighter image.
  private func assign(
    from base: [Float], to alternate: [Float], _ offset: Float, _ logGain: inout [Float]
  ) {
    let (darker, brighter) = options.isBaseHDR ? (alternate, base) : (base, alternate)
    logGain.assignLogGain(
      from: darker, offset: offset, to: brighter, offset: offset,
      smallest: Float(GainMapMetadata.Channel.smallestSum))
  }
}

extension [Float] {
  fileprivate mutating func clear() {
    for index in indices { self[index] = 0 }
  }
}

/// Rows of linear values of an image in given primaries; 1.0 is the reference white of gain maps.
struct LinearRows: Sendable {
  private let decoder: LinearRowDecoder
  private let matrix: [Float]?
  private let hasAlpha: Bool

  /// Prepares for an image.
  ///
  /// - Parameters:
  ///   - image: Layout and color of the image.
  ///   - primaries: Primaries of the rows.
  init(_ image: ImageDescription, primaries: ColorPrimaries) {
    decoder = LinearRowDecoder(image)
    let conversion = image.color.primaries.conversion(to: primaries)
    let white = image.color.gainMapReferenceWhite
    matrix =
      conversion == .identity && white == 1 ? nil : conversion.elements.map { Float($0 / white) }
    hasAlpha = image.layout.hasAlpha
  }

  /// Prepares to read strips; call `finish()` before the reader is used again.
  func strips(_ rows: [Range<Int>], of reader: any RowReader) -> StripReader {
    decoder.strips(rows, of: reader)
  }

  /// Memory of one band, whose rows are decoded in order.
  struct Band: Sendable {
    fileprivate let rows: LinearRows
    private var decoding: LinearRowDecoder.Band

    /// The row that was decoded last.
    var row: LinearRow { decoding.row }

    fileprivate init(_ rows: LinearRows) {
      self.rows = rows
      decoding = rows.decoder.makeBand()
    }

    /// Decodes row `y` of the image.
    mutating func decode(_ y: Int, of strip: LinearRowDecoder.Strip) {
      rows.decoder.decode(y, of: strip, into: &decoding)
      if let matrix = rows.matrix { decoding.row.multiply(by: matrix) }
    }

    /// Copies transparent pixels to the row of another image, so that they need no gain.
    func copyTransparentPixels(to other: inout Band) {
      guard rows.hasAlpha else { return }
      for x in row.alpha.indices where row.alpha[x] == 0 {
        other.decoding.row.red[x] = row.red[x]
        other.decoding.row.green[x] = row.green[x]
        other.decoding.row.blue[x] = row.blue[x]
      }
    }
  }

  func makeBand() -> Band { Band(self) }
}
