// SPDX-License-Identifier: Apache-2.0
// The tone kernels of `PixelKernels` as methods on rows. Results are numbers of changed pixels.

internal import PixelKernels

extension LinearRow {
  /// Maps max(R, G, B) by the rational shoulder; see `RationalShoulder`.
  mutating func applyShoulder(
    gain: Float, knee: Float, curvature: Float, content: Float, peak: Float
  ) -> Int {
    unsafe withPointers { red, green, blue, count in
      // SAFETY: the rows are `count` long.
      unsafe pk_shoulder(red, green, blue, count, gain, knee, curvature, content, peak)
    }
  }

  /// Maps max(R, G, B) by Reinhard's curve; see `ExtendedReinhard`.
  mutating func applyReinhard(
    numerator: Float, denominator: Float, content: Float, peak: Float
  ) -> Int {
    unsafe withPointers { red, green, blue, count in
      // SAFETY: the rows are `count` long.
      unsafe pk_reinhard(red, green, blue, count, numerator, denominator, content, peak)
    }
  }

  /// The largest component, at least 0.
  package func maximum(into out: inout [Float]) {
    precondition(out.count == width)
    // SAFETY: all four rows are `width` long.
    unsafe pk_maximum(red, green, blue, &out, width)
  }

  /// Scales each pixel so that its largest component is mapped by `curve`; see `ToneCurve`.
  mutating func apply(_ curve: SampledFunction<Float>) -> Int {
    unsafe withPointers { red, green, blue, count in
      unsafe curve.withKernelFunction { curve in
        // SAFETY: the rows are `count` long.
        unsafe pk_tone_curve(red, green, blue, count, curve)
      }
    }
  }

  /// Multiplies each pixel by a gain.
  mutating func scale(by gain: [Float]) -> Int {
    precondition(gain.count == width)
    return unsafe withPointers { red, green, blue, count in
      // SAFETY: all rows are `count` long.
      unsafe pk_scale(red, green, blue, count, gain)
    }
  }

  /// Clips components at `peak`.
  mutating func limit(to peak: Float) -> Int {
    unsafe withPointers { red, green, blue, count in
      // SAFETY: the rows are `count` long.
      unsafe pk_limit(red, green, blue, count, peak)
    }
  }

  /// Number of pixels with a component above a level.
  func pixelCount(above level: Float) -> Int {
    // SAFETY: the rows are `width` long.
    unsafe pk_count_above(red, green, blue, width, level)
  }

  /// Number of pixels with a component below a level.
  package func pixelCount(below level: Float) -> Int {
    // SAFETY: the rows are `width` long.
    unsafe pk_count_below(red, green, blue, width, level)
  }

  /// Converts R'G'B' to display-linear values with a gain of luma, given as a function of luma /
  /// `step`; see `BT2446A`.
  mutating func applyBT2446A(gain: SampledFunction<Float>, step: Float, peak: Float) {
    unsafe withPointers { red, green, blue, count in
      unsafe gain.withKernelFunction { gain in
        // SAFETY: the rows are `count` long.
        unsafe pk_bt2446a(red, green, blue, count, gain, 1 / step, peak)
      }
    }
  }

  /// The part of an `AdaptiveToneMap.ComponentMixing` that the three components share.
  func mixComponents(_ mixing: [Float], into out: inout [Float]) {
    precondition(out.count == width && mixing.count >= 5)
    // SAFETY: all four rows are `width` long; the kernel reads five weights.
    unsafe pk_mix_components(red, green, blue, &out, width, mixing)
  }

  /// Moves pixels toward white in proportion to the reduction of their largest component; see
  /// `Rendition`.
  mutating func moveTowardWhite(maximumBefore: [Float], _ parameters: pk_whitening) {
    precondition(maximumBefore.count == width)
    unsafe withPointers { red, green, blue, count in
      var parameters = parameters
      // SAFETY: all rows are `count` long.
      unsafe pk_toward_white(red, green, blue, count, maximumBefore, &parameters)
    }
  }

  /// Applies `GamutMapper`; limits components to 0...peak.
  mutating func apply(_ parameters: pk_gamut_parameters) -> Int {
    unsafe withPointers { red, green, blue, count in
      var parameters = parameters
      // SAFETY: the rows are `count` long.
      return unsafe pk_map_gamut(red, green, blue, count, &parameters)
    }
  }

  /// Maps colors outside the target's primaries and peak into the target gamut.
  package mutating func map(by gamut: GamutRows) { _ = apply(gamut.parameters) }
}

/// A `GamutMapper` on rows, with the parameters of its kernel.
package struct GamutRows: Sendable {
  fileprivate let parameters: pk_gamut_parameters

  package init(_ mapper: GamutMapper) { parameters = pk_gamut_parameters(mapper) }
}

extension [Float] {
  /// Assigns `shared + weight * component`, at least 0.
  mutating func assign(_ shared: [Float], adding component: [Float], weight: Float) {
    precondition(shared.count == count && component.count == count)
    // SAFETY: all three rows are `count` long.
    unsafe pk_add_component(shared, component, &self, count, weight)
  }
}

extension [Float] {
  /// Adds dither of up to half a code to signals before they are quantized, in a pattern without
  /// visible structure.
  ///
  /// The mean of an area is then precise beyond the code values. A signal that a code represents
  /// exactly is still quantized to that code.
  ///
  /// Source: Martin Roberts, "The Unreasonable Effectiveness of Quasirandom Sequences", 2018: R2.
  mutating func dither(y: Int, _ scale: QuantizationScale) {
    let (across, down): (UInt32, UInt32) = (3_242_174_889, 2_447_445_413)
    // SAFETY: the row is `count` long.
    unsafe pk_dither_r2(
      &self, count, UInt32(truncatingIfNeeded: y) &* down, across, 0.98 / scale.scale)
  }
}
