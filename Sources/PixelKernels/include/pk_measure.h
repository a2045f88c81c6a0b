// SPDX-License-Identifier: Apache-2.0
// Measurement of images and of the difference of two images.

#ifndef PK_MEASURE_H
#define PK_MEASURE_H

#include <stddef.h>
#include <stdint.h>

// measure.c
enum {
  PK_LOG2_BINS_PER_OCTAVE = 6,
  PK_BINS_PER_OCTAVE = 1 << PK_LOG2_BINS_PER_OCTAVE,
  PK_LOWEST_OCTAVE = -24,
  PK_OCTAVES = 40,
  PK_BINS = PK_BINS_PER_OCTAVE * PK_OCTAVES + 1,
};

/// Running results of `pk_measure`; initialized with zeros and the maximum
/// `smallest_luminance_bits`.
typedef struct {
  uint64_t sum_of_maxima;
  uint64_t sum_of_luminance;
  uint32_t largest_maximum_bits;
  uint32_t largest_luminance_bits;
  uint32_t smallest_luminance_bits;
  /// Pixels outside the two candidate gamuts.
  uint64_t outside[2];
} pk_light;

/// Measures light levels; negative values count as 0.
///
/// Sums are of whole multiples of 1 / `sum_scale`, up to 2^31 for a pixel. `scratch` has `count`
/// elements. `histogram` is null or has PK_BINS bins: pixels by max(R, G, B), bin 0 for those below
/// the lowest octave.
void pk_measure(
  const float *_Nonnull r, const float *_Nonnull g, const float *_Nonnull b, size_t count,
  const float *_Nonnull luminance_weights, const float *_Nonnull to_gamut_0,
  const float *_Nonnull to_gamut_1, float sum_scale, uint32_t *_Nonnull scratch,
  uint32_t *_Nullable histogram, pk_light *_Nonnull light);

/// Measures only the largest components, which are given and at least 0.
void pk_measure_maximum(
  const float *_Nonnull maxima, size_t count, uint32_t *_Nonnull scratch,
  uint32_t *_Nonnull histogram, pk_light *_Nonnull light);

/// A function of one nonnegative variable, sampled as `pk_function`, in double precision.
///
/// The number of nodes is the number of steps plus one. Between 0 and the first node the function
/// is linear.
typedef struct {
  const double *_Nonnull nodes;
  uint32_t first;
  uint32_t last;
  uint32_t shift;
  double at_zero;
} pk_fine_function;

/// Samples the function at each element; arguments below 0 count as 0.
void pk_sample(
  const float *_Nonnull row, double *_Nonnull out, size_t count,
  const pk_fine_function *_Nonnull function);
/// Length of the difference of two colors, multiplied by a matrix of nine elements, row-major.
void pk_delta_e_itp(
  const double *_Nonnull l0, const double *_Nonnull m0, const double *_Nonnull s0,
  const double *_Nonnull l1, const double *_Nonnull m1, const double *_Nonnull s1,
  float *_Nonnull delta_e, size_t count, const double *_Nonnull matrix);
/// Sum of squared differences, added in order.
double pk_squared_error(
  const double *_Nonnull first, const double *_Nonnull second, size_t count);

#endif
