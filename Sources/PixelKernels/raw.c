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

// Demosaicing of Bayer images; `BayerTile` describes the steps.
//
// Rows extend beyond the resulting pixels, so that steps do not need edge handling.

MULTIVERSIONED
void pk_bayer_scale(
    const float *restrict row, float *restrict out, size_t count, float even, float odd) {
  for (size_t i = 0; i < count; i++) out[i] = row[i] * ((i & 1) == 0 ? even : odd);
}

MULTIVERSIONED
void pk_bayer_half_green(
    const float *restrict upper, const float *restrict lower, size_t start, size_t green,
    float *restrict out, size_t count) {
  const float *restrict above = upper + start + green, *restrict below = lower + start + 1 - green;
  for (size_t i = 0; i < count; i++) out[i] = 0.5f * (above[2 * i] + below[2 * i]);
}

// Cubic interpolation (Catmull-Rom) a quarter of the way from the second value to the third.
static inline float quarter_way(float a, float b, float c, float d) {
  return 0.8671875f * b + 0.2265625f * c - (0.0703125f * a + 0.0234375f * d);
}

MULTIVERSIONED
void pk_bayer_half_color(
    const float *restrict before, const float *restrict own, const float *restrict next,
    const float *restrict beyond, size_t start, ptrdiff_t step, float *restrict sums,
    float *restrict out, size_t count) {
  const size_t first = start - 4;
  for (size_t i = 0; i < count + 4; i++) {
    const size_t x = first + 2 * i;
    sums[i] = quarter_way(before[x], own[x], next[x], beyond[x]);
  }
  const ptrdiff_t side = step / 2;
  for (size_t i = 0; i < count; i++) {
    const float *restrict center = sums + 2 + i;
    out[i] = quarter_way(center[-side], center[0], center[side], center[2 * side]);
  }
}

MULTIVERSIONED
void pk_bayer_differences(
    const float *restrict up2, const float *restrict up1, const float *restrict row,
    const float *restrict down1, const float *restrict down2, float *restrict across,
    float *restrict along, size_t count, size_t green) {
  for (size_t i = 2; i + 2 < count; i++) {
    const float center = 0.5f * row[i];
    const float h = 0.5f * (row[i - 1] + row[i + 1]) - 0.25f * (row[i - 2] + row[i + 2]) - center;
    const float v = 0.5f * (up1[i] + down1[i]) - 0.25f * (up2[i] + down2[i]) - center;
    const float sign = (i & 1) == green ? -1.0f : 1.0f;
    across[i] = sign * h;
    along[i] = sign * v;
  }
}

static inline float magnitude(float value) { return value < 0 ? -value : value; }

MULTIVERSIONED
void pk_bayer_gradients(
    const float *restrict across, const float *restrict up, const float *restrict down,
    float *restrict horizontal, float *restrict vertical, size_t count) {
  for (size_t i = 1; i + 1 < count; i++) {
    horizontal[i] = magnitude(across[i - 1] - across[i + 1]);
    vertical[i] = magnitude(up[i] - down[i]);
  }
}

MULTIVERSIONED
void pk_sum_rows5(
    const float *restrict r0, const float *restrict r1, const float *restrict r2,
    const float *restrict r3, const float *restrict r4, float *restrict out, size_t count,
    float scale) {
  for (size_t i = 0; i < count; i++)
    out[i] = (r0[i] + r1[i] + r2[i] + r3[i] + r4[i]) * scale;
}

MULTIVERSIONED
void pk_sum_columns5(
    const float *restrict row, float *restrict out, size_t count, float scale) {
  for (size_t i = 2; i + 2 < count; i++)
    out[i] = (row[i - 2] + row[i - 1] + row[i] + row[i + 1] + row[i + 2]) * scale;
}

static inline float weight(float sum) { return 1.0f / (sum * sum + 1e-9f); }

MULTIVERSIONED
void pk_bayer_green(
    const float *restrict row, const float *restrict across, const float *restrict up,
    const float *restrict down, const float *restrict roughness_across,
    const float *restrict roughness_up, const float *restrict roughness_down,
    float *restrict difference, float *restrict green_row, size_t count, size_t green) {
  for (size_t i = 2; i + 2 < count; i++) {
    const float west = weight(roughness_across[i - 2]), east = weight(roughness_across[i + 2]);
    const float north = weight(roughness_up[i]), south = weight(roughness_down[i]);
    const float sum = west + east + north + south;
    const float d =
        (west * across[i - 2] + east * across[i + 2] + north * up[i] + south * down[i]) / sum;
    difference[i] = d;
    green_row[i] = (i & 1) == green ? row[i] : row[i] + d;
  }
}

MULTIVERSIONED
void pk_bayer_diagonal(
    const float *restrict up3, const float *restrict up1, const float *restrict down1,
    const float *restrict down3, float *restrict out, size_t count) {
  for (size_t i = 3; i + 3 < count; i++) {
    const float near = up1[i - 1] + up1[i + 1] + down1[i - 1] + down1[i + 1];
    const float far = up3[i - 1] + up3[i + 1] + down3[i - 1] + down3[i + 1] + up1[i - 3] +
                      up1[i + 3] + down1[i - 3] + down1[i + 3];
    out[i] = (10.0f * near - far) * (1.0f / 32);
  }
}

MULTIVERSIONED
void pk_bayer_colors(
    const float *restrict row, const float *restrict green_row,
    const float *restrict d, const float *restrict d_up, const float *restrict d_down,
    const float *restrict e, const float *restrict e_up, const float *restrict e_down,
    const float *restrict roughness_across, const float *restrict roughness_along,
    float *restrict own, float *restrict greens, float *restrict other, size_t count,
    size_t green) {
  // The samples on both sides of each row belong to the margin.
  for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++) {
    const float h = 1.0f / (roughness_across[i] + 1e-4f);
    const float v = 1.0f / (roughness_along[i] + 1e-4f);
    const float scale = 0.5f / (h + v);
    const float g = green_row[i];
    const float own_difference =
        (h * (d[i - 1] + d[i + 1]) + v * (e_up[i] + e_down[i])) * scale;
    const float other_difference =
        (h * (e[i - 1] + e[i + 1]) + v * (d_up[i] + d_down[i])) * scale;
    const int is_green = ((size_t)i & 1) == green;
    own[i] = is_green ? g - own_difference : row[i];
    greens[i] = g;
    other[i] = g - (is_green ? other_difference : e[i]);
  }
}
