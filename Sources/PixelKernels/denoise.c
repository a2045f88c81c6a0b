// SPDX-License-Identifier: Apache-2.0
// Noise reduction of raw images by wavelets without decimation; `WaveletShrinkage`,
// `LevelDetails` and `NoiseTransform` describe the steps.

#include "multiversioned.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

MULTIVERSIONED
void pk_spline_rows(
    const float *restrict r0, const float *restrict r1, const float *restrict r2,
    const float *restrict r3, const float *restrict r4, float *restrict out, size_t count) {
  for (size_t i = 0; i < count; i++)
    out[i] = ((r0[i] + r4[i]) + 4 * (r1[i] + r3[i]) + 6 * r2[i]) * (1.0f / 16);
}

MULTIVERSIONED
void pk_spline_columns(const float *restrict row, float *restrict out, size_t count, size_t step) {
  const float *restrict r1 = row + step, *restrict r2 = row + 2 * step;
  const float *restrict r3 = row + 3 * step, *restrict r4 = row + 4 * step;
  for (size_t i = 0; i < count; i++)
    out[i] = ((row[i] + r4[i]) + 4 * (r1[i] + r3[i]) + 6 * r2[i]) * (1.0f / 16);
}

MULTIVERSIONED
void pk_detail_energy(
    const float *restrict fine, const float *restrict coarse, size_t stride,
    float *restrict energy, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float a = fine[i] - coarse[i];
    const float b = fine[i + stride] - coarse[i + stride];
    const float c = fine[i + 2 * stride] - coarse[i + 2 * stride];
    const float d = fine[i + 3 * stride] - coarse[i + 3 * stride];
    const float e = fine[i + 4 * stride] - coarse[i + 4 * stride];
    energy[i] = ((a * a + e * e) + (b * b + d * d)) + c * c;
  }
}

MULTIVERSIONED
void pk_split_detail(
    const float *restrict fine, const float *restrict coarse, const float *restrict energy,
    size_t step, const float *restrict variance, float limit, float *restrict detail,
    float *restrict estimate, size_t count) {
  const float *restrict e1 = energy + step, *restrict e2 = energy + 2 * step;
  const float *restrict e3 = energy + 3 * step, *restrict e4 = energy + 4 * step;
  const float all = 25 * limit;
  for (size_t i = 0; i < count; i++) {
    const float sum = ((energy[i] + e4[i]) + (e1[i] + e3[i])) + e2[i];
    const float noise = smaller(all * variance[i] / larger(sum, 1e-20f), 1);
    const float difference = fine[i] - coarse[i];
    detail[i] = difference;
    estimate[i] = difference - difference * noise;
  }
}

// Sum over three rows of the product of two components.
#define THREE_ROWS(p, q) \
  ((p[i] * q[i] + p[i + 2 * stride] * q[i + 2 * stride]) + p[i + stride] * q[i + stride])

MULTIVERSIONED
void pk_estimate_products(
    const float *restrict estimate, size_t plane, size_t stride, float *restrict products,
    size_t products_plane, size_t count) {
  const float *restrict a = estimate, *restrict b = a + plane;
  const float *restrict c = b + plane, *restrict d = c + plane;
  float *restrict aa = products, *restrict ab = aa + products_plane;
  float *restrict ac = ab + products_plane, *restrict ad = ac + products_plane;
  float *restrict bb = ad + products_plane;
  float *restrict bc = bb + products_plane, *restrict bd = bc + products_plane;
  float *restrict cc = bd + products_plane, *restrict cd = cc + products_plane;
  float *restrict dd = cd + products_plane;
  for (size_t i = 0; i < count; i++) {
    aa[i] = THREE_ROWS(a, a);
    ab[i] = THREE_ROWS(a, b);
    ac[i] = THREE_ROWS(a, c);
    ad[i] = THREE_ROWS(a, d);
    bb[i] = THREE_ROWS(b, b);
    bc[i] = THREE_ROWS(b, c);
    bd[i] = THREE_ROWS(b, d);
    cc[i] = THREE_ROWS(c, c);
    cd[i] = THREE_ROWS(c, d);
    dd[i] = THREE_ROWS(d, d);
  }
}

// Mean of nine products; `row` has the sums of three rows.
#define NINE(row) (((row)[i] + (row)[i + 2 * step]) + (row)[i + step]) * (1.0f / 9)

MULTIVERSIONED
void pk_joint_noise(
    float *restrict detail, size_t plane, const float *restrict products, size_t products_plane,
    size_t step, const float *restrict variance, size_t variance_plane, float scale,
    const float *restrict factors, size_t count) {
  float *restrict a = detail, *restrict b = a + plane;
  float *restrict c = b + plane, *restrict d = c + plane;
  const float *restrict aa = products, *restrict ab = aa + products_plane;
  const float *restrict ac = ab + products_plane, *restrict ad = ac + products_plane;
  const float *restrict bb = ad + products_plane, *restrict bc = bb + products_plane;
  const float *restrict bd = bc + products_plane, *restrict cc = bd + products_plane;
  const float *restrict cd = cc + products_plane, *restrict dd = cd + products_plane;
  const float *restrict va = variance, *restrict vb = va + variance_plane;
  const float *restrict vc = vb + variance_plane, *restrict vd = vc + variance_plane;
  const float a0 = factors[0], a1 = factors[1], b0 = factors[2], b1 = factors[3];
  const float c0 = factors[4], c1 = factors[5], d0 = factors[6], d1 = factors[7];
  for (size_t i = 0; i < count; i++) {
    const float na = larger(scale * va[i], 1e-20f), nb = larger(scale * vb[i], 1e-20f);
    const float nc = larger(scale * vc[i], 1e-20f), nd = larger(scale * vd[i], 1e-20f);
    // The factorization L D L' of the covariance; in exact arithmetic, D is at least the noise.
    const float ra = 1 / (NINE(aa) + na);
    const float mab = NINE(ab), mac = NINE(ac), mad = NINE(ad);
    const float ba = mab * ra, ca = mac * ra, da = mad * ra;
    const float rb = 1 / larger(NINE(bb) + nb - ba * mab, nb);
    const float mbc = NINE(bc) - ba * mac, mbd = NINE(bd) - ba * mad;
    const float cb = mbc * rb, db = mbd * rb;
    const float rc = 1 / larger(NINE(cc) + nc - ca * mac - cb * mbc, nc);
    const float mcd = NINE(cd) - ca * mad - cb * mbd;
    const float dc = mcd * rc;
    const float rd = 1 / larger(NINE(dd) + nd - da * mad - db * mbd - dc * mcd, nd);
    const float x = a[i], y = b[i] - ba * x, z = c[i] - ca * x - cb * y;
    const float w = (d[i] - da * x - db * y - dc * z) * rd;
    const float zz = z * rc - dc * w;
    const float yy = y * rb - cb * zz - db * w;
    const float xx = x * ra - ba * yy - ca * zz - da * w;
    a[i] = a0 * a[i] + a1 * (na * xx);
    b[i] = b0 * b[i] + b1 * (nb * yy);
    c[i] = c0 * c[i] + c1 * (nc * zz);
    d[i] = d0 * d[i] + d1 * (nd * w);
  }
}

MULTIVERSIONED
void pk_subtract(float *restrict row, const float *restrict other, size_t count) {
  for (size_t i = 0; i < count; i++) row[i] -= other[i];
}

MULTIVERSIONED
void pk_replace_unsaturated(
    float *restrict row, size_t step, const float *restrict values, size_t count) {
  for (size_t i = 0; i < count; i++)
    row[i * step] = row[i * step] < 1 ? smaller(values[i], 1) : row[i * step];
}

MULTIVERSIONED
void pk_stabilize(float *row, size_t count, float slope, float offset, float scale) {
  for (size_t i = 0; i < count; i++)
    row[i] = scale * sqrtf(larger(slope * row[i] + offset, 0));
}

MULTIVERSIONED
void pk_unstabilize(float *row, size_t count, float square, float offset) {
  for (size_t i = 0; i < count; i++) {
    const float root = larger(row[i], 0);
    row[i] = smaller(square * (root * root) - offset, 1);
  }
}

#define ROOT_HALF 0.707106781f
#define ROOT_THIRD 0.577350269f
#define ROOT_SIXTH 0.408248290f

MULTIVERSIONED
void pk_noise_quad(
    float *restrict a, float *restrict b, float *restrict c, float *restrict d, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float red = a[i], green = b[i], other = c[i], blue = d[i];
    a[i] = 0.5f * ((red + blue) + (green + other));
    b[i] = ROOT_HALF * (red - blue);
    c[i] = 0.5f * ((red + blue) - (green + other));
    d[i] = ROOT_HALF * (green - other);
  }
}

MULTIVERSIONED
void pk_noise_quad_inverse(
    float *restrict a, float *restrict b, float *restrict c, float *restrict d, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float colored = 0.5f * (a[i] + c[i]), greens = 0.5f * (a[i] - c[i]);
    const float first = ROOT_HALF * b[i], second = ROOT_HALF * d[i];
    a[i] = colored + first;
    b[i] = greens + second;
    c[i] = greens - second;
    d[i] = colored - first;
  }
}

MULTIVERSIONED
void pk_noise_triple(float *restrict a, float *restrict b, float *restrict c, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float red = a[i], green = b[i], blue = c[i];
    a[i] = ROOT_THIRD * (red + green + blue);
    b[i] = ROOT_HALF * (red - blue);
    c[i] = ROOT_SIXTH * (red - 2 * green + blue);
  }
}

MULTIVERSIONED
void pk_noise_triple_inverse(
    float *restrict a, float *restrict b, float *restrict c, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float mean = ROOT_THIRD * a[i], first = ROOT_HALF * b[i], second = ROOT_SIXTH * c[i];
    a[i] = mean + first + second;
    b[i] = mean - 2 * second;
    c[i] = mean - first + second;
  }
}

MULTIVERSIONED
void pk_hot_pixels(
    const float *restrict up2, const float *restrict up1, const float *restrict row,
    const float *restrict down1, const float *restrict down2, float *restrict out, size_t count) {
  for (size_t i = 2; i + 2 < count; i++) {
    // The brightest photosite of the same color around, and of the others.
    float same = larger(row[i - 2], row[i + 2]);
    same = larger(same, larger(up2[i], down2[i]));
    same = larger(same, larger(larger(up2[i - 2], up2[i + 2]), larger(down2[i - 2], down2[i + 2])));
    float other = larger(row[i - 1], row[i + 1]);
    other = larger(other, larger(up1[i], down1[i]));
    other = larger(other, larger(larger(up1[i - 1], up1[i + 1]), larger(down1[i - 1], down1[i + 1])));
    const float limit = 2.5f * larger(larger(same, other), 0) + 0.03f;
    out[i] = row[i] > limit ? same : row[i];
  }
}
