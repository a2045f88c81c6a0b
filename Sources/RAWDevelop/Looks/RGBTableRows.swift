// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// An `RGBTable` on rows.
struct RGBTableRows: Sendable {
  private let table: RGBTable
  private let isHDR: Bool
  private let toPrimaries: [Float]
  private let fromPrimaries: [Float]
  private let encode: SampledFunction<Float>?
  private let decode: SampledFunction<Float>?

  init(_ table: RGBTable, isHDR: Bool) {
    self.table = table
    self.isHDR = isHDR
    toPrimaries = table.toPrimaries.elements.map(Float.init)
    fromPrimaries = table.toPrimaries.inverse.elements.map(Float.init)
    func sampled(_ definition: (Double) -> Double) -> SampledFunction<Float>? {
      table.encoding == .linear
        ? nil
        : SampledFunction(octaves: -20..<1, stepsPerOctave: 512, largest: 1, definition: definition)
    }
    encode = sampled { table.encoding.encode($0) }
    decode = sampled { table.encoding.decode($0) }
  }

  private static let compress = SampledFunction(
    octaves: -20..<20, stepsPerOctave: 512, definition: ExtendedRange.compressed)
  private static let expand = SampledFunction(
    octaves: -20..<20, stepsPerOctave: 512, definition: ExtendedRange.expanded)

  func apply(to row: inout LinearRow) {
    row.multiply(by: toPrimaries)
    if isHDR { Self.compress.apply(to: &row) }
    let whole = row
    row.pin(to: 1)
    var outside = table.isExtending ? whole : nil
    outside?.subtract(row)
    encode?.apply(to: &row)
    unsafe row.withPointers { red, green, blue, count in
      unsafe table.entries.withUnsafeBufferPointer { entries in
        guard let entries = entries.baseAddress else { return }
        // SAFETY: the rows have `count` samples; the table has three components for each entry.
        unsafe pk_rgb_table(red, green, blue, count, entries, Int32(table.divisions))
      }
    }
    decode?.apply(to: &row)
    if let outside { row.add(outside) }
    if isHDR { Self.expand.apply(to: &row) }
    row.multiply(by: fromPrimaries)
  }
}

extension SampledFunction<Float> {
  fileprivate func apply(to row: inout LinearRow) {
    apply(to: &row.red)
    apply(to: &row.green)
    apply(to: &row.blue)
  }
}

extension LinearRow {
  /// Clamps components to 0...peak.
  mutating func pin(to peak: Float) {
    unsafe withPointers { red, green, blue, count in
      // SAFETY: the rows have `count` samples.
      unsafe pk_pin(red, green, blue, count, peak)
    }
  }

  fileprivate mutating func subtract(_ row: LinearRow) {
    for x in red.indices {
      red[x] -= row.red[x]
      green[x] -= row.green[x]
      blue[x] -= row.blue[x]
    }
  }

  fileprivate mutating func add(_ row: LinearRow) {
    for x in red.indices {
      red[x] += row.red[x]
      green[x] += row.green[x]
      blue[x] += row.blue[x]
    }
  }
}
