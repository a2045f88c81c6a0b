// The hot loops: rows in, rows out. No allocation, no threads, no choice of format inside a loop.
//
// Each has a readable definition in Swift (HDRCore) that a test sweeps against it. All give the
// same bytes from every clone: no contraction, no reassociation; sums are sums of integers.

#ifndef PIXEL_KERNELS_H
#define PIXEL_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/// A function of one positive variable, sampled at equal steps of the variable's bit pattern.
///
/// Nodes are spaced evenly within an octave and alike from octave to octave, so relative accuracy
/// is the same for dark and bright. Between nodes the function is a straight line; below the first
/// node it is `below_offset + below_slope * x`; above `last` it is constant. Negative arguments
/// give the negative of the positive ones.
typedef struct {
  /// Bit patterns: the value at a node in the low half, the difference to the next in the high
  /// half; one load for both.
  const uint64_t *_Nonnull nodes;
  /// Bit pattern of the first node's argument.
  uint32_t first;
  /// Bit pattern of the largest argument.
  uint32_t last;
  /// Bits of a pattern that lie within one step.
  uint32_t shift;
  float below_offset;
  float below_slope;
} pk_function;

// function.c
void pk_apply_function(float *_Nonnull row, size_t count, const pk_function *_Nonnull function);
/// Signals of sRGB become light; those further from 0 than this count as if they were there.
#define PK_LARGEST_SRGB 4.0f
void pk_srgb_to_light(float *_Nonnull row, size_t count);
/// Light becomes signals of sRGB; light below 0 or above 1 counts as if it were there.
void pk_light_to_srgb(float *_Nonnull row, size_t count);

// color.c
/// Multiplies each pixel by nine elements, row after row.
void pk_matrix(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull matrix);
/// The same, and what lies below 0 or above 1 comes to lie there.
void pk_matrix_to_unit(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull matrix);
/// A weighted sum of the components, at least 0; 0 for NaN.
void pk_luminance(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull out,
  size_t count, float wr, float wg, float wb);
/// Sample by sample.
void pk_multiply(float *_Nonnull row, const float *_Nonnull gain, size_t count);
/// Divides by alpha where that is above 0.
void pk_unpremultiply(float *_Nonnull row, const float *_Nonnull alpha, size_t count);

/// What `pk_clip` found: pixels with any component that is not a number, below, or above.
typedef struct {
  uint64_t not_a_number;
  uint64_t below;
  uint64_t above;
} pk_clip_count;

/// Puts components into 0...peak, NaN to 0; counts pixels with components below `low`, above
/// `high`.
void pk_clip(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float peak, float low,
  float high, pk_clip_count *_Nonnull counts);
/// Puts components into -largest...largest, NaN to 0; counts the pixels with NaN.
void pk_make_finite(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float largest,
  pk_clip_count *_Nonnull counts);

// tone.c: a result is the number of pixels that were changed. Light is finite.

/// See `RationalShoulder`.
size_t pk_shoulder(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float knee, float curvature,
  float content, float peak);
/// See `ExtendedReinhard`.
size_t pk_reinhard(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float numerator,
  float denominator, float content, float peak);
/// The largest component, at least 0.
void pk_maximum(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull out,
  size_t count);
/// Multiplies each pixel by what makes its largest component the function of it; see `ToneCurve`.
size_t pk_tone_curve(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const pk_function *_Nonnull curve);
/// Multiplies each pixel by a gain.
size_t pk_scale(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull gain);
/// Cuts components off at `peak`.
size_t pk_limit(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count, float peak);
/// From R'G'B' to R'G'B'; see `BT2446A`. More than 1 counts as 1. `gain` is what multiplies luma, a
/// function of luma times `per_step`.
void pk_bt2446a(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const pk_function *_Nonnull gain, float per_step);
/// A sum of the components, the largest and the smallest, weighted in this order.
void pk_mix_components(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, float *_Nonnull out,
  size_t count, const float *_Nonnull mixing);
/// `shared + weight * component`, at least 0.
void pk_add_component(
  const float *_Nonnull shared, const float *_Nonnull component, float *_Nonnull out, size_t count,
  float weight);
/// Mixes white into pixels by how much their largest component has fallen; see `Rendition`.
void pk_toward_white(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const float *_Nonnull before, float strength);

/// `GrayMix`, in single precision.
typedef struct {
  float weights[3];
  float knee;
  float curvature;
  float reach;
  float peak;
} pk_gray_mix_plan;

size_t pk_gray_mix(
  float *_Nonnull r, float *_Nonnull g, float *_Nonnull b, size_t count,
  const pk_gray_mix_plan *_Nonnull plan);

/// Adds to element i the fraction of `phase + i * step` of a turn, from -1/2 to 1/2, times
/// `amplitude`.
void pk_dither_r2(float *_Nonnull row, size_t count, uint32_t phase, uint32_t step, float amplitude);

// samples.c
/// (code - offset) * scale.
void pk_codes_to_signal(
  const uint16_t *_Nonnull codes, float *_Nonnull row, size_t count, float offset, float scale);
/// `table` has `mask + 1` entries; higher bits of a code are ignored.
void pk_codes_to_light(
  const uint16_t *_Nonnull codes, float *_Nonnull row, size_t count, const float *_Nonnull table,
  uint32_t mask);
/// The low 8 bits of each code.
void pk_codes_to_bytes(
  const uint16_t *_Nonnull codes, uint8_t *_Nonnull bytes, size_t count);
/// Rounds half up after scaling, to 0...highest; NaN to 0.
void pk_quantize(
  const float *_Nonnull row, uint16_t *_Nonnull codes, size_t count, float offset, float scale,
  float highest);

/// Codes of light, for each step of the light's bit pattern.
typedef struct {
  /// With the bits within a step added, a code above `shift` bits.
  const uint32_t *_Nonnull entries;
  /// Bit pattern where the first step starts; smaller and negative light count as that.
  int32_t first;
  /// Bit pattern of the largest light; more counts as that.
  int32_t last;
  /// Bits of a pattern that lie within one step.
  uint32_t shift;
} pk_code_table;

/// NaN counts as the largest or, with a sign, as the smallest light.
void pk_light_to_codes(
  const float *_Nonnull row, uint16_t *_Nonnull codes, size_t count,
  const pk_code_table *_Nonnull table);
/// Exact, also for subnormals, infinities and NaN.
void pk_half_to_float(const uint16_t *_Nonnull halves, float *_Nonnull row, size_t count);
/// Rounds to nearest even; values beyond 65504 become infinite.
void pk_float_to_half(const float *_Nonnull row, uint16_t *_Nonnull halves, size_t count);
/// The same, but that finite values beyond 65504 become that.
void pk_float_to_finite_half(
  const float *_Nonnull row, uint16_t *_Nonnull halves, size_t count);

// packing.c: between planes and interleaved pixels of any alignment, little-endian as all hosts.
void pk_unpack_rgba8(
  const uint8_t *_Nonnull pixels, uint16_t *_Nonnull r, uint16_t *_Nonnull g,
  uint16_t *_Nonnull b, uint16_t *_Nonnull a, size_t count);
void pk_unpack_rgba16(
  const uint8_t *_Nonnull pixels, uint16_t *_Nonnull r, uint16_t *_Nonnull g,
  uint16_t *_Nonnull b, uint16_t *_Nonnull a, size_t count);
void pk_unpack_rgba_float(
  const uint8_t *_Nonnull pixels, float *_Nonnull r, float *_Nonnull g, float *_Nonnull b,
  float *_Nonnull a, size_t count);
/// Three codes of 10 bits from the lowest bit up, then two bits of alpha, which become 10.
void pk_unpack_10_10_10_2(
  const uint8_t *_Nonnull pixels, uint16_t *_Nonnull low, uint16_t *_Nonnull middle,
  uint16_t *_Nonnull high, uint16_t *_Nonnull a, size_t count);
/// Codes of 10 bits in the high bits of 16; the low bits are ignored.
void pk_unpack_high10(const uint8_t *_Nonnull pixels, uint16_t *_Nonnull codes, size_t count);
void pk_unpack_high10_pairs(
  const uint8_t *_Nonnull pixels, uint16_t *_Nonnull first, uint16_t *_Nonnull second,
  size_t count);
// The way back. Codes above the depth become the largest.
void pk_pack_rgba8(
  uint8_t *_Nonnull pixels, const uint16_t *_Nonnull r, const uint16_t *_Nonnull g,
  const uint16_t *_Nonnull b, const uint16_t *_Nonnull a, size_t count);
void pk_pack_rgba16(
  uint8_t *_Nonnull pixels, const uint16_t *_Nonnull r, const uint16_t *_Nonnull g,
  const uint16_t *_Nonnull b, const uint16_t *_Nonnull a, size_t count);
void pk_pack_rgba_float(
  uint8_t *_Nonnull pixels, const float *_Nonnull r, const float *_Nonnull g,
  const float *_Nonnull b, const float *_Nonnull a, size_t count);
void pk_pack_10_10_10_2(
  uint8_t *_Nonnull pixels, const uint16_t *_Nonnull low, const uint16_t *_Nonnull middle,
  const uint16_t *_Nonnull high, const uint16_t *_Nonnull a, size_t count);
void pk_pack_high10(uint8_t *_Nonnull pixels, const uint16_t *_Nonnull codes, size_t count);
void pk_pack_high10_pairs(
  uint8_t *_Nonnull pixels, const uint16_t *_Nonnull first, const uint16_t *_Nonnull second,
  size_t count);

// chroma.c: `count` is that of the full-resolution row, at least 1; beyond its ends samples repeat.
/// Weights 1, 2, 1 around each even sample.
void pk_halve_left(const float *_Nonnull row, float *_Nonnull half, size_t count);
/// Means of two samples.
void pk_halve_center(const float *_Nonnull row, float *_Nonnull half, size_t count);
/// Even samples are those of `half`, odd ones lie midway.
void pk_double_left(const float *_Nonnull half, float *_Nonnull row, size_t count);
/// Three quarters of the nearer sample of `half`, a quarter of the farther.
void pk_double_center(const float *_Nonnull half, float *_Nonnull row, size_t count);
/// `row` becomes `own_weight * row + other_weight * other`.
void pk_mix(
  float *_Nonnull row, const float *_Nonnull other, size_t count, float own_weight,
  float other_weight);

// gain.c
/// Linear interpolation between `samples[left]` and the next one.
void pk_resample(
  const float *_Nonnull samples, const int32_t *_Nonnull left, const float *_Nonnull share,
  float *_Nonnull row, size_t count);
/// 2^(bias + L) - 1, with L between two rows of logarithms.
void pk_gain_minus_1(
  const float *_Nonnull above, const float *_Nonnull below, float share_below, float bias,
  float *_Nonnull gain, size_t count);
/// (x + base_offset) * gain - alternate_offset; the difference is base less alternate offset.
void pk_apply_gain(
  float *_Nonnull row, const float *_Nonnull gain_minus_1, size_t count, float base_offset,
  float offset_difference);
/// Base-2 logarithm of (alternate + alternate_offset) / (base + base_offset), neither sum below
/// `smallest`.
void pk_log_gain(
  const float *_Nonnull base, const float *_Nonnull alternate, float *_Nonnull log_gain,
  size_t count, float base_offset, float alternate_offset, float smallest);
void pk_accumulate(
  float *_Nonnull sum, const float *_Nonnull row, float weight, size_t count);
/// Weighted sums of `taps` samples from `first` on; `weights` holds those of the first tap, then
/// those of the second, and so on.
void pk_average(
  const float *_Nonnull row, const int32_t *_Nonnull first, const float *_Nonnull weights,
  size_t taps, float *_Nonnull averages, size_t count);
/// Averages of areas of 2 or 4 samples that lie side by side, without a look at places.
void pk_average_pairs(const float *_Nonnull row, float *_Nonnull averages, size_t count);
void pk_average_fours(const float *_Nonnull row, float *_Nonnull averages, size_t count);
/// Counters of each bin: neighbors that fall into one bin then need not wait for each other.
#define PK_COUNTERS 4
/// Counts codes, `code >> shift` being the bin; a bin is the sum of its counters.
void pk_count_codes(
  const uint16_t *_Nonnull codes, size_t count, uint32_t shift, uint32_t *_Nonnull counters);
/// Replaces codes by what `table` has for each of 65536, plus a pattern of eight, over a power of
/// two.
void pk_dither_codes(
  uint16_t *_Nonnull codes, size_t count, const uint16_t *_Nonnull table,
  const uint16_t *_Nonnull pattern, uint32_t shift);

// resample.c
/// Four rows become one of pixels of four components, and back.
void pk_interleave(
  const float *_Nonnull a, const float *_Nonnull b, const float *_Nonnull c,
  const float *_Nonnull d, float *_Nonnull pixels, size_t count);
void pk_deinterleave(
  const float *_Nonnull pixels, float *_Nonnull a, float *_Nonnull b, float *_Nonnull c,
  float *_Nonnull d, size_t count);
/// Weighted sums of `taps` pixels from `first` on, held between the smallest and the largest of
/// those that are `margin` from the ends or more.
///
/// `origin` is one of those, which small differences refer to; `weights` holds `taps` for each sum.
void pk_filter_columns(
  const float *_Nonnull pixels, const int32_t *_Nonnull first, const int32_t *_Nonnull origin,
  const float *_Nonnull weights, size_t taps, size_t margin, float *_Nonnull row, size_t count);
/// The weighted sum of `taps` rows that are `stride` apart, held between the smallest and the
/// largest of those from `nearest` to `nearest_end`; `origin` is one of those.
void pk_filter_rows(
  const float *_Nonnull rows, size_t stride, const float *_Nonnull weights, size_t taps,
  size_t nearest, size_t nearest_end, size_t origin, float *_Nonnull row, size_t count);

// measure.c
enum {
  PK_LOG2_BINS_PER_OCTAVE = 6,
  PK_BINS_PER_OCTAVE = 1 << PK_LOG2_BINS_PER_OCTAVE,
  PK_LOWEST_OCTAVE = -24,
  PK_OCTAVES = 40,
  PK_BINS = PK_BINS_PER_OCTAVE * PK_OCTAVES + 1,
};

/// What `pk_measure` has seen so far, start with zeros and the largest `smallest_luminance_bits`.
typedef struct {
  uint64_t sum_of_maxima;
  uint64_t sum_of_luminance;
  uint32_t largest_maximum_bits;
  uint32_t largest_luminance_bits;
  uint32_t smallest_luminance_bits;
  /// Pixels outside the two candidate gamuts.
  uint64_t outside[2];
} pk_light;

/// Counts light; what is negative counts as 0.
///
/// Sums are of whole multiples of 1 / `sum_scale`, up to 2^31 for a pixel. `scratch` has `count`
/// elements, `histogram`, if there is one, PK_BINS: pixels by max(R, G, B), bin 0 for all below the
/// lowest octave.
void pk_measure(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, size_t count,
  const float *_Nonnull luminance_weights, const float *_Nonnull to_gamut_0,
  const float *_Nonnull to_gamut_1, float sum_scale, uint32_t *_Nonnull scratch,
  uint32_t *_Nullable histogram, pk_light *_Nonnull light);

/// Counts no more than the largest components, which are given, at least 0.
void pk_measure_maximum(
  const float *_Nonnull maxima, size_t count, uint32_t *_Nonnull scratch,
  uint32_t *_Nonnull histogram, pk_light *_Nonnull light);

// metrics.c
/// A function of one variable that is not negative, sampled like `pk_function`, in double precision.
///
/// There is one node more than steps. Between 0 and the first node the function is a straight line.
typedef struct {
  const double *_Nonnull nodes;
  uint32_t first;
  uint32_t last;
  uint32_t shift;
  double at_zero;
} pk_fine_function;

/// Arguments below 0 count as 0.
void pk_sample(
  const float *_Nonnull row, double *_Nonnull out, size_t count,
  const pk_fine_function *_Nonnull function);
/// The length of the difference of two colors, multiplied by nine elements, row after row.
void pk_delta_e_itp(
  const double *_Nonnull l0, const double *_Nonnull m0, const double *_Nonnull s0,
  const double *_Nonnull l1, const double *_Nonnull m1, const double *_Nonnull s1,
  float *_Nonnull delta_e, size_t count, const double *_Nonnull matrix);
/// Summed in order.
double pk_squared_error(
  const double *_Nonnull first, const double *_Nonnull second, size_t count);

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
/// Components near saturation become at least what the others say. White is (1, 1, 1); red, green
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

/// Changes colors as the table says, trilinear; values above 1 choose as 1 does.
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
