// SPDX-License-Identifier: Apache-2.0
/// Treatment of colors outside the target's primaries and peak.
public enum GamutMapping: String, Codable, Hashable, Sendable, CaseIterable {
  /// Preserves the largest component of a color, and its hue as far as colors can be vivid in it.
  ///
  /// Colors well inside the target's gamut are unchanged.
  case soft
  /// Clips each component to 0...peak, which changes hue and luminance.
  case clip

  /// A short description of the effect.
  public var summary: String {
    switch self {
    case .soft: "keeps their hue and vividness as far as they fit"
    case .clip: "clips each component"
    }
  }
}
