// SPDX-License-Identifier: Apache-2.0
// Resampling: weighted sums of neighbors, clamped to the range of the nearest.
//
// Rows consist of pixels with four components, so that the sums of one pixel fill a vector. Sums
// are of differences to one neighbor, the origin, so that the result is exact if all are equal.

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

enum { GROUP = 4 * PK_GROUP_ROWS };

MULTIVERSIONED
void pk_interleave(
    const float *restrict a, const float *restrict b, const float *restrict c,
    const float *restrict d, float *restrict pixels, size_t count) {
  for (size_t i = 0; i < count; i++) {
    pixels[GROUP * i] = a[i];
    pixels[GROUP * i + 1] = b[i];
    pixels[GROUP * i + 2] = c[i];
    pixels[GROUP * i + 3] = d[i];
  }
}

MULTIVERSIONED
void pk_separate_rows(const float *restrict pixels, float *restrict rows, size_t count) {
  for (size_t y = 0; y < PK_GROUP_ROWS; y++)
    for (size_t i = 0; i < count; i++)
      for (size_t k = 0; k < 4; k++)
        rows[4 * (count * y + i) + k] = pixels[GROUP * i + 4 * y + k];
}

MULTIVERSIONED
void pk_deinterleave(
    const float *restrict pixels, float *restrict a, float *restrict b, float *restrict c,
    float *restrict d, size_t count) {
  for (size_t i = 0; i < count; i++) {
    a[i] = pixels[4 * i];
    b[i] = pixels[4 * i + 1];
    c[i] = pixels[4 * i + 2];
    d[i] = pixels[4 * i + 3];
  }
}

MULTIVERSIONED
void pk_filter_columns(
    const float *restrict pixels, const int32_t *restrict first, const int32_t *restrict origin,
    const float *restrict weights, size_t taps, size_t margin, float *restrict rows,
    size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float *restrict near = pixels + GROUP * (ptrdiff_t)first[i];
    const float *restrict weight = weights + taps * i;
    const float *restrict start = pixels + GROUP * (ptrdiff_t)origin[i];
    float sum[GROUP], low[GROUP], high[GROUP];
    for (size_t k = 0; k < GROUP; k++) sum[k] = low[k] = high[k] = start[k];
    for (size_t tap = 0; tap < taps; tap++)
      for (size_t k = 0; k < GROUP; k++) sum[k] += weight[tap] * (near[GROUP * tap + k] - start[k]);
    for (size_t tap = margin; tap < taps - margin; tap++)
      for (size_t k = 0; k < GROUP; k++) {
        low[k] = smaller(near[GROUP * tap + k], low[k]);
        high[k] = larger(near[GROUP * tap + k], high[k]);
      }
    for (size_t k = 0; k < GROUP; k++)
      rows[4 * (count * (k / 4) + i) + k % 4] = smaller(larger(sum[k], low[k]), high[k]);
  }
}

enum { BLOCK = 256 };

MULTIVERSIONED
void pk_filter_rows(
    const float *restrict rows, size_t stride, const float *restrict weights, size_t taps,
    size_t nearest, size_t nearest_end, size_t origin, float *restrict row, size_t count) {
  for (size_t block = 0; block < count; block += BLOCK) {
    const size_t length = count - block < BLOCK ? count - block : BLOCK;
    const float *restrict start = rows + origin * stride + block;
    float *restrict sum = row + block;
    float low[BLOCK], high[BLOCK];
    for (size_t i = 0; i < length; i++) sum[i] = low[i] = high[i] = start[i];
    for (size_t tap = 0; tap < taps; tap++) {
      const float *restrict near = rows + tap * stride + block;
      const float weight = weights[tap];
      for (size_t i = 0; i < length; i++) sum[i] += weight * (near[i] - start[i]);
    }
    for (size_t tap = nearest; tap < nearest_end; tap++) {
      const float *restrict near = rows + tap * stride + block;
      for (size_t i = 0; i < length; i++) {
        low[i] = smaller(near[i], low[i]);
        high[i] = larger(near[i], high[i]);
      }
    }
    for (size_t i = 0; i < length; i++) sum[i] = smaller(larger(sum[i], low[i]), high[i]);
  }
}
