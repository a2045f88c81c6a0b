// SPDX-License-Identifier: Apache-2.0
// Decodes the strips and tiles of TIFF files through libtiff.
//
// libtiff's messages are stored per file instead of in its process-wide handlers, and files are
// read through a callback. Functions return 0 on success.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Copies `count` bytes at `offset` of the file to `bytes`; returns 0 on success.
typedef int (*tiff_read_at)(
    void *_Nonnull context, uint64_t offset, void *_Nonnull bytes, size_t count);

// The first directory as interpreted by libtiff.
typedef struct tiff_layout {
  uint32_t width;
  uint32_t height;
  uint16_t samples_per_pixel;
  uint16_t bits_per_sample;
  int is_planar;
  int is_tiled;
  uint32_t tile_width;
  uint32_t tile_height;
  uint32_t rows_per_strip;
  // Size of a decoded row, in bytes; of one plane if planar.
  uint64_t row_size;
  // Size of a decoded strip or tile, in bytes.
  uint64_t chunk_size;
} tiff_layout;

// Name and version of the library, followed by more lines.
const char *_Nonnull tiff_library(void);

typedef struct tiff_reader tiff_reader;

// Returns NULL if memory allocation fails. The context must live until the reader is freed.
tiff_reader *_Nullable tiff_reader_create(
    void *_Nonnull context, tiff_read_at _Nonnull read, uint64_t size);
// Opens the directory at an offset, or the first for 0; a single allocation of libtiff is at most
// `memory` bytes. JPEG is decoded to RGB, and SGI's logarithmic coding to floating-point XYZ or Y.
int tiff_reader_open(
    tiff_reader *_Nonnull reader, size_t memory, uint64_t directory, tiff_layout *_Nonnull layout);
int tiff_reader_row(
    tiff_reader *_Nonnull reader, uint32_t row, uint16_t plane, uint8_t *_Nonnull bytes);
// Decodes the strip of `plane` that begins with row `row`; it may have fewer bytes than
// `capacity`.
int tiff_reader_strip(
    tiff_reader *_Nonnull reader, uint32_t row, uint16_t plane, uint8_t *_Nonnull bytes,
    size_t capacity);
// Decodes the tile of `plane` whose upper left pixel is given.
int tiff_reader_tile(
    tiff_reader *_Nonnull reader, uint32_t x, uint32_t y, uint16_t plane,
    uint8_t *_Nonnull bytes, size_t capacity);
const char *_Nonnull tiff_reader_message(const tiff_reader *_Nonnull reader);
// The first warning of libtiff about samples; empty without one.
const char *_Nonnull tiff_reader_warning(const tiff_reader *_Nonnull reader);
void tiff_reader_free(tiff_reader *_Nonnull reader);
