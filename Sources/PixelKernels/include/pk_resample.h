// SPDX-License-Identifier: Apache-2.0
// Resampling.

#ifndef PK_RESAMPLE_H
#define PK_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

// resample.c
/// Rows that are filtered at a time: with four components, they fill the widest vector.
enum { PK_GROUP_ROWS = 4 };

/// Interleaves four components to pixels of one row of a group, in which rows are interleaved as well.
void pk_interleave(
  const float *_Nonnull a, const float *_Nonnull b, const float *_Nonnull c,
  const float *_Nonnull d, float *_Nonnull pixels, size_t count);
/// Copies the pixels of a group to rows that follow each other.
void pk_separate_rows(const float *_Nonnull pixels, float *_Nonnull rows, size_t count);
/// Deinterleaves pixels of a row with four components.
void pk_deinterleave(
  const float *_Nonnull pixels, float *_Nonnull a, float *_Nonnull b, float *_Nonnull c,
  float *_Nonnull d, size_t count);
/// Weighted sums of `taps` pixels of a group starting at `first`, clamped to the range of those at
/// least `margin` from the ends; in rows that follow each other.
///
/// `origin` is the index of one of those; sums are computed from differences to it. `weights`
/// contains `taps` for each sum.
void pk_filter_columns(
  const float *_Nonnull pixels, const int32_t *_Nonnull first, const int32_t *_Nonnull origin,
  const float *_Nonnull weights, size_t taps, size_t margin, float *_Nonnull rows, size_t count);
/// Weighted sum of `taps` rows at intervals of `stride`, clamped to the range of those from
/// `nearest` to `nearest_end`; `origin` is the index of one of those.
void pk_filter_rows(
  const float *_Nonnull rows, size_t stride, const float *_Nonnull weights, size_t taps,
  size_t nearest, size_t nearest_end, size_t origin, float *_Nonnull row, size_t count);

#endif
