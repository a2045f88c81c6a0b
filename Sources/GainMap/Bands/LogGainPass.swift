internal import HDRCore
internal import Synchronization

/// The gain between two renditions, averaged over the areas that a map's samples stand for.
///
/// Definition: `GainMapMetadata.Channel.logGain(from:to:baseIsHDR:)`, and the mean of it over the area.
struct LogGainPass: Sendable {
  /// The way of one rendition to light in the primaries of the gain, 1.0 for reference white.
  private struct Side: Sendable {
    let decoder: RowDecoder
    let matrix: [Float]?
    let isSubsampled: Bool

    init(_ coding: PictureConversion.Coding, primaries: ColorPrimaries) {
      decoder = RowDecoder(
        format: coding.format, encoding: coding.encoding, siting: coding.siting)
      let conversion = coding.encoding.primaries.conversion(to: primaries)
      let unit = coding.encoding.lightOfReferenceWhite
      matrix =
        conversion == .identity && unit == 1 ? nil : conversion.elements.map { Float($0 / unit) }
      isSubsampled = coding.format.chroma.vertical > 1
    }

    /// What must be read to decode some rows of a picture.
    func rows(toDecode rows: Range<Int>, height: Int) -> Range<Int> {
      var low = max(rows.lowerBound - decoder.context, 0)
      var high = min(rows.upperBound + decoder.context, height)
      if isSubsampled {
        low -= low % 2
        high = min(high + high % 2, height)
      }
      return low..<high
    }
  }

  /// Samples in steps of `LogGainHistogram`, and how often they occur.
  struct Result {
    var image: StoredImage
    var histograms: [LogGainHistogram]
  }

  private let base: Side
  private let alternate: Side
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
    self.base = Side(base, primaries: primaries)
    self.alternate = Side(alternate, primaries: primaries)
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
        let baseRows = self.base.rows(toDecode: covered, height: height)
        let alternateRows = self.alternate.rows(toDecode: covered, height: height)
        let sources = (
          base: (try base.read(rows: baseRows), baseRows.lowerBound),
          alternate: (try alternate.read(rows: alternateRows), alternateRows.lowerBound)
        )
        forEachBand(of: strip, threads: threads) { band in
          let found = measure(band, base: sources.base, alternate: sources.alternate, into: shared)
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
    _ band: Range<Int>, base: (StoredImage, Int), alternate: (StoredImage, Int),
    into planes: SharedPlanes<UInt16>
  ) -> [LogGainHistogram] {
    let count = options.componentCount
    var work = Work(width: width, areas: columns.count, count: count)
    var histograms = [LogGainHistogram](repeating: LogGainHistogram(), count: count)
    for line in band {
      for index in 0..<count { work.sums[index].clear() }
      for (y, weight) in lines[line] {
        if work.row != y {
          work.row = y
          logGain(of: y, base: base, alternate: alternate, &work)
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
    var base: LightRow
    var alternate: LightRow
    var decoding: (RowDecoder.Scratch, RowDecoder.Scratch)
    var logGain: [Float]
    var luminance: ([Float], [Float])
    var averages: [[Float]]
    var sums: [[Float]]

    init(width: Int, areas: Int, count: Int) {
      base = LightRow(width: width, hasAlpha: true)
      alternate = base
      decoding = (RowDecoder.Scratch(width: width), RowDecoder.Scratch(width: width))
      logGain = [Float](repeating: 0, count: width)
      luminance = (logGain, logGain)
      averages = [[Float]](repeating: [Float](repeating: 0, count: areas), count: count)
      sums = averages
    }
  }

  private func logGain(
    of y: Int, base: (StoredImage, Int), alternate: (StoredImage, Int), _ work: inout Work
  ) {
    self.base.decoder.decode(
      base.0, row: y - base.1, into: &work.base, scratch: &work.decoding.0)
    self.alternate.decoder.decode(
      alternate.0, row: y - alternate.1, into: &work.alternate, scratch: &work.decoding.1)
    if let matrix = self.base.matrix { work.base.multiply(by: matrix) }
    if let matrix = self.alternate.matrix { work.alternate.multiply(by: matrix) }
    guard options.componentCount == 3 else {
      work.base.luminance(weights, into: &work.luminance.0)
      work.alternate.luminance(weights, into: &work.luminance.1)
      assign(from: work.luminance.0, to: work.luminance.1, &work.logGain)
      return columns.average(work.logGain, into: &work.averages[0])
    }
    assign(from: work.base.red, to: work.alternate.red, &work.logGain)
    columns.average(work.logGain, into: &work.averages[0])
    assign(from: work.base.green, to: work.alternate.green, &work.logGain)
    columns.average(work.logGain, into: &work.averages[1])
    assign(from: work.base.blue, to: work.alternate.blue, &work.logGain)
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
