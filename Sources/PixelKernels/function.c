// Functions of one variable: transfer functions, powers.

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

MULTIVERSIONED
void pk_apply_function(float *restrict row, size_t count, const pk_function *function) {
  const uint64_t *restrict nodes = function->nodes;
  const uint32_t first = function->first, last = function->last, shift = function->shift;
  const uint32_t within = (1u << shift) - 1;
  const float step = 1.0f / (float)(1u << shift);
  const float below_offset = function->below_offset, below_slope = function->below_slope;
  for (size_t i = 0; i < count; i++) {
    const uint32_t pattern = bits_of(row[i]);
    const uint32_t sign = pattern & 0x80000000u;
    uint32_t magnitude = pattern & 0x7FFFFFFFu;
    const float below = below_offset + below_slope * float_of(magnitude);
    const int is_below = magnitude < first;
    magnitude = magnitude < last ? magnitude : last;
    const uint32_t above_first = is_below ? 0 : magnitude - first;
    const uint64_t node = nodes[(int32_t)(above_first >> shift)];
    const float fraction = (float)(int32_t)(above_first & within) * step;
    const float above = float_of((uint32_t)node) + fraction * float_of((uint32_t)(node >> 32));
    row[i] = float_of(bits_of(is_below ? below : above) | sign);
  }
}
