// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// Conversion between signal and integer code values.
///
/// Codes are rounded half away from 0. Signal out of range becomes the nearest code of n bits;
/// narrow range therefore keeps excursions below black and above white.
///
/// Source: Recommendation ITU-R BT.2100, table 9; ITU-T H.273, section 8.3.
package struct Quantization: Hashable, Sendable {
  /// Bits of a sample, 1...16; narrow range requires at least 8.
  package let bits: Int
  package let isFullRange: Bool

  package init(bits: Int, isFullRange: Bool) {
    precondition((1...16).contains(bits), "samples of \(bits) bits")
    self.bits = bits
    self.isFullRange = isFullRange
  }

  /// Largest code.
  package var maximumCode: Int { 1 << bits - 1 }

  /// Code of R', G', B', Y' or I: `offset + signal * scale`, rounded.
  package var signalScale: Double { isFullRange ? Double(maximumCode) : 219 * step }
  package var signalOffset: Double { isFullRange ? 0 : 16 * step }
  /// Code of Cb, Cr, Ct or Cp: `offset + difference * scale`, rounded.
  package var chromaScale: Double { isFullRange ? Double(maximumCode) : 224 * step }
  package var chromaOffset: Double { 128 * step }

  /// Code of R', G', B', Y' or I; 0 for NaN.
  package func code(ofSignal signal: Double) -> UInt16 {
    nearestCode(signalOffset + signal * signalScale)
  }

  /// R', G', B', Y' or I of `code`.
  package func signal(ofCode code: UInt16) -> Double { (Double(code) - signalOffset) / signalScale }

  /// Code of Cb, Cr, Ct or Cp, whose range is centered on 0; 0 for NaN.
  package func code(ofChroma difference: Double) -> UInt16 {
    nearestCode(chromaOffset + difference * chromaScale)
  }

  /// Cb, Cr, Ct or Cp of `code`.
  package func chroma(ofCode code: UInt16) -> Double { (Double(code) - chromaOffset) / chromaScale }

  /// Width of an 8-bit code, in codes of this depth.
  private var step: Double { exp2(Double(bits - 8)) }

  private func nearestCode(_ value: Double) -> UInt16 {
    guard value > 0 else { return 0 }
    return UInt16(clamping: min(value.rounded(.toNearestOrAwayFromZero), Double(maximumCode)))
  }
}
