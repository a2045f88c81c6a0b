// Functions of one variable: transfer functions, powers.

#include "sampled.h"

#pragma STDC FP_CONTRACT OFF

MULTIVERSIONED
void pk_apply_function(float *restrict row, size_t count, const pk_function *function) {
  const pk_function local = *function;
  for (size_t i = 0; i < count; i++) {
    const uint32_t pattern = bits_of(row[i]);
    const float value = sampled(&local, pattern & 0x7FFFFFFFu);
    row[i] = float_of(bits_of(value) | (pattern & 0x80000000u));
  }
}
