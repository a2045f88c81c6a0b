// SPDX-License-Identifier: Apache-2.0
internal import HDRConversion
internal import ImageFiles

/// Accents as paths like those of `GlyphOutlines`, by combining mark.
///
/// Accents above are designed for letters that begin at 2.2, accents below for the baseline at 7.
enum GlyphAccents {
  /// Path and width.
  static let all: [Unicode.Scalar: (path: String, width: Double)] = [
    "\u{300}": ("M0 -.3 L1.1 1", 1.1),
    "\u{301}": ("M0 1 L1.1 -.3", 1.1),
    "\u{302}": ("M0 1 L1.2 -.2 L2.4 1", 2.4),
    "\u{303}": ("M0 .7 C.5 -.5 1.1 0 1.4 .3 C1.7 .6 2.3 1 2.8 -.1", 2.8),
    "\u{304}": ("M0 .4 L2.4 .4", 2.4),
    "\u{306}": ("M0 -.2 C.2 1.3 2.2 1.3 2.4 -.2", 2.4),
    "\u{307}": ("M0 .4 L0 .4", 0),
    "\u{308}": ("M0 .4 L0 .4 M1.8 .4 L1.8 .4", 1.8),
    "\u{30A}": ("E.8 .2 .8 .8 0 360", 1.6),
    "\u{30B}": ("M0 1 L.9 -.3 M1.5 1 L2.4 -.3", 2.4),
    "\u{30C}": ("M0 -.2 L1.2 1 L2.4 -.2", 2.4),
    "\u{327}": ("M.8 7 L.5 7.7 C1.4 7.7 1.4 8.9 .4 8.9 L-.1 8.7", 1.3),
    "\u{328}": ("M.9 7 C.2 7.6 .1 8.9 1.3 8.7", 1.3),
  ]
}
