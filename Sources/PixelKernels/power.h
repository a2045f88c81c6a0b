// SPDX-License-Identifier: Apache-2.0
// Powers by arithmetic, which is faster than sampled functions.

#ifndef POWER_H
#define POWER_H

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

// (1 + d)^2.4 for d in 0...1, with error 5e-7, exact at 0; interpolates at both ends, so that
// octaves are continuous.
SHARED float power_2_4(float d) {
  float p = 0.0041844976f;
  p = p * d - 0.028455967f;
  p = p * d + 0.22196637f;
  p = p * d + 1.6803564f;
  p = p * d + 2.3999804f;
  return p * d + 1.0f;
}

// Sign-preserving power 2.4 of magnitudes up to 4, with error 5e-7; 0 below 2^-50, exact at 0 and
// 1.
SHARED float signed_power_2_4(float number) {
  const uint32_t pattern = bits_of(number);
  const uint32_t magnitude = bits_of(smaller(float_of(pattern & 0x7FFFFFFFu), 4.0f));
  const float mantissa = float_of((magnitude & 0x007FFFFFu) | bits_of(1.0f));
  // Five octaves are twelve octaves of the power; 205 / 1024 divides by five for quotients below
  // 200.
  const int32_t exponent = (int32_t)(magnitude >> 23) - (127 - 55);
  const int32_t fives = (exponent * 205) >> 10, rest = exponent - 5 * fives;
  // 2^2.4 to the power of the remainder.
  float octaves = rest < 1 ? 1.0f : 5.27803164f;
  octaves = rest < 2 ? octaves : 27.857618f;
  octaves = rest < 3 ? octaves : 147.033389f;
  octaves = rest < 4 ? octaves : 776.046882f;
  const int32_t twelves = 127 + 12 * (fives - 11);
  const float size = float_of((uint32_t)(twelves > 0 ? twelves : 0) << 23);
  const float power = power_2_4(mantissa - 1.0f) * octaves * size;
  return float_of(bits_of(power) | (pattern & 0x80000000u));
}

#endif
