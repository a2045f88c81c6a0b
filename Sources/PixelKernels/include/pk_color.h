// SPDX-License-Identifier: Apache-2.0
// Arithmetic on the colors of rows.

#ifndef PK_COLOR_H
#define PK_COLOR_H

#include <stddef.h>
#include <stdint.h>

// color.c
/// Multiplies each pixel by a matrix of nine elements, row-major.
void pk_matrix(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull matrix);
/// Multiplies as `pk_matrix`, and clamps the result to 0...1.
void pk_matrix_to_unit(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull matrix);
/// Weighted sum of the components, at least 0; 0 for NaN.
void pk_luminance(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull out,
  size_t count, float wr, float wg, float wb);
/// Multiplies each sample by its gain.
void pk_multiply(float *_Nonnull row, const float *_Nonnull gain, size_t count);
/// Divides by alpha if it is above 0.
void pk_unpremultiply(float *_Nonnull row, const float *_Nonnull alpha, size_t count);
/// Splits premultiplied values into straight ones up to `peak` and the excess over `peak` times
/// alpha, which is divided by 1 - `uncovered` alpha.
void pk_split_emission(
  float *_Nonnull row, float *_Nonnull emitted, const float *_Nonnull alpha, size_t count,
  float peak, float uncovered);
/// The inverse: alpha times the straight values plus 1 - `uncovered` alpha times the excess.
void pk_join_emission(
  float *_Nonnull row, const float *_Nonnull emitted, const float *_Nonnull alpha, size_t count,
  float uncovered);

/// Counts of `pk_clip` and `pk_make_finite`: pixels with a component that is not a number, below
/// the range, above the range, or infinite.
typedef struct {
  uint64_t not_a_number;
  uint64_t below;
  uint64_t above;
  uint64_t infinite;
} pk_clip_count;

/// Clamps components to 0...peak; NaN becomes 0. Counts pixels with components below `low` or above
/// `high`.
void pk_clip(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float peak, float low,
  float high, pk_clip_count *_Nonnull counts);
/// Clamps components to -largest...largest; NaN becomes 0. Counts pixels with NaN, and counts those
/// with components above `largest` as infinite.
void pk_make_finite(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float largest,
  pk_clip_count *_Nonnull counts);

#endif
