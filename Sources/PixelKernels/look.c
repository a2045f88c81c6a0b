// SPDX-License-Identifier: Apache-2.0
// Looks of raw images: tables by hue, local gains, exposure, tone curves.

#include "multiversioned.h"

#pragma STDC FP_CONTRACT OFF

MULTIVERSIONED
void pk_pin(
    float *restrict r, float *restrict g, float *restrict b, size_t count, float peak) {
  for (size_t i = 0; i < count; i++) {
    r[i] = smaller(larger(r[i], 0.0f), peak);
    g[i] = smaller(larger(g[i], 0.0f), peak);
    b[i] = smaller(larger(b[i], 0.0f), peak);
  }
}

MULTIVERSIONED
void pk_rgb_to_hsv(float *restrict r, float *restrict g, float *restrict b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float x = r[i], y = g[i], z = b[i];
    const float most = larger(larger(x, y), z), least = smaller(smaller(x, y), z);
    const float range = most - least;
    const float divisor = range > 0.0f ? range : 1.0f;
    const float by_red = (y - z) / divisor;
    const float by_green = 2.0f + (z - x) / divisor;
    const float by_blue = 4.0f + (x - y) / divisor;
    const float hue = x == most ? by_red : y == most ? by_green : by_blue;
    r[i] = hue < 0.0f ? hue + 6.0f : hue;
    g[i] = most > 0.0f ? range / most : 0.0f;
    b[i] = most;
  }
}

// The component at `shift` sixths of the hue circle.
static inline float component(float hue, float saturation, float value, float shift) {
  float place = hue + shift;
  place = place >= 6.0f ? place - 6.0f : place;
  const float share = larger(smaller(smaller(place, 4.0f - place), 1.0f), 0.0f);
  return value - value * saturation * share;
}

MULTIVERSIONED
void pk_hsv_to_rgb(float *restrict h, float *restrict s, float *restrict v, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float hue = h[i], saturation = s[i], value = v[i];
    h[i] = component(hue, saturation, value, 5.0f);
    s[i] = component(hue, saturation, value, 3.0f);
    v[i] = component(hue, saturation, value, 1.0f);
  }
}

static inline int32_t within(int32_t index, int32_t last) {
  index = index > 0 ? index : 0;
  return index < last ? index : last;
}

MULTIVERSIONED
void pk_hue_sat_map(
    float *restrict h, float *restrict s, float *restrict v, size_t count,
    const pk_hue_sat_table *table) {
  const float *restrict entries = table->entries;
  const int32_t hues = table->hues, saturations = table->saturations, values = table->values;
  const float hue_scale = (float)hues / 6.0f;
  const float saturation_scale = (float)(saturations - 1), value_scale = (float)(values - 1);
  const int32_t last_value = values > 1 ? values - 2 : 0;
  const int32_t above = values > 1 ? hues * saturations * 3 : 0;
  const float peak = table->peak;
  for (size_t i = 0; i < count; i++) {
    const float x = h[i] * hue_scale, y = s[i] * saturation_scale;
    const float z = smaller(v[i], 1.0f) * value_scale;
    int32_t h0 = (int32_t)x, s0 = (int32_t)y, v0 = (int32_t)z;
    h0 = within(h0, hues - 1);
    s0 = within(s0, saturations - 2);
    v0 = within(v0, last_value);
    const int32_t h1 = h0 + 1 < hues ? h0 + 1 : 0;
    const float fx = x - (float)h0, fy = y - (float)s0, fz = values > 1 ? z - (float)v0 : 0.0f;
    const float *near = entries + ((v0 * hues + h0) * saturations + s0) * 3;
    const float *far = entries + ((v0 * hues + h1) * saturations + s0) * 3;
    float change[3];
    for (int32_t k = 0; k < 3; k++) {
      const float a = near[k] + (near[above + k] - near[k]) * fz;
      const float b = near[3 + k] + (near[above + 3 + k] - near[3 + k]) * fz;
      const float c = far[k] + (far[above + k] - far[k]) * fz;
      const float d = far[3 + k] + (far[above + 3 + k] - far[3 + k]) * fz;
      const float low = a + (c - a) * fx, high = b + (d - b) * fx;
      change[k] = low + (high - low) * fy;
    }
    float hue = h[i] + change[0] * (6.0f / 360.0f);
    hue = hue < 0.0f ? hue + 6.0f : hue;
    h[i] = hue >= 6.0f ? hue - 6.0f : hue;
    s[i] = larger(smaller(s[i] * change[1], 1.0f), 0.0f);
    v[i] = larger(smaller(v[i] * change[2], peak), 0.0f);
  }
}

MULTIVERSIONED
void pk_rgb_table(
    float *restrict r, float *restrict g, float *restrict b, size_t count,
    const float *restrict entries, int32_t divisions) {
  const int32_t across_red = 3 * divisions * divisions, across_green = 3 * divisions;
  const int32_t across_blue = 3, diagonal = across_red + across_green + across_blue;
  const float scale = (float)(divisions - 1);
  for (size_t i = 0; i < count; i++) {
    const float x = r[i] * scale, y = g[i] * scale, z = b[i] * scale;
    const int32_t x0 = within((int32_t)x, divisions - 2), y0 = within((int32_t)y, divisions - 2);
    const int32_t z0 = within((int32_t)z, divisions - 2);
    const float fx = x - (float)x0, fy = y - (float)y0, fz = z - (float)z0;
    const float most = larger(larger(fx, fy), fz), least = smaller(smaller(fx, fy), fz);
    const float middle = larger(smaller(fx, fy), smaller(larger(fx, fy), fz));
    // Steps along the axis of the largest share first, along that of the smallest last; they
    // differ.
    const int32_t first = fx >= fy ? (fx >= fz ? across_red : across_blue)
                                   : (fy >= fz ? across_green : across_blue);
    const int32_t last = fx < fy ? (fx < fz ? across_red : across_blue)
                                 : (fy < fz ? across_green : across_blue);
    const float *a = entries + x0 * across_red + y0 * across_green + z0 * across_blue;
    const float *c = a + first, *d = a + diagonal - last, *e = a + diagonal;
    float color[3];
    for (int32_t k = 0; k < 3; k++)
      color[k] = a[k] + most * (c[k] - a[k]) + middle * (d[k] - c[k]) + least * (e[k] - d[k]);
    r[i] = color[0];
    g[i] = color[1];
    b[i] = color[2];
  }
}

MULTIVERSIONED
void pk_gain_brightness(
    const float *restrict r, const float *restrict g, const float *restrict b,
    float *restrict out, size_t count, const float *restrict weights) {
  const float wr = weights[0], wg = weights[1], wb = weights[2];
  const float least_weight = weights[3], most_weight = weights[4];
  for (size_t i = 0; i < count; i++) {
    const float x = r[i], y = g[i], z = b[i];
    const float least = smaller(smaller(x, y), z), most = larger(larger(x, y), z);
    const float sum = wr * x + wg * y + wb * z + least_weight * least + most_weight * most;
    out[i] = smaller(larger(sum, 0.0f), 1.0f);
  }
}

MULTIVERSIONED
void pk_gain_table(
    float *restrict row, size_t count, const float *restrict tables, uint32_t size,
    const uint32_t *restrict columns, const float *restrict shares) {
  const float scale = (float)size;
  for (size_t i = 0; i < count; i++) {
    const float place = row[i] * scale;
    uint32_t first = (uint32_t)(int32_t)place;
    first = first < size ? first : size - 1;
    const uint32_t next = first + 1 < size ? first + 1 : first;
    const float share = place - (float)(int32_t)first;
    const float *left = tables + columns[i] * size;
    const float *right = left + size;
    const float a = left[first] + (left[next] - left[first]) * share;
    const float b = right[first] + (right[next] - right[first]) * share;
    row[i] = a + (b - a) * shares[i];
  }
}

MULTIVERSIONED
void pk_exposure_ramp(
    float *restrict row, size_t count, float black, float slope, float radius, float peak) {
  const float bend = radius > 0.0f ? slope / (4.0f * radius) : 0.0f;
  for (size_t i = 0; i < count; i++) {
    const float above = row[i] - black;
    const float near = above + radius;
    const float smooth = bend * near * near;
    const float line = slope * above;
    const float ramp = above <= -radius ? 0.0f : above >= radius ? line : smooth;
    row[i] = smaller(ramp, peak);
  }
}

MULTIVERSIONED
void pk_extremes(
    const float *restrict r, const float *restrict g, const float *restrict b,
    float *restrict least, float *restrict most, size_t count) {
  for (size_t i = 0; i < count; i++) {
    least[i] = smaller(smaller(r[i], g[i]), b[i]);
    most[i] = larger(larger(r[i], g[i]), b[i]);
  }
}

// Moves the extremes to their new values; the relative position of the middle component is
// preserved.
static inline float moved(
    float value, float least, float most, float new_least, float new_most, float scale) {
  const float between = new_least + (value - least) * scale;
  return value == most ? new_most : value == least ? new_least : between;
}

MULTIVERSIONED
void pk_move_extremes(
    float *restrict r, float *restrict g, float *restrict b, size_t count,
    const float *restrict new_least, const float *restrict new_most) {
  for (size_t i = 0; i < count; i++) {
    const float x = r[i], y = g[i], z = b[i];
    const float least = smaller(smaller(x, y), z), most = larger(larger(x, y), z);
    const float range = most - least;
    const float scale = (new_most[i] - new_least[i]) / (range > 0.0f ? range : 1.0f);
    r[i] = moved(x, least, most, new_least[i], new_most[i], scale);
    g[i] = moved(y, least, most, new_least[i], new_most[i], scale);
    b[i] = moved(z, least, most, new_least[i], new_most[i], scale);
  }
}

MULTIVERSIONED
void pk_scale_to(
    float *restrict r, float *restrict g, float *restrict b, size_t count,
    const float *restrict most) {
  for (size_t i = 0; i < count; i++) {
    const float largest = larger(larger(r[i], g[i]), b[i]);
    const float gain = largest > 0.0f ? most[i] / largest : 0.0f;
    r[i] *= gain;
    g[i] *= gain;
    b[i] *= gain;
  }
}

MULTIVERSIONED
void pk_highlight_ratio(
    const float *restrict shown, float *restrict scene, float *restrict weight, size_t count,
    float scale, float limit, float start) {
  for (size_t i = 0; i < count; i++) {
    const float ratio = shown[i] > 0.0f ? scale * scene[i] / shown[i] : 1.0f;
    scene[i] = smaller(larger(ratio, 1.0f), limit);
    const float share = larger(smaller((shown[i] - start) / (1.0f - start), 1.0f), 0.0f);
    weight[i] = share * share * (3.0f - 2.0f * share);
  }
}

// Share of the color of the scene that keeps the saturation of a pixel from falling below that of
// the scene: all of it where the look has 0.05 less, from 0.2 above the start on.
static inline float restoring_share(
    float x, float y, float z, float red, float green, float blue, float shown, float start) {
  const float most = larger(larger(x, y), z), most_scene = larger(larger(red, green), blue);
  const float least = smaller(smaller(x, y), z), least_scene = smaller(smaller(red, green), blue);
  const float lacking = least / larger(most, 1e-6f) - least_scene / larger(most_scene, 1e-6f);
  const float place = larger(smaller((shown - start) * 5.0f, 1.0f), 0.0f);
  return place * place * (3.0f - 2.0f * place) * larger(smaller(lacking * 20.0f, 1.0f), 0.0f);
}

MULTIVERSIONED
void pk_recover(
    float *restrict r, float *restrict g, float *restrict b, size_t count,
    const float *restrict red, const float *restrict green, const float *restrict blue,
    const float *restrict shown, const float *restrict excess, const float *restrict share,
    float start, float amount) {
  for (size_t i = 0; i < count; i++) {
    const float gain = 1.0f + excess[i], x = r[i], y = g[i], z = b[i];
    const float mix = larger(
        share[i], restoring_share(x, y, z, red[i], green[i], blue[i], shown[i], start));
    r[i] = x + amount * (gain * (x + mix * (red[i] - x)) - x);
    g[i] = y + amount * (gain * (y + mix * (green[i] - y)) - y);
    b[i] = z + amount * (gain * (z + mix * (blue[i] - z)) - z);
  }
}
