internal import HDRConversion
internal import HDRCore
internal import ImageCodecs
internal import ImageFiles

/// Pictures, colors and codings as people read them.
extension FileImage {
  /// Size, tiles and samples.
  var layoutText: String {
    var text = "\(format.width)x\(format.height)"
    if shownSize != (format.width, format.height) {
      text += ", shown as \(shownSize.width)x\(shownSize.height)"
    }
    if let tiles { text += ", \(tiles.columns)x\(tiles.rows) tiles" }
    return text + ", " + sampleText + (format.hasAlpha ? ", with alpha" : "")
  }

  /// Codec, profile and level, and how color was turned into what is coded.
  var codingText: String {
    let matrix = color?.encoding.matrix ?? .identity
    return coding.text + (matrix == .identity ? "" : ", \(matrix.name)")
  }

  /// Size and purpose, for a list.
  var briefText: String {
    var text = "\(role.rawValue) \(format.width)x\(format.height), \(sampleText)"
    if let auxiliaryType { text += ", \(auxiliaryType)" }
    if let color, role != .preview, role != .thumbnail {
      text += ", \(color.encoding.primaries.title), \(color.encoding.transfer.title)"
    }
    return text
  }

  private var sampleText: String {
    let depth: String =
      switch format.samples {
      case .integer(let bits): "\(bits) bit"
      case .float, .half: floatBits.map { "\($0)-bit float" } ?? "float"
      }
    let range = isFullRange ? "" : ", limited range"
    return "\(depth) \(isCMYK ? "CMYK" : format.components.title)\(range)"
  }
}

extension CodecConfiguration {
  /// Codec, profile and level.
  var text: String {
    [codec, profile, level.map { "level \($0)" }].compactMap(\.self).joined(separator: ", ")
  }
}

extension ImageLayout.Components {
  fileprivate var title: String {
    switch self {
    case .gray: "gray"
    case .rgb: "RGB"
    case .ycbcr(let chroma):
      switch chroma {
      case .yuv444: "Y'CbCr 4:4:4"
      case .yuv422: "Y'CbCr 4:2:2"
      case .yuv420: "Y'CbCr 4:2:0"
      case .yuv400: "luma"
      }
    }
  }
}

extension ColorPrimaries {
  /// What people call the color space.
  var title: String {
    switch name {
    case "bt2020": "BT.2020"
    case "p3": "Display P3"
    case "bt709": "BT.709 (sRGB) primaries"
    case "adobergb": "Adobe RGB"
    case "prophoto": "ProPhoto RGB"
    case "aces": "ACES"
    case "acescg": "ACEScg"
    default: "primaries " + name
    }
  }
}

extension TransferFunction {
  /// What people call the curve.
  var title: String {
    switch self {
    case .linear: "linear light"
    case .pq: "PQ"
    case .hlg: "HLG"
    case .srgb: "sRGB curve"
    case .bt1886: "BT.1886 curve"
    case .gamma(let exponent): "gamma \(short(exponent))"
    case .sampled: "curves of the ICC profile"
    }
  }
}

extension Orientation {
  /// What a viewer does to show the picture upright.
  var text: String {
    switch self {
    case .upright: "upright"
    case .mirrored: "to be mirrored left to right"
    case .rotated180: "to be turned by 180 degrees"
    case .flipped: "to be flipped top to bottom"
    case .transposed: "to be transposed"
    case .rotated90: "to be turned clockwise by 90 degrees"
    case .transversed: "to be transposed at the other diagonal"
    case .rotated270: "to be turned anticlockwise by 90 degrees"
    }
  }
}

extension LightReport {
  /// The numbers that light metadata are made from.
  var text: String {
    "MaxCLL \(short(maxCLL)), MaxFALL \(short(maxFALL)), 99.99 % \(short(percentile9999)) cd/m², "
      + "colors within \(usedPrimaries)"
  }
}
