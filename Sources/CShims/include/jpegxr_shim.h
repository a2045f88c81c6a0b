// SPDX-License-Identifier: Apache-2.0
// Decodes and encodes one codestream of a JPEG XR file through jxrlib, one row of macroblocks at a time.
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

typedef struct jpegxr_writer jpegxr_writer;

// Returns NULL if memory allocation fails.
jpegxr_writer *_Nullable jpegxr_writer_create(void);
// Starts a codestream of half-float samples.
//
// `is_gray` chooses one component instead of red, green and blue. The quantization parameters are those of T.832,
// QP_INDEX, 1...255, for luma and chroma; 1 is lossless.
jpegxr_status jpegxr_writer_open(
    jpegxr_writer *_Nonnull writer, uint32_t width, uint32_t height, int is_gray, uint8_t luma,
    uint8_t chroma);
// Encodes the next 16 rows, or the rest at the end of the image, of `stride` bytes each; the samples are interleaved.
jpegxr_status jpegxr_writer_next(
    jpegxr_writer *_Nonnull writer, const uint16_t *_Nonnull rows, uint32_t count, size_t stride);
// Completes the codestream after all rows.
jpegxr_status jpegxr_writer_finish(jpegxr_writer *_Nonnull writer);
// The bytes that were written since `jpegxr_writer_discard`, valid until the next call.
const uint8_t *_Nullable jpegxr_writer_bytes(
    const jpegxr_writer *_Nonnull writer, size_t *_Nonnull size);
void jpegxr_writer_discard(jpegxr_writer *_Nonnull writer);
void jpegxr_writer_free(jpegxr_writer *_Nullable writer);
