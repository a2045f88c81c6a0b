// Light of displays: tone curves, white, gray, dithering.

#ifndef PK_TONE_H
#define PK_TONE_H

#include <stddef.h>
#include <stdint.h>

#include "pk_function.h"

// tone.c: a result is the number of pixels that were changed. Light is finite.

/// See `RationalShoulder`.
size_t pk_shoulder(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float knee, float curvature,
  float content, float peak);
/// See `ExtendedReinhard`.
size_t pk_reinhard(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float numerator,
  float denominator, float content, float peak);
/// The largest component, at least 0.
void pk_maximum(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull out,
  size_t count);
/// Multiplies each pixel by what makes its largest component the function of it; see `ToneCurve`.
size_t pk_tone_curve(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const pk_function *_Nonnull curve);
/// Multiplies each pixel by a gain.
size_t pk_scale(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull gain);
/// Cuts components off at `peak`.
size_t pk_limit(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float peak);
/// Pixels with a component above `level`.
size_t pk_count_above(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, size_t count,
  float level);
/// From R'G'B' of the content to light of a display with this peak; see `BT2446A`. More than 1 counts
/// as 1. `gain` is what multiplies luma, a function of luma times `per_step`.
void pk_bt2446a(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const pk_function *_Nonnull gain, float per_step, float peak);
/// A sum of the components, the largest and the smallest, weighted in this order.
void pk_mix_components(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull out,
  size_t count, const float *_Nonnull mixing);
/// `shared + weight * component`, at least 0.
void pk_add_component(
  const float *_Nonnull shared, const float *_Nonnull component, float *_Nonnull out, size_t count,
  float weight);
/// Mixes white into pixels by how much their largest component has fallen; see `Rendition`.
void pk_toward_white(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull before, float strength);

/// `GrayMix`, in single precision.
typedef struct {
  float weights[3];
  float knee;
  float curvature;
  float reach;
  float peak;
} pk_gray_mix_plan;

/// Leaves components from 0 to the peak, rounding included.
size_t pk_gray_mix(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const pk_gray_mix_plan *_Nonnull plan);

/// Adds to element i the fraction of `phase + i * step` of a turn, from -1/2 to 1/2, times
/// `amplitude`.
void pk_dither_r2(float *_Nonnull row, size_t count, uint32_t phase, uint32_t step, float amplitude);

#endif
