// SPDX-License-Identifier: Apache-2.0
// Rows of PNG files.

#ifndef PK_PNG_H
#define PK_PNG_H

#include <stddef.h>
#include <stdint.h>

// png.c
/// Stores the samples of one of `channels` interleaved components, each the upper bits of
/// `code * multiplier`: one byte per sample, or two in network byte order.
void pk_interleave_bytes(
  const uint16_t *_Nonnull codes, uint8_t *_Nonnull bytes, size_t count, size_t channels,
  uint32_t multiplier, uint32_t shift);
void pk_interleave_network16(
  const uint16_t *_Nonnull codes, uint8_t *_Nonnull bytes, size_t count, size_t channels,
  uint32_t multiplier, uint32_t shift);

/// Filters of `count` bytes. The `step` bytes before `row` and `above` are those of the pixel to
/// the left: 0 at the start of a row. `filtered` overlaps neither.
///
/// Source: PNG Third Edition, 9.2.
void pk_png_sub(
  const uint8_t *_Nonnull row, uint8_t *_Nonnull filtered, size_t count, size_t step);
void pk_png_up(
  const uint8_t *_Nonnull row, const uint8_t *_Nonnull above, uint8_t *_Nonnull filtered,
  size_t count);
void pk_png_average(
  const uint8_t *_Nonnull row, const uint8_t *_Nonnull above, uint8_t *_Nonnull filtered,
  size_t count, size_t step);
void pk_png_paeth(
  const uint8_t *_Nonnull row, const uint8_t *_Nonnull above, uint8_t *_Nonnull filtered,
  size_t count, size_t step);

/// Undo the filters of `count` bytes; `step` is 1, 2, 3, 4, 6 or 8, and `above` is the restored row
/// above. `row` overlaps neither.
void pk_png_restore_sub(
  const uint8_t *_Nonnull filtered, const uint8_t *_Nonnull above, uint8_t *_Nonnull row,
  size_t count, size_t step);
void pk_png_restore_up(
  const uint8_t *_Nonnull filtered, const uint8_t *_Nonnull above, uint8_t *_Nonnull row,
  size_t count, size_t step);
void pk_png_restore_average(
  const uint8_t *_Nonnull filtered, const uint8_t *_Nonnull above, uint8_t *_Nonnull row,
  size_t count, size_t step);
void pk_png_restore_paeth(
  const uint8_t *_Nonnull filtered, const uint8_t *_Nonnull above, uint8_t *_Nonnull row,
  size_t count, size_t step);

/// Reads the samples of one of `channels` interleaved components, 1 to 4: the bits of `mask` of one
/// byte each, or the upper bits of two in network byte order.
void pk_deinterleave_bytes(
  const uint8_t *_Nonnull bytes, uint16_t *_Nonnull codes, size_t count, size_t channels,
  uint16_t mask);
void pk_deinterleave_network16(
  const uint8_t *_Nonnull bytes, uint16_t *_Nonnull codes, size_t count, size_t channels,
  uint32_t shift);

#endif
