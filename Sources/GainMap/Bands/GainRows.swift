internal import HDRCore
internal import Foundation

/// The rows of a map, turned from codes into weighted logarithms of gain.
struct GainRows: Sendable {
  private enum Samples: Sendable {
    /// Gray or RGB: a table for each row of gain, and one with the gain itself, less 1.
    case codes(tables: [[Float]], gains: [[Float]])
    /// Y'CbCr: R'G'B' first, then a function.
    case coded(RowDecoder, [SampledFunction<Float>])
  }

  private let image: ImagePlanes
  private let samples: Samples
  /// Weighted logarithm of the gain of sample 0, for each row of gain; rows hold what is above it.
  let biases: [Float]

  /// Prepares for a share of the gain.
  init(_ map: GainMapImage, weight: Double) {
    image = map.planes
    let format = map.image.layout
    let meaning = map.meaning
    let rowCount = map.hasOneGain ? 1 : 3
    let least = (0..<rowCount).map { meaning.logGain(ofSample: 0, component: $0) }
    biases = least.map { Float(weight * $0) }
    func weighted(_ sample: Double, _ component: Int) -> Double {
      weight * (meaning.logGain(ofSample: sample, component: component) - least[component])
    }
    guard case .integer(let bits) = format.samples else {
      preconditionFailure("a gain map has integer samples")
    }
    if case .ycbcr = format.components {
      samples = .coded(
        RowDecoder(format, map.image.color),
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
          // As far as the kernel goes that has the same to do.
          stops.map { Float(exp2(min(max($0 + weight * least, -126), 126)) - 1) }
        })
    }
  }

  var width: Int { image.layout.width }
  var height: Int { image.layout.height }
  /// Rows of gain for each row of the map: one, or one for each component.
  var count: Int { biases.count }

  /// Memory for work on rows.
  struct Scratch {
    fileprivate var row: LightRow
    fileprivate var decoding: RowDecoder.Scratch

    init(width: Int) {
      row = LightRow(width: width, hasAlpha: false)
      decoding = RowDecoder.Scratch(width: width)
    }
  }

  /// Whether `readGainMinus1` does.
  var hasGains: Bool {
    if case .codes = samples { return true }
    return false
  }

  /// Reads the gain of row `y` of the map, less 1, for a picture of the map's size.
  func readGainMinus1(_ y: Int, component: Int, into gain: inout [Float]) {
    guard case .codes(_, let gains) = samples, case .integer(let planes) = image.planes else {
      preconditionFailure("gain that no table has")
    }
    gain.assign(planes[min(component, planes.count - 1)], row: y, table: gains[component])
  }

  /// Reads row `y` of the map.
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
