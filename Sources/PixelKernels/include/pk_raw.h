// SPDX-License-Identifier: Apache-2.0
// Processing of raw images: samples, demosaicing, looks.

#ifndef PK_RAW_H
#define PK_RAW_H

#include <stddef.h>
#include <stdint.h>

// raw.c: samples at intervals of `step`.
void pk_raw_codes(
  const uint16_t *_Nonnull codes, size_t step, float *_Nonnull row, size_t count);
/// The entry of `table` for each code; codes above `last` are clamped to it.
void pk_raw_table(
  const uint16_t *_Nonnull codes, size_t step, float *_Nonnull row, size_t count,
  const float *_Nonnull table, uint32_t last);
void pk_raw_floats(
  const float *_Nonnull samples, size_t step, float *_Nonnull row, size_t count);
/// min((row - black - delta) * scale, 1)
void pk_raw_levels(
  float *_Nonnull row, const float *_Nonnull black, size_t count, float delta, float scale);
/// Raises components near saturation to at least the estimate from the others and from the colors
/// around, `x`, `y` and `z`. White is (1, 1, 1); `red`, `green` and `blue` are the saturation of the
/// components.
void pk_raw_reconstruct(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float red, float green,
  float blue, const float *_Nonnull x, const float *_Nonnull y, const float *_Nonnull z);
/// Adds the pixels of a row to cells of `side` columns, of which each has eleven sums: weighted
/// colors of unsaturated pixels, with a mean component of 1; components of saturated pixels times
/// their distances from saturation; these distances; the weights; the number of saturated pixels.
void pk_raw_highlight_cells(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, size_t count,
  float red, float green, float blue, float *_Nonnull cells, size_t side);

// look.c
/// Clamps components to 0...peak.
void pk_pin(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float peak);
/// Converts to hue of 0 to 6, saturation of 0...1 and value, in place of red, green and blue, which
/// are not negative.
void pk_rgb_to_hsv(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count);
/// The inverse of `pk_rgb_to_hsv`.
void pk_hsv_to_rgb(
  float *_Nonnull h, float *_Nonnull s, float *_Nonnull v, size_t count);

/// A table of hue shifts in degrees, up to ±360, and scales of saturation and value.
///
/// Values are the outermost dimension, then hues, then saturations.
typedef struct {
  const float *_Nonnull entries;
  int32_t hues;
  int32_t saturations;
  int32_t values;
  /// Maximum of the resulting values.
  float peak;
} pk_hue_sat_table;

/// Applies the table with trilinear interpolation; values above 1 use the entry of 1.
void pk_hue_sat_map(
  float *_Nonnull h, float *_Nonnull s, float *_Nonnull v, size_t count,
  const pk_hue_sat_table *_Nonnull table);
/// Applies a three-dimensional table of red, green and blue to colors of 0...1.
///
/// It has `divisions` entries per side, red outermost, blue innermost; interpolation is
/// tetrahedral.
void pk_rgb_table(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull entries, int32_t divisions);
/// Weighted sum of the components, their minimum and their maximum, clamped to 0...1.
void pk_gain_brightness(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull out,
  size_t count, const float *_Nonnull weights);
/// Interpolates gains for the elements of a row, 0...1, in consecutive tables of `size` gains:
/// between the table of index `columns` and the next, by `shares`.
void pk_gain_table(
  float *_Nonnull row, size_t count, const float *_Nonnull tables, uint32_t size,
  const uint32_t *_Nonnull columns, const float *_Nonnull shares);
/// 0 up to `black`, and linear from there to `peak`; smooth within `radius` around black.
void pk_exposure_ramp(
  float *_Nonnull row, size_t count, float black, float slope, float radius, float peak);
/// The smallest and the largest component.
void pk_extremes(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull least,
  float *_Nonnull most, size_t count);
/// Sets the smallest and the largest component; hue is preserved.
void pk_move_extremes(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull new_least, const float *_Nonnull new_most);
/// Scales each pixel so that its largest component is `most`.
void pk_scale_to(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull most);
/// Replaces `scene` by its scaled ratio to `shown`, clamped to 1...limit. The weight increases from
/// 0 at `shown` of `start` to 1 at `shown` of 1.
void pk_highlight_ratio(
  const float *_Nonnull shown, float *_Nonnull scene, float *_Nonnull weight, size_t count,
  float scale, float limit, float start);
/// Moves pixels toward themselves times 1 + excess, with a share of red, green and blue, which is
/// larger where pixels of `shown` above `start` are less saturated than these.
void pk_recover(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull red, const float *_Nonnull green, const float *_Nonnull blue,
  const float *_Nonnull shown, const float *_Nonnull excess, const float *_Nonnull share,
  float start, float amount);

// `green` is the parity of the green columns of the row. A step fills all columns
// except the first and last ones, which its filter does not cover.

/// Multiplies the photosites at even and odd places of a row.
void pk_bayer_scale(
  const float *_Nonnull row, float *_Nonnull out, size_t count, float even, float odd);

/// Means of the green photosites of squares that begin at `start`; `green` is the parity of those above.
void pk_bayer_half_green(
  const float *_Nonnull upper, const float *_Nonnull lower, size_t start, size_t green,
  float *_Nonnull out, size_t count);

/// Interpolates a color at the centers of squares from four of its rows, of which `own` is in the
/// squares: the first photosite inside a square is at `start`, the other one next to the center `step`
/// further. `sums` has room for four more than `count` values.
void pk_bayer_half_color(
  const float *_Nonnull before, const float *_Nonnull own, const float *_Nonnull next,
  const float *_Nonnull beyond, size_t start, ptrdiff_t step, float *_Nonnull sums,
  float *_Nonnull out, size_t count);

/// Green minus the other color, estimated along the row and along the column.
void pk_bayer_differences(
  const float *_Nonnull up2, const float *_Nonnull up1, const float *_Nonnull row,
  const float *_Nonnull down1, const float *_Nonnull down2, float *_Nonnull across,
  float *_Nonnull along, size_t count, size_t green);
/// Gradients of the differences.
void pk_bayer_gradients(
  const float *_Nonnull across, const float *_Nonnull up, const float *_Nonnull down,
  float *_Nonnull horizontal, float *_Nonnull vertical, size_t count);
/// The sum of five rows, scaled.
void pk_sum_rows5(
  const float *_Nonnull r0, const float *_Nonnull r1, const float *_Nonnull r2,
  const float *_Nonnull r3, const float *_Nonnull r4, float *_Nonnull out, size_t count,
  float scale);
/// The sum of a sample and two samples on either side, scaled.
void pk_sum_columns5(
  const float *_Nonnull row, float *_Nonnull out, size_t count, float scale);
/// Green, and its difference to the photosite's own color.
void pk_bayer_green(
  const float *_Nonnull row, const float *_Nonnull across, const float *_Nonnull up,
  const float *_Nonnull down, const float *_Nonnull roughness_across,
  const float *_Nonnull roughness_up, const float *_Nonnull roughness_down,
  float *_Nonnull difference, float *_Nonnull green_row, size_t count, size_t green);
/// The difference to the color of the diagonally adjacent photosites.
void pk_bayer_diagonal(
  const float *_Nonnull up3, const float *_Nonnull up1, const float *_Nonnull down1,
  const float *_Nonnull down3, float *_Nonnull out, size_t count);
/// The color, red or blue, of the row's own photosites, green, and the other color. The rows have a
/// sample more on both sides.
void pk_bayer_colors(
  const float *_Nonnull row, const float *_Nonnull green_row,
  const float *_Nonnull d, const float *_Nonnull d_up, const float *_Nonnull d_down,
  const float *_Nonnull e, const float *_Nonnull e_up, const float *_Nonnull e_down,
  const float *_Nonnull roughness_across, const float *_Nonnull roughness_along,
  float *_Nonnull own, float *_Nonnull greens, float *_Nonnull other, size_t count, size_t green);

#endif
