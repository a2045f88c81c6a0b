// SPDX-License-Identifier: Apache-2.0
/// Names of the code points.
///
/// Source: ITU-T H.273, tables 2, 3 and 4.
extension CICP.Primaries {
  /// The name of these primaries, such as `BT.2020`; `primaries` and the number for others.
  public var name: String {
    switch self {
    case .bt709: "BT.709"
    case .unspecified: "unspecified"
    case .bt470M: "BT.470 M"
    case .bt470BG: "BT.470 B/G"
    case .bt601: "BT.601"
    case .smpte240: "SMPTE 240M"
    case .genericFilm: "film"
    case .bt2020: "BT.2020"
    case .xyz: "XYZ"
    case .dciP3: "DCI-P3"
    case .displayP3: "Display P3"
    case .ebu3213: "EBU 3213"
    default: "primaries \(rawValue)"
    }
  }
}

extension CICP.Transfer {
  /// The name of this transfer function, such as `PQ`; `transfer` and the number for others.
  public var name: String {
    switch self {
    case .bt709: "BT.709 curve"
    case .unspecified: "unspecified"
    case .gamma22: "gamma 2.2"
    case .gamma28: "gamma 2.8"
    case .bt601: "BT.601 curve"
    case .smpte240: "SMPTE 240M curve"
    case .linear: "linear"
    case .logarithmic100: "logarithmic, 100:1"
    case .logarithmic316: "logarithmic, 316:1"
    case .xvYCC: "IEC 61966-2-4 curve"
    case .bt1361: "BT.1361 curve"
    case .srgb: "sRGB curve"
    case .bt2020TenBit, .bt2020TwelveBit: "BT.2020 curve"
    case .pq: "PQ"
    case .smpte428: "SMPTE 428"
    case .hlg: "HLG"
    default: "transfer \(rawValue)"
    }
  }
}

extension CICP.Matrix {
  /// The name of these coefficients, such as `BT.2020 matrix`; `matrix` and the number for others.
  public var name: String {
    switch self {
    case .identity: "RGB"
    case .bt709: "BT.709 matrix"
    case .unspecified: "unspecified"
    case .fcc: "FCC matrix"
    case .bt470BG, .bt601: "BT.601 matrix"
    case .smpte240: "SMPTE 240M matrix"
    case .yCgCo: "YCgCo"
    case .bt2020NonConstant: "BT.2020 matrix"
    case .bt2020Constant: "BT.2020 constant luminance"
    case .chromaDerivedNonConstant: "matrix of the primaries"
    case .chromaDerivedConstant: "constant luminance of the primaries"
    case .ictcp: "ICtCp"
    case .iptPQC2: "IPT-PQ-C2"
    case .yCgCoRe: "YCgCo-Re"
    case .yCgCoRo: "YCgCo-Ro"
    default: "matrix \(rawValue)"
    }
  }
}

extension CICP.Matrix {
  /// The number, and the name of a known code point: `matrix 15 (IPT-PQ-C2)`.
  package var numberedName: String {
    let number = "matrix \(rawValue)"
    return name == number ? number : "\(number) (\(name))"
  }
}

extension CICP {
  /// The names and numbers of the code points: `BT.2020, PQ, BT.2020 matrix, full range (9/16/9)`.
  ///
  /// For people; `description` is the notation that `init(_:)` parses.
  public var title: String {
    let range = isFullRange ? "full range" : "limited range"
    return "\(primaries.name), \(transfer.name), \(matrix.name), \(range) "
      + "(\(primaries.rawValue)/\(transfer.rawValue)/\(matrix.rawValue))"
  }
}
