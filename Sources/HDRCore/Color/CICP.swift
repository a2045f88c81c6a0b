/// Coding-independent code points: how samples relate to color.
///
/// Source: ITU-T H.273 (ISO/IEC 23091-2), tables 2, 3 and 4.
public struct CICP: Hashable, Sendable {
  /// ColourPrimaries, table 2.
  public struct Primaries: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let bt709 = Primaries(rawValue: 1)
    public static let unspecified = Primaries(rawValue: 2)
    public static let bt470M = Primaries(rawValue: 4)
    public static let bt470BG = Primaries(rawValue: 5)
    public static let bt601 = Primaries(rawValue: 6)
    public static let smpte240 = Primaries(rawValue: 7)
    public static let genericFilm = Primaries(rawValue: 8)
    public static let bt2020 = Primaries(rawValue: 9)
    public static let xyz = Primaries(rawValue: 10)
    public static let dciP3 = Primaries(rawValue: 11)
    public static let displayP3 = Primaries(rawValue: 12)
    public static let ebu3213 = Primaries(rawValue: 22)
  }

  /// TransferCharacteristics, table 3.
  public struct Transfer: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let bt709 = Transfer(rawValue: 1)
    public static let unspecified = Transfer(rawValue: 2)
    public static let gamma22 = Transfer(rawValue: 4)
    public static let gamma28 = Transfer(rawValue: 5)
    public static let bt601 = Transfer(rawValue: 6)
    public static let smpte240 = Transfer(rawValue: 7)
    public static let linear = Transfer(rawValue: 8)
    public static let logarithmic100 = Transfer(rawValue: 9)
    public static let logarithmic316 = Transfer(rawValue: 10)
    public static let xvYCC = Transfer(rawValue: 11)
    public static let bt1361 = Transfer(rawValue: 12)
    public static let srgb = Transfer(rawValue: 13)
    public static let bt2020TenBit = Transfer(rawValue: 14)
    public static let bt2020TwelveBit = Transfer(rawValue: 15)
    public static let pq = Transfer(rawValue: 16)
    public static let smpte428 = Transfer(rawValue: 17)
    public static let hlg = Transfer(rawValue: 18)
  }

  /// MatrixCoefficients, table 4.
  public struct Matrix: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt16
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let identity = Matrix(rawValue: 0)
    public static let bt709 = Matrix(rawValue: 1)
    public static let unspecified = Matrix(rawValue: 2)
    public static let fcc = Matrix(rawValue: 4)
    public static let bt470BG = Matrix(rawValue: 5)
    public static let bt601 = Matrix(rawValue: 6)
    public static let smpte240 = Matrix(rawValue: 7)
    public static let yCgCo = Matrix(rawValue: 8)
    public static let bt2020NonConstant = Matrix(rawValue: 9)
    public static let bt2020Constant = Matrix(rawValue: 10)
    public static let chromaDerivedNonConstant = Matrix(rawValue: 12)
    public static let chromaDerivedConstant = Matrix(rawValue: 13)
    public static let ictcp = Matrix(rawValue: 14)
    public static let iptPQC2 = Matrix(rawValue: 15)
    /// Reversible, with two bits more than R'G'B'.
    public static let yCgCoRe = Matrix(rawValue: 16)
    /// Reversible, with one bit more than R'G'B'.
    public static let yCgCoRo = Matrix(rawValue: 17)
  }

  public var primaries: Primaries
  public var transfer: Transfer
  public var matrix: Matrix
  public var isFullRange: Bool

  public init(
    primaries: Primaries, transfer: Transfer, matrix: Matrix = .identity, isFullRange: Bool = true
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.isFullRange = isFullRange
  }

  /// True for PQ and HLG.
  public var isHighDynamicRange: Bool { transfer == .pq || transfer == .hlg }
}

extension CICP: CustomStringConvertible {
  /// The notation of the command: `9/16/9/full`.
  public var description: String {
    let range = isFullRange ? "full" : "limited"
    return "\(primaries.rawValue)/\(transfer.rawValue)/\(matrix.rawValue)/\(range)"
  }
}
