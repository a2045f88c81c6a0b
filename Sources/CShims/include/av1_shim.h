// SPDX-License-Identifier: Apache-2.0
// Encodes AV1 still images through libaom, whose controls are variadic functions.
#pragma once
#include <stddef.h>
#include <stdint.h>

// An image as coded.
typedef struct av1_image {
  // Y'CbCr; one plane for monochrome. Samples of 8 bits have one byte, others two.
  const void *_Nullable planes[3];
  size_t row_strides[3];
  uint32_t width;
  uint32_t height;
  uint32_t bits;
  int is_monochrome;
  // Base-2 logarithms of chroma subsampling.
  uint32_t chroma_shift_x;
  uint32_t chroma_shift_y;
  // Code points of the sequence header.
  int primaries;
  int transfer;
  int matrix;
  int is_full_range;
  int chroma_sample_position;
} av1_image;

typedef struct av1_options {
  // 0 (lossless) to 63.
  uint32_t quantizer;
  // 0 (slowest) to 9.
  int speed;
  uint32_t threads;
  // Base-2 logarithms of the numbers of tiles.
  uint32_t tile_columns;
  uint32_t tile_rows;
  // Palettes and copied blocks, for graphics.
  int uses_graphics_tools;
  int uses_rectangular_partitions;
} av1_options;

// Version of libaom.
const char *_Nonnull av1_encoder_version(void);

// Encodes an image as a key frame and passes its OBUs, in parts, to `write`.
//
// Returns 0, or another value and libaom's message, zero-terminated.
int av1_encode(
    const av1_image *_Nonnull image, const av1_options *_Nonnull options,
    void (*_Nonnull write)(
        void *_Nullable context, const uint8_t *_Nonnull bytes, size_t size),
    void *_Nullable context, char *_Nonnull message, size_t capacity);
