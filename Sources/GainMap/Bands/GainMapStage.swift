// SPDX-License-Identifier: Apache-2.0
public import HDRCore
internal import Platform

/// A share of the gain of a gain map, applied to rows of linear values.
///
/// Definition: `GainMapMetadata.applied(to:logGain:weight:component:)` with `GainMapSampler`.
struct GainMapStage: LightStage {
  let primaries: ColorPrimaries
  /// From the primaries of the image to those of the gain, if they differ.
  fileprivate let matrix: [Float]?
  fileprivate let rows: GainRows
  fileprivate let columns: LinearPositions
  fileprivate let lines: LinearPositions
  /// For each component: the baseline offset, and its difference from the alternate offset.
  fileprivate let offsets: [(base: Float, difference: Float)]
  fileprivate let isSameWidth: Bool
  /// Whether nothing is interpolated and tables contain the gain of each code value.
  fileprivate let isDirect: Bool

  /// Prepares for an image.
  ///
  /// - Parameters:
  ///   - map: The gain map.
  ///   - weight: Weight of its gain; not 0.
  ///   - base: The baseline image.
  init(_ map: GainMapImage, weight: Double, base: ImageDescription) {
    primaries = map.primaries(forBase: base.color.primaries)
    let conversion = base.color.primaries.conversion(to: primaries)
    matrix = conversion == .identity ? nil : conversion.elements.map { Float($0) }
    rows = GainRows(map, weight: weight)
    columns = LinearPositions(from: rows.width, to: base.layout.width)
    lines = LinearPositions(from: rows.height, to: base.layout.height)
    isSameWidth = rows.width == base.layout.width
    isDirect = isSameWidth && rows.height == base.layout.height && rows.hasGains
    let white = base.color.gainMapReferenceWhite
    offsets = (0..<3).map { component in
      let channel = map.metadata.channels[component]
      let (base, alternate) = (channel.baseOffset.value, channel.alternateOffset.value)
      return (Float(base * white), Float((base - alternate) * white))
    }
  }

  func makeBand() -> any LightStageBand { Band(stage: self) }

  /// A row of the gain map, as wide as the image.
  fileprivate struct Line {
    var index = -1
    var rows: [[Float]]
  }

  private struct Band: LightStageBand {
    private let stage: GainMapStage
    private var above: Line
    private var below: Line
    private var narrow: [[Float]]
    private var gain: [Float]
    private var scratch: GainRows.Scratch

    init(stage: GainMapStage) {
      self.stage = stage
      let width = stage.columns.count
      let wide = [[Float]](repeating: [Float](repeating: 0, count: width), count: stage.rows.count)
      above = Line(rows: wide)
      below = Line(rows: wide)
      narrow = [[Float]](
        repeating: [Float](repeating: 0, count: stage.rows.width), count: stage.rows.count)
      gain = [Float](repeating: 0, count: width)
      scratch = GainRows.Scratch(width: stage.rows.width)
    }

    mutating func apply(to row: inout LinearRow, y: Int) {
      if let matrix = stage.matrix { row.multiply(by: matrix) }
      let line = stage.lines[y]
      if !stage.isDirect { load(line) }
      for component in 0..<3 {
        if component < stage.rows.count { assignGain(component, line, y: y) }
        let offsets = stage.offsets[component]
        switch component {
        case 0:
          row.red.apply(
            gainMinus1: gain, baseOffset: offsets.base, offsetDifference: offsets.difference)
        case 1:
          row.green.apply(
            gainMinus1: gain, baseOffset: offsets.base, offsetDifference: offsets.difference)
        default:
          row.blue.apply(
            gainMinus1: gain, baseOffset: offsets.base, offsetDifference: offsets.difference)
        }
      }
    }

    /// Loads the rows of the gain map around a row of the image.
    private mutating func load(_ line: LinearPositions.Element) {
      if above.index != line.above {
        swap(&above, &below)
        stage.load(line.above, into: &above, narrow: &narrow, scratch: &scratch)
      }
      if line.share > 0 { stage.load(line.below, into: &below, narrow: &narrow, scratch: &scratch) }
    }

    private mutating func assignGain(_ component: Int, _ line: LinearPositions.Element, y: Int) {
      guard !stage.isDirect else {
        return stage.rows.readGainMinus1(y, component: component, into: &gain)
      }
      let lower = line.share > 0 ? below.rows[component] : above.rows[component]
      gain.assignGainMinus1(
        between: above.rows[component], lower, share: line.share,
        bias: stage.rows.biases[component])
    }
  }

  /// Reads a row of the gain map unless it is loaded.
  fileprivate func load(
    _ index: Int, into line: inout Line, narrow: inout [[Float]], scratch: inout GainRows.Scratch
  ) {
    guard line.index != index else { return }
    line.index = index
    guard !isSameWidth else { return rows.read(index, into: &line.rows, scratch: &scratch) }
    rows.read(index, into: &narrow, scratch: &scratch)
    for component in narrow.indices {
      columns.resample(narrow[component], into: &line.rows[component])
    }
  }
}

extension ColorEncoding {
  /// Linear value of the reference white of gain maps, in which their offsets are given.
  ///
  /// Linear 1.0 of PQ and HLG may be another luminance than 203 cd/m².
  ///
  /// Source: BT.2408; libavif and libultrahdr use the same.
  var gainMapReferenceWhite: Double {
    switch transfer {
    case .pq, .hlg: ColorEncoding.defaultReferenceWhite / referenceWhite
    default: 1
    }
  }
}

/// The rows of a gain map as weighted log gains.
struct GainRows: Sendable {
  private enum Samples: Sendable {
    /// Gray or RGB: for each row of gain a table of log gains, and one of gains minus 1.
    case codes(tables: [[Float]], gains: [[Float]])
    /// Y'CbCr: conversion to R'G'B', then a function.
    case coded(RowDecoder, [SampledFunction<Float>])
  }

  private let image: ImagePlanes
  private let samples: Samples
  /// Weighted log gain of sample 0, for each row of gain; rows contain the difference from it.
  let biases: [Float]

  /// Prepares for a weight of the gain.
  init(_ map: GainMapImage, weight: Double) {
    image = map.planes
    let (layout, metadata) = (map.image.layout, map.metadata)
    let rowCount = map.hasOneGain ? 1 : 3
    let least = (0..<rowCount).map { metadata.logGain(ofSample: 0, component: $0) }
    biases = least.map { Float(weight * $0) }
    func weighted(_ sample: Double, _ component: Int) -> Double {
      weight * (metadata.logGain(ofSample: sample, component: component) - least[component])
    }
    guard case .integer(let bits) = layout.samples else {
      preconditionFailure("a gain map has integer samples")
    }
    if case .ycbcr = layout.components {
      samples = .coded(
        RowDecoder(layout, map.image.color),
        (0..<rowCount).map { component in
          SampledFunction(octaves: -16..<1, stepsPerOctave: 1024) { weighted($0, component) }
        })
    } else {
      let levels = Quantization(bits: bits, isFullRange: map.image.color.isFullRange)
      let stops = (0..<rowCount).map { component in
        (0..<1 << bits).map { weighted(levels.signal(ofCode: UInt16($0)), component) }
      }
      samples = .codes(
        tables: stops.map { $0.map { Float($0) } },
        gains: zip(stops, least).map { stops, least in
          // The limits of `assignGainMinus1`.
          stops.map { Float(exp2(min(max($0 + weight * least, -126), 126)) - 1) }
        })
    }
  }

  var width: Int { image.layout.width }
  var height: Int { image.layout.height }
  /// Rows of gain for each row of the gain map: one, or one for each component.
  var count: Int { biases.count }

  /// Memory for one row.
  struct Scratch {
    fileprivate var row: LinearRow
    fileprivate var decoding: RowDecoder.Scratch

    init(width: Int) {
      row = LinearRow(width: width, hasAlpha: false)
      decoding = RowDecoder.Scratch(width: width)
    }
  }

  /// Whether `readGainMinus1` can be called.
  var hasGains: Bool {
    if case .codes = samples { return true }
    return false
  }

  /// Reads the gain of row `y`, minus 1, for an image of the size of the gain map.
  func readGainMinus1(_ y: Int, component: Int, into gain: inout [Float]) {
    guard case .codes(_, let gains) = samples, case .integer(let planes) = image.planes else {
      preconditionFailure("no table of gains")
    }
    gain.assign(planes[min(component, planes.count - 1)], row: y, table: gains[component])
  }

  /// Reads the log gains of row `y`.
  func read(_ y: Int, into rows: inout [[Float]], scratch: inout Scratch) {
    switch samples {
    case .codes(let tables, _):
      guard case .integer(let planes) = image.planes else { return }
      for index in rows.indices {
        rows[index].assign(planes[min(index, planes.count - 1)], row: y, table: tables[index])
      }
    case .coded(let decoder, let functions):
      decoder.decode(image, row: y, into: &scratch.row, scratch: &scratch.decoding)
      swap(&rows[0], &scratch.row.red)
      swap(&rows[1], &scratch.row.green)
      swap(&rows[2], &scratch.row.blue)
      for index in rows.indices {
        rows[index].clampToShares()
        functions[index].apply(to: &rows[index])
      }
    }
  }
}

extension ImageTransform {
  /// Returns the transform with a gain map applied to the source first; alpha stays unchanged.
  ///
  /// - Parameters:
  ///   - map: The gain map of the source.
  ///   - display: Headroom of the display. At that of the baseline image nothing changes, at that
  ///     of the alternate image the result is the alternate image; displays beyond the two show the
  ///     nearer.
  /// - Returns: The transform.
  public func applying(_ map: GainMapImage, for display: Headroom) -> ImageTransform {
    let weight = map.metadata.weight(for: display)
    guard weight != 0 else { return self }
    var transform = self
    transform.stage = GainMapStage(map, weight: weight, base: source)
    return transform
  }
}
