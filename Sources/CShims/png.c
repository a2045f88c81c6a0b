#ifdef WITH_PNG
#include "png_shim.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

enum { message_capacity = 160 };

static void ignore_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static int is_little_endian(void) {
  const uint16_t one = 1;
  return *(const uint8_t *)&one == 1;
}

const char *png_library(void) { return "libpng " PNG_LIBPNG_VER_STRING; }

struct png_reader {
  png_structp png;
  png_infop info;
  void *context;
  png_read_next read;
  char message[message_capacity];
};

static void reader_failed(png_structp png, png_const_charp message) {
  png_reader *reader = png_get_error_ptr(png);
  snprintf(reader->message, message_capacity, "%s", message);
  longjmp(png_jmpbuf(png), 1);
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
      png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, reader_failed, ignore_warning);
  reader->info = reader->png == NULL ? NULL : png_create_info_struct(reader->png);
  if (reader->info == NULL) {
    png_reader_free(reader);
    return NULL;
  }
  png_set_read_fn(reader->png, reader, reader_fill);
  return reader;
}

int png_reader_begin(png_reader *reader, size_t *row_size) {
  if (setjmp(png_jmpbuf(reader->png))) return 1;
  png_read_info(reader->png, reader->info);
  png_set_packing(reader->png);
  if (is_little_endian()) png_set_swap(reader->png);
  png_set_interlace_handling(reader->png);
  png_read_update_info(reader->png, reader->info);
  *row_size = png_get_rowbytes(reader->png, reader->info);
  return 0;
}

int png_reader_row(png_reader *reader, uint8_t *row) {
  if (setjmp(png_jmpbuf(reader->png))) return 1;
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
    return 1;
  }
  png_read_image(reader->png, pointers);
  free(pointers);
  return 0;
}

int png_reader_finish(png_reader *reader) {
  if (setjmp(png_jmpbuf(reader->png))) return 1;
  png_read_end(reader->png, NULL);
  return 0;
}

const char *png_reader_message(const png_reader *reader) { return reader->message; }

void png_reader_free(png_reader *reader) {
  png_destroy_read_struct(&reader->png, &reader->info, NULL);
  free(reader);
}

struct png_writer {
  png_structp png;
  png_infop info;
  void *context;
  png_write_next write;
  char message[message_capacity];
};

static void writer_failed(png_structp png, png_const_charp message) {
  png_writer *writer = png_get_error_ptr(png);
  snprintf(writer->message, message_capacity, "%s", message);
  longjmp(png_jmpbuf(png), 1);
}

static void writer_put(png_structp png, png_bytep bytes, size_t count) {
  png_writer *writer = png_get_io_ptr(png);
  if (writer->write(writer->context, bytes, count) != 0) png_error(png, "cannot write");
}

static void writer_flush(png_structp png) { (void)png; }

png_writer *png_writer_create(void *context, png_write_next write) {
  png_writer *writer = calloc(1, sizeof *writer);
  if (writer == NULL) return NULL;
  writer->context = context;
  writer->write = write;
  writer->png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, writer, writer_failed, ignore_warning);
  writer->info = writer->png == NULL ? NULL : png_create_info_struct(writer->png);
  if (writer->info == NULL) {
    png_writer_free(writer);
    return NULL;
  }
  png_set_write_fn(writer->png, writer, writer_put, writer_flush);
  return writer;
}

int png_writer_begin(
    png_writer *writer, uint32_t width, uint32_t height, int bit_depth, int color_type, int level,
    int all_filters) {
  if (setjmp(png_jmpbuf(writer->png))) return 1;
  png_set_IHDR(
      writer->png, writer->info, width, height, bit_depth, color_type, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(writer->png, level);
  // Size of an IDAT chunk, in bytes.
  png_set_compression_buffer_size(writer->png, 1 << 18);
  png_set_filter(
      writer->png, PNG_FILTER_TYPE_BASE, all_filters ? PNG_ALL_FILTERS : PNG_FILTER_SUB);
  png_write_info(writer->png, writer->info);
  if (is_little_endian()) png_set_swap(writer->png);
  return 0;
}

int png_writer_row(png_writer *writer, const uint8_t *row) {
  if (setjmp(png_jmpbuf(writer->png))) return 1;
  png_write_row(writer->png, row);
  return 0;
}

int png_writer_finish(png_writer *writer) {
  if (setjmp(png_jmpbuf(writer->png))) return 1;
  png_write_end(writer->png, NULL);
  return 0;
}

const char *png_writer_message(const png_writer *writer) { return writer->message; }

void png_writer_free(png_writer *writer) {
  png_destroy_write_struct(&writer->png, &writer->info);
  free(writer);
}
#endif
