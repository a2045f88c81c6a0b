// Other sizes.

#ifndef PK_RESAMPLE_H
#define PK_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

// resample.c
/// Four rows become one of pixels of four components, and back.
void pk_interleave(
  const float *_Nonnull a, const float *_Nonnull b, const float *_Nonnull c,
  const float *_Nonnull d, float *_Nonnull pixels, size_t count);
void pk_deinterleave(
  const float *_Nonnull pixels, float *_Nonnull a, float *_Nonnull b, float *_Nonnull c,
  float *_Nonnull d, size_t count);
/// Weighted sums of `taps` pixels from `first` on, held between the smallest and the largest of
/// those that are `margin` from the ends or more.
///
/// `origin` is one of those, which small differences refer to; `weights` holds `taps` for each sum.
void pk_filter_columns(
  const float *_Nonnull pixels, const int32_t *_Nonnull first, const int32_t *_Nonnull origin,
  const float *_Nonnull weights, size_t taps, size_t margin, float *_Nonnull row, size_t count);
/// The weighted sum of `taps` rows that are `stride` apart, held between the smallest and the
/// largest of those from `nearest` to `nearest_end`; `origin` is one of those.
void pk_filter_rows(
  const float *_Nonnull rows, size_t stride, const float *_Nonnull weights, size_t taps,
  size_t nearest, size_t nearest_end, size_t origin, float *_Nonnull row, size_t count);

#endif
