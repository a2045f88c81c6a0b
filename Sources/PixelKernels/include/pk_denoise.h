// SPDX-License-Identifier: Apache-2.0
// Noise reduction of raw images.

#ifndef PK_DENOISE_H
#define PK_DENOISE_H

#include <stddef.h>

/// Weighted mean of five rows: 1, 4, 6, 4, 1 sixteenths.
void pk_spline_rows(
  const float *_Nonnull r0, const float *_Nonnull r1, const float *_Nonnull r2,
  const float *_Nonnull r3, const float *_Nonnull r4, float *_Nonnull out, size_t count);
/// The same mean of five samples, `step` apart; `row` has two steps more on each side than `out`.
void pk_spline_columns(
  const float *_Nonnull row, float *_Nonnull out, size_t count, size_t step);
/// Sums of the squared differences of five rows, `stride` samples apart; the first is given.
void pk_detail_energy(
  const float *_Nonnull fine, const float *_Nonnull coarse, size_t stride, float *_Nonnull energy,
  size_t count);
/// Differences, and estimates of their part that is not noise: 1 - n, where n is the share, at most
/// 1, that `limit` times a variance is of the mean of 25 squares. `energy` has the sums of columns of
/// five, `step` apart, and two steps more on each side.
void pk_split_detail(
  const float *_Nonnull fine, const float *_Nonnull coarse, const float *_Nonnull energy,
  size_t step, const float *_Nonnull variance, float limit, float *_Nonnull detail,
  float *_Nonnull estimate, size_t count);
/// Sums over three rows, `stride` samples apart, of the products of each two of four components,
/// `plane` samples apart; the first row is given. The ten sums are `products_plane` samples apart.
void pk_estimate_products(
  const float *_Nonnull estimate, size_t plane, size_t stride, float *_Nonnull products,
  size_t products_plane, size_t count);
/// Replaces details of four components by the part to be removed: for each of them, two factors of
/// the detail and of its noise. Noise is the least-squares estimate from the details of all
/// components, whose covariance is the mean of nine products, plus `scale` times a variance.
/// `products` has the sums of columns of three, and a step more on each side.
void pk_joint_noise(
  float *_Nonnull detail, size_t plane, const float *_Nonnull products, size_t products_plane,
  size_t step, const float *_Nonnull variance, size_t variance_plane, float scale,
  const float *_Nonnull factors, size_t count);
/// row - other
void pk_subtract(float *_Nonnull row, const float *_Nonnull other, size_t count);
/// Replaces samples below 1, `step` apart, by values of at most 1.
void pk_replace_unsaturated(
  float *_Nonnull row, size_t step, const float *_Nonnull values, size_t count);
/// scale * sqrt(max(slope * x + offset, 0))
void pk_stabilize(float *_Nonnull row, size_t count, float slope, float offset, float scale);
/// min(square * max(x, 0)² - offset, 1)
void pk_unstabilize(float *_Nonnull row, size_t count, float square, float offset);
/// Red, two greens and blue to luminance, two color differences and the difference of the greens;
/// orthonormal.
void pk_noise_quad(
  float *_Nonnull a, float *_Nonnull b, float *_Nonnull c, float *_Nonnull d, size_t count);
/// The inverse of `pk_noise_quad`.
void pk_noise_quad_inverse(
  float *_Nonnull a, float *_Nonnull b, float *_Nonnull c, float *_Nonnull d, size_t count);
/// Red, green and blue to luminance and two color differences; orthonormal.
void pk_noise_triple(float *_Nonnull a, float *_Nonnull b, float *_Nonnull c, size_t count);
/// The inverse of `pk_noise_triple`.
void pk_noise_triple_inverse(
  float *_Nonnull a, float *_Nonnull b, float *_Nonnull c, size_t count);
/// Replaces photosites far brighter than the eight of the same color and the eight adjacent ones.
void pk_hot_pixels(
  const float *_Nonnull up2, const float *_Nonnull up1, const float *_Nonnull row,
  const float *_Nonnull down1, const float *_Nonnull down2, float *_Nonnull out, size_t count);

#endif
