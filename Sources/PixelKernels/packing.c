// SPDX-License-Identifier: Apache-2.0
// Conversion between planes and interleaved pixels in buffers of any alignment.

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

// Samples are copied in memory order, which is little-endian on every supported host.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "interleaved pixels are little-endian"
#endif

static inline uint16_t load16(const uint8_t *bytes) {
  uint16_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static inline uint32_t load32(const uint8_t *bytes) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static inline void store16(uint8_t *bytes, uint16_t value) { memcpy(bytes, &value, sizeof value); }
static inline void store32(uint8_t *bytes, uint32_t value) { memcpy(bytes, &value, sizeof value); }
static inline uint32_t at_most(uint32_t code, uint32_t largest) {
  return code < largest ? code : largest;
}

MULTIVERSIONED
void pk_unpack_rgba8(
    const uint8_t *restrict pixels, uint16_t *restrict r, uint16_t *restrict g,
    uint16_t *restrict b, uint16_t *restrict a, size_t count) {
  for (size_t i = 0; i < count; i++) {
    r[i] = pixels[4 * i];
    g[i] = pixels[4 * i + 1];
    b[i] = pixels[4 * i + 2];
    a[i] = pixels[4 * i + 3];
  }
}

MULTIVERSIONED
void pk_pack_rgba8(
    uint8_t *restrict pixels, const uint16_t *restrict r, const uint16_t *restrict g,
    const uint16_t *restrict b, const uint16_t *restrict a, size_t count) {
  for (size_t i = 0; i < count; i++) {
    pixels[4 * i] = (uint8_t)at_most(r[i], 255);
    pixels[4 * i + 1] = (uint8_t)at_most(g[i], 255);
    pixels[4 * i + 2] = (uint8_t)at_most(b[i], 255);
    pixels[4 * i + 3] = (uint8_t)at_most(a[i], 255);
  }
}

MULTIVERSIONED
void pk_unpack_rgba16(
    const uint8_t *restrict pixels, uint16_t *restrict r, uint16_t *restrict g,
    uint16_t *restrict b, uint16_t *restrict a, size_t count) {
  for (size_t i = 0; i < count; i++) {
    r[i] = load16(pixels + 8 * i);
    g[i] = load16(pixels + 8 * i + 2);
    b[i] = load16(pixels + 8 * i + 4);
    a[i] = load16(pixels + 8 * i + 6);
  }
}

MULTIVERSIONED
void pk_pack_rgba16(
    uint8_t *restrict pixels, const uint16_t *restrict r, const uint16_t *restrict g,
    const uint16_t *restrict b, const uint16_t *restrict a, size_t count) {
  for (size_t i = 0; i < count; i++) {
    store16(pixels + 8 * i, r[i]);
    store16(pixels + 8 * i + 2, g[i]);
    store16(pixels + 8 * i + 4, b[i]);
    store16(pixels + 8 * i + 6, a[i]);
  }
}

MULTIVERSIONED
void pk_unpack_rgba_float(
    const uint8_t *restrict pixels, float *restrict r, float *restrict g, float *restrict b,
    float *restrict a, size_t count) {
  for (size_t i = 0; i < count; i++) {
    r[i] = float_of(load32(pixels + 16 * i));
    g[i] = float_of(load32(pixels + 16 * i + 4));
    b[i] = float_of(load32(pixels + 16 * i + 8));
    a[i] = float_of(load32(pixels + 16 * i + 12));
  }
}

MULTIVERSIONED
void pk_pack_rgba_float(
    uint8_t *restrict pixels, const float *restrict r, const float *restrict g,
    const float *restrict b, const float *restrict a, size_t count) {
  for (size_t i = 0; i < count; i++) {
    store32(pixels + 16 * i, bits_of(r[i]));
    store32(pixels + 16 * i + 4, bits_of(g[i]));
    store32(pixels + 16 * i + 8, bits_of(b[i]));
    store32(pixels + 16 * i + 12, bits_of(a[i]));
  }
}

MULTIVERSIONED
void pk_unpack_rgb8(
    const uint8_t *restrict pixels, uint16_t *restrict r, uint16_t *restrict g, uint16_t *restrict b,
    size_t count) {
  for (size_t i = 0; i < count; i++) {
    r[i] = pixels[3 * i];
    g[i] = pixels[3 * i + 1];
    b[i] = pixels[3 * i + 2];
  }
}

MULTIVERSIONED
void pk_pack_rgb8(
    uint8_t *restrict pixels, const uint16_t *restrict r, const uint16_t *restrict g,
    const uint16_t *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    pixels[3 * i] = (uint8_t)at_most(r[i], 255);
    pixels[3 * i + 1] = (uint8_t)at_most(g[i], 255);
    pixels[3 * i + 2] = (uint8_t)at_most(b[i], 255);
  }
}

MULTIVERSIONED
void pk_unpack_rgb16(
    const uint8_t *restrict pixels, uint16_t *restrict r, uint16_t *restrict g, uint16_t *restrict b,
    size_t count) {
  for (size_t i = 0; i < count; i++) {
    r[i] = load16(pixels + 6 * i);
    g[i] = load16(pixels + 6 * i + 2);
    b[i] = load16(pixels + 6 * i + 4);
  }
}

MULTIVERSIONED
void pk_pack_rgb16(
    uint8_t *restrict pixels, const uint16_t *restrict r, const uint16_t *restrict g,
    const uint16_t *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    store16(pixels + 6 * i, r[i]);
    store16(pixels + 6 * i + 2, g[i]);
    store16(pixels + 6 * i + 4, b[i]);
  }
}

MULTIVERSIONED
void pk_unpack_rgb_float(
    const uint8_t *restrict pixels, float *restrict r, float *restrict g, float *restrict b,
    size_t count) {
  for (size_t i = 0; i < count; i++) {
    r[i] = float_of(load32(pixels + 12 * i));
    g[i] = float_of(load32(pixels + 12 * i + 4));
    b[i] = float_of(load32(pixels + 12 * i + 8));
  }
}

MULTIVERSIONED
void pk_pack_rgb_float(
    uint8_t *restrict pixels, const float *restrict r, const float *restrict g,
    const float *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    store32(pixels + 12 * i, bits_of(r[i]));
    store32(pixels + 12 * i + 4, bits_of(g[i]));
    store32(pixels + 12 * i + 8, bits_of(b[i]));
  }
}

MULTIVERSIONED
void pk_unpack_10_10_10_2(
    const uint8_t *restrict pixels, uint16_t *restrict low, uint16_t *restrict middle,
    uint16_t *restrict high, uint16_t *restrict a, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t pixel = load32(pixels + 4 * i);
    low[i] = (uint16_t)(pixel & 0x3FF);
    middle[i] = (uint16_t)(pixel >> 10 & 0x3FF);
    high[i] = (uint16_t)(pixel >> 20 & 0x3FF);
    a[i] = (uint16_t)((pixel >> 30) * 341);  // 1023 / 3.
  }
}

MULTIVERSIONED
void pk_pack_10_10_10_2(
    uint8_t *restrict pixels, const uint16_t *restrict low, const uint16_t *restrict middle,
    const uint16_t *restrict high, const uint16_t *restrict a, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t alpha = (at_most(a[i], 1023) * 3 + 511) / 1023;  // Rounded to nearest.
    store32(
        pixels + 4 * i, at_most(low[i], 1023) | at_most(middle[i], 1023) << 10
                            | at_most(high[i], 1023) << 20 | alpha << 30);
  }
}

MULTIVERSIONED
void pk_unpack_high10(const uint8_t *restrict pixels, uint16_t *restrict codes, size_t count) {
  for (size_t i = 0; i < count; i++) codes[i] = load16(pixels + 2 * i) >> 6;
}

MULTIVERSIONED
void pk_pack_high10(uint8_t *restrict pixels, const uint16_t *restrict codes, size_t count) {
  for (size_t i = 0; i < count; i++)
    store16(pixels + 2 * i, (uint16_t)(at_most(codes[i], 1023) << 6));
}

MULTIVERSIONED
void pk_unpack_high10_pairs(
    const uint8_t *restrict pixels, uint16_t *restrict first, uint16_t *restrict second,
    size_t count) {
  for (size_t i = 0; i < count; i++) {
    first[i] = load16(pixels + 4 * i) >> 6;
    second[i] = load16(pixels + 4 * i + 2) >> 6;
  }
}

MULTIVERSIONED
void pk_pack_high10_pairs(
    uint8_t *restrict pixels, const uint16_t *restrict first, const uint16_t *restrict second,
    size_t count) {
  for (size_t i = 0; i < count; i++) {
    store16(pixels + 4 * i, (uint16_t)(at_most(first[i], 1023) << 6));
    store16(pixels + 4 * i + 2, (uint16_t)(at_most(second[i], 1023) << 6));
  }
}

// Chunks of OpenEXR files before ZIP compression.

MULTIVERSIONED
void pk_separate_bytes(const uint8_t *restrict bytes, uint8_t *restrict separated, size_t count) {
  const size_t odd = count / 2;
  uint8_t *restrict upper = separated + (count - odd);
  for (size_t i = 0; i < odd; i++) {
    separated[i] = bytes[2 * i];
    upper[i] = bytes[2 * i + 1];
  }
  if (count % 2 != 0) separated[odd] = bytes[count - 1];
}

MULTIVERSIONED
void pk_predict_bytes(const uint8_t *restrict bytes, uint8_t *restrict predicted, size_t count) {
  if (count == 0) return;
  predicted[0] = bytes[0];
  for (size_t i = 1; i < count; i++) predicted[i] = (uint8_t)(bytes[i] - bytes[i - 1] + 128);
}
