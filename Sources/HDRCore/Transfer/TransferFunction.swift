/// How signal relates to light, in the toolkit's unit: 1.0 is reference white.
///
/// The functions of one standard each are beside this file; this is the choice between them.
public enum TransferFunction: Hashable, Sendable {
  /// Signal is light; 1.0 is reference white.
  case linear
  /// `PQ`; absolute luminance over the luminance of reference white.
  case pq
  /// `HLG`; display light of the reference display (1000 cd/m², gamma 1.2) over reference white.
  case hlg
  /// `SRGB`.
  case srgb
  /// `BT1886` with a black of 0: a display gamma of 2.4.
  case bt1886
  /// A pure power function with this exponent.
  case gamma(Double)

  /// The meaning of a code point; `nil` for those that no still picture uses.
  ///
  /// BT.709, BT.601 and the SDR curves of BT.2020 are camera curves; what a picture shows is what
  /// their reference display makes of it, BT.1886.
  public init?(_ transfer: CICP.Transfer) {
    switch transfer {
    case .linear: self = .linear
    case .pq: self = .pq
    case .hlg: self = .hlg
    case .srgb: self = .srgb
    case .bt709, .bt601, .bt2020TenBit, .bt2020TwelveBit: self = .bt1886
    case .gamma22: self = .gamma(2.2)
    case .gamma28: self = .gamma(2.8)
    default: return nil
    }
  }
}
