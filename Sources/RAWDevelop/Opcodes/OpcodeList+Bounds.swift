// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

extension OpcodeList {
  /// An opcode and the area of the image to which it applies.
  struct Step: Sendable {
    let opcode: Opcode
    /// The area in the image before the list.
    fileprivate let bounds: RawArea

    /// Origin of the area in the image before the list.
    var origin: SIMD2<Int> { SIMD2(bounds.x, bounds.y) }
    var size: (width: Int, height: Int) { (bounds.width, bounds.height) }

    /// The area after the opcode.
    fileprivate var remains: RawArea {
      if case .trim(let area) = opcode { return bounds.part(area) }
      return bounds
    }
  }

  /// The opcodes with the areas that the preceding opcodes leave.
  ///
  /// - Parameter size: Size of the image before the list.
  /// - Returns: A step for each opcode.
  func steps(from size: (width: Int, height: Int)) -> [Step] {
    var bounds = RawArea(x: 0, y: 0, width: size.width, height: size.height)
    return opcodes.map { opcode in
      let step = Step(opcode: opcode, bounds: bounds)
      bounds = step.remains
      return step
    }
  }

  /// The area that TrimBounds opcodes leave of an image.
  ///
  /// - Throws: `.malformed` for bounds outside of the image.
  func bounds(
    of size: (width: Int, height: Int), list: Int, _ directory: DNGDirectory
  ) throws(ImageError) -> RawArea {
    let steps = steps(from: size)
    for step in steps {
      guard case .trim(let area) = step.opcode else { continue }
      let (width, height) = step.size
      guard area.columns.upperBound <= width, area.rows.upperBound <= height else {
        throw directory.error(
          ErrorCode(
            .malformed, "TrimBounds to rows {rows} and columns {columns} of an image of {size}"),
          TIFFTag.opcodeLists[list - 1],
          ["rows": "\(area.rows)", "columns": "\(area.columns)", "size": .size(width, height)])
      }
    }
    return steps.last?.remains ?? RawArea(x: 0, y: 0, width: size.width, height: size.height)
  }
}

extension RawArea {
  /// A part of this area, given relative to its origin.
  func part(_ part: RawArea) -> RawArea {
    RawArea(x: x + part.x, y: y + part.y, width: part.width, height: part.height)
  }
}
