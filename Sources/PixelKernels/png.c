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

// The bytes of a pixel, in lanes of a vector: a row is restored pixel by pixel.
typedef uint8_t png_bytes __attribute__((vector_size(8)));
typedef int16_t png_pixel __attribute__((vector_size(16)));

typedef png_pixel png_predict(png_pixel left, png_pixel above, png_pixel corner);

SHARED png_pixel predict_left(png_pixel left, png_pixel above, png_pixel corner) {
  (void)above;
  (void)corner;
  return left;
}

SHARED png_pixel predict_average(png_pixel left, png_pixel above, png_pixel corner) {
  (void)corner;
  return (left + above) >> 1;
}

SHARED png_pixel pixel_distance(png_pixel value) {
  const png_pixel sign = value >> 15;
  return (value ^ sign) - sign;
}

SHARED png_pixel predict_nearest(png_pixel left, png_pixel above, png_pixel corner) {
  const png_pixel to_left = pixel_distance(above - corner);
  const png_pixel to_above = pixel_distance(left - corner);
  const png_pixel to_corner = pixel_distance(left + above - corner - corner);
  const png_pixel is_left = (to_left <= to_above) & (to_left <= to_corner);
  const png_pixel is_above = to_above <= to_corner;
  const png_pixel other = (above & is_above) | (corner & ~is_above);
  return (left & is_left) | (other & ~is_left);
}

SHARED png_pixel load_pixel(const uint8_t *bytes, size_t count) {
  png_bytes narrow = {0};
  memcpy(&narrow, bytes, count);
  return __builtin_convertvector(narrow, png_pixel);
}

SHARED void store_pixel(uint8_t *bytes, png_pixel pixel, size_t count) {
  const png_bytes narrow = __builtin_convertvector(pixel, png_bytes);
  memcpy(bytes, &narrow, count);
}

SHARED void restore_pixels(
    const uint8_t *restrict filtered, const uint8_t *restrict above, uint8_t *restrict row,
    size_t count, const size_t step, png_predict *predict) {
  png_pixel left = {0}, corner = {0};
  size_t i = 0;
  // Lanes beyond the pixel are replaced by the next one.
  for (; count - i >= sizeof(png_bytes); i += step) {
    const png_pixel up = load_pixel(above + i, sizeof(png_bytes));
    left = (load_pixel(filtered + i, sizeof(png_bytes)) + predict(left, up, corner)) & 255;
    store_pixel(row + i, left, sizeof(png_bytes));
    corner = up;
  }
  for (; count - i >= step; i += step) {
    const png_pixel up = load_pixel(above + i, step);
    left = (load_pixel(filtered + i, step) + predict(left, up, corner)) & 255;
    store_pixel(row + i, left, step);
    corner = up;
  }
}

SHARED void restore(
    const uint8_t *restrict filtered, const uint8_t *restrict above, uint8_t *restrict row,
    size_t count, size_t step, png_predict *predict) {
  // Constants, so that loops do not branch.
  switch (step) {
    case 1: return restore_pixels(filtered, above, row, count, 1, predict);
    case 2: return restore_pixels(filtered, above, row, count, 2, predict);
    case 3: return restore_pixels(filtered, above, row, count, 3, predict);
    case 4: return restore_pixels(filtered, above, row, count, 4, predict);
    case 6: return restore_pixels(filtered, above, row, count, 6, predict);
    default: return restore_pixels(filtered, above, row, count, 8, predict);
  }
}

MULTIVERSIONED
void pk_png_restore_sub(
    const uint8_t *restrict filtered, const uint8_t *restrict above, uint8_t *restrict row,
    size_t count, size_t step) {
  restore(filtered, above, row, count, step, predict_left);
}

MULTIVERSIONED
void pk_png_restore_up(
    const uint8_t *restrict filtered, const uint8_t *restrict above, uint8_t *restrict row,
    size_t count, size_t step) {
  (void)step;
  for (size_t i = 0; i < count; i++) row[i] = (uint8_t)(filtered[i] + above[i]);
}

MULTIVERSIONED
void pk_png_restore_average(
    const uint8_t *restrict filtered, const uint8_t *restrict above, uint8_t *restrict row,
    size_t count, size_t step) {
  restore(filtered, above, row, count, step, predict_average);
}

MULTIVERSIONED
void pk_png_restore_paeth(
    const uint8_t *restrict filtered, const uint8_t *restrict above, uint8_t *restrict row,
    size_t count, size_t step) {
  restore(filtered, above, row, count, step, predict_nearest);
}

SHARED void deinterleave_bytes(
    const uint8_t *restrict bytes, uint16_t *restrict codes, size_t count, const size_t channels,
    uint16_t mask) {
  for (size_t i = 0; i < count; i++) codes[i] = bytes[i * channels] & mask;
}

MULTIVERSIONED
void pk_deinterleave_bytes(
    const uint8_t *restrict bytes, uint16_t *restrict codes, size_t count, size_t channels,
    uint16_t mask) {
  switch (channels) {
    case 1: return deinterleave_bytes(bytes, codes, count, 1, mask);
    case 2: return deinterleave_bytes(bytes, codes, count, 2, mask);
    case 3: return deinterleave_bytes(bytes, codes, count, 3, mask);
    default: return deinterleave_bytes(bytes, codes, count, 4, mask);
  }
}

SHARED void deinterleave_network16(
    const uint8_t *restrict bytes, uint16_t *restrict codes, size_t count, const size_t channels,
    uint32_t shift) {
  for (size_t i = 0; i < count; i++) {
    uint16_t swapped;
    memcpy(&swapped, bytes + 2 * i * channels, sizeof swapped);
    codes[i] = (uint16_t)((uint16_t)(swapped << 8 | swapped >> 8) >> shift);
  }
}

MULTIVERSIONED
void pk_deinterleave_network16(
    const uint8_t *restrict bytes, uint16_t *restrict codes, size_t count, size_t channels,
    uint32_t shift) {
  switch (channels) {
    case 1: return deinterleave_network16(bytes, codes, count, 1, shift);
    case 2: return deinterleave_network16(bytes, codes, count, 2, shift);
    case 3: return deinterleave_network16(bytes, codes, count, 3, shift);
    default: return deinterleave_network16(bytes, codes, count, 4, shift);
  }
}
