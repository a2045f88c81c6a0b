// SPDX-License-Identifier: Apache-2.0
// Light levels of a row. Sums are of integers and therefore independent of order.

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

static inline uint32_t counted(float light, float scale) {
  return (uint32_t)(int32_t)smaller(light * scale, 2147483520.0f);  // The largest float in int32_t.
}

// Components below this share of the largest component are out of gamut; others are rounding.
static const float outside_share = -1e-3f;

static inline uint32_t is_outside(const float *m, float x, float y, float z, float maximum) {
  const float u = weighted(m, x, y, z);
  const float v = weighted(m + 3, x, y, z);
  const float w = weighted(m + 6, x, y, z);
  return smaller(smaller(u, v), w) < outside_share * maximum;
}

static inline uint32_t bin_of(uint32_t maximum_bits) {
  const uint32_t lowest = (uint32_t)(127 + PK_LOWEST_OCTAVE) << 23;
  const uint32_t shift = 23 - PK_LOG2_BINS_PER_OCTAVE;
  const uint32_t bin = maximum_bits < lowest ? 0 : 1 + ((maximum_bits - lowest) >> shift);
  return bin < PK_BINS ? bin : PK_BINS - 1;
}

MULTIVERSIONED
void pk_measure_maximum(
    const float *restrict maxima, size_t count, uint32_t *restrict scratch,
    uint32_t *restrict histogram, pk_light *restrict light) {
  uint32_t largest = light->largest_maximum_bits;
  for (size_t i = 0; i < count; i++) {
    const uint32_t bits = bits_of(maxima[i]);
    largest = bits > largest ? bits : largest;
    scratch[i] = bin_of(bits);
  }
  for (size_t i = 0; i < count; i++) histogram[scratch[i]]++;
  light->largest_maximum_bits = largest;
}

MULTIVERSIONED
void pk_measure(
    const float *restrict r, const float *restrict g, const float *restrict b, size_t count,
    const float *luminance_weights, const float *to_gamut_0, const float *to_gamut_1,
    float sum_scale, uint32_t *restrict scratch, uint32_t *histogram,
    pk_light *restrict light) {
  const float wr = luminance_weights[0], wg = luminance_weights[1], wb = luminance_weights[2];
  float m0[9], m1[9];
  memcpy(m0, to_gamut_0, sizeof m0);
  memcpy(m1, to_gamut_1, sizeof m1);
  uint64_t sum_of_maxima = 0, sum_of_luminance = 0;
  uint32_t largest_maximum = light->largest_maximum_bits;
  uint32_t largest = light->largest_luminance_bits, smallest = light->smallest_luminance_bits;
  for (size_t i = 0; i < count; i++) {
    const float x = r[i], y = g[i], z = b[i];
    const float maximum = larger(larger(x, y), larger(z, 0.0f));
    const float luminance = larger(wr * x + wg * y + wb * z, 0.0f);
    const uint32_t maximum_bits = bits_of(maximum), luminance_bits = bits_of(luminance);
    sum_of_maxima += counted(maximum, sum_scale);
    sum_of_luminance += counted(luminance, sum_scale);
    largest_maximum = maximum_bits > largest_maximum ? maximum_bits : largest_maximum;
    largest = luminance_bits > largest ? luminance_bits : largest;
    smallest = luminance_bits < smallest ? luminance_bits : smallest;
    scratch[i] = bin_of(maximum_bits);
  }
  if (histogram)
    for (size_t i = 0; i < count; i++) histogram[scratch[i]]++;
  // A separate loop, because together they need more registers than available.
  uint32_t outside_0 = 0, outside_1 = 0;
  for (size_t i = 0; i < count; i++) {
    const float x = r[i], y = g[i], z = b[i];
    const float maximum = larger(larger(x, y), larger(z, 0.0f));
    outside_0 += is_outside(m0, x, y, z, maximum);
    outside_1 += is_outside(m1, x, y, z, maximum);
  }
  light->sum_of_maxima += sum_of_maxima;
  light->sum_of_luminance += sum_of_luminance;
  light->largest_maximum_bits = largest_maximum;
  light->largest_luminance_bits = largest;
  light->smallest_luminance_bits = smallest;
  light->outside[0] += outside_0;
  light->outside[1] += outside_1;
}

// Differences of two rows, in double precision so that a metric does not measure its own rounding.

MULTIVERSIONED
void pk_sample(
    const float *restrict row, double *restrict out, size_t count, const pk_fine_function *function) {
  const double *restrict nodes = function->nodes;
  const uint32_t first = function->first, last = function->last, shift = function->shift;
  const uint32_t within = (1u << shift) - 1;
  const double step = 1.0 / (double)(1u << shift);
  const double at_zero = function->at_zero;
  const double slope = (nodes[0] - at_zero) / (double)float_of(first);
  for (size_t i = 0; i < count; i++) {
    const float argument = larger(row[i], 0.0f);
    uint32_t pattern = bits_of(argument);
    const double below = at_zero + slope * (double)argument;
    const int is_below = pattern < first;
    pattern = pattern < last ? pattern : last;
    const uint32_t above_first = is_below ? 0 : pattern - first;
    const double *node = nodes + (above_first >> shift);
    const double fraction = (double)(int32_t)(above_first & within) * step;
    const double above = node[0] + fraction * (node[1] - node[0]);
    out[i] = is_below ? below : above;
  }
}

MULTIVERSIONED
void pk_delta_e_itp(
    const double *restrict l0, const double *restrict m0, const double *restrict s0,
    const double *restrict l1, const double *restrict m1, const double *restrict s1,
    float *restrict delta_e, size_t count, const double *matrix) {
  double m[9];
  memcpy(m, matrix, sizeof m);
  for (size_t i = 0; i < count; i++) {
    const double l = l0[i] - l1[i], c = m0[i] - m1[i], s = s0[i] - s1[i];
    const double x = m[0] * l + m[1] * c + m[2] * s;
    const double y = m[3] * l + m[4] * c + m[5] * s;
    const double z = m[6] * l + m[7] * c + m[8] * s;
    delta_e[i] = (float)__builtin_sqrt(x * x + y * y + z * z);
  }
}

double pk_squared_error(
    const double *restrict first, const double *restrict second, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    const double error = first[i] - second[i];
    sum += error * error;
  }
  return sum;
}
