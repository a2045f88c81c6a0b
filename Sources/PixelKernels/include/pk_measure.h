// What there is in an image, and how two differ.

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

#endif
