// SPDX-License-Identifier: Apache-2.0
// Gamut mapping along lines of constant hue.

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

// Number of colors that are mapped together, so that their intermediate results stay in the
// first-level cache.
#define GAMUT_BLOCK 128

// Share of the peak above it that is rounding.
static const float peak_tolerance = 2e-6f;

// Colors of a block, their offsets from the gray of their brightness, and their lines of constant
// hue.
typedef struct {
  float color[3][GAMUT_BLOCK];
  float offset[3][GAMUT_BLOCK];
  // With each component compressed by itself.
  float vivid[3][GAMUT_BLOCK];
  float largest[GAMUT_BLOCK];
  float brightness[GAMUT_BLOCK];
  float excess[GAMUT_BLOCK];
  float wanted[GAMUT_BLOCK];
  // The largest distance from gray at the end of the line.
  float reach[GAMUT_BLOCK];
  float numerator[3][3][GAMUT_BLOCK];
  float denominator[3][GAMUT_BLOCK];
  float share[GAMUT_BLOCK];
  float low[GAMUT_BLOCK];
  float high[GAMUT_BLOCK];
} gamut_block;

static inline float square_root(float value) { return __builtin_elementwise_sqrt(value); }

static inline float fourth_root(float value) { return square_root(square_root(value)); }

static inline float fourth_power(float value) {
  const float square = value * value;
  return square * square;
}

// Cube root of numbers from 2^-100 to 2^100, with error 3e-7.
static inline float cube_root(float value) {
  const float third = (float)(int32_t)bits_of(value) * 0.333333333f;
  float root = float_of((uint32_t)((int32_t)third + 709958130));
  for (int step = 0; step < 2; step++) {
    const float cube = root * root * root;
    root = root * (cube + 2.0f * value) / (2.0f * cube + value);
  }
  return root;
}

static inline float compressed(float excess) {
  return excess / square_root(1.0f + excess * excess);
}

// Fourth-power norm of the positive ones of three numbers, up to 1e15.
static inline float norm(float x, float y, float z) {
  const float a = smaller(larger(x, 0.0f), 1e15f), b = smaller(larger(y, 0.0f), 1e15f);
  const float c = smaller(larger(z, 0.0f), 1e15f);
  const float most = larger(larger(larger(a, b), c), 1e-30f);
  const float per_most = 1.0f / most;
  const float sum =
      fourth_power(a * per_most) + fourth_power(b * per_most) + fourth_power(c * per_most);
  return smaller(most * fourth_root(sum), 1e15f);
}

// Brightness, offsets, and the distance beyond the knee that is wanted.
SHARED void measure_block(gamut_block *block, size_t length, const pk_gamut_parameters *parameters) {
  const pk_gamut_parameters local = *parameters;
  const float margin = 1.0f / local.per_margin;
  for (size_t i = 0; i < length; i++) {
    const float x = block->color[0][i], y = block->color[1][i], z = block->color[2][i];
    const float largest = larger(larger(larger(x, y), z), 1e-30f);
    const float brightness =
        larger(weighted(local.weights, x, y, z), local.least_brightness * largest);
    const float per_brightness = 1.0f / brightness;
    float excesses[3];
#pragma clang loop unroll(full)
    for (int c = 0; c < 3; c++) {
      const float component = block->color[c][i];
      const float offset = (component - brightness) * per_brightness;
      excesses[c] = smaller(larger(-offset * local.per_margin - local.knee, 0.0f), 1e15f);
      const float kept = brightness * (local.inside - margin * compressed(excesses[c]));
      block->offset[c][i] = offset;
      block->vivid[c][i] = excesses[c] > 0.0f ? larger(kept, 0.0f) : component;
    }
    const float excess = norm(excesses[0], excesses[1], excesses[2]);
    block->largest[i] = largest;
    block->brightness[i] = brightness;
    block->excess[i] = excess;
    block->wanted[i] = compressed(excess);
  }
}

// Moves offsets outside the spectral locus to it, and makes the lines of constant hue.
SHARED void direct_block(gamut_block *block, size_t length, const pk_gamut_parameters *parameters) {
  const pk_gamut_parameters local = *parameters;
  const float knee = local.locus_knee, margin = 1.0f - knee, per_margin = 1.0f / margin;
  for (size_t i = 0; i < length; i++) {
    const float u = block->offset[0][i], v = block->offset[1][i], w = block->offset[2][i];
    float distances[PK_LOCUS_LINES], most = 1e-30f;
#pragma clang loop unroll(full)
    for (int line = 0; line < PK_LOCUS_LINES; line++) {
      const float distance = weighted(local.locus + 3 * line, u, v, w);
      distances[line] = larger(distance - knee, 0.0f);
      most = larger(most, distances[line]);
    }
    const float per_most = 1.0f / most;
    float sum = 0.0f;
#pragma clang loop unroll(full)
    for (int line = 0; line < PK_LOCUS_LINES; line++)
      sum += fourth_power(distances[line] * per_most);
    const float excess = smaller(most * fourth_root(sum) * per_margin, 1e15f);
    const float kept = knee + margin * compressed(excess);
    const float scale = kept / (knee + margin * excess);
    block->reach[i] = -scale * smaller(smaller(u, v), w);
    const float l = cube_root(1.0f + scale * weighted(local.responses, u, v, w)) - 1.0f;
    const float m = cube_root(1.0f + scale * weighted(local.responses + 3, u, v, w)) - 1.0f;
    const float s = cube_root(1.0f + scale * weighted(local.responses + 6, u, v, w)) - 1.0f;
    const float l2 = l * l, m2 = m * m, s2 = s * s;
    const float l3 = l2 * l, m3 = m2 * m, s3 = s2 * s;
#pragma clang loop unroll(full)
    for (int c = 0; c < 3; c++) {
      const float *row = local.offsets + 3 * c;
      block->numerator[c][0][i] = 3.0f * weighted(row, l, m, s);
      block->numerator[c][1][i] = 3.0f * weighted(row, l2, m2, s2);
      block->numerator[c][2][i] = weighted(row, l3, m3, s3);
    }
    block->denominator[0][i] = 3.0f * weighted(local.response_weights, l, m, s);
    block->denominator[1][i] = 3.0f * weighted(local.response_weights, l2, m2, s2);
    block->denominator[2][i] = weighted(local.response_weights, l3, m3, s3);
  }
}

// Offset of a component at a share of the line.
static inline float offset_at(const gamut_block *block, int c, size_t i, float share) {
  const float top =
      share * (block->numerator[c][0][i] +
               share * (block->numerator[c][1][i] + share * block->numerator[c][2][i]));
  const float bottom =
      1.0f + share * (block->denominator[0][i] +
                      share * (block->denominator[1][i] + share * block->denominator[2][i]));
  return top / bottom;
}

// A step of Newton's method, or of bisection where it leaves the bracket.
SHARED void step_block(gamut_block *block, size_t length, const pk_gamut_parameters *parameters) {
  const pk_gamut_parameters local = *parameters;
  for (size_t i = 0; i < length; i++) {
    const float share = block->share[i];
    const float d1 = block->denominator[0][i], d2 = block->denominator[1][i];
    const float d3 = block->denominator[2][i];
    const float per_bottom = 1.0f / (1.0f + share * (d1 + share * (d2 + share * d3)));
    const float bottom_slope = d1 + share * (2.0f * d2 + 3.0f * share * d3);
    float distances[3], slopes[3];
#pragma clang loop unroll(full)
    for (int c = 0; c < 3; c++) {
      const float n1 = block->numerator[c][0][i], n2 = block->numerator[c][1][i];
      const float n3 = block->numerator[c][2][i];
      const float offset = share * (n1 + share * (n2 + share * n3)) * per_bottom;
      const float top_slope = n1 + share * (2.0f * n2 + 3.0f * share * n3);
      const float slope = (top_slope - offset * bottom_slope) * per_bottom;
      distances[c] = -offset * local.per_margin - local.knee;
      slopes[c] = -slope * local.per_margin;
    }
    const float most = larger(larger(distances[0], distances[1]), distances[2]);
    float sum = 0.0f, slope_sum = 0.0f, steepest = slopes[2];
    steepest = distances[1] >= most ? slopes[1] : steepest;
    steepest = distances[0] >= most ? slopes[0] : steepest;
#pragma clang loop unroll(full)
    for (int c = 0; c < 3; c++) {
      // The fourth power is a normal number, and the sum finite.
      const float part = smaller(larger(distances[c], 0.0f), 1e9f);
      const float cube = part * part * part;
      sum += cube * part;
      slope_sum += cube * slopes[c];
    }
    const float root = fourth_root(sum);
    const int is_beyond = most > 1e-8f;
    const float reached = is_beyond ? root : most;
    const float slope = is_beyond ? slope_sum : steepest;
    const float root_cube = is_beyond ? root * root * root : 1.0f;
    const float wanted = block->wanted[i];
    const int is_over = reached > wanted;
    const float low = is_over ? block->low[i] : share;
    const float high = is_over ? share : block->high[i];
    const float next = share - (reached - wanted) * root_cube / slope;
    const int is_within = (next >= low) & (next <= high);
    block->low[i] = low;
    block->high[i] = high;
    block->share[i] = is_within ? next : 0.5f * (low + high);
  }
}

// Chroma in Oklab of a color whose largest component is about 1.
static inline float chroma(const float *oklab, float x, float y, float z) {
  const float l = cube_root(larger(weighted(oklab, x, y, z), 1e-6f));
  const float m = cube_root(larger(weighted(oklab + 3, x, y, z), 1e-6f));
  const float s = cube_root(larger(weighted(oklab + 6, x, y, z), 1e-6f));
  const float a = weighted(oklab + 9, l, m, s), b = weighted(oklab + 12, l, m, s);
  return square_root(a * a + b * b);
}

// Colors without negative components, with the same largest component.
SHARED void mix_block(gamut_block *block, size_t length, const pk_gamut_parameters *parameters) {
  const pk_gamut_parameters local = *parameters;
  const float least = smaller(smaller(local.weights[0], local.weights[1]), local.weights[2]);
  const float slope = local.chroma_loss_of_darkest - local.chroma_loss;
  for (size_t i = 0; i < length; i++) {
    const float share = block->share[i], largest = block->largest[i];
    const float per_largest = 1.0f / largest;
    float same_hue[3], vivid[3], mixed[3];
#pragma clang loop unroll(full)
    for (int c = 0; c < 3; c++) {
      same_hue[c] = larger(1.0f + offset_at(block, c, i, share), 0.0f);
      vivid[c] = block->vivid[c][i] * per_largest;
    }
    const float scale =
        1.0f / larger(larger(larger(same_hue[0], same_hue[1]), same_hue[2]), 1e-30f);
#pragma clang loop unroll(full)
    for (int c = 0; c < 3; c++) same_hue[c] *= scale;
    const float most_chroma = larger(chroma(local.oklab, vivid[0], vivid[1], vivid[2]), 1e-6f);
    const float kept = chroma(local.oklab, same_hue[0], same_hue[1], same_hue[2]) / most_chroma;
    const float loss = larger(1.0f - kept, 0.0f);
    const float darkness = least / weighted(local.weights, vivid[0], vivid[1], vivid[2]);
    const float allowed = local.chroma_loss + slope * darkness;
    const float mixing = 1.0f - allowed / fourth_root(fourth_power(allowed) + fourth_power(loss));
#pragma clang loop unroll(full)
    for (int c = 0; c < 3; c++) mixed[c] = same_hue[c] + mixing * (vivid[c] - same_hue[c]);
    const float most = larger(larger(larger(mixed[0], mixed[1]), mixed[2]), 1e-30f);
    const float gain = largest / most;
    const int is_inside = !(block->excess[i] > 1e-20f);
#pragma clang loop unroll(full)
    for (int c = 0; c < 3; c++)
      block->color[c][i] = is_inside ? block->color[c][i] : mixed[c] * gain;
  }
}

// Scales colors below the peak; returns whether the brightness of one was above it.
SHARED int scale_block(gamut_block *block, size_t length, const pk_gamut_parameters *parameters) {
  const pk_gamut_parameters local = *parameters;
  const float peak = local.peak, knee = local.inside_at_peak;
  const float margin = 1.0f / local.per_margin_at_peak;
  uint32_t bright = 0;
  for (size_t i = 0; i < length; i++) {
    const float x = block->color[0][i], y = block->color[1][i], z = block->color[2][i];
    const float brightness = weighted(local.weights, x, y, z);
    const float largest = larger(larger(larger(x, y), z), 1e-30f);
    const float distance = (largest - brightness) / larger(peak - brightness, peak * 1e-6f);
    const float beyond = distance * local.per_margin_at_peak - local.knee_at_peak;
    const float excess = smaller(larger(beyond, 0.0f), 1e15f);
    const float kept = knee + margin * compressed(excess);
    const float above = larger(largest - brightness + kept * brightness, 1e-30f);
    const float scale = excess > 0.0f ? kept * peak / above : 1.0f;
    const float limit = smaller(peak / largest, 1.0f);
    const float gain = smaller(scale, limit);
    block->brightness[i] = brightness;
    bright += brightness > peak ? 1 : 0;
    block->color[0][i] = x * gain;
    block->color[1][i] = y * gain;
    block->color[2][i] = z * gain;
  }
  return bright > 0;
}

// Moves colors whose brightness was above the peak along their line of constant hue.
SHARED void whiten_block(gamut_block *block, size_t length, const pk_gamut_parameters *parameters) {
  const float peak = parameters->peak;
  for (size_t i = 0; i < length; i++) {
    const float x = block->color[0][i], y = block->color[1][i], z = block->color[2][i];
    const float brightness = larger(weighted(parameters->weights, x, y, z), 1e-30f);
    block->offset[0][i] = (x - brightness) / brightness;
    block->offset[1][i] = (y - brightness) / brightness;
    block->offset[2][i] = (z - brightness) / brightness;
  }
  direct_block(block, length, parameters);
  for (size_t i = 0; i < length; i++) {
    const float beyond = smaller(larger(block->brightness[i] / peak - 1.0f, 0.0f), 1.0f);
    const float share = 1.0f - beyond * beyond * (3.0f - 2.0f * beyond);
    const float x = block->color[0][i], y = block->color[1][i], z = block->color[2][i];
    float whiter[3];
#pragma clang loop unroll(full)
    for (int c = 0; c < 3; c++) whiter[c] = larger(1.0f + offset_at(block, c, i, share), 0.0f);
    const float most = larger(larger(larger(whiter[0], whiter[1]), whiter[2]), 1e-30f);
    const float gain = larger(larger(x, y), z) / most;
    const int is_bright = beyond > 0.0f;
#pragma clang loop unroll(full)
    for (int c = 0; c < 3; c++)
      block->color[c][i] = is_bright ? whiter[c] * gain : block->color[c][i];
  }
}

// Components below this share of the largest component count as out of gamut; others are rounding.
// Half a step of PQ with 10 bits moves a component by up to 1 % of the largest.
static const float out_of_gamut_share = 0.01f;

// Steps after which the position on a line is exact to single precision.
#define GAMUT_STEPS 4

// Colors of a vector of any instruction set; a part of one would be processed one by one.
#define GAMUT_STEP 16

// Maps the colors at `places`, some of which are wider than the knee of the primaries if
// `is_wide`; returns the number of colors that are out of gamut.
SHARED uint32_t map_block(
    float *restrict r, float *restrict g, float *restrict b, const uint16_t *restrict places,
    size_t count, int is_wide, const pk_gamut_parameters *parameters) {
  gamut_block block;
  const float peak = parameters->peak;
  const float highest_inside = peak + larger(peak * peak_tolerance, parameters->slack);
  for (size_t i = 0; i < count; i++) {
    block.color[0][i] = r[places[i]];
    block.color[1][i] = g[places[i]];
    block.color[2][i] = b[places[i]];
  }
  uint32_t out_of_gamut = 0;
  float is_light[GAMUT_BLOCK];
  for (size_t i = 0; i < count; i++) {
    const float x = block.color[0][i], y = block.color[1][i], z = block.color[2][i];
    const float lowest = smaller(smaller(x, y), z), highest = larger(larger(x, y), z);
    out_of_gamut +=
        (lowest < -(out_of_gamut_share * highest + parameters->slack)) | (highest > highest_inside);
  }
  const size_t length = (count + GAMUT_STEP - 1) / GAMUT_STEP * GAMUT_STEP;
  for (size_t i = count; i < length; i++) {
    block.color[0][i] = block.color[0][count - 1];
    block.color[1][i] = block.color[1][count - 1];
    block.color[2][i] = block.color[2][count - 1];
  }
  for (size_t i = 0; i < length; i++)
    is_light[i] = larger(larger(block.color[0][i], block.color[1][i]), block.color[2][i]);
  if (is_wide) {
    measure_block(&block, length, parameters);
    direct_block(&block, length, parameters);
    for (size_t i = 0; i < length; i++) {
      // Where the distance would be the wanted one if the line were straight in linear values.
      const float reach = block.reach[i] * parameters->per_margin;
      const float aim = parameters->knee + block.wanted[i];
      block.share[i] = aim < reach ? aim / reach : 1.0f;
      block.low[i] = 0.0f;
      block.high[i] = 1.0f;
    }
    for (int step = 0; step < GAMUT_STEPS; step++) step_block(&block, length, parameters);
    mix_block(&block, length, parameters);
  }
  if (scale_block(&block, length, parameters)) whiten_block(&block, length, parameters);
#pragma clang loop unroll(full)
  for (int c = 0; c < 3; c++) {
    for (size_t i = 0; i < length; i++) {
      const float shown = larger(smaller(block.color[c][i], peak), 0.0f);
      block.color[c][i] = is_light[i] > 0.0f ? shown : 0.0f;
    }
  }
  for (size_t i = 0; i < count; i++) {
    r[places[i]] = block.color[0][i];
    g[places[i]] = block.color[1][i];
    b[places[i]] = block.color[2][i];
  }
  return out_of_gamut;
}

// Maps the colors at `places` by blocks.
SHARED uint32_t map_places(
    float *restrict r, float *restrict g, float *restrict b, const uint16_t *restrict places,
    size_t count, int is_wide, const pk_gamut_parameters *parameters) {
  uint32_t out_of_gamut = 0;
  for (size_t first = 0; first < count; first += GAMUT_BLOCK) {
    const size_t part = count - first < GAMUT_BLOCK ? count - first : GAMUT_BLOCK;
    out_of_gamut += map_block(r, g, b, places + first, part, is_wide, parameters);
  }
  return out_of_gamut;
}

MULTIVERSIONED
size_t pk_map_gamut(
    float *restrict r, float *restrict g, float *restrict b, size_t count,
    const pk_gamut_parameters *parameters) {
  const float wr = parameters->weights[0], wg = parameters->weights[1], wb = parameters->weights[2];
  const float peak = parameters->peak, tolerance = peak * peak_tolerance;
  const float lowest_share = parameters->inside, highest_share = parameters->inside_at_peak;
  uint32_t wide[PK_CHUNK], bright[PK_CHUNK];
  uint16_t wide_places[PK_CHUNK], bright_places[PK_CHUNK];
  size_t out_of_gamut = 0;
  for (size_t start = 0; start < count; start += PK_CHUNK) {
    const size_t length = chunk_length(count - start);
    float *restrict reds = r + start, *restrict greens = g + start, *restrict blues = b + start;
    uint32_t total = 0;
    for (size_t i = 0; i < length; i++) {
      const float x = reds[i], y = greens[i], z = blues[i];
      const float brightness = wr * x + wg * y + wb * z;
      const float lowest = smaller(smaller(x, y), z), highest = larger(larger(x, y), z);
      const float room = highest_share * (peak - brightness) + tolerance;
      const int is_narrow = lowest + 1e-6f * highest >= lowest_share * brightness;
      const int is_below = (highest - brightness <= room) & (highest <= peak + tolerance);
      const int is_inside = is_narrow & is_below;
      wide[i] = is_narrow ? 0 : 1;
      bright[i] = (is_narrow & !is_below) ? 1 : 0;
      total += is_inside ? 0 : 1;
      // Within the tolerances, only rounding is out of gamut.
      reds[i] = is_inside ? larger(smaller(x, peak), 0.0f) : x;
      greens[i] = is_inside ? larger(smaller(y, peak), 0.0f) : y;
      blues[i] = is_inside ? larger(smaller(z, peak), 0.0f) : z;
    }
    if (total == 0) continue;
    size_t wide_count = 0, bright_count = 0;
    for (size_t i = 0; i < length; i++) {
      wide_places[wide_count] = bright_places[bright_count] = (uint16_t)i;
      wide_count += wide[i];
      bright_count += bright[i];
    }
    out_of_gamut += map_places(reds, greens, blues, wide_places, wide_count, 1, parameters);
    out_of_gamut += map_places(reds, greens, blues, bright_places, bright_count, 0, parameters);
  }
  return out_of_gamut;
}

// Cube root of a number of any sign, up to 2^100; smaller than 2^-100 counts as that.
static inline float signed_root(float value) {
  const uint32_t sign = bits_of(value) & 0x80000000u;
  const float size = larger(float_of(bits_of(value) & 0x7fffffffu), 0x1p-100f);
  return float_of(bits_of(cube_root(size)) | sign);
}

// What a cone response gains by moving its cube root toward 1.
static inline float gain_toward_one(float response, float share) {
  const float root = signed_root(response);
  const float step = share * (1.0f - root);
  return step * (3.0f * root * (root + step) + step * step);
}

MULTIVERSIONED
void pk_toward_white(
    float *restrict r, float *restrict g, float *restrict b, size_t count,
    const float *restrict before, const pk_whitening *parameters) {
  const pk_whitening local = *parameters;
  for (size_t start = 0; start < count; start += GAMUT_BLOCK) {
    const size_t end = start + GAMUT_BLOCK < count ? start + GAMUT_BLOCK : count;
    float most = 0.0f;
    for (size_t i = start; i < end; i++)
      most = larger(most, before[i] - larger(larger(r[i], g[i]), b[i]));
    if (!(most > 0.0f)) continue;
    for (size_t i = start; i < end; i++) {
      const float x = r[i], y = g[i], z = b[i];
      const float largest = larger(larger(x, y), z), after = larger(largest, 1e-30f);
      const float reduction = largest > 0.0f ? larger(before[i] - after, 0.0f) : 0.0f;
      const float share = 1.0f - 1.0f / (1.0f + local.strength * reduction);
      const float per_after = 1.0f / after;
      const float u = x * per_after, v = y * per_after, w = z * per_after;
      const float l = gain_toward_one(weighted(local.responses, u, v, w), share);
      const float m = gain_toward_one(weighted(local.responses + 3, u, v, w), share);
      const float s = gain_toward_one(weighted(local.responses + 6, u, v, w), share);
      const float red = u + weighted(local.colors, l, m, s);
      const float green = v + weighted(local.colors + 3, l, m, s);
      const float blue = w + weighted(local.colors + 6, l, m, s);
      const float gain = after / larger(larger(larger(red, green), blue), 1e-30f);
      r[i] = reduction > 0.0f ? red * gain : x;
      g[i] = reduction > 0.0f ? green * gain : y;
      b[i] = reduction > 0.0f ? blue * gain : z;
    }
  }
}
