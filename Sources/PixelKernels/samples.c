// SPDX-License-Identifier: Apache-2.0
// Conversion between integer or half-precision samples and float rows.

#include "lookup.h"

#pragma STDC FP_CONTRACT OFF

MULTIVERSIONED
void pk_codes_to_signal(
    const uint16_t *restrict codes, float *restrict row, size_t count, float offset,
    float scale) {
  const size_t whole = count - count % PK_LINE;
  for (size_t start = 0; start < whole; start += PK_LINE) {
    prefetch_next_row(codes + start, count);
    for (size_t i = start; i < start + PK_LINE; i++) row[i] = ((float)codes[i] - offset) * scale;
  }
  for (size_t i = whole; i < count; i++) row[i] = ((float)codes[i] - offset) * scale;
}

void pk_codes_to_light(
    const uint16_t *restrict codes, float *restrict row, size_t count,
    const float *restrict table, uint16_t mask) {
  const size_t whole = count - count % PK_LINE;
  for (size_t start = 0; start < whole; start += PK_LINE) {
    prefetch_next_row(codes + start, count);
    look_up(codes + start, mask, PK_LINE, table, row + start, sizeof *row);
  }
  look_up(codes + whole, mask, count - whole, table, row + whole, sizeof *row);
}

MULTIVERSIONED
void pk_light_to_codes(
    const float *restrict row, uint16_t *restrict codes, size_t count,
    const pk_code_table *table) {
  const pk_code_table local = *table;
  const int32_t first = local.first, last = local.last;
  const uint32_t step = (1u << local.shift) - 1;
  uint16_t steps[PK_CHUNK];
  uint32_t within[PK_CHUNK], entries[PK_CHUNK];
  for (size_t start = 0; start < count; start += PK_CHUNK) {
    const size_t length = chunk_length(count - start);
    const float *restrict light = row + start;
    uint16_t *restrict chunk = codes + start;
    for (size_t i = 0; i < length; i += PK_LINE) prefetch_next_target(chunk + i, count);
    for (size_t i = 0; i < length; i++) {
      const int32_t pattern = (int32_t)bits_of(light[i]);
      const int32_t limited = pattern < last ? pattern : last;
      const uint32_t place = (uint32_t)((limited > first ? limited : first) - first);
      steps[i] = (uint16_t)(place >> local.shift);
      within[i] = place & step;
    }
    look_up(steps, 0xFFFF, length, local.entries, entries, sizeof *entries);
    for (size_t i = 0; i < length; i++)
      chunk[i] = (uint16_t)((entries[i] + within[i]) >> local.shift);
  }
}

MULTIVERSIONED
void pk_codes_to_bytes(const uint16_t *restrict codes, uint8_t *restrict bytes, size_t count) {
  for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)codes[i];
}

MULTIVERSIONED
void pk_quantize(
    const float *restrict row, uint16_t *restrict codes, size_t count, float offset,
    float scale, float highest) {
  for (size_t i = 0; i < count; i++) {
    const float code = row[i] * scale + offset;
    const float bounded = code > 0 ? smaller(code, highest) : 0;
    codes[i] = (uint16_t)(int32_t)(bounded + 0.5f);
  }
}

MULTIVERSIONED
void pk_half_to_float(const uint16_t *restrict halves, float *restrict row, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t half = halves[i];
    const uint32_t sign = (half & 0x8000u) << 16;
    const uint32_t magnitude = half & 0x7FFFu;
    // Exponents increase by 112; those of infinities and NaN by 112 more. Subnormals result from
    // subtraction.
    const uint32_t moved = (magnitude << 13) + (112u << 23);
    const uint32_t special = moved + (magnitude >= 0x7C00u ? 112u << 23 : 0);
    const float small = float_of((magnitude << 13) + (113u << 23)) - float_of(113u << 23);
    const uint32_t bits = magnitude < 0x0400u ? bits_of(small) : special;
    row[i] = float_of(bits | sign);
  }
}

static inline uint16_t half_of(uint32_t sign, uint32_t magnitude) {
  const uint32_t odd = (magnitude >> 13) & 1u;
  const uint32_t normal = (magnitude - (112u << 23) + 0x0FFFu + odd) >> 13;
  // Adding 0.5 makes the addition round a subnormal to the last place of half precision.
  const uint32_t small = bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f);
  const uint32_t special = magnitude > 0x7F800000u ? 0x7E00u : 0x7C00u;
  uint32_t half = magnitude < (113u << 23) ? small : normal;
  half = magnitude >= 0x477FF000u ? special : half;
  return (uint16_t)(half | sign);
}

MULTIVERSIONED
void pk_float_to_half(const float *restrict row, uint16_t *restrict halves, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t bits = bits_of(row[i]);
    halves[i] = half_of((bits >> 16) & 0x8000u, bits & 0x7FFFFFFFu);
  }
}

static inline uint16_t finite_half_of(uint32_t bits) {
  const uint32_t largest = bits_of(65504.0f);
  uint32_t magnitude = bits & 0x7FFFFFFFu;
  const uint32_t limited = magnitude < largest ? magnitude : largest;
  magnitude = magnitude < 0x7F800000u ? limited : magnitude;
  return half_of((bits >> 16) & 0x8000u, magnitude);
}

MULTIVERSIONED
void pk_float_to_finite_half(
    const float *restrict row, uint16_t *restrict halves, size_t count) {
  for (size_t start = 0; start < count; start += PK_CHUNK) {
    const size_t end = start + chunk_length(count - start);
    for (size_t i = start; i < end; i += PK_LINE) prefetch_next_target(halves + i, count);
    for (size_t i = start; i < end; i++) halves[i] = finite_half_of(bits_of(row[i]));
  }
}

// Chroma at full and half resolution. "left" and "center" are ChromaLocType 0 and 1 of H.273.

MULTIVERSIONED
void pk_halve_left(const float *restrict row, float *restrict half, size_t count) {
  const size_t last = count - 1;
  half[0] = 0.75f * row[0] + 0.25f * row[last > 0 ? 1 : 0];
  // Compilers vectorize only indices that are multiples of a counter.
  const size_t inner = count > 1 ? count / 2 - 1 : 0;  // Samples with neighbors on both sides.
  const float *from = row + 1;
  float *to = half + 1;
  for (size_t i = 0; i < inner; i++)
    to[i] = 0.25f * from[2 * i] + 0.5f * from[2 * i + 1] + 0.25f * from[2 * i + 2];
  if (count % 2 == 1 && count > 1)
    half[last / 2] = 0.25f * row[last - 1] + 0.75f * row[last];
}

MULTIVERSIONED
void pk_halve_center(const float *restrict row, float *restrict half, size_t count) {
  for (size_t i = 0; i < count / 2; i++) half[i] = 0.5f * row[2 * i] + 0.5f * row[2 * i + 1];
  if (count % 2 == 1) half[count / 2] = row[count - 1];
}

MULTIVERSIONED
void pk_double_left(const float *restrict half, float *restrict row, size_t count) {
  const size_t last = (count + 1) / 2 - 1;
  for (size_t i = 0; i < last; i++) {
    row[2 * i] = half[i];
    row[2 * i + 1] = 0.5f * half[i] + 0.5f * half[i + 1];
  }
  row[2 * last] = half[last];
  if (count % 2 == 0) row[count - 1] = half[last];
}

MULTIVERSIONED
void pk_double_center(const float *restrict half, float *restrict row, size_t count) {
  const size_t last = (count + 1) / 2 - 1;
  float *to = row + 1;
  row[0] = half[0];
  for (size_t i = 0; i < last; i++) {
    to[2 * i] = 0.75f * half[i] + 0.25f * half[i + 1];
    to[2 * i + 1] = 0.25f * half[i] + 0.75f * half[i + 1];
  }
  if (count % 2 == 0) row[count - 1] = half[last];
}

MULTIVERSIONED
void pk_mix(
    float *restrict row, const float *restrict other, size_t count, float own_weight,
    float other_weight) {
  for (size_t i = 0; i < count; i++) row[i] = own_weight * row[i] + other_weight * other[i];
}
