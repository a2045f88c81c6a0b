internal import Platform
internal import HDRCore
internal import PixelKernels

/// A `ProfileLook` on rows.
struct LookRows: Sendable {
  let look: ProfileLook
  private let peak: Float
  private let tone: SampledFunction<Float>?
  private let hueSatMap: TableRows?
  private let lookTable: TableRows?
  private let gainTableMap: GainTableRows?
  private let rgbTables: RGBTablesRows?

  /// - Parameters:
  ///   - look: The look.
  ///   - grid: Positions of pixels in the active area, which gain table map and masks cover.
  ///   - masks: Semantic masks of the look, by name.
  init(_ look: ProfileLook, grid: DevelopedGrid, masks: [String: Plane<UInt16>] = [:]) {
    self.look = look
    peak = Float(ProfileLook.peak(isHDR: look.isHDR))
    hueSatMap = look.hueSatMap.map { TableRows($0, isHDR: look.isHDR) }
    lookTable = look.lookTable.map { TableRows($0, isHDR: look.isHDR) }
    gainTableMap = look.gainTableMap.map {
      GainTableRows($0, exposure: look.gainExposure, grid: grid)
    }
    rgbTables = look.rgbTables.map {
      RGBTablesRows($0, isHDR: look.isHDR, grid: grid, masks: masks)
    }
    tone =
      look.tone.isIdentity
      ? nil
      : SampledFunction(
        octaves: look.isHDR ? -20..<20 : -20..<1, stepsPerOctave: 512,
        largest: look.isHDR ? .greatestFiniteMagnitude : 1,
        below: look.tone(0) == 0 ? .throughOrigin : .constant
      ) { look.tone($0) }
  }

  /// Applies the look to pixels.
  ///
  /// - Parameters:
  ///   - row: Linear values in the primaries of ISO 22028-2.
  ///   - y: Row of the grid.
  ///   - columns: Columns of the grid.
  ///   - scene: Receives the largest components of the exposed scene.
  ///   - shown: Receives the largest components of the look.
  func apply(
    to row: inout LightRow, y: Int, columns: Range<Int>, scene: inout [Float],
    shown: inout [Float]
  ) {
    row.pin(to: peak)
    hueSatMap?.apply(to: &row)
    row.maximum(into: &scene)
    let exposure = Float(look.sceneExposure)
    for index in scene.indices { scene[index] *= exposure }
    gainTableMap?.apply(to: &row, y: y, columns: columns)
    applyRamp(to: &row)
    lookTable?.apply(to: &row)
    applyTone(to: &row, most: &shown)
    guard let rgbTables else { return }
    rgbTables.apply(to: &row, y: y, columns: columns)
    row.pin(to: peak)
    row.maximum(into: &shown)
  }

  private func applyRamp(to row: inout LightRow) {
    look.ramp.apply(to: &row.red)
    look.ramp.apply(to: &row.green)
    look.ramp.apply(to: &row.blue)
  }

  private func applyTone(to row: inout LightRow, most: inout [Float]) {
    guard let tone else { return row.maximum(into: &most) }
    var least = [Float](repeating: 0, count: row.width)
    precondition(most.count == row.width)
    // SAFETY: all five rows have `width` samples.
    unsafe pk_extremes(row.red, row.green, row.blue, &least, &most, row.width)
    tone.apply(to: &least)
    tone.apply(to: &most)
    unsafe row.withPointers { red, green, blue, count in
      // SAFETY: all five rows have `count` samples.
      unsafe pk_move_extremes(red, green, blue, count, least, most)
    }
  }
}

extension ExposureRamp {
  fileprivate func apply(to row: inout [Float]) {
    // SAFETY: the row has `count` samples.
    unsafe pk_exposure_ramp(
      &row, row.count, Float(black), Float(slope), Float(radius), Float(peak))
  }
}

/// A `HueSatMap` on rows.
private struct TableRows: Sendable {
  let map: HueSatMap
  let peak: Float
  let encode: SampledFunction<Float>?
  let decode: SampledFunction<Float>?

  init(_ map: HueSatMap, isHDR: Bool) {
    self.map = map
    peak = Float(ProfileLook.peak(isHDR: isHDR))
    let isCompressed = isHDR && map.values > 1
    guard isCompressed || map.isEncoded else {
      (encode, decode) = (nil, nil)
      return
    }
    let isEncoded = map.isEncoded
    let octaves = isHDR ? -20..<20 : -20..<1
    encode = SampledFunction(octaves: octaves, stepsPerOctave: 512) { linear in
      let value = isCompressed ? ExtendedRange.compressed(linear) : linear
      return isEncoded ? SRGB.inverseEOTF(value) : value
    }
    decode = SampledFunction(octaves: octaves, stepsPerOctave: 512) { value in
      let linear = isEncoded ? SRGB.eotf(value) : value
      return isCompressed ? ExtendedRange.expanded(linear) : linear
    }
  }

  func apply(to row: inout LightRow) {
    unsafe row.withPointers { red, green, blue, count in
      // SAFETY: the rows have `count` samples.
      unsafe pk_rgb_to_hsv(red, green, blue, count)
    }
    encode?.apply(to: &row.blue)
    unsafe row.withPointers { hue, saturation, value, count in
      unsafe map.entries.withUnsafeBufferPointer { entries in
        guard let start = entries.baseAddress else { return }
        var table = unsafe pk_hue_sat_table(
          entries: start, hues: Int32(map.hues), saturations: Int32(map.saturations),
          values: Int32(map.values), peak: peak)
        // SAFETY: the rows have `count` samples; the table has three numbers for each entry.
        unsafe pk_hue_sat_map(hue, saturation, value, count, &table)
      }
    }
    decode?.apply(to: &row.blue)
    unsafe row.withPointers { red, green, blue, count in
      // SAFETY: the rows have `count` samples.
      unsafe pk_hsv_to_rgb(red, green, blue, count)
    }
  }
}

/// A `GainTableMap` on rows.
private struct GainTableRows: Sendable {
  let map: GainTableMap
  let grid: DevelopedGrid
  let weights: [Float]
  let gamma: SampledFunction<Float>?

  init(_ map: GainTableMap, exposure: Double, grid: DevelopedGrid) {
    self.map = map
    self.grid = grid
    weights = map.weights.map { Float($0 * exposure) }
    let power = map.gamma
    gamma =
      power == 1
      ? nil
      : SampledFunction(octaves: -24..<1, stepsPerOctave: 256, largest: 1) { pow($0, power) }
  }

  func apply(to row: inout LightRow, y: Int, columns: Range<Int>) {
    guard let last = columns.last else { return }
    func place(_ x: Int) -> GainTableMap.Position {
      map.position(column: grid.center(column: x), of: grid.activeWidth)
    }
    let first = place(columns.lowerBound).index
    let tables = tables(y, points: first...place(last).next)
    var (indices, shares) = ([UInt32](), [Float]())
    indices.reserveCapacity(columns.count)
    shares.reserveCapacity(columns.count)
    for x in columns {
      let place = place(x)
      indices.append(UInt32(place.index - first))
      shares.append(Float(place.share))
    }
    var gain = [Float](repeating: 0, count: row.width)
    precondition(indices.count == row.width)
    // SAFETY: all four rows have `width` samples; there are five weights.
    unsafe pk_gain_brightness(row.red, row.green, row.blue, &gain, row.width, weights)
    gamma?.apply(to: &gain)
    // SAFETY: the rows have `width` samples; each table in `indices` is followed by another.
    unsafe pk_gain_table(&gain, gain.count, tables, UInt32(map.tableSize), indices, shares)
    row.red.multiply(by: gain)
    row.green.multiply(by: gain)
    row.blue.multiply(by: gain)
  }

  /// Tables of points of a row, and one more.
  private func tables(_ y: Int, points: ClosedRange<Int>) -> [Float] {
    let place = map.position(row: grid.center(row: y), of: grid.activeHeight)
    let share = Float(place.share)
    var tables: [Float] = []
    tables.reserveCapacity((points.count + 1) * map.tableSize)
    for point in Array(points) + [points.upperBound] {
      let upper = (place.index * map.columns + point) * map.tableSize
      let lower = (place.next * map.columns + point) * map.tableSize
      for index in 0..<map.tableSize {
        let (a, b) = (map.gains[upper + index], map.gains[lower + index])
        tables.append(a + (b - a) * share)
      }
    }
    return tables
  }
}
