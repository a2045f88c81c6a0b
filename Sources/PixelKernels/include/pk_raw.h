// Light of raw files: samples, demosaicing, looks.

#ifndef PK_RAW_H
#define PK_RAW_H

#include <stddef.h>
#include <stdint.h>

// raw.c: samples that are `step` apart.
void pk_raw_codes(
  const uint16_t *_Nonnull codes, size_t step, float *_Nonnull row, size_t count);
/// What `table` has for each code; codes beyond `last` are as that.
void pk_raw_table(
  const uint16_t *_Nonnull codes, size_t step, float *_Nonnull row, size_t count,
  const float *_Nonnull table, uint32_t last);
void pk_raw_floats(
  const float *_Nonnull samples, size_t step, float *_Nonnull row, size_t count);
/// min((row - black - delta) * scale, 1)
void pk_raw_levels(
  float *_Nonnull row, const float *_Nonnull black, size_t count, float delta, float scale);
/// Components near saturation become at least the estimate from the others. White is (1, 1, 1); red, green
/// and blue saturate at the last three.
void pk_raw_reconstruct(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float red, float green,
  float blue);

// look.c
/// Puts components into 0...peak.
void pk_pin(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float peak);
/// To hue of 0 up to 6, saturation of 0...1 and value, in the places of red, green and blue, which
/// are not negative.
void pk_rgb_to_hsv(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count);
/// The inverse of `pk_rgb_to_hsv`.
void pk_hsv_to_rgb(
  float *_Nonnull h, float *_Nonnull s, float *_Nonnull v, size_t count);

/// A table of shifts of hue in degrees, at most a turn, and of scales of saturation and value:
/// values outermost, then hues, then saturations.
typedef struct {
  const float *_Nonnull entries;
  int32_t hues;
  int32_t saturations;
  int32_t values;
  /// The largest value there may be.
  float peak;
} pk_hue_sat_table;

/// Changes colors by the table, trilinear; values above 1 use the entry of 1.
void pk_hue_sat_map(
  float *_Nonnull h, float *_Nonnull s, float *_Nonnull v, size_t count,
  const pk_hue_sat_table *_Nonnull table);
/// Colors of 0...1 become what a table of red, green and blue has, `divisions` entries to each side:
/// by red outermost, by blue innermost; between entries tetrahedral.
void pk_rgb_table(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull entries, int32_t divisions);
/// A sum of the components, their minimum and their maximum, each times its weight; 0...1.
void pk_gain_brightness(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull out,
  size_t count, const float *_Nonnull weights);
/// What tables of `size` gains, side by side, have for each element of a row, 0...1: between the
/// table that `columns` names and the next, by `shares`.
void pk_gain_table(
  float *_Nonnull row, size_t count, const float *_Nonnull tables, uint32_t size,
  const uint32_t *_Nonnull columns, const float *_Nonnull shares);
/// 0 up to `black`, and a straight line from there to `peak`; smooth within `radius` around black.
void pk_exposure_ramp(
  float *_Nonnull row, size_t count, float black, float slope, float radius, float peak);
/// The least and the largest component.
void pk_extremes(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull least,
  float *_Nonnull most, size_t count);
/// Makes the least and the largest component what they shall be; hue stays.
void pk_move_extremes(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull new_least, const float *_Nonnull new_most);
/// `scene` becomes how much brighter it is, scaled, than what is shown: 1...limit. The weight rises
/// from 0 where `start` is shown to 1 where 1 is.
void pk_highlight_ratio(
  const float *_Nonnull shown, float *_Nonnull scene, float *_Nonnull weight, size_t count,
  float scale, float limit, float start);
/// Multiplies pixels by 1 + excess.
void pk_brighten(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull excess);

// demosaic.c: `green` is the parity of the columns that are green in the row. A step fills all but
// the first and last columns, as far as it looks to the sides.

/// Green less the other color, by the row and by the column.
void pk_bayer_differences(
  const float *_Nonnull up2, const float *_Nonnull up1, const float *_Nonnull row,
  const float *_Nonnull down1, const float *_Nonnull down2, float *_Nonnull across,
  float *_Nonnull along, size_t count, size_t green);
/// How much the differences change.
void pk_bayer_gradients(
  const float *_Nonnull across, const float *_Nonnull up, const float *_Nonnull down,
  float *_Nonnull horizontal, float *_Nonnull vertical, size_t count);
/// The sum of five rows, scaled.
void pk_sum_rows5(
  const float *_Nonnull r0, const float *_Nonnull r1, const float *_Nonnull r2,
  const float *_Nonnull r3, const float *_Nonnull r4, float *_Nonnull out, size_t count,
  float scale);
/// The sum of a sample and two on either side, scaled.
void pk_sum_columns5(
  const float *_Nonnull row, float *_Nonnull out, size_t count, float scale);
/// Green, and how much more it is than the photosite's own color.
void pk_bayer_green(
  const float *_Nonnull row, const float *_Nonnull across, const float *_Nonnull up,
  const float *_Nonnull down, const float *_Nonnull roughness_across,
  const float *_Nonnull roughness_up, const float *_Nonnull roughness_down,
  float *_Nonnull difference, float *_Nonnull green_row, size_t count, size_t green);
/// The difference to the color of the photosites across the corners.
void pk_bayer_diagonal(
  const float *_Nonnull up3, const float *_Nonnull up1, const float *_Nonnull down1,
  const float *_Nonnull down3, float *_Nonnull out, size_t count);
/// Of red and blue that of the row's own photosites, and the other one.
void pk_bayer_colors(
  const float *_Nonnull row, const float *_Nonnull green_row,
  const float *_Nonnull d, const float *_Nonnull d_up, const float *_Nonnull d_down,
  const float *_Nonnull e, const float *_Nonnull e_up, const float *_Nonnull e_down,
  const float *_Nonnull roughness_across, const float *_Nonnull roughness_along,
  float *_Nonnull own, float *_Nonnull other, size_t count, size_t green);

#endif
