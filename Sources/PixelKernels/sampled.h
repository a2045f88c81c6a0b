// SPDX-License-Identifier: Apache-2.0
// Evaluation of a sampled function.

#ifndef SAMPLED_H
#define SAMPLED_H

#include "lookup.h"

#pragma STDC FP_CONTRACT OFF

// `magnitude` is a bit pattern without its sign bit.
static inline float sampled(const pk_function *function, uint32_t magnitude) {
  const uint32_t first = function->first, last = function->last, shift = function->shift;
  const float step = 1.0f / (float)(1u << shift);
  const float below = function->below_offset + function->below_slope * float_of(magnitude);
  const int is_below = magnitude < first;
  const uint32_t limited = magnitude < last ? magnitude : last;
  const uint32_t above_first = is_below ? 0 : limited - first;
  const uint64_t node = function->nodes[(int32_t)(above_first >> shift)];
  const float fraction = (float)(int32_t)(above_first & ((1u << shift) - 1)) * step;
  const float above = float_of((uint32_t)node) + fraction * float_of((uint32_t)(node >> 32));
  return is_below ? below : above;
}

// Replaces at most PK_CHUNK numbers by the function of their magnitude, preserving signs.
SHARED void apply_sampled(const pk_function *function, float *restrict row, size_t length) {
  const uint32_t first = function->first, last = function->last, shift = function->shift;
  const float step = 1.0f / (float)(1u << shift);
  const uint32_t within = (1u << shift) - 1;
  uint16_t places[PK_CHUNK];
  float fractions[PK_CHUNK];
  uint64_t found[PK_CHUNK];
  for (size_t i = 0; i < length; i++) {
    const uint32_t magnitude = bits_of(row[i]) & 0x7FFFFFFFu;
    const uint32_t limited = magnitude < last ? magnitude : last;
    const uint32_t above_first = (limited > first ? limited : first) - first;
    places[i] = (uint16_t)(above_first >> shift);
    fractions[i] = (float)(int32_t)(above_first & within) * step;
  }
  look_up(places, 0xFFFF, length, function->nodes, found, sizeof *found);
  for (size_t i = 0; i < length; i++) {
    const uint32_t pattern = bits_of(row[i]);
    const uint32_t magnitude = pattern & 0x7FFFFFFFu;
    const float below = function->below_offset + function->below_slope * float_of(magnitude);
    const float node = float_of((uint32_t)found[i]), rise = float_of((uint32_t)(found[i] >> 32));
    const float above = node + fractions[i] * rise;
    const float value = magnitude < first ? below : above;
    row[i] = float_of(bits_of(value) | (pattern & 0x80000000u));
  }
}

#endif
