// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

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
      let wide = [[Float]](
        repeating: [Float](repeating: 0, count: width), count: stage.rows.count)
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
      if line.share > 0 {
        stage.load(line.below, into: &below, narrow: &narrow, scratch: &scratch)
      }
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
