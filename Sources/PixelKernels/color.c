// SPDX-License-Identifier: Apache-2.0
// Arithmetic on linear values and signals: matrices, gains, clipping.

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

MULTIVERSIONED
void pk_matrix(
    float *restrict r, float *restrict g, float *restrict b, size_t count, const float *matrix) {
  float m[9];
  memcpy(m, matrix, sizeof m);
  for (size_t i = 0; i < count; i++) {
    const float x = r[i], y = g[i], z = b[i];
    r[i] = weighted(m, x, y, z);
    g[i] = weighted(m + 3, x, y, z);
    b[i] = weighted(m + 6, x, y, z);
  }
}

static inline float to_unit(float value) { return larger(smaller(value, 1.0f), 0.0f); }

MULTIVERSIONED
void pk_matrix_to_unit(
    float *restrict r, float *restrict g, float *restrict b, size_t count, const float *matrix) {
  float m[9];
  memcpy(m, matrix, sizeof m);
  for (size_t i = 0; i < count; i++) {
    const float x = r[i], y = g[i], z = b[i];
    r[i] = to_unit(weighted(m, x, y, z));
    g[i] = to_unit(weighted(m + 3, x, y, z));
    b[i] = to_unit(weighted(m + 6, x, y, z));
  }
}

MULTIVERSIONED
void pk_luminance(
    const float *restrict r, const float *restrict g, const float *restrict b,
    float *restrict out, size_t count, float wr, float wg, float wb) {
  for (size_t i = 0; i < count; i++)
    out[i] = larger(wr * r[i] + wg * g[i] + wb * b[i], 0.0f);
}

MULTIVERSIONED
void pk_multiply(float *restrict row, const float *restrict gain, size_t count) {
  for (size_t i = 0; i < count; i++) row[i] *= gain[i];
}

MULTIVERSIONED
void pk_unpremultiply(float *restrict row, const float *restrict alpha, size_t count) {
  for (size_t i = 0; i < count; i++) row[i] = alpha[i] > 0 ? row[i] / alpha[i] : row[i];
}

MULTIVERSIONED
void pk_split_emission(
    float *restrict row, float *restrict emitted, const float *restrict alpha, size_t count,
    float peak, float uncovered) {
  for (size_t i = 0; i < count; i++) {
    const float value = row[i], share = alpha[i], covered = share * peak;
    const float rest = 1.0f - uncovered * share;
    const int is_emissive = value > covered;
    row[i] = share > 0 ? smaller(value / share, peak) : 0.0f;
    emitted[i] = is_emissive && rest > 0 ? (value - covered) / rest : 0.0f;
  }
}

MULTIVERSIONED
void pk_join_emission(
    float *restrict row, const float *restrict emitted, const float *restrict alpha, size_t count,
    float uncovered) {
  for (size_t i = 0; i < count; i++)
    row[i] = alpha[i] * row[i] + (1.0f - uncovered * alpha[i]) * emitted[i];
}

MULTIVERSIONED
void pk_clip(
    float *restrict r, float *restrict g, float *restrict b, size_t count, float peak,
    float low, float high, pk_clip_count *counts) {
  uint32_t not_a_number = 0, below = 0, above = 0;
  for (size_t i = 0; i < count; i++) {
    const float x = r[i], y = g[i], z = b[i];
    not_a_number += (x != x) | (y != y) | (z != z);
    below += (x < low) | (y < low) | (z < low);
    above += (x > high) | (y > high) | (z > high);
    r[i] = x > 0 ? smaller(x, peak) : 0.0f;
    g[i] = y > 0 ? smaller(y, peak) : 0.0f;
    b[i] = z > 0 ? smaller(z, peak) : 0.0f;
  }
  counts->not_a_number += not_a_number;
  counts->below += below;
  counts->above += above;
}

static inline float bounded(float value, float largest) {
  return value == value ? larger(smaller(value, largest), -largest) : 0.0f;
}

MULTIVERSIONED
void pk_make_finite(
    float *restrict r, float *restrict g, float *restrict b, size_t count, float largest,
    pk_clip_count *counts) {
  uint32_t not_a_number = 0, infinite = 0;
  for (size_t i = 0; i < count; i++) {
    const float x = r[i], y = g[i], z = b[i];
    not_a_number += (x != x) | (y != y) | (z != z);
    infinite += (x > largest) | (y > largest) | (z > largest);
    r[i] = bounded(x, largest);
    g[i] = bounded(y, largest);
    b[i] = bounded(z, largest);
  }
  counts->not_a_number += not_a_number;
  counts->infinite += infinite;
}
