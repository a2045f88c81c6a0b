// SPDX-License-Identifier: Apache-2.0
// Chunks of OpenEXR files before ZIP compression.

#ifndef PK_EXR_H
#define PK_EXR_H

#include <stddef.h>
#include <stdint.h>

// exr.c
/// The bytes at even offsets, followed by those at odd ones.
void pk_separate_bytes(
  const uint8_t *_Nonnull bytes, uint8_t *_Nonnull separated, size_t count);
/// Differences of consecutive bytes plus 128; the first byte is unchanged.
void pk_predict_bytes(
  const uint8_t *_Nonnull bytes, uint8_t *_Nonnull predicted, size_t count);

#endif
