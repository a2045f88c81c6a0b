extension OpcodeList.Opcode {
  /// The word of the specification for what it does.
  var name: String {
    switch self {
    case .warp(let warp):
      switch warp.kind {
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
