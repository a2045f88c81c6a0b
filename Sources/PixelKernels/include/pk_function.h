// SPDX-License-Identifier: Apache-2.0
// Sampled functions of one variable.

#ifndef PK_FUNCTION_H
#define PK_FUNCTION_H

#include <stddef.h>
#include <stdint.h>

/// A function of one positive variable, sampled at equal steps of the variable's bit pattern.
///
/// Nodes are spaced evenly within an octave, with the same number in each octave, so the relative
/// accuracy is the same for dark and bright values. The function is linear between nodes; below the
/// first node it is `below_offset + below_slope * x`; above `last` it is constant. The function is
/// odd.
typedef struct {
  /// Bit patterns: the value at a node in the low half, the difference to the next in the high
  /// half, so that one load suffices. At most 65536.
  const uint64_t *_Nonnull nodes;
  /// Bit pattern of the first node's argument.
  uint32_t first;
  /// Bit pattern of the largest argument.
  uint32_t last;
  /// Number of bits of a pattern within one step.
  uint32_t shift;
  float below_offset;
  float below_slope;
} pk_function;

// function.c
void pk_apply_function(float *_Nonnull row, size_t count, const pk_function *_Nonnull function);
/// Converts sRGB signals to linear values; signals are clamped to plus or minus this limit.
#define PK_LARGEST_SRGB 4.0f
void pk_srgb_to_light(float *_Nonnull row, size_t count);
/// Converts linear values to sRGB signals; linear values are clamped to 0...1.
void pk_light_to_srgb(float *_Nonnull row, size_t count);

#endif
