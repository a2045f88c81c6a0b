// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Synchronization

/// The gain between two images, averaged over the areas of the samples of a gain map.
///
/// Definition: the mean of `GainMapMetadata.Channel.logGain(from:to:baseIsHDR:)` over the area.
struct LogGainPass: Sendable {
  /// Log gains in steps of `LogGainHistogram`, and their histograms.
  struct Result {
    var planes: [Plane<UInt16>]
    var histograms: [LogGainHistogram]
  }

  /// Strips of both images for some rows of the gain map.
  private typealias Sources = (
    base: LinearRowDecoder.Strip, alternate: LinearRowDecoder.Strip
  )

  private let base: LinearRows
  private let alternate: LinearRows
  private let options: GainMapCreation.Options
  private let weights: SIMD3<Float>
  private let width: Int
  private let height: Int
  private let columns: BoxFilter
  private let lines: BoxFilter

  init(
    base: ImageDescription, alternate: ImageDescription,
    options: GainMapCreation.Options
  ) {
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

  /// - Throws: Errors of the readers; `.cancelled`.
  func run(
    base: any RowReader, alternate: any RowReader
  ) throws(ImageError) -> Result {
    let layout = ImageLayout(
      width: columns.count, height: lines.count,
      components: options.componentCount == 1 ? .gray : .rgb, samples: .integer(bits: 16))
    // Memory of finished bands, with their histograms.
    let idle = Mutex<[Work]>([])
    let planes = try SharedPlanes<UInt16>.makePlanes(layout) { (shared) throws(ImageError) in
      for strip in strips(of: layout.height) {
        let covered = (lines[strip.lowerBound].first?.sample ?? 0)..<self.end(of: strip)
        let sources = (
          base: try self.base.read(covered, from: base),
          alternate: try self.alternate.read(covered, from: alternate)
        )
        try forEachBand(of: strip) { band in
          var work =
            idle.withLock { $0.popLast() }
            ?? Work(
              base: self.base.makeBand(), alternate: self.alternate.makeBand(), width: width,
              areas: columns.count, count: options.componentCount)
          measure(band, of: sources, into: shared, &work)
          idle.withLock { $0.append(work) }
        }
      }
    }
    var histograms = [LogGainHistogram](
      repeating: LogGainHistogram(), count: options.componentCount)
    for work in idle.withLock({ $0 }) {
      for index in histograms.indices { histograms[index].add(work.histograms[index]) }
    }
    return Result(planes: planes, histograms: histograms)
  }

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
        logGain(of: line, sources, &work)
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

    init(
      base: LinearRows.Band, alternate: LinearRows.Band, width: Int, areas: Int, count: Int
    ) {
      self.base = base
      self.alternate = alternate
      logGain = [Float](repeating: 0, count: width)
      luminance = (logGain, logGain)
      averages = [[Float]](repeating: [Float](repeating: 0, count: areas), count: count)
      sums = averages
      histograms = [LogGainHistogram](repeating: LogGainHistogram(), count: count)
    }
  }

  /// Adds the rows that a row of the gain map covers.
  private func sum(_ line: Int, _ sources: Sources, _ work: inout Work) {
    for index in work.sums.indices { work.sums[index].clear() }
    for (y, weight) in lines[line] {
      if work.row != y {
        work.row = y
        logGain(of: y, sources, &work)
      }
      for index in work.sums.indices {
        work.sums[index].add(work.averages[index], weight: weight)
      }
    }
  }

  private func logGain(of y: Int, _ sources: Sources, _ work: inout Work) {
    work.base.decode(y, of: sources.base)
    work.alternate.decode(y, of: sources.alternate)
    work.base.copyTransparentPixels(to: &work.alternate)
    guard options.componentCount == 3 else {
      work.base.row.luminance(weights, into: &work.luminance.0)
      work.alternate.row.luminance(weights, into: &work.luminance.1)
      return average(
        work.luminance.0, work.luminance.1, into: &work.averages[0], scratch: &work.logGain)
    }
    average(
      work.base.row.red, work.alternate.row.red, into: &work.averages[0],
      scratch: &work.logGain)
    average(
      work.base.row.green, work.alternate.row.green, into: &work.averages[1],
      scratch: &work.logGain)
    average(
      work.base.row.blue, work.alternate.row.blue, into: &work.averages[2],
      scratch: &work.logGain)
  }

  /// Averages the log gain of a row over the columns that a sample of the gain map covers.
  private func average(
    _ base: [Float], _ alternate: [Float], into averages: inout [Float], scratch: inout [Float]
  ) {
    guard !columns.isIdentity else { return assign(from: base, to: alternate, &averages) }
    assign(from: base, to: alternate, &scratch)
    columns.average(scratch, into: &averages)
  }

  /// Assigns the log gain from the darker to the brighter image.
  private func assign(from base: [Float], to alternate: [Float], _ logGain: inout [Float]) {
    let offset = Float(options.offset.value)
    let (darker, brighter) = options.baseIsHDR ? (alternate, base) : (base, alternate)
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
