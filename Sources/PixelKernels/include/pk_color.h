// Arithmetic on the colors of rows.

#ifndef PK_COLOR_H
#define PK_COLOR_H

#include <stddef.h>
#include <stdint.h>

// color.c
/// Multiplies each pixel by nine elements, row after row.
void pk_matrix(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull matrix);
/// The same, and what lies below 0 or above 1 comes to lie there.
void pk_matrix_to_unit(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull matrix);
/// A weighted sum of the components, at least 0; 0 for NaN.
void pk_luminance(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull out,
  size_t count, float wr, float wg, float wb);
/// Sample by sample.
void pk_multiply(float *_Nonnull row, const float *_Nonnull gain, size_t count);
/// Divides by alpha where that is above 0.
void pk_unpremultiply(float *_Nonnull row, const float *_Nonnull alpha, size_t count);

/// What `pk_clip` and `pk_make_finite` found: pixels with any component that is not a number, below,
/// above, or beyond the largest number.
typedef struct {
  uint64_t not_a_number;
  uint64_t below;
  uint64_t above;
  uint64_t infinite;
} pk_clip_count;

/// Puts components into 0...peak, NaN to 0; counts pixels with components below `low`, above
/// `high`.
void pk_clip(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float peak, float low,
  float high, pk_clip_count *_Nonnull counts);
/// Puts components into -largest...largest, NaN to 0; counts the pixels with NaN, and those with more
/// than `largest` as infinite.
void pk_make_finite(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float largest,
  pk_clip_count *_Nonnull counts);

#endif
