// SPDX-License-Identifier: Apache-2.0
// Decodes and encodes the samples of JPEG images through libjpeg, and rotates images losslessly.
//
// libjpeg reports errors through a function that must not return; it jumps back into these
// functions, which return 0 on success. libjpeg's message is available afterwards. Truncated data
// is an error.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Copies up to `capacity` bytes of the file, starting at the current position, to `bytes`; returns
// their number, 0 at the end, and -1 on failure.
typedef ptrdiff_t (*jpeg_read_next)(
    void *_Nonnull context, uint8_t *_Nonnull bytes, size_t capacity);

// The frame header as interpreted by libjpeg, and what it decodes it to.
typedef struct jpeg_layout {
  // Size of the decoded image.
  int width;
  int height;
  int components;
  // JCS_GRAYSCALE 1, JCS_RGB 2, JCS_YCbCr 3, JCS_CMYK 4, JCS_YCCK 5; 0 for others.
  int color_space;
  // Memory for the coefficients of the whole image, in bytes; 0 if they are decoded row by row.
  size_t coefficient_memory;
  // Sampling factors of the decoded planes.
  int horizontal_sampling[3];
  int vertical_sampling[3];
  // Samples of a row of whole blocks, and rows of samples that are decoded together.
  int row_length[3];
  int row_count[3];
} jpeg_layout;

// A plane as coded, with room for whole blocks.
typedef struct jpeg_plane {
  uint8_t *_Nullable samples;
  size_t row_stride;
} jpeg_plane;

// Name and version of the library.
const char *_Nonnull jpeg_library(void);

typedef struct jpeg_reader jpeg_reader;

// Returns NULL if memory allocation fails. The context must live until the reader is freed.
jpeg_reader *_Nullable jpeg_reader_create(void *_Nonnull context, jpeg_read_next _Nonnull read);
// Reads the headers up to the coded data. The decoded image has 1 / `reduction` of the width and
// height, rounded up; `reduction` is 1, 2, 4 or 8. Subsampled chroma is reduced less if possible.
int jpeg_reader_begin(
    jpeg_reader *_Nonnull reader, int reduction, jpeg_layout *_Nonnull layout);
// Selects planes as coded or interleaved RGB.
int jpeg_reader_start(jpeg_reader *_Nonnull reader, int as_planes);
// Decodes the next row of blocks.
int jpeg_reader_blocks(jpeg_reader *_Nonnull reader, const jpeg_plane *_Nonnull planes);
// Passes over the next row of blocks, which is decoded without the inverse transform.
int jpeg_reader_skip_blocks(jpeg_reader *_Nonnull reader);
int jpeg_reader_rgb_row(jpeg_reader *_Nonnull reader, uint8_t *_Nonnull row);
const char *_Nonnull jpeg_reader_message(const jpeg_reader *_Nonnull reader);
// The first warning of libjpeg so far; empty without one.
const char *_Nonnull jpeg_reader_warning(const jpeg_reader *_Nonnull reader);
void jpeg_reader_free(jpeg_reader *_Nonnull reader);

typedef struct jpeg_writer jpeg_writer;

jpeg_writer *_Nullable jpeg_writer_create(void);
// `components` is 1 for gray or 3 for YCbCr, whose chroma is subsampled by these factors. Tables
// have 64 quantizer steps, 1...255, row by row.
int jpeg_writer_begin(
    jpeg_writer *_Nonnull writer, int width, int height, int components,
    int horizontal_subsampling, int vertical_subsampling, const uint16_t *_Nonnull luma,
    const uint16_t *_Nonnull chroma);
// Encodes the next row of blocks; the planes contain the rows and columns of whole blocks.
int jpeg_writer_blocks(jpeg_writer *_Nonnull writer, const jpeg_plane *_Nonnull planes);
// Completes the file; `bytes` is valid until the writer is freed.
int jpeg_writer_finish(
    jpeg_writer *_Nonnull writer, const uint8_t *_Nullable *_Nonnull bytes,
    size_t *_Nonnull count);
const char *_Nonnull jpeg_writer_message(const jpeg_writer *_Nonnull writer);
void jpeg_writer_free(jpeg_writer *_Nonnull writer);

// A rotation of an image: rows and columns are swapped first, then their order is reversed.
typedef struct jpeg_rotation {
  int transposes;
  int reverses_columns;
  int reverses_rows;
} jpeg_rotation;

typedef struct jpeg_rotator jpeg_rotator;

jpeg_rotator *_Nullable jpeg_rotator_create(void);
// Rotates an image by rearranging its blocks of coefficients and changing signs; exact if the sides
// whose order is reversed consist of whole blocks. The result, without application data, is at
// `rotated` until the rotator is freed. Must be called once.
int jpeg_rotator_run(
    jpeg_rotator *_Nonnull rotator, const uint8_t *_Nonnull bytes, size_t count,
    const jpeg_rotation *_Nonnull rotation, const uint8_t *_Nullable *_Nonnull rotated,
    size_t *_Nonnull rotated_count);
const char *_Nonnull jpeg_rotator_message(const jpeg_rotator *_Nonnull rotator);
void jpeg_rotator_free(jpeg_rotator *_Nonnull rotator);
