// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Corrections of stored samples before levels are applied: opcode list 1.
///
/// Source: DNG 1.7.1, chapter 7: after each opcode, samples are clipped to 0...65535.
struct StoredCorrections {
  let list: OpcodeList
  /// Rows and columns of the filter pattern; `nil` if samples are not a mosaic.
  let pattern: (rows: Int, columns: Int)?

  /// Samples after all opcodes, trimmed to their bounds.
  ///
  /// - Throws: `.limitExceeded` if memory or work for bad pixels exceeds the budget.
  func applied(to samples: RawSamples) throws(ImageError) -> RawSamples {
    guard !list.opcodes.isEmpty else { return samples }
    switch samples.rows {
    case .integer(var plane):
      for opcode in list.opcodes {
        switch opcode {
        case .badPixels(let bad):
          if let pattern { try bad.fix(&plane, pattern: pattern, origin: .zero) }
        case .point(let point):
          change(
            &plane, by: point, planes: samples.planeCount, peak: 65_535, load: Float.init,
            store: { UInt16(clamping: min(max($0, 0), 65_535).rounded()) })
        case .trim(let area): plane = Self.part(area, of: plane, planes: samples.planeCount)
        case .warp: continue
        }
      }
      return RawSamples(planeCount: samples.planeCount, rows: .integer(plane))
    case .float(var plane):
      for opcode in list.opcodes {
        switch opcode {
        case .point(let point):
          change(
            &plane, by: point, planes: samples.planeCount, peak: 1, load: { $0 },
            store: { max($0, 0) })
        case .trim(let area): plane = Self.part(area, of: plane, planes: samples.planeCount)
        case .badPixels, .warp: continue
        }
      }
      return RawSamples(planeCount: samples.planeCount, rows: .float(plane))
    }
  }

  private func change<Sample>(
    _ samples: inout Plane<Sample>, by opcode: PointOpcode, planes: Int, peak: Float,
    load: (Sample) -> Float, store: (Float) -> Sample
  ) {
    let size = (width: samples.width / planes, height: samples.height)
    var row = [Float](repeating: 0, count: size.width)
    for y in 0..<size.height where opcode.area?.index(ofRow: y) != nil || opcode.area == nil {
      for plane in 0..<planes where opcode.area?.planes.contains(plane) ?? true {
        var stored = samples.mutableRow(y)
        for x in 0..<size.width { row[x] = load(stored[x * planes + plane]) }
        opcode.apply(
          to: &row, at: 0, row: y, columns: 0..<size.width, plane: plane, size: size, peak: peak)
        for x in 0..<size.width { stored[x * planes + plane] = store(row[x]) }
      }
    }
  }

  private static func part<Sample>(
    _ area: RawArea, of samples: Plane<Sample>, planes: Int
  ) -> Plane<Sample> {
    Plane(width: area.width * planes, height: area.height) { output in
      for y in area.rows {
        let row = samples.row(y)
        for x in area.x * planes..<area.columns.upperBound * planes { output.append(row[x]) }
      }
    }
  }
}
