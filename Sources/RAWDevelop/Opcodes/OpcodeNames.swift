// SPDX-License-Identifier: Apache-2.0
extension OpcodeList.Opcode {
  /// Name of the opcode in the specification.
  var name: String {
    switch self {
    case .warp(let warp):
      switch warp.model {
      case .rectilinear: "WarpRectilinear"
      case .fisheye: "WarpFisheye"
      case .rectilinear2: "WarpRectilinear2"
      }
    case .trim: "TrimBounds"
    case .point(let point): point.effect.name
    case .badPixels(let bad):
      switch bad.which {
      case .constant: "FixBadPixelsConstant"
      case .listed: "FixBadPixelsList"
      }
    }
  }
}

extension PointOpcode.Effect {
  fileprivate var name: String {
    switch self {
    case .table: "MapTable"
    case .polynomial: "MapPolynomial"
    case .gainMap: "GainMap"
    case .deltaPerRow: "DeltaPerRow"
    case .deltaPerColumn: "DeltaPerColumn"
    case .scalePerRow: "ScalePerRow"
    case .scalePerColumn: "ScalePerColumn"
    case .vignette: "FixVignetteRadial"
    }
  }
}

/// Parameters of opcodes, in the order of the file.
extension OpcodeList.Opcode {
  /// Sides, planes and pitches of the area; `nil` for the whole image.
  var area: [Int]? {
    guard case .point(let point) = self, let area = point.area else { return nil }
    return [
      area.top, area.left, area.bottom, area.right, area.planes.lowerBound, area.planes.count,
      area.rowPitch, area.columnPitch,
    ]
  }

  /// Numbers of the opcode, without tables and gains of gain maps.
  var numbers: [Double] {
    switch self {
    case .warp(let warp): warp.numbers
    case .point(let point): point.effect.numbers
    case .trim(let area):
      [area.y, area.x, area.rows.upperBound, area.columns.upperBound].map(Double.init)
    case .badPixels(let bad):
      switch bad.which {
      case .constant(let code): [Double(code)]
      case .listed(let points, let rectangles):
        points.flatMap { [Double($0.y), Double($0.x)] }
          + rectangles.flatMap { area in
            [area.y, area.x, area.rows.upperBound, area.columns.upperBound].map(Double.init)
          }
      }
    }
  }
}

extension PointOpcode.Effect {
  fileprivate var numbers: [Double] {
    switch self {
    case .table: []
    case .polynomial(let coefficients): coefficients
    case .gainMap(let map): map.numbers
    case .deltaPerRow(let values), .deltaPerColumn(let values), .scalePerRow(let values),
      .scalePerColumn(let values):
      values.map(Double.init)
    case .vignette(let vignette): vignette.numbers
    }
  }
}
