// SPDX-License-Identifier: Apache-2.0
// Application, computation, averaging and histograms of gain maps.

#ifndef PK_GAIN_H
#define PK_GAIN_H

#include <stddef.h>
#include <stdint.h>

// gain.c
/// Linear interpolation between `samples[left]` and the next one.
void pk_resample(
  const float *_Nonnull samples, const int32_t *_Nonnull left, const float *_Nonnull share,
  float *_Nonnull row, size_t count);
/// 2^(bias + L) - 1, where L is interpolated between two rows of logarithms.
void pk_gain_minus_1(
  const float *_Nonnull above, const float *_Nonnull below, float share_below, float bias,
  float *_Nonnull gain, size_t count);
/// (x + base_offset) * gain - alternate_offset; the difference is base offset minus alternate
/// offset.
void pk_apply_gain(
  float *_Nonnull row, const float *_Nonnull gain_minus_1, size_t count, float base_offset,
  float offset_difference);
/// Base-2 logarithm of (alternate + alternate_offset) / (base + base_offset); both sums are at
/// least `smallest`.
void pk_log_gain(
  const float *_Nonnull base, const float *_Nonnull alternate, float *_Nonnull log_gain,
  size_t count, float base_offset, float alternate_offset, float smallest);
void pk_accumulate(
  float *_Nonnull sum, const float *_Nonnull row, float weight, size_t count);
/// Weighted sums of `taps` samples starting at `first`; `weights` contains those of the first tap,
/// then those of the second, and so on.
void pk_average(
  const float *_Nonnull row, const int32_t *_Nonnull first, const float *_Nonnull weights,
  size_t taps, float *_Nonnull averages, size_t count);
/// Averages of areas of 2 or 4 consecutive samples, without an index table.
void pk_average_pairs(const float *_Nonnull row, float *_Nonnull averages, size_t count);
void pk_average_fours(const float *_Nonnull row, float *_Nonnull averages, size_t count);
/// Counters of each bin, so that adjacent samples of one bin do not depend on each other.
#define PK_COUNTERS 4
/// Counts codes in bin `code >> shift`; the count of a bin is the sum of its counters.
void pk_count_codes(
  const uint16_t *_Nonnull codes, size_t count, uint32_t shift, uint32_t *_Nonnull counters);
/// Replaces each code by its entry of `table`, which has 65536 entries, plus one of eight pattern
/// values, shifted right by `shift`.
void pk_dither_codes(
  uint16_t *_Nonnull codes, size_t count, const uint16_t *_Nonnull table,
  const uint16_t *_Nonnull pattern, uint32_t shift);

#endif
