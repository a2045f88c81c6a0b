// SPDX-License-Identifier: Apache-2.0
// Decodes one codestream of a JPEG XR file through jxrlib, one row of macroblocks at a time.
//
// Samples are interleaved and in native byte order, without the padding of the pixel format: 8, 16 or 32 bits
// each, three values in one for the packed formats, one bit each for black and white.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef enum jpegxr_status {
  JPEGXR_OK,
  JPEGXR_OUT_OF_MEMORY,
  // The codestream is not what jxrlib decodes.
  JPEGXR_REJECTED,
  // The decoder read beyond the end of the codestream.
  JPEGXR_TRUNCATED,
} jpegxr_status;

// Geometry as jxrlib interprets it, for comparison with the header.
typedef struct jpegxr_layout {
  uint64_t width;
  uint64_t height;
  // Values of OUTPUT_CLR_FMT and OUTPUT_BITDEPTH.
  uint32_t color_format;
  uint32_t bit_depth;
} jpegxr_layout;

typedef struct jpegxr_reader jpegxr_reader;

// Copies the codestream; returns NULL if memory allocation fails.
jpegxr_reader *_Nullable jpegxr_reader_create(const uint8_t *_Nonnull bytes, size_t size);
// Starts decoding.
//
// `bits_per_pixel` is the size of an output pixel, 1 for black and white; with `has_alpha` it includes the
// alpha plane of the codestream. `rows_above` is the number of coded rows above the image.
jpegxr_status jpegxr_reader_open(
    jpegxr_reader *_Nonnull reader, uint32_t bits_per_pixel, int has_alpha, uint32_t rows_above,
    jpegxr_layout *_Nonnull layout);
// Decodes the next row of macroblocks to `rows`, 16 rows of `stride` bytes that are zero before.
jpegxr_status jpegxr_reader_next(
    jpegxr_reader *_Nonnull reader, uint8_t *_Nonnull rows, size_t stride);
void jpegxr_reader_free(jpegxr_reader *_Nullable reader);
