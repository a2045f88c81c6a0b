// SPDX-License-Identifier: Apache-2.0
// Gain maps: resampling, exponential and logarithm of gains, area averages, dither.

#include "lookup.h"

#pragma STDC FP_CONTRACT OFF

// 2^x - 1, with the relative accuracy of single precision near 0 as well.
static inline float exp2_minus_1(float x) {
  x = larger(smaller(x, 126.0f), -126.0f);
  const float rounder = 12582912.0f;  // 1.5 * 2^23: addition rounds to an integer.
  const float shifted = x + rounder;
  const float f = x - (shifted - rounder);
  const float power = float_of((bits_of(shifted) - bits_of(rounder) + 127u) << 23);
  // Interpolates (2^f - 1) / f at the Chebyshev nodes of -0.5...0.5.
  float p = 0.00015453163f;
  p = p * f + 0.0013390863f;
  p = p * f + 0.0096180826f;
  p = p * f + 0.055503571f;
  p = p * f + 0.24022651f;
  p = p * f + 0.69314719f;
  return power * (p * f) + (power - 1.0f);
}

// Base-2 logarithm of a positive number, with error 1e-6.
static inline float logarithm(float x) {
  // The mantissa is in sqrt(1/2)...sqrt(2), so that the result is exact at 1.
  const uint32_t half_root = 0x3F3504F3u;
  const uint32_t moved = bits_of(x) - half_root;
  const float exponent = (float)((int32_t)moved >> 23);
  const float t = float_of((moved & 0x007FFFFFu) + half_root) - 1.0f;
  // Interpolates log2(1 + t) / t at the Chebyshev nodes of that range.
  float p = 0.16818659f;
  p = p * t - 0.26796387f;
  p = p * t + 0.29611956f;
  p = p * t - 0.35952446f;
  p = p * t + 0.48061313f;
  p = p * t - 0.72136018f;
  p = p * t + 1.44269652f;
  return exponent + p * t;
}

MULTIVERSIONED
void pk_resample(
    const float *restrict samples, const int32_t *restrict left, const float *restrict share,
    float *restrict row, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float a = samples[left[i]], b = samples[left[i] + 1];
    row[i] = a + share[i] * (b - a);
  }
}

MULTIVERSIONED
void pk_gain_minus_1(
    const float *restrict above, const float *restrict below, float share_below, float bias,
    float *restrict gain, size_t count) {
  for (size_t i = 0; i < count; i++)
    gain[i] = exp2_minus_1(bias + (above[i] + share_below * (below[i] - above[i])));
}

MULTIVERSIONED
void pk_apply_gain(
    float *restrict row, const float *restrict gain_minus_1, size_t count, float base_offset,
    float offset_difference) {
  // (x + kb) g - ka, arranged so that small values are not rounded to the precision of the offsets.
  for (size_t i = 0; i < count; i++)
    row[i] = row[i] + ((row[i] + base_offset) * gain_minus_1[i] + offset_difference);
}

MULTIVERSIONED
void pk_log_gain(
    const float *restrict base, const float *restrict alternate, float *restrict log_gain,
    size_t count, float base_offset, float alternate_offset, float smallest) {
  for (size_t i = 0; i < count; i++) {
    const float from = larger(base[i] + base_offset, smallest);
    const float to = larger(smaller(alternate[i], 1e30f) + alternate_offset, smallest);
    log_gain[i] = logarithm(to / from);
  }
}

MULTIVERSIONED
void pk_accumulate(float *restrict sum, const float *restrict row, float weight, size_t count) {
  for (size_t i = 0; i < count; i++) sum[i] += weight * row[i];
}

MULTIVERSIONED
void pk_average(
    const float *restrict row, const int32_t *restrict first, const float *restrict weights,
    size_t taps, float *restrict averages, size_t count) {
  for (size_t i = 0; i < count; i++) averages[i] = weights[i] * row[first[i]];
  for (size_t tap = 1; tap < taps; tap++)
    for (size_t i = 0; i < count; i++)
      averages[i] += weights[tap * count + i] * row[first[i] + (int32_t)tap];
}

MULTIVERSIONED
void pk_average_pairs(const float *restrict row, float *restrict averages, size_t count) {
  for (size_t i = 0; i < count; i++) averages[i] = 0.5f * row[2 * i] + 0.5f * row[2 * i + 1];
}

MULTIVERSIONED
void pk_average_fours(const float *restrict row, float *restrict averages, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float two = 0.25f * row[4 * i] + 0.25f * row[4 * i + 1];
    averages[i] = two + 0.25f * row[4 * i + 2] + 0.25f * row[4 * i + 3];
  }
}

void pk_count_codes(
    const uint16_t *restrict codes, size_t count, uint32_t shift, uint32_t *restrict counters) {
  const size_t whole = count - count % PK_COUNTERS;
  for (size_t i = 0; i < whole; i += PK_COUNTERS)
    for (size_t lane = 0; lane < PK_COUNTERS; lane++)
      counters[PK_COUNTERS * (size_t)(codes[i + lane] >> shift) + lane]++;
  for (size_t i = whole; i < count; i++)
    counters[PK_COUNTERS * (size_t)(codes[i] >> shift)]++;
}

MULTIVERSIONED
void pk_dither_codes(
    uint16_t *restrict codes, size_t count, const uint16_t *restrict table,
    const uint16_t *restrict pattern, uint32_t shift) {
  uint16_t found[PK_CHUNK], added[PK_CHUNK];
  for (size_t i = 0; i < PK_CHUNK; i++) added[i] = pattern[i % 8];
  for (size_t start = 0; start < count; start += PK_CHUNK) {
    const size_t length = chunk_length(count - start);
    uint16_t *restrict chunk = codes + start;
    for (size_t i = 0; i < length; i += PK_LINE) prefetch_next_row(chunk + i, count);
    look_up(chunk, 0xFFFF, length, table, found, sizeof *found);
    for (size_t i = 0; i < length; i++)
      chunk[i] = (uint16_t)((uint16_t)(found[i] + added[i]) >> shift);
  }
}
