internal import HDRCore
internal import PixelKernels

/// Rows of a raw picture as linear light: 0 is black, 1 is white.
///
/// Negative values, which noise around black has, are kept; nothing is above 1.
struct LinearReference: Sendable {
  let area: RawArea
  let planes: Int
  private let samples: RawSamples
  private let linearization: [Float]?
  private let levels: [PlaneLevels]
  private let blackOfRows: [Float]
  /// Of list 2.
  private let opcodes: [PointOpcode]

  /// The levels of one of the samples of a pixel.
  private struct PlaneLevels {
    /// Black of each column, for each row of the pattern.
    var black: [[Float]]
    var scale: Float
  }

  init(_ samples: RawSamples, _ levels: RawLevels, opcodes: [PointOpcode] = []) {
    self.opcodes = opcodes
    self.samples = samples
    area = levels.activeArea
    planes = samples.planes
    linearization = levels.linearization
    blackOfRows = levels.blackOfRows.map(Float.init)
    self.levels = (0..<samples.planes).map { plane in
      let (rows, columns) = levels.blackPattern
      let black = (0..<rows).map { row in
        (0..<levels.activeArea.width).map { column in
          let place = (row * columns + column % columns) * levels.planes + plane
          let delta = levels.blackOfColumns.isEmpty ? 0 : levels.blackOfColumns[column]
          return Float(levels.black[place] + delta)
        }
      }
      return PlaneLevels(black: black, scale: Float(levels.scale(plane)))
    }
  }

  /// Reads some photosites of a row.
  ///
  /// - Parameters:
  ///   - y: A row of the active area.
  ///   - columns: Of the active area.
  ///   - plane: Which sample of a pixel.
  ///   - row: Receives them from `start` on.
  ///   - start: Where in `row`.
  func read(
    row y: Int, columns: Range<Int>, plane: Int, into row: inout [Float], at start: Int
  ) {
    precondition(0 <= y && y < area.height)
    precondition(0 <= columns.lowerBound && columns.upperBound <= area.width)
    precondition(0 <= start && start + columns.count <= row.count)
    let first = (area.x + columns.lowerBound) * planes + plane
    let delta = blackOfRows.isEmpty ? 0 : blackOfRows[y]
    let levels = levels[plane]
    let black = levels.black[y % levels.black.count]
    unsafe row.withUnsafeMutableBufferPointer { row in
      guard let target = unsafe row.baseAddress.map({ unsafe $0 + start }) else { return }
      unsafe load(area.y + y, first, into: target, count: columns.count)
      unsafe black.withUnsafeBufferPointer { black in
        guard let black = black.baseAddress else { return }
        // SAFETY: `target` has `columns.count` samples, and `black` one for each column.
        unsafe pk_raw_levels(
          target, black + columns.lowerBound, columns.count, delta, levels.scale)
      }
    }
    for opcode in opcodes {
      opcode.apply(
        to: &row, at: start, row: y, columns: columns, plane: plane,
        size: (area.width, area.height))
    }
  }

  /// Loads stored samples as they are, or through the linearization table.
  private func load(
    _ y: Int, _ first: Int, into target: UnsafeMutablePointer<Float>, count: Int
  ) {
    switch samples.rows {
    case .float(let plane):
      let row = plane.row(y)
      unsafe row.withUnsafeBufferPointer { row in
        guard let start = row.baseAddress else { return }
        // SAFETY: the row of the picture has `count` samples, `planes` apart, from `first` on.
        unsafe pk_raw_floats(start + first, planes, target, count)
      }
    case .integer(let plane):
      let row = plane.row(y)
      unsafe row.withUnsafeBufferPointer { row in
        guard let start = row.baseAddress else { return }
        // SAFETY: as above; the table has an entry for each code up to the last one.
        if let table = linearization {
          unsafe pk_raw_table(
            start + first, planes, target, count, table, UInt32(table.count - 1))
        } else {
          unsafe pk_raw_codes(start + first, planes, target, count)
        }
      }
    }
  }
}
