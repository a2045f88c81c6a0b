// SPDX-License-Identifier: Apache-2.0
/// Coding-independent code points: the color interpretation of samples.
///
/// Source: ITU-T H.273 (ISO/IEC 23091-2), tables 2, 3 and 4.
public struct CICP: Hashable, Sendable {
  /// ColourPrimaries, table 2; any number, also a reserved one.
  public struct Primaries: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// BT.709 and sRGB.
    public static let bt709 = Primaries(rawValue: 1)
    /// Unspecified.
    public static let unspecified = Primaries(rawValue: 2)
    /// NTSC of 1953.
    public static let bt470M = Primaries(rawValue: 4)
    /// BT.601 with 625 lines.
    public static let bt470BG = Primaries(rawValue: 5)
    /// BT.601 with 525 lines.
    public static let bt601 = Primaries(rawValue: 6)
    /// SMPTE 240M.
    public static let smpte240 = Primaries(rawValue: 7)
    /// Film with color filters.
    public static let genericFilm = Primaries(rawValue: 8)
    /// BT.2020 and BT.2100.
    public static let bt2020 = Primaries(rawValue: 9)
    /// XYZ, SMPTE ST 428-1.
    public static let xyz = Primaries(rawValue: 10)
    /// P3 with the white point of cinema projectors.
    public static let dciP3 = Primaries(rawValue: 11)
    /// P3 with the white point D65.
    public static let displayP3 = Primaries(rawValue: 12)
    /// Primaries of EBU Tech 3213-E.
    public static let ebu3213 = Primaries(rawValue: 22)
  }

  /// TransferCharacteristics, table 3; any number, also a reserved one.
  public struct Transfer: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The OETF of BT.709.
    public static let bt709 = Transfer(rawValue: 1)
    /// Unspecified.
    public static let unspecified = Transfer(rawValue: 2)
    /// A display gamma of 2.2.
    public static let gamma22 = Transfer(rawValue: 4)
    /// A display gamma of 2.8.
    public static let gamma28 = Transfer(rawValue: 5)
    /// The OETF of BT.601, equal to that of BT.709.
    public static let bt601 = Transfer(rawValue: 6)
    /// SMPTE 240M.
    public static let smpte240 = Transfer(rawValue: 7)
    /// Linear signal.
    public static let linear = Transfer(rawValue: 8)
    /// Logarithmic, 100:1.
    public static let logarithmic100 = Transfer(rawValue: 9)
    /// Logarithmic, 316:1.
    public static let logarithmic316 = Transfer(rawValue: 10)
    /// IEC 61966-2-4.
    public static let xvYCC = Transfer(rawValue: 11)
    /// BT.1361, extended gamut.
    public static let bt1361 = Transfer(rawValue: 12)
    /// sRGB.
    public static let srgb = Transfer(rawValue: 13)
    /// The OETF of SDR BT.2020, 10 bits, equal to that of BT.709.
    public static let bt2020TenBit = Transfer(rawValue: 14)
    /// The OETF of SDR BT.2020, 12 bits.
    public static let bt2020TwelveBit = Transfer(rawValue: 15)
    /// PQ: SMPTE ST 2084, BT.2100.
    public static let pq = Transfer(rawValue: 16)
    /// SMPTE ST 428-1.
    public static let smpte428 = Transfer(rawValue: 17)
    /// HLG: BT.2100.
    public static let hlg = Transfer(rawValue: 18)
  }

  /// MatrixCoefficients, table 4; any number, also a reserved one.
  public struct Matrix: RawRepresentable, Codable, Hashable, Sendable {
    public var rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The identity: samples are R'G'B' or XYZ.
    public static let identity = Matrix(rawValue: 0)
    /// BT.709.
    public static let bt709 = Matrix(rawValue: 1)
    /// Unspecified.
    public static let unspecified = Matrix(rawValue: 2)
    /// FCC, Title 47, 73.682 (a) (20).
    public static let fcc = Matrix(rawValue: 4)
    /// BT.601 with 625 lines.
    public static let bt470BG = Matrix(rawValue: 5)
    /// BT.601 with 525 lines.
    public static let bt601 = Matrix(rawValue: 6)
    /// SMPTE 240M.
    public static let smpte240 = Matrix(rawValue: 7)
    /// YCgCo, whose rounded integers do not restore R'G'B' exactly.
    public static let yCgCo = Matrix(rawValue: 8)
    /// BT.2020, non-constant luminance.
    public static let bt2020NonConstant = Matrix(rawValue: 9)
    /// BT.2020, constant luminance.
    public static let bt2020Constant = Matrix(rawValue: 10)
    /// Derived from the primaries, non-constant luminance.
    public static let chromaDerivedNonConstant = Matrix(rawValue: 12)
    /// Derived from the primaries, constant luminance.
    public static let chromaDerivedConstant = Matrix(rawValue: 13)
    /// ICtCp: BT.2100.
    public static let ictcp = Matrix(rawValue: 14)
    /// IPT-PQ-C2: SMPTE ST 2128.
    public static let iptPQC2 = Matrix(rawValue: 15)
    /// Reversible YCgCo, with two bits more than R'G'B'.
    public static let yCgCoRe = Matrix(rawValue: 16)
    /// Reversible YCgCo, with one bit more than R'G'B'.
    public static let yCgCoRo = Matrix(rawValue: 17)
  }

  /// ColourPrimaries.
  public var primaries: Primaries
  /// TransferCharacteristics.
  public var transfer: Transfer
  /// MatrixCoefficients.
  public var matrix: Matrix
  /// VideoFullRangeFlag: whether samples use all code values.
  public var isFullRange: Bool

  public init(
    primaries: Primaries, transfer: Transfer, matrix: Matrix = .identity, isFullRange: Bool = true
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.isFullRange = isFullRange
  }

  /// Unspecified code points with a range.
  package static func unspecified(isFullRange: Bool) -> CICP {
    CICP(
      primaries: .unspecified, transfer: .unspecified, matrix: .unspecified,
      isFullRange: isFullRange)
  }

  /// Whether the transfer function is PQ or HLG.
  public var isHighDynamicRange: Bool { transfer == .pq || transfer == .hlg }
}

extension CICP: CustomStringConvertible {
  /// The notation of the command line: `9/16/9/full`.
  public var description: String {
    let range = isFullRange ? "full" : "limited"
    return "\(primaries.rawValue)/\(transfer.rawValue)/\(matrix.rawValue)/\(range)"
  }
}

extension CICP: Codable {
  /// Parses the text of `description`; `nil` for other text and numbers above 65535.
  ///
  /// - Parameter text: `P/T/M[/R]`: primaries, transfer function and matrix as numbers, and the
  ///   range as `full`, `limited`, 1 or 0; full range if it is left out.
  public init?(_ text: String) {
    let fields = text.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = fields.prefix(3).compactMap { UInt16($0) }
    let range = fields.dropFirst(3)
    guard numbers.count == 3, range.count <= 1,
      range.allSatisfy({ ["full", "limited", "1", "0"].contains($0) })
    else { return nil }
    self.init(
      primaries: .init(rawValue: numbers[0]), transfer: .init(rawValue: numbers[1]),
      matrix: .init(rawValue: numbers[2]),
      isFullRange: range.allSatisfy { ["full", "1"].contains($0) })
  }

  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let cicp = CICP(try value.decode(String.self)) else {
      throw DecodingError.explained("it does not have the form 9/16/9/full", at: decoder.codingPath)
    }
    self = cicp
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(description)
  }
}

/// A code point of H.273.
package protocol CodePoint: RawRepresentable<UInt16>, Hashable, Sendable {
  /// Code points that H.273 reserves.
  static var reserved: [ClosedRange<UInt16>] { get }
}

extension CodePoint {
  /// Whether the standard reserves the code point, so that it does not specify anything.
  package var isReserved: Bool { Self.reserved.contains { $0 ~= rawValue } }
  /// Whether the code point is neither unspecified nor reserved.
  package var isSpecified: Bool { rawValue != 2 && !isReserved }
}

extension CICP.Primaries: CodePoint {
  package static let reserved: [ClosedRange<UInt16>] = [0...0, 3...3, 13...21, 23...UInt16.max]
}

extension CICP.Transfer: CodePoint {
  package static let reserved: [ClosedRange<UInt16>] = [0...0, 3...3, 19...UInt16.max]
}

extension CICP.Matrix: CodePoint {
  package static let reserved: [ClosedRange<UInt16>] = [3...3, 18...UInt16.max]
}

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
