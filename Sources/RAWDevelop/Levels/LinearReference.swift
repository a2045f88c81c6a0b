// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

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
