// SPDX-License-Identifier: Apache-2.0
// Tone mapping for displays.

#include "power.h"
#include "sampled.h"

#pragma STDC FP_CONTRACT OFF

static inline float largest_of(float r, float g, float b) { return larger(larger(r, g), b); }

MULTIVERSIONED
size_t pk_shoulder(
    float *restrict r, float *restrict g, float *restrict b, size_t count, float gain,
    float knee, float curvature, float content, float peak) {
  uint32_t changed = 0;
  for (size_t i = 0; i < count; i++) {
    const float maximum = largest_of(r[i], g[i], b[i]);
    const float excess = larger(maximum - knee, 0.0f);
    const float curve = gain * (knee + excess / (1.0f + curvature * excess));
    const float mapped = maximum >= content ? peak : curve;
    const float below = maximum > 0.0f ? gain : 1.0f;
    const int is_above = maximum > knee;
    const float scale = is_above ? mapped / maximum : below;
    changed += (uint32_t)(is_above | (scale != 1.0f));
    r[i] *= scale;
    g[i] *= scale;
    b[i] *= scale;
  }
  return changed;
}

MULTIVERSIONED
size_t pk_reinhard(
    float *restrict r, float *restrict g, float *restrict b, size_t count, float numerator,
    float denominator, float content, float peak) {
  uint32_t changed = 0;
  for (size_t i = 0; i < count; i++) {
    const float maximum = largest_of(r[i], g[i], b[i]);
    const float curve = (1.0f + numerator * maximum) / (1.0f + denominator * maximum);
    const float above = peak / maximum;
    const int is_light = maximum > 0.0f;
    const float gain = is_light ? (maximum >= content ? above : curve) : 1.0f;
    changed += (uint32_t)is_light;
    r[i] *= gain;
    g[i] *= gain;
    b[i] *= gain;
  }
  return changed;
}

MULTIVERSIONED
size_t pk_tone_curve(
    float *restrict r, float *restrict g, float *restrict b, size_t count,
    const pk_function *curve) {
  const pk_function local = *curve;
  uint32_t changed = 0;
  for (size_t i = 0; i < count; i++) {
    const float maximum = larger(largest_of(r[i], g[i], b[i]), 0.0f);
    const float mapped = sampled(&local, bits_of(maximum));
    const float gain = maximum > 0.0f ? mapped / maximum : 1.0f;
    changed += gain != 1.0f;
    r[i] *= gain;
    g[i] *= gain;
    b[i] *= gain;
  }
  return changed;
}

MULTIVERSIONED
void pk_maximum(
    const float *restrict r, const float *restrict g, const float *restrict b,
    float *restrict out, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = larger(largest_of(r[i], g[i], b[i]), 0.0f);
}

MULTIVERSIONED
size_t pk_scale(
    float *restrict r, float *restrict g, float *restrict b, size_t count,
    const float *restrict gain) {
  uint32_t changed = 0;
  for (size_t i = 0; i < count; i++) {
    changed += gain[i] != 1.0f;
    r[i] *= gain[i];
    g[i] *= gain[i];
    b[i] *= gain[i];
  }
  return changed;
}

MULTIVERSIONED
size_t pk_limit(
    float *restrict r, float *restrict g, float *restrict b, size_t count, float peak) {
  uint32_t changed = 0;
  for (size_t i = 0; i < count; i++) {
    changed += largest_of(r[i], g[i], b[i]) > peak;
    r[i] = smaller(r[i], peak);
    g[i] = smaller(g[i], peak);
    b[i] = smaller(b[i], peak);
  }
  return changed;
}

MULTIVERSIONED
size_t pk_count_above(
    const float *restrict r, const float *restrict g, const float *restrict b, size_t count,
    float level) {
  uint32_t above = 0;
  for (size_t i = 0; i < count; i++) above += largest_of(r[i], g[i], b[i]) > level;
  return above;
}

MULTIVERSIONED
size_t pk_count_below(
    const float *restrict r, const float *restrict g, const float *restrict b, size_t count,
    float level) {
  uint32_t below = 0;
  for (size_t i = 0; i < count; i++) below += smaller(smaller(r[i], g[i]), b[i]) < level;
  return below;
}

// Linearizes components of R'G'B'.
SHARED void to_light(float *restrict row, size_t length, float peak) {
  for (size_t i = 0; i < length; i++) row[i] = signed_power_2_4(row[i]) * peak;
}

MULTIVERSIONED
void pk_bt2446a(
    float *restrict r, float *restrict g, float *restrict b, size_t count,
    const pk_function *gain_function, float per_step, float peak) {
  const pk_function function = *gain_function;
  const float wr = 0.2627f, wg = 0.6780f, wb = 0.0593f, per_wg = 1.0f / 0.6780f;
  const float per_1_1 = 1.0f / 1.1f, darkening = 0.1f / 1.4746f;
  float lumas[PK_CHUNK], gains[PK_CHUNK];
  for (size_t start = 0; start < count; start += PK_CHUNK) {
    const size_t length = chunk_length(count - start);
    float *restrict reds = r + start, *restrict greens = g + start, *restrict blues = b + start;
    for (size_t i = 0; i < length; i++) {
      const float x = smaller(reds[i], 1.0f), y = smaller(greens[i], 1.0f);
      const float z = smaller(blues[i], 1.0f);
      lumas[i] = larger(wr * x + wg * y + wb * z, 0.0f);
      gains[i] = lumas[i] * per_step;
    }
    apply_sampled(&function, gains, length);
    for (size_t i = 0; i < length; i++) {
      const float x = smaller(reds[i], 1.0f), z = smaller(blues[i], 1.0f);
      const float red_difference = gains[i] * per_1_1 * (x - lumas[i]);
      const float blue_difference = gains[i] * per_1_1 * (z - lumas[i]);
      const float mapped = gains[i] * lumas[i] - larger(darkening * red_difference, 0.0f);
      const float red = mapped + red_difference;
      const float blue = mapped + blue_difference;
      reds[i] = red;
      greens[i] = (mapped - wr * red - wb * blue) * per_wg;
      blues[i] = blue;
    }
    // Separate loops, because together they have more constants than registers are available.
    to_light(reds, length, peak);
    to_light(greens, length, peak);
    to_light(blues, length, peak);
  }
}

MULTIVERSIONED
void pk_mix_components(
    const float *restrict r, const float *restrict g, const float *restrict b,
    float *restrict out, size_t count, const float *mixing) {
  const float kr = mixing[0], kg = mixing[1], kb = mixing[2];
  const float maximum = mixing[3], minimum = mixing[4];
  for (size_t i = 0; i < count; i++) {
    const float smallest = smaller(smaller(r[i], g[i]), b[i]);
    out[i] = kr * r[i] + kg * g[i] + kb * b[i] + maximum * largest_of(r[i], g[i], b[i]) +
             minimum * smallest;
  }
}

MULTIVERSIONED
void pk_add_component(
    const float *restrict shared, const float *restrict component, float *restrict out,
    size_t count, float weight) {
  for (size_t i = 0; i < count; i++)
    out[i] = larger(shared[i] + weight * component[i], 0.0f);
}

MULTIVERSIONED
void pk_dither_r2(float *restrict row, size_t count, uint32_t phase, uint32_t step, float amplitude) {
  const float unit = amplitude * 0x1p-32f;
  for (size_t i = 0; i < count; i++)
    row[i] += unit * (float)(int32_t)(phase + (uint32_t)i * step);
}
