// SPDX-License-Identifier: Apache-2.0
#ifdef WITH_PNG
#include "png_shim.h"

#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { message_capacity = 160 };

const char *png_library(void) { return "libpng " PNG_LIBPNG_VER_STRING; }

struct png_reader {
  png_structp png;
  png_infop info;
  void *context;
  png_read_next read;
  size_t pixel_size;
  char message[message_capacity];
  // The first warning; empty without one.
  char warning[message_capacity];
  // Whether the compressed data ends before its checksum.
  bool lacks_checksum;
};

static void reader_failed(png_structp png, png_const_charp message) {
  png_reader *reader = png_get_error_ptr(png);
  snprintf(reader->message, message_capacity, "%s", message);
  longjmp(png_jmpbuf(png), 1);
}

static void reader_warned(png_structp png, png_const_charp message) {
  png_reader *reader = png_get_error_ptr(png);
  if (reader->warning[0] == 0) snprintf(reader->warning, message_capacity, "%s", message);
}

static void reader_fill(png_structp png, png_bytep bytes, size_t count) {
  png_reader *reader = png_get_io_ptr(png);
  if (reader->read(reader->context, bytes, count) != 0) png_error(png, "cannot read");
}

png_reader *png_reader_create(void *context, png_read_next read) {
  png_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->context = context;
  reader->read = read;
  reader->png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, reader_failed, reader_warned);
  reader->info = reader->png == NULL ? NULL : png_create_info_struct(reader->png);
  if (reader->info == NULL) {
    png_reader_free(reader);
    return NULL;
  }
  png_set_read_fn(reader->png, reader, reader_fill);
  return reader;
}

// After an error: whether every row has been read, and the data of the image is complete but for the checksum of its
// zlib stream. Such a file is shown with a warning, as by readers that do not look for the checksum.
static bool reader_has_all_rows(png_reader *reader) {
  static const char end_of_data[] = "Not enough image data";
  const bool interlaced =
      png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE;
  const bool complete =
      interlaced ? png_get_current_pass_number(reader->png) >= PNG_INTERLACE_ADAM7_PASSES
                 : png_get_current_row_number(reader->png) ==
                       png_get_image_height(reader->png, reader->info);
  if (!complete || strcmp(reader->message, end_of_data) != 0) return false;
  reader->lacks_checksum = true;
  reader_warned(reader->png, "the compressed data ends without its checksum");
  return true;
}

int png_reader_begin(png_reader *reader, size_t *row_size) {
  if (setjmp(png_jmpbuf(reader->png))) return 1;
  png_read_info(reader->png, reader->info);
  const uint8_t depth = png_get_bit_depth(reader->png, reader->info);
  if (depth >= 8 && png_get_interlace_type(reader->png, reader->info) == PNG_INTERLACE_NONE)
    reader->pixel_size = (size_t)png_get_channels(reader->png, reader->info) * (depth / 8u);
  png_set_packing(reader->png);
  png_set_interlace_handling(reader->png);
  png_read_update_info(reader->png, reader->info);
  *row_size = png_get_rowbytes(reader->png, reader->info);
  return 0;
}

size_t png_reader_pixel_size(const png_reader *reader) { return reader->pixel_size; }

int png_reader_row(png_reader *reader, uint8_t *row) {
  if (setjmp(png_jmpbuf(reader->png))) return !reader_has_all_rows(reader);
  png_read_row(reader->png, row, NULL);
  return 0;
}

int png_reader_image(png_reader *reader, uint8_t *rows, size_t row_size) {
  const uint32_t height = png_get_image_height(reader->png, reader->info);
  png_bytep *const pointers = calloc(height, sizeof *pointers);
  if (pointers == NULL) {
    snprintf(reader->message, message_capacity, "not enough memory");
    return 1;
  }
  for (uint32_t y = 0; y < height; y++) pointers[y] = rows + row_size * y;
  if (setjmp(png_jmpbuf(reader->png))) {
    free(pointers);
    return !reader_has_all_rows(reader);
  }
  png_read_image(reader->png, pointers);
  free(pointers);
  return 0;
}

int png_reader_finish(png_reader *reader) {
  if (reader->lacks_checksum) return 0;
  if (setjmp(png_jmpbuf(reader->png))) return 1;
  png_read_end(reader->png, NULL);
  return 0;
}

const char *png_reader_message(const png_reader *reader) { return reader->message; }

const char *png_reader_warning(const png_reader *reader) { return reader->warning; }

void png_reader_free(png_reader *reader) {
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}
#endif
