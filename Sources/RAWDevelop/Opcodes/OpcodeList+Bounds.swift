internal import HDRCore
internal import ImageContainers
internal import ImageFiles

extension OpcodeList {
  /// An opcode and the picture that it is about.
  struct Step: Sendable {
    let opcode: Opcode
    /// That picture in the picture before the list.
    fileprivate let bounds: RawArea

    /// Where its corner lies in the picture before the list.
    var origin: SIMD2<Int> { SIMD2(bounds.x, bounds.y) }
    var size: (width: Int, height: Int) { (bounds.width, bounds.height) }

    /// What the opcode leaves of it.
    fileprivate var remains: RawArea {
      if case .trim(let area) = opcode { return bounds.part(area) }
      return bounds
    }
  }

  /// The opcodes with the bounds that those before them leave.
  ///
  /// - Parameter size: Of the picture before the list.
  /// - Returns: As many as there are opcodes.
  func steps(from size: (width: Int, height: Int)) -> [Step] {
    var bounds = RawArea(x: 0, y: 0, width: size.width, height: size.height)
    return opcodes.map { opcode in
      let step = Step(opcode: opcode, bounds: bounds)
      bounds = step.remains
      return step
    }
  }

  /// What TrimBounds leaves of a picture; `.malformed` for bounds beyond it.
  func bounds(
    of size: (width: Int, height: Int), list: Int, _ directory: DNGDirectory
  ) throws(ImageError) -> RawArea {
    let steps = steps(from: size)
    for step in steps {
      guard case .trim(let area) = step.opcode else { continue }
      let (width, height) = step.size
      guard area.columns.upperBound <= width, area.rows.upperBound <= height else {
        throw directory.error(
          .rawTrimBoundsInvalid, TIFFTag.opcodeLists[list - 1],
          ["rows": "\(area.rows)", "columns": "\(area.columns)", "size": .size(width, height)])
      }
    }
    return steps.last?.remains ?? RawArea(x: 0, y: 0, width: size.width, height: size.height)
  }
}

extension RawArea {
  /// A part, which is counted from the corner of this area.
  func part(_ part: RawArea) -> RawArea {
    RawArea(x: x + part.x, y: y + part.y, width: part.width, height: part.height)
  }
}
