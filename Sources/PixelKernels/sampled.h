// What a sampled function is at an argument.

#ifndef SAMPLED_H
#define SAMPLED_H

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

// `magnitude` is a bit pattern without sign.
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

#endif
