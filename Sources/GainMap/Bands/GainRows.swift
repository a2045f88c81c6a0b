// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

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
