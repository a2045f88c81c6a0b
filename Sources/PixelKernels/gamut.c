// SPDX-License-Identifier: Apache-2.0
// Gamut mapping along lines of constant hue.

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

// Number of colors that are mapped together, so that their intermediate results stay in the
// first-level cache.
#define GAMUT_BLOCK 128

// Share of the peak above it that is rounding.
static const float peak_tolerance = 2e-6f;

// Colors of a block as offsets from the gray of their brightness, and their lines of constant hue.
typedef struct {
  float color[3][GAMUT_BLOCK];
  float brightness[GAMUT_BLOCK];
  float excess[GAMUT_BLOCK];
  float wanted[GAMUT_BLOCK];
  // Headroom above the gray, as a share of its brightness.
  float per_room[GAMUT_BLOCK];
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

// Distance of a component's offset beyond the knees, in units of the margins.
static inline float beyond(const pk_gamut_parameters *parameters, float offset, float per_room) {
  const float below = -offset * parameters->per_margin - parameters->knee;
  const float above = offset * per_room * parameters->per_margin_at_peak - parameters->knee_at_peak;
  return larger(below, above);
}

// Brightness, offsets, and the distance beyond the knees that is wanted.
SHARED void measure_block(gamut_block *block, size_t length, const pk_gamut_parameters *parameters) {
  const pk_gamut_parameters local = *parameters;
  for (size_t i = 0; i < length; i++) {
    const float x = block->color[0][i], y = block->color[1][i], z = block->color[2][i];
    const float brightness = weighted(local.weights, x, y, z);
    const float positive = larger(brightness, 1e-30f);
    const float per_room = positive / larger(local.peak - positive, local.peak * 1e-6f);
    const float per_brightness = 1.0f / positive;
    const float u = (x - positive) * per_brightness, v = (y - positive) * per_brightness;
    const float w = (z - positive) * per_brightness;
    const float a = larger(beyond(&local, u, per_room), 0.0f);
    const float b = larger(beyond(&local, v, per_room), 0.0f);
    const float c = larger(beyond(&local, w, per_room), 0.0f);
    const float most = larger(larger(larger(a, b), c), 1e-30f);
    const float per_most = 1.0f / most;
    const float sum = fourth_power(a * per_most) + fourth_power(b * per_most) +
                      fourth_power(c * per_most);
    const float excess = smaller(most * fourth_root(sum), 1e15f);
    block->brightness[i] = brightness;
    block->per_room[i] = per_room;
    block->color[0][i] = u;
    block->color[1][i] = v;
    block->color[2][i] = w;
    block->excess[i] = excess;
    block->wanted[i] = excess / square_root(1.0f + excess * excess);
  }
}

// Moves offsets outside the spectral locus to it, and makes the lines of constant hue.
SHARED void direct_block(gamut_block *block, size_t length, const pk_gamut_parameters *parameters) {
  const pk_gamut_parameters local = *parameters;
  const float knee = local.locus_knee, margin = 1.0f - knee, per_margin = 1.0f / margin;
  for (size_t i = 0; i < length; i++) {
    const float u = block->color[0][i], v = block->color[1][i], w = block->color[2][i];
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
    const float kept = knee + margin * (excess / square_root(1.0f + excess * excess));
    const float scale = kept / (knee + margin * excess);
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
    const float share = block->share[i], per_room = block->per_room[i];
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
      const float below = -offset * local.per_margin - local.knee;
      const float above = offset * per_room * local.per_margin_at_peak - local.knee_at_peak;
      distances[c] = larger(below, above);
      slopes[c] = below > above ? -slope * local.per_margin
                                : slope * per_room * local.per_margin_at_peak;
    }
    const float most = larger(larger(distances[0], distances[1]), distances[2]);
    const float per_most = 1.0f / larger(most, 1e-30f);
    float sum = 0.0f, slope_sum = 0.0f, steepest = slopes[2];
    steepest = distances[1] >= most ? slopes[1] : steepest;
    steepest = distances[0] >= most ? slopes[0] : steepest;
#pragma clang loop unroll(full)
    for (int c = 0; c < 3; c++) {
      const float part = larger(distances[c] * per_most, 0.0f);
      const float cube = part * part * part;
      sum += cube * part;
      slope_sum += cube * slopes[c];
    }
    const float root = fourth_root(sum);
    const int is_beyond = most > 0.0f;
    const float reached = is_beyond ? most * root : most;
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

// Components below this share of the largest component count as out of gamut; others are rounding.
// Half a step of PQ with 10 bits moves a component by up to 1 % of the largest.
static const float out_of_gamut_share = 0.01f;

// Maps the colors at `places`; returns the number of colors that are out of gamut.
SHARED uint32_t map_block(
    float *restrict r, float *restrict g, float *restrict b, const uint16_t *restrict places,
    size_t length, const pk_gamut_parameters *parameters) {
  gamut_block block;
  for (size_t i = 0; i < length; i++) {
    block.color[0][i] = r[places[i]];
    block.color[1][i] = g[places[i]];
    block.color[2][i] = b[places[i]];
    block.share[i] = 1.0f;
    block.low[i] = 0.0f;
    block.high[i] = 1.0f;
  }
  measure_block(&block, length, parameters);
  direct_block(&block, length, parameters);
  for (int step = 0; step < 8; step++) step_block(&block, length, parameters);
  const float peak = parameters->peak;
  for (size_t i = 0; i < length; i++) {
    const float brightness = block.brightness[i], share = block.share[i];
    const int is_inside = !(block.excess[i] > 1e-20f);
#pragma clang loop unroll(full)
    for (int c = 0; c < 3; c++) {
      const float offset = is_inside ? block.color[c][i] : offset_at(&block, c, i, share);
      const float mapped = brightness < peak ? brightness + brightness * offset : peak;
      block.color[c][i] = brightness > 0.0f && mapped > 0.0f ? smaller(mapped, peak) : 0.0f;
    }
  }
  uint32_t out_of_gamut = 0;
  const float highest_inside = peak + larger(peak * peak_tolerance, parameters->slack);
  for (size_t i = 0; i < length; i++) {
    const size_t place = places[i];
    const float x = r[place], y = g[place], z = b[place];
    const float lowest = smaller(smaller(x, y), z), highest = larger(larger(x, y), z);
    out_of_gamut +=
        (lowest < -(out_of_gamut_share * highest + parameters->slack)) | (highest > highest_inside);
    r[place] = block.color[0][i];
    g[place] = block.color[1][i];
    b[place] = block.color[2][i];
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
  uint32_t outside[PK_CHUNK];
  uint16_t places[PK_CHUNK];
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
      const int is_inside = (lowest + 1e-6f * highest >= lowest_share * brightness) &
                            (highest - brightness <= room) & (highest <= peak + tolerance);
      outside[i] = is_inside ? 0 : 1;
      total += is_inside ? 0 : 1;
      // Within the tolerances, only rounding is out of gamut.
      reds[i] = is_inside ? larger(smaller(x, peak), 0.0f) : x;
      greens[i] = is_inside ? larger(smaller(y, peak), 0.0f) : y;
      blues[i] = is_inside ? larger(smaller(z, peak), 0.0f) : z;
    }
    if (total == 0) continue;
    size_t found = 0;
    for (size_t i = 0; i < length; i++) {
      places[found] = (uint16_t)i;
      found += outside[i];
    }
    for (size_t first = 0; first < found; first += GAMUT_BLOCK) {
      const size_t part = found - first < GAMUT_BLOCK ? found - first : GAMUT_BLOCK;
      out_of_gamut += map_block(reds, greens, blues, places + first, part, parameters);
    }
  }
  return out_of_gamut;
}
