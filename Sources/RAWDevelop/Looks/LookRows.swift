// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels
internal import Platform

/// A `ProfileLook` on rows.
struct LookRows: Sendable {
  let look: ProfileLook
  private let peak: Float
  private let exposed: ExposedRows
  /// The same stages without a limit, for the colors of highlights.
  private let unlimited: ExposedRows
  private let tone: SampledFunction<Float>?
  private let rgbTables: RGBTablesRows?

  /// - Parameters:
  ///   - look: The look.
  ///   - grid: Positions of pixels in the active area, which gain table map and masks cover.
  ///   - masks: Semantic masks of the look, by name.
  init(_ look: ProfileLook, grid: DevelopedGrid, masks: [String: Plane<UInt16>] = [:]) {
    self.look = look
    let peak = ProfileLook.peak(isHDR: look.isHDR)
    self.peak = Float(peak)
    exposed = ExposedRows(look, peak: peak, grid: grid)
    unlimited =
      look.isHDR
      ? exposed : ExposedRows(look, peak: ProfileLook.peak(isHDR: true), grid: grid)
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

  /// The largest components of the pixels of a row.
  struct Levels {
    /// Those of the exposed scene.
    var scene: [Float]
    /// Those of the look after its tone curve.
    var toned: [Float]
    /// Those of the look.
    var shown: [Float]

    init(width: Int) {
      scene = [Float](repeating: 0, count: width)
      (toned, shown) = (scene, scene)
    }
  }

  /// Applies the look to pixels.
  ///
  /// - Parameters:
  ///   - row: Linear values in the primaries of ISO 22028-2.
  ///   - y: Row of the grid.
  ///   - columns: Columns of the grid.
  /// - Returns: The largest components.
  func apply(to row: inout LinearRow, y: Int, columns: Range<Int>) -> Levels {
    var levels = Levels(width: row.width)
    exposed.apply(to: &row, y: y, columns: columns, scene: &levels.scene)
    applyTone(to: &row, most: &levels.toned)
    levels.shown = levels.toned
    guard rgbTables != nil else { return levels }
    finish(&row, y: y, columns: columns)
    row.maximum(into: &levels.shown)
    return levels
  }

  /// Replaces pixels by their colors in the scene; definition: `ProfileLook.sceneColor`.
  ///
  /// - Parameters:
  ///   - row: Linear values in the primaries of ISO 22028-2.
  ///   - y: Row of the grid.
  ///   - columns: Columns of the grid.
  ///   - levels: Those of the look; the scene is replaced by the one without a limit.
  func makeScene(of row: inout LinearRow, y: Int, columns: Range<Int>, levels: inout Levels) {
    unlimited.apply(to: &row, y: y, columns: columns, scene: &levels.scene)
    precondition(levels.toned.count == row.width)
    unsafe row.withPointers { red, green, blue, count in
      // SAFETY: all four rows have `count` samples.
      unsafe pk_scale_to(red, green, blue, count, levels.toned)
    }
    finish(&row, y: y, columns: columns)
  }

  private func finish(_ row: inout LinearRow, y: Int, columns: Range<Int>) {
    guard let rgbTables else { return }
    rgbTables.apply(to: &row, y: y, columns: columns)
    row.pin(to: peak)
  }

  private func applyTone(to row: inout LinearRow, most: inout [Float]) {
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

/// The stages of a `ProfileLook` before its tone curve, on rows.
private struct ExposedRows: Sendable {
  private let peak: Float
  private let exposure: Float
  private let ramp: ExposureRamp
  private let hueSatMap: TableRows?
  private let lookTable: TableRows?
  private let gainTableMap: GainTableRows?

  init(_ look: ProfileLook, peak: Double, grid: DevelopedGrid) {
    self.peak = Float(peak)
    exposure = Float(look.sceneExposure)
    ramp = look.ramp.limited(to: peak)
    hueSatMap = look.hueSatMap.map { TableRows($0, isHDR: look.isHDR, peak: peak) }
    lookTable = look.lookTable.map { TableRows($0, isHDR: look.isHDR, peak: peak) }
    gainTableMap = look.gainTableMap.map {
      GainTableRows($0, exposure: look.gainExposure, grid: grid)
    }
  }

  func apply(to row: inout LinearRow, y: Int, columns: Range<Int>, scene: inout [Float]) {
    row.pin(to: peak)
    hueSatMap?.apply(to: &row)
    row.maximum(into: &scene)
    for index in scene.indices { scene[index] *= exposure }
    gainTableMap?.apply(to: &row, y: y, columns: columns)
    ramp.apply(to: &row.red)
    ramp.apply(to: &row.green)
    ramp.apply(to: &row.blue)
    lookTable?.apply(to: &row)
  }
}

extension ExposureRamp {
  fileprivate func apply(to row: inout [Float]) {
    // SAFETY: the row has `count` samples.
    unsafe pk_exposure_ramp(&row, row.count, Float(black), Float(slope), Float(radius), Float(peak))
  }
}

/// A `HueSatMap` on rows.
private struct TableRows: Sendable {
  let map: HueSatMap
  let peak: Float
  let encode: SampledFunction<Float>?
  let decode: SampledFunction<Float>?

  init(_ map: HueSatMap, isHDR: Bool, peak: Double) {
    self.map = map
    self.peak = Float(peak)
    let isCompressed = isHDR && map.values > 1
    guard isCompressed || map.isEncoded else {
      (encode, decode) = (nil, nil)
      return
    }
    let isEncoded = map.isEncoded
    let octaves = peak > 1 ? -20..<20 : -20..<1
    encode = SampledFunction(octaves: octaves, stepsPerOctave: 512) { linear in
      let value = isCompressed ? ExtendedRange.compressed(linear) : linear
      return isEncoded ? SRGB.inverseEOTF(value) : value
    }
    decode = SampledFunction(octaves: octaves, stepsPerOctave: 512) { value in
      let linear = isEncoded ? SRGB.eotf(value) : value
      return isCompressed ? ExtendedRange.expanded(linear) : linear
    }
  }

  func apply(to row: inout LinearRow) {
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

  func apply(to row: inout LinearRow, y: Int, columns: Range<Int>) {
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

/// `RGBTables` on rows.
struct RGBTablesRows: Sendable {
  private let method: RGBTables.Method
  private let tables: [(table: RGBTableRows, mask: ResampledMask?)]

  /// - Parameters:
  ///   - tables: Color tables; those whose mask is not in `masks` are dropped.
  ///   - isHDR: Whether the profile is for values above white.
  ///   - grid: Positions of pixels in the active area, which masks cover.
  ///   - masks: Masks by name.
  init(_ tables: RGBTables, isHDR: Bool, grid: DevelopedGrid, masks: [String: Plane<UInt16>]) {
    method = tables.method
    self.tables = tables.tables.compactMap { table in
      let mask = table.mask.flatMap { masks[$0] }.map { ResampledMask($0, grid: grid) }
      guard table.mask == nil || mask != nil else { return nil }
      return (RGBTableRows(table.table, isHDR: isHDR), mask)
    }
  }

  /// Applies the tables to pixels; results are not clamped.
  ///
  /// - Parameters:
  ///   - row: Linear values in the primaries of ISO 22028-2.
  ///   - y: Row of the grid.
  ///   - columns: Columns of the grid.
  func apply(to row: inout LinearRow, y: Int, columns: Range<Int>) {
    var sum = [Float](repeating: 0, count: row.width)
    var shares = tables.map { $0.mask?.coverage(row: y, columns: columns) ?? [] }
    for share in shares where !share.isEmpty {
      for x in sum.indices { sum[x] += share[x] }
    }
    let rest = sum.map { 1 - min(1, $0) }
    for index in shares.indices where shares[index].isEmpty { shares[index] = rest }
    switch method {
    case .sequential:
      for (entry, share) in zip(tables, shares) {
        changed(row, by: entry.table, share) { row.move(toward: $0, by: share) }
      }
    case .weightedSum:
      let source = row
      let hasBackground = tables.contains { $0.mask == nil }
      row.multiply(by: hasBackground ? sum.map { _ in 0 } : rest)
      for (entry, share) in zip(tables, shares) {
        changed(source, by: entry.table, share) { row.add($0, times: share) }
      }
      row.multiply(by: sum.map { 1 / max($0, 1) })
    }
  }

  /// Calls `body` with a row after a table, if its share is not 0 everywhere.
  private func changed(
    _ row: LinearRow, by table: RGBTableRows, _ share: [Float], _ body: (LinearRow) -> Void
  ) {
    guard share.contains(where: { $0 > 0 }) else { return }
    var changed = row
    table.apply(to: &changed)
    body(changed)
  }
}

extension LinearRow {
  /// Interpolates to another row; equals that row where the share is 1.
  fileprivate mutating func move(toward row: LinearRow, by share: [Float]) {
    func mix(_ a: inout [Float], _ b: [Float]) {
      for x in a.indices { a[x] = share[x] == 1 ? b[x] : a[x] + share[x] * (b[x] - a[x]) }
    }
    mix(&red, row.red)
    mix(&green, row.green)
    mix(&blue, row.blue)
  }

  fileprivate mutating func add(_ row: LinearRow, times share: [Float]) {
    for x in red.indices {
      red[x] += share[x] * row.red[x]
      green[x] += share[x] * row.green[x]
      blue[x] += share[x] * row.blue[x]
    }
  }

  fileprivate mutating func multiply(by gain: [Float]) {
    red.multiply(by: gain)
    green.multiply(by: gain)
    blue.multiply(by: gain)
  }
}
