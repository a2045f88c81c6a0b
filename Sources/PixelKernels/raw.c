// SPDX-License-Identifier: Apache-2.0
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
    float blue, const float *restrict x, const float *restrict y, const float *restrict z) {
  for (size_t i = 0; i < count; i++) {
    const float cx = clippedness(r[i], red), cy = clippedness(g[i], green);
    const float cz = clippedness(b[i], blue);
    // If all components are clipped, the largest is the best estimate of a gray.
    const float most = larger(larger(r[i], g[i]), b[i]), all = cx * cy * cz;
    const float ax = x[i] + all * (1.0f - x[i]), ay = y[i] + all * (1.0f - y[i]);
    const float az = z[i] + all * (1.0f - z[i]);
    const float sum = (1.0f - cx) * r[i] + (1.0f - cy) * g[i] + (1.0f - cz) * b[i] + 1e-3f * most;
    const float scale = sum / ((1.0f - cx) * ax + (1.0f - cy) * ay + (1.0f - cz) * az + 1e-3f);
    r[i] += cx * (larger(r[i], scale * ax) - r[i]);
    g[i] += cy * (larger(g[i], scale * ay) - g[i]);
    b[i] += cz * (larger(b[i], scale * az) - b[i]);
  }
}

MULTIVERSIONED
void pk_raw_highlight_cells(
    const float *restrict r, const float *restrict g, const float *restrict b, size_t count,
    float red, float green, float blue, float *restrict cells, size_t side) {
  for (size_t start = 0; start < count; start += side, cells += 11) {
    const size_t end = start + side < count ? start + side : count;
    for (size_t i = start; i < end; i++) {
      const float x = r[i], y = g[i], z = b[i];
      const float cx = clippedness(x, red), cy = clippedness(y, green), cz = clippedness(z, blue);
      const float clipped = larger(larger(cx, cy), cz);
      const float level = larger(larger(x / red, y / green), z / blue), sum = x + y + z;
      const float place = larger(smaller(level, 1.0f), 0.0f);
      const float weight = sum > 0.0f ? (1.0f - clipped) * place * place : 0.0f;
      const float share = sum > 0.0f ? weight * 3.0f / sum : 0.0f;
      cells[0] += share * larger(x, 0.0f);
      cells[1] += share * larger(y, 0.0f);
      cells[2] += share * larger(z, 0.0f);
      cells[3] += clipped * (1.0f - cx) * x;
      cells[4] += clipped * (1.0f - cy) * y;
      cells[5] += clipped * (1.0f - cz) * z;
      cells[6] += clipped * (1.0f - cx);
      cells[7] += clipped * (1.0f - cy);
      cells[8] += clipped * (1.0f - cz);
      cells[9] += weight;
      cells[10] += clipped > 0.0f ? 1.0f : 0.0f;
    }
  }
}
