// SPDX-License-Identifier: Apache-2.0
// Differences of two rows, in double precision so that a metric does not measure its own rounding.

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

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
