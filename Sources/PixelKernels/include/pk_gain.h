// Gain maps: applying, computing, averaging and counting them.

#ifndef PK_GAIN_H
#define PK_GAIN_H

#include <stddef.h>
#include <stdint.h>

// gain.c
/// Linear interpolation between `samples[left]` and the next one.
void pk_resample(
  const float *_Nonnull samples, const int32_t *_Nonnull left, const float *_Nonnull share,
  float *_Nonnull row, size_t count);
/// 2^(bias + L) - 1, with L between two rows of logarithms.
void pk_gain_minus_1(
  const float *_Nonnull above, const float *_Nonnull below, float share_below, float bias,
  float *_Nonnull gain, size_t count);
/// (x + base_offset) * gain - alternate_offset; the difference is base less alternate offset.
void pk_apply_gain(
  float *_Nonnull row, const float *_Nonnull gain_minus_1, size_t count, float base_offset,
  float offset_difference);
/// Base-2 logarithm of (alternate + alternate_offset) / (base + base_offset), neither sum below
/// `smallest`.
void pk_log_gain(
  const float *_Nonnull base, const float *_Nonnull alternate, float *_Nonnull log_gain,
  size_t count, float base_offset, float alternate_offset, float smallest);
void pk_accumulate(
  float *_Nonnull sum, const float *_Nonnull row, float weight, size_t count);
/// Weighted sums of `taps` samples from `first` on; `weights` holds those of the first tap, then
/// those of the second, and so on.
void pk_average(
  const float *_Nonnull row, const int32_t *_Nonnull first, const float *_Nonnull weights,
  size_t taps, float *_Nonnull averages, size_t count);
/// Averages of areas of 2 or 4 samples that lie side by side, without a look at places.
void pk_average_pairs(const float *_Nonnull row, float *_Nonnull averages, size_t count);
void pk_average_fours(const float *_Nonnull row, float *_Nonnull averages, size_t count);
/// Counters of each bin: neighbors that fall into one bin then need not wait for each other.
#define PK_COUNTERS 4
/// Counts codes, `code >> shift` being the bin; a bin is the sum of its counters.
void pk_count_codes(
  const uint16_t *_Nonnull codes, size_t count, uint32_t shift, uint32_t *_Nonnull counters);
/// Replaces codes by what `table` has for each of 65536, plus a pattern of eight, over a power of
/// two.
void pk_dither_codes(
  uint16_t *_Nonnull codes, size_t count, const uint16_t *_Nonnull table,
  const uint16_t *_Nonnull pattern, uint32_t shift);

#endif
