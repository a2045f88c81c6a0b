// Functions of one variable, sampled.

#ifndef PK_FUNCTION_H
#define PK_FUNCTION_H

#include <stddef.h>
#include <stdint.h>

/// A function of one positive variable, sampled at equal steps of the variable's bit pattern.
///
/// Nodes are spaced evenly within an octave and alike from octave to octave, so relative accuracy
/// is the same for dark and bright. Between nodes the function is a straight line; below the first
/// node it is `below_offset + below_slope * x`; above `last` it is constant. Negative arguments
/// give the negative of the positive ones.
typedef struct {
  /// Bit patterns: the value at a node in the low half, the difference to the next in the high
  /// half; one load for both. At most 65536.
  const uint64_t *_Nonnull nodes;
  /// Bit pattern of the first node's argument.
  uint32_t first;
  /// Bit pattern of the largest argument.
  uint32_t last;
  /// Bits of a pattern that lie within one step.
  uint32_t shift;
  float below_offset;
  float below_slope;
} pk_function;

// function.c
void pk_apply_function(float *_Nonnull row, size_t count, const pk_function *_Nonnull function);
/// Signals of sRGB become light; those further from 0 than this count as if they were there.
#define PK_LARGEST_SRGB 4.0f
void pk_srgb_to_light(float *_Nonnull row, size_t count);
/// Light becomes signals of sRGB; light below 0 or above 1 counts as if it were there.
void pk_light_to_srgb(float *_Nonnull row, size_t count);

#endif
