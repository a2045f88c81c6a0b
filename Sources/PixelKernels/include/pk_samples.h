// SPDX-License-Identifier: Apache-2.0
// Conversion between code values of files and signals or linear values.

#ifndef PK_SAMPLES_H
#define PK_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

// samples.c
/// (code - offset) * scale.
void pk_codes_to_signal(
  const uint16_t *_Nonnull codes, float *_Nonnull row, size_t count, float offset, float scale);
/// The entry of `table` for each code; it has `mask + 1` entries, and higher bits of a code are
/// ignored.
void pk_codes_to_light(
  const uint16_t *_Nonnull codes, float *_Nonnull row, size_t count, const float *_Nonnull table,
  uint16_t mask);
/// The low 8 bits of each code.
void pk_codes_to_bytes(
  const uint16_t *_Nonnull codes, uint8_t *_Nonnull bytes, size_t count);
/// Scales and rounds half up, clamped to 0...highest; NaN becomes 0.
void pk_quantize(
  const float *_Nonnull row, uint16_t *_Nonnull codes, size_t count, float offset, float scale,
  float highest);

/// Codes of linear values, for each step of their bit pattern.
typedef struct {
  /// Entries to which the bits within a step are added; the code is above `shift` bits. At most
  /// 65536.
  const uint32_t *_Nonnull entries;
  /// Bit pattern at the start of the first step; smaller and negative values are clamped to it.
  int32_t first;
  /// Bit pattern of the largest value; larger values are clamped to it.
  int32_t last;
  /// Number of bits of a pattern within one step.
  uint32_t shift;
} pk_code_table;

/// Converts linear values to codes; NaN counts as the largest value, or as the smallest if its sign
/// is set.
void pk_light_to_codes(
  const float *_Nonnull row, uint16_t *_Nonnull codes, size_t count,
  const pk_code_table *_Nonnull table);
/// Exact, including subnormals, infinities and NaN.
void pk_half_to_float(const uint16_t *_Nonnull halves, float *_Nonnull row, size_t count);
/// Rounds to nearest, ties to even; values beyond ±65504 become infinite.
void pk_float_to_half(const float *_Nonnull row, uint16_t *_Nonnull halves, size_t count);
/// Rounds as `pk_float_to_half`, but clamps finite values to ±65504.
void pk_float_to_finite_half(
  const float *_Nonnull row, uint16_t *_Nonnull halves, size_t count);

// packing.c: planes and interleaved pixels of any alignment, little-endian like all hosts.
void pk_unpack_rgb8(
  const uint8_t *_Nonnull pixels, uint16_t *_Nonnull r, uint16_t *_Nonnull g,
  uint16_t *_Nonnull b, size_t count);
void pk_pack_rgb8(
  uint8_t *_Nonnull pixels, const uint16_t *_Nonnull r, const uint16_t *_Nonnull g,
  const uint16_t *_Nonnull b, size_t count);
void pk_unpack_rgb16(
  const uint8_t *_Nonnull pixels, uint16_t *_Nonnull r, uint16_t *_Nonnull g,
  uint16_t *_Nonnull b, size_t count);
void pk_pack_rgb16(
  uint8_t *_Nonnull pixels, const uint16_t *_Nonnull r, const uint16_t *_Nonnull g,
  const uint16_t *_Nonnull b, size_t count);
void pk_unpack_rgb_float(
  const uint8_t *_Nonnull pixels, float *_Nonnull r, float *_Nonnull g, float *_Nonnull b,
  size_t count);
void pk_pack_rgb_float(
  uint8_t *_Nonnull pixels, const float *_Nonnull r, const float *_Nonnull g,
  const float *_Nonnull b, size_t count);
void pk_unpack_rgba8(
  const uint8_t *_Nonnull pixels, uint16_t *_Nonnull r, uint16_t *_Nonnull g,
  uint16_t *_Nonnull b, uint16_t *_Nonnull a, size_t count);
void pk_unpack_rgba16(
  const uint8_t *_Nonnull pixels, uint16_t *_Nonnull r, uint16_t *_Nonnull g,
  uint16_t *_Nonnull b, uint16_t *_Nonnull a, size_t count);
void pk_unpack_rgba_float(
  const uint8_t *_Nonnull pixels, float *_Nonnull r, float *_Nonnull g, float *_Nonnull b,
  float *_Nonnull a, size_t count);
/// Three 10-bit codes starting at the lowest bit, then 2-bit alpha, which is expanded to 10 bits.
void pk_unpack_10_10_10_2(
  const uint8_t *_Nonnull pixels, uint16_t *_Nonnull low, uint16_t *_Nonnull middle,
  uint16_t *_Nonnull high, uint16_t *_Nonnull a, size_t count);
/// 10-bit codes in the high bits of 16-bit words; the low bits are ignored.
void pk_unpack_high10(const uint8_t *_Nonnull pixels, uint16_t *_Nonnull codes, size_t count);
void pk_unpack_high10_pairs(
  const uint8_t *_Nonnull pixels, uint16_t *_Nonnull first, uint16_t *_Nonnull second,
  size_t count);
// The inverse functions. Codes out of range of the depth are clamped.
void pk_pack_rgba8(
  uint8_t *_Nonnull pixels, const uint16_t *_Nonnull r, const uint16_t *_Nonnull g,
  const uint16_t *_Nonnull b, const uint16_t *_Nonnull a, size_t count);
void pk_pack_rgba16(
  uint8_t *_Nonnull pixels, const uint16_t *_Nonnull r, const uint16_t *_Nonnull g,
  const uint16_t *_Nonnull b, const uint16_t *_Nonnull a, size_t count);
void pk_pack_rgba_float(
  uint8_t *_Nonnull pixels, const float *_Nonnull r, const float *_Nonnull g,
  const float *_Nonnull b, const float *_Nonnull a, size_t count);
void pk_pack_10_10_10_2(
  uint8_t *_Nonnull pixels, const uint16_t *_Nonnull low, const uint16_t *_Nonnull middle,
  const uint16_t *_Nonnull high, const uint16_t *_Nonnull a, size_t count);
void pk_pack_high10(uint8_t *_Nonnull pixels, const uint16_t *_Nonnull codes, size_t count);
void pk_pack_high10_pairs(
  uint8_t *_Nonnull pixels, const uint16_t *_Nonnull first, const uint16_t *_Nonnull second,
  size_t count);

// Chunks of OpenEXR files before ZIP compression.
/// The bytes at even offsets, followed by those at odd ones.
void pk_separate_bytes(
  const uint8_t *_Nonnull bytes, uint8_t *_Nonnull separated, size_t count);
/// Differences of consecutive bytes plus 128; the first byte is unchanged.
void pk_predict_bytes(
  const uint8_t *_Nonnull bytes, uint8_t *_Nonnull predicted, size_t count);

// samples.c: `count` is that of the full-resolution row, at least 1; edge samples repeat.
/// Weights 1, 2, 1 around each even sample.
void pk_halve_left(const float *_Nonnull row, float *_Nonnull half, size_t count);
/// Means of two samples.
void pk_halve_center(const float *_Nonnull row, float *_Nonnull half, size_t count);
/// Even samples are those of `half`, odd ones are the means of their neighbors.
void pk_double_left(const float *_Nonnull half, float *_Nonnull row, size_t count);
/// Three quarters of the nearer sample of `half`, one quarter of the farther.
void pk_double_center(const float *_Nonnull half, float *_Nonnull row, size_t count);
/// Assigns `own_weight * row + other_weight * other` to `row`.
void pk_mix(
  float *_Nonnull row, const float *_Nonnull other, size_t count, float own_weight,
  float other_weight);

#endif
