// Conversion of raw samples to linear values.

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

MULTIVERSIONED
void pk_raw_codes(
    const uint16_t *restrict codes, size_t step, float *restrict row, size_t count) {
  for (size_t i = 0; i < count; i++) row[i] = (float)codes[i * step];
}

MULTIVERSIONED
void pk_raw_table(
    const uint16_t *restrict codes, size_t step, float *restrict row, size_t count,
    const float *restrict table, uint32_t last) {
  for (size_t i = 0; i < count; i++) {
    const uint32_t code = codes[i * step];
    row[i] = table[code < last ? code : last];
  }
}

MULTIVERSIONED
void pk_raw_floats(
    const float *restrict samples, size_t step, float *restrict row, size_t count) {
  for (size_t i = 0; i < count; i++) row[i] = samples[i * step];
}

MULTIVERSIONED
void pk_raw_levels(
    float *restrict row, const float *restrict black, size_t count, float delta, float scale) {
  for (size_t i = 0; i < count; i++)
    row[i] = smaller((row[i] - black[i] - delta) * scale, 1.0f);
}

// 0 up to nine tenths of saturation, 1 at saturation and above.
static inline float clippedness(float value, float saturation) {
  const float share = larger(smaller((value / saturation - 0.9f) * 10.0f, 1.0f), 0.0f);
  return share * share * (3.0f - 2.0f * share);
}

MULTIVERSIONED
void pk_raw_reconstruct(
    float *restrict r, float *restrict g, float *restrict b, size_t count, float red, float green,
    float blue) {
  for (size_t i = 0; i < count; i++) {
    const float x = r[i], y = g[i], z = b[i];
    const float cx = clippedness(x, red), cy = clippedness(y, green), cz = clippedness(z, blue);
    const float most = larger(larger(x, y), z);
    // If all components are clipped, the largest is the best estimate.
    const float sum = (1.0f - cx) * x + (1.0f - cy) * y + (1.0f - cz) * z + 1e-3f * most;
    const float mean = sum / (3.0f - cx - cy - cz + 1e-3f);
    r[i] = x + cx * (larger(x, mean) - x);
    g[i] = y + cy * (larger(y, mean) - y);
    b[i] = z + cz * (larger(z, mean) - z);
  }
}
