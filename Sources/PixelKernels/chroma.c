// SPDX-License-Identifier: Apache-2.0
// Chroma at full and half resolution. "left" and "center" are ChromaLocType 0 and 1 of H.273.

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

MULTIVERSIONED
void pk_halve_left(const float *restrict row, float *restrict half, size_t count) {
  const size_t last = count - 1;
  half[0] = 0.75f * row[0] + 0.25f * row[last > 0 ? 1 : 0];
  // Compilers vectorize only indices that are multiples of a counter.
  const size_t inner = count > 1 ? count / 2 - 1 : 0;  // Samples with neighbors on both sides.
  const float *from = row + 1;
  float *to = half + 1;
  for (size_t i = 0; i < inner; i++)
    to[i] = 0.25f * from[2 * i] + 0.5f * from[2 * i + 1] + 0.25f * from[2 * i + 2];
  if (count % 2 == 1 && count > 1)
    half[last / 2] = 0.25f * row[last - 1] + 0.75f * row[last];
}

MULTIVERSIONED
void pk_halve_center(const float *restrict row, float *restrict half, size_t count) {
  for (size_t i = 0; i < count / 2; i++) half[i] = 0.5f * row[2 * i] + 0.5f * row[2 * i + 1];
  if (count % 2 == 1) half[count / 2] = row[count - 1];
}

MULTIVERSIONED
void pk_double_left(const float *restrict half, float *restrict row, size_t count) {
  const size_t last = (count + 1) / 2 - 1;
  for (size_t i = 0; i < last; i++) {
    row[2 * i] = half[i];
    row[2 * i + 1] = 0.5f * half[i] + 0.5f * half[i + 1];
  }
  row[2 * last] = half[last];
  if (count % 2 == 0) row[count - 1] = half[last];
}

MULTIVERSIONED
void pk_double_center(const float *restrict half, float *restrict row, size_t count) {
  const size_t last = (count + 1) / 2 - 1;
  float *to = row + 1;
  row[0] = half[0];
  for (size_t i = 0; i < last; i++) {
    to[2 * i] = 0.75f * half[i] + 0.25f * half[i + 1];
    to[2 * i + 1] = 0.25f * half[i] + 0.75f * half[i + 1];
  }
  if (count % 2 == 0) row[count - 1] = half[last];
}

MULTIVERSIONED
void pk_mix(
    float *restrict row, const float *restrict other, size_t count, float own_weight,
    float other_weight) {
  for (size_t i = 0; i < count; i++) row[i] = own_weight * row[i] + other_weight * other[i];
}
