/// The ways to spell what a gain map means, the one that counts first.
public enum GainMapFlavor: String, Hashable, Sendable, CaseIterable {
  /// The binary payload of ISO 21496-1.
  case iso
  /// Adobe's `hdrgm` XMP, which Ultra HDR uses.
  case xmp
  /// Apple's XMP and maker note.
  case apple

  /// What people call it.
  public var title: String {
    switch self {
    case .iso: "ISO 21496-1"
    case .xmp: "hdrgm XMP"
    case .apple: "Apple's metadata"
    }
  }

  /// Flavors to write instead of this one: the others, or ISO 21496-1.
  public func alternatives(among flavors: Set<GainMapFlavor>) -> [String] {
    let others = GainMapFlavor.allCases.filter { $0 != self && flavors.contains($0) }
    return (others.isEmpty ? [.iso] : others).map(\.rawValue)
  }
}
