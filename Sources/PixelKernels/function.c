// Functions of one variable: transfer functions, powers.

#include "sampled.h"

#pragma STDC FP_CONTRACT OFF

// (1 + d)^2.4 for d in 0...1, to 5e-7, exact at 0; interpolates at both ends, so that octaves meet.
static inline float power_2_4(float d) {
  float p = 0.0041844976f;
  p = p * d - 0.028455967f;
  p = p * d + 0.22196637f;
  p = p * d + 1.6803564f;
  p = p * d + 2.3999804f;
  return p * d + 1.0f;
}

// Where samples of a function are looked up, that takes twice as long.
MULTIVERSIONED
void pk_srgb_to_light(float *restrict row, size_t count) {
  const float scale = 1.0f / 1.055f;
  const float offset = 0.055f / 1.055f;  // Their sum rounds to 1.
  for (size_t i = 0; i < count; i++) {
    const uint32_t pattern = bits_of(row[i]);
    const float signal = smaller(float_of(pattern & 0x7FFFFFFFu), PK_LARGEST_SRGB);
    const float base = signal * scale + offset;  // At least 1/16.
    const float mantissa = float_of((bits_of(base) & 0x007FFFFFu) | bits_of(1.0f));
    // 2^2.4 to the exponent.
    float octave = base < 0.125f ? 0.00128858194f : 0.00680117628f;
    octave = base < 0.25f ? octave : 0.0358968236f;
    octave = base < 0.5f ? octave : 0.189464571f;
    octave = base < 1.0f ? octave : 1.0f;
    octave = base < 2.0f ? octave : 5.27803164f;
    const float above = power_2_4(mantissa - 1.0f) * octave;
    const float light = signal <= 0.04045f ? signal * (1.0f / 12.92f) : above;
    row[i] = float_of(bits_of(light) | (pattern & 0x80000000u));
  }
}

MULTIVERSIONED
void pk_apply_function(float *restrict row, size_t count, const pk_function *function) {
  const pk_function local = *function;
  for (size_t i = 0; i < count; i++) {
    const uint32_t pattern = bits_of(row[i]);
    const float value = sampled(&local, pattern & 0x7FFFFFFFu);
    row[i] = float_of(bits_of(value) | (pattern & 0x80000000u));
  }
}
