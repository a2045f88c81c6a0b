// SPDX-License-Identifier: Apache-2.0
// Noise reduction of raw images by wavelets without decimation; `WaveletShrinkage` and
// `NoiseTransform` describe the steps.

#include "multiversioned.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

MULTIVERSIONED
void pk_spline_rows(
    const float *restrict r0, const float *restrict r1, const float *restrict r2,
    const float *restrict r3, const float *restrict r4, float *restrict out, size_t count) {
  for (size_t i = 0; i < count; i++)
    out[i] = ((r0[i] + r4[i]) + 4 * (r1[i] + r3[i]) + 6 * r2[i]) * (1.0f / 16);
}

MULTIVERSIONED
void pk_spline_columns(const float *restrict row, float *restrict out, size_t count, size_t step) {
  const float *restrict r1 = row + step, *restrict r2 = row + 2 * step;
  const float *restrict r3 = row + 3 * step, *restrict r4 = row + 4 * step;
  for (size_t i = 0; i < count; i++)
    out[i] = ((row[i] + r4[i]) + 4 * (r1[i] + r3[i]) + 6 * r2[i]) * (1.0f / 16);
}

MULTIVERSIONED
void pk_detail_energy(
    const float *restrict fine, const float *restrict coarse, float *restrict energy,
    size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float detail = fine[i] - coarse[i];
    energy[i] = detail * detail;
  }
}

MULTIVERSIONED
void pk_shrink_detail(
    const float *restrict fine, const float *restrict coarse, const float *restrict up,
    const float *restrict middle, const float *restrict down, float *restrict sum, size_t count,
    float limit, float amount) {
  const float nine = 9 * limit;
  for (size_t i = 0; i < count; i++) {
    const float rows0 = up[i] + middle[i] + down[i];
    const float rows1 = up[i + 1] + middle[i + 1] + down[i + 1];
    const float rows2 = up[i + 2] + middle[i + 2] + down[i + 2];
    const float energy = larger(rows0 + rows1 + rows2, 1e-20f);
    const float removed = smaller(nine / energy, 1);
    sum[i] += (fine[i] - coarse[i]) * (1 - amount * removed);
  }
}

MULTIVERSIONED
void pk_stabilize(float *row, size_t count, float slope, float offset, float scale) {
  for (size_t i = 0; i < count; i++)
    row[i] = scale * sqrtf(larger(slope * row[i] + offset, 0));
}

MULTIVERSIONED
void pk_unstabilize(float *row, size_t count, float square, float offset) {
  for (size_t i = 0; i < count; i++) {
    const float root = larger(row[i], 0);
    row[i] = smaller(square * (root * root) - offset, 1);
  }
}

#define ROOT_HALF 0.707106781f
#define ROOT_THIRD 0.577350269f
#define ROOT_SIXTH 0.408248290f

MULTIVERSIONED
void pk_noise_quad(
    float *restrict a, float *restrict b, float *restrict c, float *restrict d, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float red = a[i], green = b[i], other = c[i], blue = d[i];
    a[i] = 0.5f * ((red + blue) + (green + other));
    b[i] = ROOT_HALF * (red - blue);
    c[i] = 0.5f * ((red + blue) - (green + other));
    d[i] = ROOT_HALF * (green - other);
  }
}

MULTIVERSIONED
void pk_noise_quad_inverse(
    float *restrict a, float *restrict b, float *restrict c, float *restrict d, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float colored = 0.5f * (a[i] + c[i]), greens = 0.5f * (a[i] - c[i]);
    const float first = ROOT_HALF * b[i], second = ROOT_HALF * d[i];
    a[i] = colored + first;
    b[i] = greens + second;
    c[i] = greens - second;
    d[i] = colored - first;
  }
}

MULTIVERSIONED
void pk_noise_triple(float *restrict a, float *restrict b, float *restrict c, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float red = a[i], green = b[i], blue = c[i];
    a[i] = ROOT_THIRD * (red + green + blue);
    b[i] = ROOT_HALF * (red - blue);
    c[i] = ROOT_SIXTH * (red - 2 * green + blue);
  }
}

MULTIVERSIONED
void pk_noise_triple_inverse(
    float *restrict a, float *restrict b, float *restrict c, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float mean = ROOT_THIRD * a[i], first = ROOT_HALF * b[i], second = ROOT_SIXTH * c[i];
    a[i] = mean + first + second;
    b[i] = mean - 2 * second;
    c[i] = mean - first + second;
  }
}

MULTIVERSIONED
void pk_hot_pixels(
    const float *restrict up2, const float *restrict up1, const float *restrict row,
    const float *restrict down1, const float *restrict down2, float *restrict out, size_t count) {
  for (size_t i = 2; i + 2 < count; i++) {
    // The brightest photosite of the same color around, and of the others.
    float same = larger(row[i - 2], row[i + 2]);
    same = larger(same, larger(up2[i], down2[i]));
    same = larger(same, larger(larger(up2[i - 2], up2[i + 2]), larger(down2[i - 2], down2[i + 2])));
    float other = larger(row[i - 1], row[i + 1]);
    other = larger(other, larger(up1[i], down1[i]));
    other = larger(other, larger(larger(up1[i - 1], up1[i + 1]), larger(down1[i - 1], down1[i + 1])));
    const float limit = 2.5f * larger(larger(same, other), 0) + 0.03f;
    out[i] = row[i] > limit ? same : row[i];
  }
}
