// SPDX-License-Identifier: Apache-2.0
// Reads the rows of PNG images through libpng.
//
// libpng reports errors through longjmp, which does not leave these functions: they return 0 on
// success, and libpng's message is available afterwards. Only samples are handled; the caller
// handles all other chunks.
//
// Rows are whole bytes: palette indices and gray of less than 8 bits in one byte each, 16-bit
// samples in network byte order.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Copies the next `count` bytes of the file to `bytes`; returns 0 on success.
typedef int (*png_read_next)(void *_Nonnull context, uint8_t *_Nonnull bytes, size_t count);

// Name and version of the library.
const char *_Nonnull png_library(void);

typedef struct png_reader png_reader;

// Returns NULL if memory allocation fails. The context must live until the reader is freed.
png_reader *_Nullable png_reader_create(void *_Nonnull context, png_read_next _Nonnull read);
// Reads the headers up to the samples, and returns the size of a row in bytes.
int png_reader_begin(png_reader *_Nonnull reader, size_t *_Nonnull row_size);
// Size of a pixel in bytes if the file stores rows as they are returned; 0 for interlaced files and
// for samples of less than 8 bits.
size_t png_reader_pixel_size(const png_reader *_Nonnull reader);
// Reads the next row of a file that is not interlaced.
int png_reader_row(png_reader *_Nonnull reader, uint8_t *_Nonnull row);
// Reads all rows of a file.
int png_reader_image(png_reader *_Nonnull reader, uint8_t *_Nonnull rows, size_t row_size);
// Reads the data after the last row, so that damage in it is detected.
int png_reader_finish(png_reader *_Nonnull reader);
const char *_Nonnull png_reader_message(const png_reader *_Nonnull reader);
// The first warning of libpng so far; empty without one.
const char *_Nonnull png_reader_warning(const png_reader *_Nonnull reader);
void png_reader_free(png_reader *_Nonnull reader);
