// SPDX-License-Identifier: Apache-2.0
// Rendering for displays: tone curves, desaturation, gamut mapping, dithering.

#ifndef PK_TONE_H
#define PK_TONE_H

#include <stddef.h>
#include <stdint.h>

#include "pk_function.h"

// tone.c: results are numbers of changed pixels. Linear values must be finite.

/// Applies `RationalShoulder`.
size_t pk_shoulder(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float gain, float knee,
  float curvature, float content, float peak);
/// Applies `ExtendedReinhard`.
size_t pk_reinhard(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float numerator,
  float denominator, float content, float peak);
/// The largest component, at least 0.
void pk_maximum(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull out,
  size_t count);
/// Scales each pixel so that its largest component is mapped by `curve`; see `ToneCurve`.
size_t pk_tone_curve(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const pk_function *_Nonnull curve);
/// Multiplies each pixel by a gain.
size_t pk_scale(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull gain);
/// Clips components at `peak`.
size_t pk_limit(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float peak);
/// Number of pixels with a component above `level`.
size_t pk_count_above(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, size_t count,
  float level);
/// Number of pixels with a component below `level`.
size_t pk_count_below(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, size_t count,
  float level);
/// Converts R'G'B' of the content to display-linear values with this peak; see `BT2446A`. Signals
/// above 1 count as 1. `gain` is the gain of luma as a function of luma times `per_step`.
void pk_bt2446a(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const pk_function *_Nonnull gain, float per_step, float peak);
/// Weighted sum of the components, the largest and the smallest, with weights in this order.
void pk_mix_components(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull out,
  size_t count, const float *_Nonnull mixing);
/// `shared + weight * component`, at least 0.
void pk_add_component(
  const float *_Nonnull shared, const float *_Nonnull component, float *_Nonnull out, size_t count,
  float weight);
/// Lines that bound the real colors; see `GamutMapper`.
#define PK_LOCUS_LINES 9

/// Parameters of `GamutMapper`, in single precision; matrices are row-major. Offsets are relative
/// to the gray of the same brightness.
typedef struct {
  float weights[3];
  float peak;
  /// Absolute tolerance below 0 and above the peak for colors that do not count as out of gamut.
  float slack;
  /// Smallest component inside the knee, as a share of brightness.
  float inside;
  /// Largest distance from gray inside the knee, as a share of the gray's distance from the peak.
  float inside_at_peak;
  /// Reciprocals of the margins beyond the knees, and the knees in units of the margins.
  float per_margin;
  float per_margin_at_peak;
  float knee;
  float knee_at_peak;
  float locus_knee;
  /// Smallest brightness as a share of the largest component.
  float least_brightness;
  /// Share of chroma that light colors, and the primary of the least brightness, may lose in order
  /// to keep their hue.
  float chroma_loss;
  float chroma_loss_of_darkest;
  /// Distance of an offset from gray, 1 at each line.
  float locus[3 * PK_LOCUS_LINES];
  /// Offset of a color to offsets of its cone responses.
  float responses[9];
  /// Brightness of cone responses.
  float response_weights[3];
  /// Cone responses to a color, less its brightness.
  float offsets[9];
  /// A color to the cone responses of Oklab, and their cube roots to a and b.
  float oklab[15];
} pk_gamut_parameters;

/// Applies `GamutMapper`; limits components to 0...peak, including rounding. Returns the number of
/// colors out of gamut by more than rounding; colors between knee and boundary do not count.
size_t pk_map_gamut(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const pk_gamut_parameters *_Nonnull parameters);

/// Parameters of the way to white, see `Rendition.highlightDesaturation`; matrices are row-major.
typedef struct {
  float strength;
  /// A color to its cone responses, and its inverse.
  float responses[9];
  float colors[9];
} pk_whitening;

/// Moves pixels along their lines of constant hue toward white, in proportion to the reduction of
/// their largest component; `before` has the largest components of before.
void pk_toward_white(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull before, const pk_whitening *_Nonnull parameters);

/// Adds `amplitude` times the fraction of `phase + i * step` in units of 2^32, from -1/2 to 1/2, to
/// element i.
void pk_dither_r2(float *_Nonnull row, size_t count, uint32_t phase, uint32_t step, float amplitude);

#endif
