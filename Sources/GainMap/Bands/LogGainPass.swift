internal import HDRCore
internal import Synchronization

/// The gain between two renditions, averaged over the areas that a map's samples stand for.
///
/// Definition: `GainMapMetadata.Channel.logGain(from:to:baseIsHDR:)`, and the mean of it over the area.
struct LogGainPass: Sendable {
  /// Samples in steps of `LogGainHistogram`, and how often they occur.
  struct Result {
    var image: StoredImage
    var histograms: [LogGainHistogram]
  }

  /// What is read of both renditions to make some rows of the map.
  private typealias Sources = (base: RenditionRows.Strip, alternate: RenditionRows.Strip)

  private let base: RenditionRows
  private let alternate: RenditionRows
  private let options: GainMapCreation.Options
  private let weights: SIMD3<Float>
  private let width: Int
  private let height: Int
  private let columns: AreaPositions
  private let lines: AreaPositions

  init(
    base: PictureConversion.Coding, alternate: PictureConversion.Coding,
    options: GainMapCreation.Options
  ) {
    let primaries = (options.usesBaseColorSpace ? base : alternate).encoding.primaries
    self.base = RenditionRows(base, primaries: primaries)
    self.alternate = RenditionRows(alternate, primaries: primaries)
    self.options = options
    weights = SIMD3<Float>(primaries.luminanceWeights)
    width = base.format.width
    height = base.format.height
    columns = AreaPositions(from: width, to: (width + options.scale - 1) / options.scale)
    lines = AreaPositions(from: height, to: (height + options.scale - 1) / options.scale)
  }

  func run(
    base: any RowReader, alternate: any RowReader, threads: Int
  ) throws(ImageError) -> Result {
    let format = StoredFormat(
      width: columns.count, height: lines.count,
      components: options.componentCount == 1 ? .gray : .rgb, samples: .integer(bits: 16))
    let histograms = Mutex(
      [LogGainHistogram](repeating: LogGainHistogram(), count: options.componentCount))
    let planes = try SharedPlanes<UInt16>.makePlanes(format) { (shared) throws(ImageError) in
      let stripHeight = bandHeight * max(2 * threads, 4)
      for start in stride(from: 0, to: format.height, by: stripHeight) {
        let strip = start..<min(start + stripHeight, format.height)
        let covered = (lines[strip.lowerBound].first?.sample ?? 0)..<self.end(of: strip)
        let sources = (
          base: try self.base.read(covered, from: base),
          alternate: try self.alternate.read(covered, from: alternate)
        )
        forEachBand(of: strip, threads: threads) { band in
          let found = measure(band, of: sources, into: shared)
          histograms.withLock { histograms in
            for index in histograms.indices { histograms[index].add(found[index]) }
          }
        }
      }
    }
    return Result(
      image: StoredImage(format: format, planes: .integer(planes)),
      histograms: histograms.withLock { $0 })
  }

  private func end(of strip: Range<Int>) -> Int {
    (lines[strip.upperBound - 1].last?.sample ?? height - 1) + 1
  }

  private static let codes = QuantizationScale(
    offset: Float(LogGainHistogram.zero), scale: Float(LogGainHistogram.stepsPerStop),
    highest: 65535)

  private func measure(
    _ band: Range<Int>, of sources: Sources, into planes: SharedPlanes<UInt16>
  ) -> [LogGainHistogram] {
    let count = options.componentCount
    var work = Work(
      base: base.makeBand(), alternate: alternate.makeBand(), width: width, areas: columns.count,
      count: count)
    var histograms = [LogGainHistogram](repeating: LogGainHistogram(), count: count)
    for line in band {
      for index in 0..<count { work.sums[index].clear() }
      for (y, weight) in lines[line] {
        if work.row != y {
          work.row = y
          logGain(of: y, sources, &work)
        }
        for index in 0..<count { work.sums[index].add(work.averages[index], weight: weight) }
      }
      for index in 0..<count {
        planes.withRow(line, of: index) { codes in
          work.sums[index].quantize(Self.codes, into: &codes)
          histograms[index].add(codes.span)
        }
      }
    }
    return histograms
  }

  /// Memory for one band.
  private struct Work {
    /// The row that `averages` are of.
    var row = -1
    var base: RenditionRows.Band
    var alternate: RenditionRows.Band
    var logGain: [Float]
    var luminance: ([Float], [Float])
    var averages: [[Float]]
    var sums: [[Float]]

    init(
      base: RenditionRows.Band, alternate: RenditionRows.Band, width: Int, areas: Int, count: Int
    ) {
      self.base = base
      self.alternate = alternate
      logGain = [Float](repeating: 0, count: width)
      luminance = (logGain, logGain)
      averages = [[Float]](repeating: [Float](repeating: 0, count: areas), count: count)
      sums = averages
    }
  }

  private func logGain(of y: Int, _ sources: Sources, _ work: inout Work) {
    work.base.decode(y, of: sources.base)
    work.alternate.decode(y, of: sources.alternate)
    guard options.componentCount == 3 else {
      work.base.light.luminance(weights, into: &work.luminance.0)
      work.alternate.light.luminance(weights, into: &work.luminance.1)
      assign(from: work.luminance.0, to: work.luminance.1, &work.logGain)
      return columns.average(work.logGain, into: &work.averages[0])
    }
    assign(from: work.base.light.red, to: work.alternate.light.red, &work.logGain)
    columns.average(work.logGain, into: &work.averages[0])
    assign(from: work.base.light.green, to: work.alternate.light.green, &work.logGain)
    columns.average(work.logGain, into: &work.averages[1])
    assign(from: work.base.light.blue, to: work.alternate.light.blue, &work.logGain)
    columns.average(work.logGain, into: &work.averages[2])
  }

  /// The map's sign is that of the way to the brighter rendition.
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
