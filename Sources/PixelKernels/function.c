// SPDX-License-Identifier: Apache-2.0
// Functions of one variable: transfer functions, powers.

#include "power.h"
#include "sampled.h"

#pragma STDC FP_CONTRACT OFF

// Arithmetic takes half as long as sampled functions here.
MULTIVERSIONED
void pk_srgb_to_light(float *restrict row, size_t count) {
  const float scale = 1.0f / 1.055f;
  const float offset = 0.055f / 1.055f;  // Their sum rounds to 1.
  for (size_t i = 0; i < count; i++) {
    const uint32_t pattern = bits_of(row[i]);
    const float signal = smaller(float_of(pattern & 0x7FFFFFFFu), PK_LARGEST_SRGB);
    const float base = signal * scale + offset;  // At least 1/16.
    const float mantissa = float_of((bits_of(base) & 0x007FFFFFu) | bits_of(1.0f));
    // 2^2.4 to the power of the exponent.
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

// (1 + d)^(1 / 2.4) for d in 0...3, with error 7e-6; also exact at both ends.
static inline float power_1_2_4(float d) {
  float p = 9.95855153e-05f;
  p = p * d - 0.00128600618f;
  p = p * d + 0.00717015285f;
  p = p * d - 0.0235179327f;
  p = p * d + 0.0550812893f;
  p = p * d - 0.11915984f;
  p = p * d + 0.41645053f;
  return p * d + 1.0f;
}

MULTIVERSIONED
void pk_light_to_srgb(float *restrict row, size_t count) {
  const float scale = 1.055f;
  const float offset = scale - 1.0f;  // Maps 1 to 1.
  for (size_t i = 0; i < count; i++) {
    const float light = smaller(larger(row[i], 0.0f), 1.0f);
    // Exponents in pairs: a mantissa of 1...4 with an even exponent.
    const uint32_t exponents = (bits_of(light) - bits_of(1.0f)) & 0x00FFFFFFu;
    const float mantissa = float_of(exponents + bits_of(1.0f));
    // 4^(1 / 2.4) to the power of half the exponent.
    float octaves = light < 0x1p-8f ? 0.0556811699f : 0.0992125657f;
    octaves = light < 0x1p-6f ? octaves : 0.176776695f;
    octaves = light < 0x1p-4f ? octaves : 0.314980262f;
    octaves = light < 0x1p-2f ? octaves : 0.561231024f;
    octaves = light < 1.0f ? octaves : 1.0f;
    const float above = power_1_2_4(mantissa - 1.0f) * octaves * scale - offset;
    // Rounding could make the second segment start below the end of the first.
    row[i] = light <= 0.0031308f ? light * 12.92f : larger(above, 0.0031308f * 12.92f);
  }
}

MULTIVERSIONED
void pk_apply_function(float *restrict row, size_t count, const pk_function *function) {
  const pk_function local = *function;
  for (size_t start = 0; start < count; start += PK_CHUNK)
    apply_sampled(&local, row + start, chunk_length(count - start));
}
