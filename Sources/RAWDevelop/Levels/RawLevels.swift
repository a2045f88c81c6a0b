// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import PixelKernels

/// Black and white levels, and the linearization of raw samples.
///
/// Source: DNG 1.7.1, chapter 5, "Mapping Raw Values to Linear Reference Values".
struct RawLevels: Sendable {
  /// The part of the raw image with exposed photosites.
  let activeArea: RawArea
  /// Linear values of code values; `nil` if code values are linear.
  ///
  /// Code values beyond the last entry have the value of that entry.
  let linearization: [Float]?
  /// Rows and columns of the pattern of black levels, from the origin of the active area.
  let blackPattern: (rows: Int, columns: Int)
  /// Black levels row by row, with the samples of a pixel interleaved.
  let black: [Double]
  /// Additional black level of each column and each row of the active area; empty if there is none.
  let blackOfColumns: [Double]
  let blackOfRows: [Double]
  /// White level of each sample of a pixel.
  let white: [Double]
  let planes: Int
  /// Undefined black levels, for which 0 is used.
  let notices: [Notice]

  private static let maximumBlackSides = 64

  /// - Parameters:
  ///   - image: The raw image.
  ///   - layout: Layout of its samples.
  ///   - size: Size after the opcodes of list 1, to which the active area refers; `nil` for the
  ///     stored size.
  /// - Throws: `.malformed` for levels that contradict each other or the image.
  init(
    of image: DNGImage, _ layout: RawLayout, size: (width: Int, height: Int)? = nil
  ) throws(ImageError) {
    let size = size ?? (image.width, image.height)
    let directory = image.directory
    planes = layout.planes
    let area = try Self.activeArea(image)
    activeArea = RawArea(
      x: area.x, y: area.y, width: min(area.width, size.width - area.x),
      height: min(area.height, size.height - area.y))
    guard activeArea.width > 0, activeArea.height > 0 else {
      throw directory.error(
        .malformed, "the active area is outside of {size}", .activeArea,
        ["size": .size(size.width, size.height)])
    }
    linearization = try directory.integers(.linearizationTable, atMost: 1 << 16)
      .map { $0.map(Float.init) }
    if linearization != nil, case .float = layout.coding {
      throw directory.error(
        .malformed, "linearization table for floating-point samples", .linearizationTable)
    }
    let sides = try directory.integers(.blackLevelRepeatDim, atMost: 2) ?? [1, 1]
    guard sides.count == 2, sides.allSatisfy({ (1...Self.maximumBlackSides).contains($0) }) else {
      throw directory.error(
        .invalidValue, .blackLevelRepeatDim, ["field": "BlackLevelRepeatDim", "value": "\(sides)"])
    }
    blackPattern = (sides[0], sides[1])
    var undefined: [Notice] = []
    black =
      try undefined.recoverUndefined { () throws(ImageError) in
        try Self.perSample(
          directory, .blackLevel, planes: layout.planes, repeated: sides[0] * sides[1], default: 0)
      } ?? Array(repeating: 0, count: layout.planes * sides[0] * sides[1])
    let active = (columns: activeArea.width, rows: activeArea.height)
    blackOfColumns =
      try undefined.recoverUndefined { () throws(ImageError) in
        try Self.deltas(directory, .blackLevelDeltaH, count: area.width, kept: active.columns)
      } ?? []
    blackOfRows =
      try undefined.recoverUndefined { () throws(ImageError) in
        try Self.deltas(directory, .blackLevelDeltaV, count: area.height, kept: active.rows)
      } ?? []
    notices = undefined
    let peak =
      switch layout.coding {
      case .integer: Double(layout.largestCode)
      case .float: 1.0
      }
    white = try Self.perSample(directory, .whiteLevel, planes: planes, repeated: 1, default: peak)
    for plane in 0..<planes where !(white[plane] - highestBlack(plane) > 0) {
      throw directory.error(
        .malformed, "white level {white} is not above black level {black}", .whiteLevel,
        ["white": white[plane], "black": highestBlack(plane)])
    }
  }

  /// The highest black level of a plane.
  private func highestBlack(_ plane: Int) -> Double {
    let pattern = stride(from: plane, to: black.count, by: planes).map { black[$0] }
    return (pattern.max() ?? 0) + (blackOfColumns.max() ?? 0) + (blackOfRows.max() ?? 0)
  }

  /// Scale of samples above black.
  func scale(_ plane: Int) -> Double { 1 / (white[plane] - highestBlack(plane)) }

  private static func activeArea(_ image: DNGImage) throws(ImageError) -> RawArea {
    guard let sides = try image.directory.integers(.activeArea, atMost: 4) else {
      return RawArea(x: 0, y: 0, width: image.width, height: image.height)
    }
    guard sides.count == 4, sides[0] < sides[2], sides[1] < sides[3], sides[2] <= image.height,
      sides[3] <= image.width
    else {
      throw image.directory.error(
        .malformed, "active area {area} in an image of {size}", .activeArea,
        ["area": "\(sides)", "size": .size(image.width, image.height)])
    }
    return RawArea(
      x: sides[1], y: sides[0], width: sides[3] - sides[1], height: sides[2] - sides[0])
  }

  /// Values for each sample of a pixel; a single value is repeated.
  private static func perSample(
    _ directory: DNGDirectory, _ tag: TIFFTag, planes: Int, repeated: Int, default: Double
  ) throws(ImageError) -> [Double] {
    guard let values = try directory.numbers(tag, atMost: planes * repeated) else {
      return Array(repeating: `default`, count: planes * repeated)
    }
    if values.count == planes * repeated { return values }
    if values.count == repeated { return values.flatMap { Array(repeating: $0, count: planes) } }
    throw directory.error(
      .rawLevelCount, tag, ["count": values.count, "samples": planes * repeated])
  }

  private static func deltas(
    _ directory: DNGDirectory, _ tag: TIFFTag, count: Int, kept: Int
  ) throws(ImageError) -> [Double] {
    guard let values = try directory.numbers(tag, atMost: count) else { return [] }
    guard values.count == count else {
      throw directory.error(.rawLevelCount, tag, ["count": values.count, "samples": count])
    }
    return Array(values.prefix(kept))
  }
}

/// Rows of a raw image as linear reference values: 0 is black, 1 is white.
///
/// Negative values, as noise around black has, are kept; values are at most 1.
struct LinearReference: Sendable {
  let area: RawArea
  let planes: Int
  private let values: Values
  private let linearization: [Float]?
  private let levels: [PlaneLevels]
  private let blackOfRows: [Float]
  /// Origin of the rows in the active area, which list 2 may trim.
  private let origin: SIMD2<Int>
  /// The opcodes of list 2.
  private let steps: [OpcodeList.Step]

  /// Stored samples, or values that replace them.
  private enum Values: Sendable {
    case samples(RawSamples)
    /// Linear values in half precision, without margins.
    case halves([Plane<UInt16>])
  }

  /// Levels of one sample of a pixel.
  private struct PlaneLevels {
    /// Black level of each column, for each row of the pattern.
    var black: [[Float]]
    var scale: Float
  }

  init(
    _ samples: RawSamples, _ levels: RawLevels, list: OpcodeList = .empty, bounds: RawArea? = nil
  ) {
    let active = levels.activeArea
    let bounds = bounds ?? RawArea(x: 0, y: 0, width: active.width, height: active.height)
    steps = list.steps(from: (active.width, active.height))
    origin = SIMD2(bounds.x, bounds.y)
    values = .samples(samples)
    area = active.part(bounds)
    planes = samples.planeCount
    linearization = levels.linearization
    blackOfRows = levels.blackOfRows.map(Float.init)
    self.levels = (0..<samples.planeCount).map { plane in
      let (rows, columns) = levels.blackPattern
      let black = (0..<rows).map { row in
        (0..<active.width).map { column in
          let place = (row * columns + column % columns) * levels.planes + plane
          let delta = levels.blackOfColumns.isEmpty ? 0 : levels.blackOfColumns[column]
          return Float(levels.black[place] + delta)
        }
      }
      return PlaneLevels(black: black, scale: Float(levels.scale(plane)))
    }
  }

  /// Other values for the same area.
  init(_ other: LinearReference, halves: [Plane<UInt16>]) {
    (area, planes, values) = (other.area, other.planes, .halves(halves))
    (linearization, levels, blackOfRows) = (other.linearization, other.levels, other.blackOfRows)
    (origin, steps) = (other.origin, other.steps)
  }

  /// Reads photosites of a row.
  ///
  /// - Parameters:
  ///   - y: A row of `area`.
  ///   - columns: Columns of `area`.
  ///   - plane: Number of the sample in a pixel.
  ///   - row: Receives the values from `start` on.
  ///   - start: First index in `row`.
  func read(row y: Int, columns: Range<Int>, plane: Int, into row: inout [Float], at start: Int) {
    precondition(0 <= y && y < area.height)
    precondition(0 <= columns.lowerBound && columns.upperBound <= area.width)
    precondition(0 <= start && start + columns.count <= row.count)
    let samples: RawSamples
    switch values {
    case .samples(let stored): samples = stored
    case .halves(let planes):
      let halves = planes[plane]
      unsafe row.withUnsafeMutableBufferPointer { row in
        unsafe halves.row(y).withUnsafeBufferPointer { halves in
          guard let row = row.baseAddress, let halves = halves.baseAddress else { return }
          // SAFETY: both have `columns.count` samples from here on.
          unsafe pk_half_to_float(halves + columns.lowerBound, row + start, columns.count)
        }
      }
      return
    }
    let first = (area.x + columns.lowerBound) * planes + plane
    let delta = blackOfRows.isEmpty ? 0 : blackOfRows[origin.y + y]
    let levels = levels[plane]
    let black = levels.black[(origin.y + y) % levels.black.count]
    unsafe row.withUnsafeMutableBufferPointer { row in
      guard let target = unsafe row.baseAddress.map({ unsafe $0 + start }) else { return }
      unsafe load(samples, area.y + y, first, into: target, count: columns.count)
      unsafe black.withUnsafeBufferPointer { black in
        guard let black = black.baseAddress else { return }
        // SAFETY: `target` has `columns.count` samples, and `black` one for each column.
        unsafe pk_raw_levels(
          target, black + origin.x + columns.lowerBound, columns.count, delta, levels.scale)
      }
    }
    for step in steps {
      guard case .point(let opcode) = step.opcode else { continue }
      let shift = origin &- step.origin
      opcode.apply(
        to: &row, at: start, row: y + shift.y,
        columns: columns.lowerBound + shift.x..<columns.upperBound + shift.x, plane: plane,
        size: step.size)
    }
  }

  /// Loads stored samples, through the linearization table if there is one.
  private func load(
    _ samples: RawSamples, _ y: Int, _ first: Int, into target: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    switch samples.rows {
    case .float(let plane):
      let row = plane.row(y)
      unsafe row.withUnsafeBufferPointer { row in
        guard let start = row.baseAddress else { return }
        // SAFETY: the row has `count` samples, `planes` apart, from `first` on.
        unsafe pk_raw_floats(start + first, planes, target, count)
      }
    case .integer(let plane):
      let row = plane.row(y)
      unsafe row.withUnsafeBufferPointer { row in
        guard let start = row.baseAddress else { return }
        // SAFETY: as above; the kernel limits code values to the last entry of the table.
        if let table = linearization {
          unsafe pk_raw_table(start + first, planes, target, count, table, UInt32(table.count - 1))
        } else {
          unsafe pk_raw_codes(start + first, planes, target, count)
        }
      }
    }
  }
}
