// SPDX-License-Identifier: Apache-2.0
/// Forms of gain map metadata, in order of precedence: of several in a file, the first is used.
///
/// Source: libultrahdr, Skia, Chromium and tev use this order.
public enum GainMapFlavor: String, Codable, Hashable, Sendable, CaseIterable {
  /// Binary metadata of ISO 21496-1.
  case iso
  /// Adobe's `hdrgm` XMP, which Ultra HDR uses.
  case xmp
  /// Apple XMP and maker note.
  case apple

  /// Name for people: `ISO 21496-1`, `XMP` or `Apple`.
  public var title: String {
    switch self {
    case .iso: "ISO 21496-1"
    case .xmp: "XMP"
    case .apple: "Apple"
    }
  }

  /// Flavors that can be written instead of this one: the others of `flavors`, or ISO 21496-1.
  package func alternatives(among flavors: Set<GainMapFlavor>) -> [String] {
    let others = GainMapFlavor.allCases.filter { $0 != self && flavors.contains($0) }
    return (others.isEmpty ? [.iso] : others).map(\.rawValue)
  }
}
