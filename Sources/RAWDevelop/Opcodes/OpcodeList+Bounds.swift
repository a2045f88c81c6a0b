internal import HDRCore
internal import ImageContainers

extension OpcodeList {
  /// An opcode and the picture that it is about.
  struct Step: Sendable {
    let opcode: Opcode
    /// Where that picture's corner lies in the picture before the list.
    let origin: SIMD2<Int>
    let size: (width: Int, height: Int)
  }

  /// The opcodes with the bounds that those before them leave.
  ///
  /// - Parameter size: Of the picture before the list.
  /// - Returns: As many as there are opcodes.
  func steps(from size: (width: Int, height: Int)) -> [Step] {
    var bounds = RawArea(x: 0, y: 0, width: size.width, height: size.height)
    return opcodes.map { opcode in
      defer { if case .trim(let area) = opcode { bounds = bounds.part(area) } }
      return Step(
        opcode: opcode, origin: SIMD2(bounds.x, bounds.y), size: (bounds.width, bounds.height))
    }
  }

  /// What TrimBounds leaves of a picture; `.malformed` for bounds beyond it.
  func bounds(
    of size: (width: Int, height: Int), list: Int, _ directory: DNGDirectory
  ) throws(ImageError) -> RawArea {
    var bounds = RawArea(x: 0, y: 0, width: size.width, height: size.height)
    for case .trim(let area) in opcodes {
      guard area.columns.upperBound <= bounds.width, area.rows.upperBound <= bounds.height else {
        throw directory.malformed(
          TIFFTag.opcodeLists[list - 1],
          "TrimBounds to rows \(area.rows) and columns \(area.columns) of a picture of "
            + "\(bounds.width)x\(bounds.height)")
      }
      bounds = bounds.part(area)
    }
    return bounds
  }
}

extension RawArea {
  /// A part, which is counted from the corner of this area.
  func part(_ part: RawArea) -> RawArea {
    RawArea(x: x + part.x, y: y + part.y, width: part.width, height: part.height)
  }
}
