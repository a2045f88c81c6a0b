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
    const float *restrict fine, const float *restrict coarse, size_t stride,
    float *restrict energy, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float a = fine[i] - coarse[i];
    const float b = fine[i + stride] - coarse[i + stride];
    const float c = fine[i + 2 * stride] - coarse[i + 2 * stride];
    const float d = fine[i + 3 * stride] - coarse[i + 3 * stride];
    const float e = fine[i + 4 * stride] - coarse[i + 4 * stride];
    energy[i] = ((a * a + e * e) + (b * b + d * d)) + c * c;
  }
}

MULTIVERSIONED
void pk_remove_detail(
    const float *restrict fine, const float *restrict coarse, const float *restrict energy,
    size_t step, float *restrict removed, size_t count, float limit, float amount, float gain) {
  const float *restrict e1 = energy + step, *restrict e2 = energy + 2 * step;
  const float *restrict e3 = energy + 3 * step, *restrict e4 = energy + 4 * step;
  const float all = 25 * limit;
  for (size_t i = 0; i < count; i++) {
    const float sum = ((energy[i] + e4[i]) + (e1[i] + e3[i])) + e2[i];
    const float noise = smaller(all / larger(sum, 1e-20f), 1);
    removed[i] += (fine[i] - coarse[i]) * (1 - gain * (1 - amount * noise));
  }
}

MULTIVERSIONED
void pk_noise_part(
    const float *restrict fine, const float *restrict coarse, const float *restrict energy,
    size_t step, const float *restrict variance, float *restrict part, size_t count, float limit,
    float amount, float gain) {
  const float *restrict e1 = energy + step, *restrict e2 = energy + 2 * step;
  const float *restrict e3 = energy + 3 * step, *restrict e4 = energy + 4 * step;
  const float all = 25 * limit;
  for (size_t i = 0; i < count; i++) {
    const float sum = ((energy[i] + e4[i]) + (e1[i] + e3[i])) + e2[i];
    const float noise = smaller(all * variance[i] / larger(sum, 1e-20f), 1);
    part[i] = (fine[i] - coarse[i]) * (1 - gain * (1 - amount * noise));
  }
}

MULTIVERSIONED
void pk_subtract(float *restrict row, const float *restrict other, size_t count) {
  for (size_t i = 0; i < count; i++) row[i] -= other[i];
}

MULTIVERSIONED
void pk_replace_unsaturated(
    float *restrict row, size_t step, const float *restrict values, size_t count) {
  for (size_t i = 0; i < count; i++)
    row[i * step] = row[i * step] < 1 ? smaller(values[i], 1) : row[i * step];
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
