// SPDX-License-Identifier: Apache-2.0
// Rows of PNG files: interleaved samples in network byte order, and filters.

#include "multiversioned.h"

MULTIVERSIONED
void pk_interleave_bytes(
    const uint16_t *restrict codes, uint8_t *restrict bytes, size_t count, size_t channels,
    uint32_t multiplier, uint32_t shift) {
  for (size_t i = 0; i < count; i++)
    bytes[i * channels] = (uint8_t)((codes[i] * multiplier) >> shift);
}

MULTIVERSIONED
void pk_interleave_network16(
    const uint16_t *restrict codes, uint8_t *restrict bytes, size_t count, size_t channels,
    uint32_t multiplier, uint32_t shift) {
  for (size_t i = 0; i < count; i++) {
    const uint16_t sample = (uint16_t)((codes[i] * multiplier) >> shift);
    const uint16_t swapped = (uint16_t)(sample << 8 | sample >> 8);
    memcpy(bytes + 2 * i * channels, &swapped, sizeof swapped);
  }
}

MULTIVERSIONED
void pk_png_sub(
    const uint8_t *restrict row, uint8_t *restrict filtered, size_t count, size_t step) {
  const uint8_t *left = row - step;
  for (size_t i = 0; i < count; i++) filtered[i] = (uint8_t)(row[i] - left[i]);
}

MULTIVERSIONED
void pk_png_up(
    const uint8_t *restrict row, const uint8_t *restrict above, uint8_t *restrict filtered,
    size_t count) {
  for (size_t i = 0; i < count; i++) filtered[i] = (uint8_t)(row[i] - above[i]);
}

MULTIVERSIONED
void pk_png_average(
    const uint8_t *restrict row, const uint8_t *restrict above, uint8_t *restrict filtered,
    size_t count, size_t step) {
  const uint8_t *left = row - step;
  for (size_t i = 0; i < count; i++)
    filtered[i] = (uint8_t)(row[i] - (uint8_t)((left[i] + above[i]) >> 1));
}

static inline int16_t distance(int16_t value) { return (int16_t)(value < 0 ? -value : value); }

MULTIVERSIONED
void pk_png_paeth(
    const uint8_t *restrict row, const uint8_t *restrict above, uint8_t *restrict filtered,
    size_t count, size_t step) {
  const uint8_t *left = row - step;
  const uint8_t *corner = above - step;
  for (size_t i = 0; i < count; i++) {
    const int16_t a = left[i], b = above[i], c = corner[i];
    const int16_t to_a = distance((int16_t)(b - c));
    const int16_t to_b = distance((int16_t)(a - c));
    const int16_t to_c = distance((int16_t)(a + b - 2 * c));
    const int16_t b_or_c = to_b <= to_c ? b : c;
    const int16_t nearest = to_a <= to_b && to_a <= to_c ? a : b_or_c;
    filtered[i] = (uint8_t)(row[i] - nearest);
  }
}
