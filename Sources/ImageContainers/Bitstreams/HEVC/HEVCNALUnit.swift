/// A network abstraction layer unit of HEVC: two bytes of header, then a payload.
///
/// Source: ITU-T H.265, 7.3.1.
public struct HEVCNALUnit: Hashable, Sendable {
  /// nal_unit_type.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let videoParameterSet = Kind(rawValue: 32)
    public static let sequenceParameterSet = Kind(rawValue: 33)
    public static let pictureParameterSet = Kind(rawValue: 34)
    public static let accessUnitDelimiter = Kind(rawValue: 35)
    public static let prefixSEI = Kind(rawValue: 39)
    public static let suffixSEI = Kind(rawValue: 40)

    /// Whether the unit holds coded samples.
    public var isSlice: Bool { rawValue < 32 }
  }
}
