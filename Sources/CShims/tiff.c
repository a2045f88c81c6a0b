// SPDX-License-Identifier: Apache-2.0
#ifdef WITH_TIFF
#include "tiff_shim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

enum { message_capacity = 240 };

const char *tiff_library(void) { return TIFFGetVersion(); }

struct tiff_reader {
  TIFF *tiff;
  void *context;
  tiff_read_at read;
  uint64_t size;
  uint64_t position;
  // Whether the directory is read; warnings from then on are about samples.
  int is_open;
  char message[message_capacity];
  // The first warning about samples; empty without one.
  char warning[message_capacity];
  // Whether data of samples are missing.
  int is_incomplete;
};

static int note_error(
    TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
  (void)tiff;
  (void)module;
  tiff_reader *reader = user;
  // The first message identifies the cause, later ones consequences.
  if (reader->message[0] == 0) {
    vsnprintf(reader->message, message_capacity, format, arguments);
  }
  return 1;
}

static int note_warning(
    TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
  (void)tiff;
  (void)module;
  tiff_reader *reader = user;
  if (!reader->is_open) return 1;
  char text[message_capacity];
  vsnprintf(text, message_capacity, format, arguments);
  // Of libtiff's warnings, only these leave samples without data: of fax codings and of JPEG.
  if (strstr(text, "Premature EOF") || strstr(text, "premature end of data segment")) {
    reader->is_incomplete = 1;
    if (reader->message[0] == 0) memcpy(reader->message, text, message_capacity);
  } else if (reader->warning[0] == 0) {
    memcpy(reader->warning, text, message_capacity);
  }
  return 1;
}

static tmsize_t client_read(thandle_t handle, void *bytes, tmsize_t count) {
  tiff_reader *reader = handle;
  const uint64_t left = reader->position < reader->size ? reader->size - reader->position : 0;
  const uint64_t wanted = count < 0 ? 0 : (uint64_t)count;
  const size_t available = (size_t)(wanted < left ? wanted : left);
  if (available == 0) return 0;
  if (reader->read(reader->context, reader->position, bytes, available) != 0) return 0;
  reader->position += available;
  return (tmsize_t)available;
}

static tmsize_t client_write(thandle_t handle, void *bytes, tmsize_t count) {
  (void)handle;
  (void)bytes;
  (void)count;
  return 0;
}

static toff_t client_seek(thandle_t handle, toff_t offset, int origin) {
  tiff_reader *reader = handle;
  switch (origin) {
    case SEEK_CUR: reader->position += offset; break;
    case SEEK_END: reader->position = reader->size + offset; break;
    default: reader->position = offset; break;
  }
  return reader->position;
}

static int client_close(thandle_t handle) {
  (void)handle;
  return 0;
}

static toff_t client_size(thandle_t handle) { return ((tiff_reader *)handle)->size; }

tiff_reader *tiff_reader_create(void *context, tiff_read_at read, uint64_t size) {
  tiff_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->context = context;
  reader->read = read;
  reader->size = size;
  return reader;
}

int tiff_reader_open(
    tiff_reader *reader, size_t memory, uint64_t directory, tiff_layout *layout) {
  TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
  if (options == NULL) return 1;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)memory);
  TIFFOpenOptionsSetErrorHandlerExtR(options, note_error, reader);
  TIFFOpenOptionsSetWarningHandlerExtR(options, note_warning, reader);
  // m: disables memory mapping of the file.
  reader->tiff = TIFFClientOpenExt(
      "input", "rm", reader, client_read, client_write, client_seek, client_close, client_size,
      NULL, NULL, options);
  TIFFOpenOptionsFree(options);
  if (reader->tiff == NULL) return 1;

  TIFF *tiff = reader->tiff;
  if (directory != 0 && TIFFCurrentDirOffset(tiff) != directory &&
      !TIFFSetSubDirectory(tiff, directory))
    return 1;
  reader->is_open = 1;
  uint16_t compression = COMPRESSION_NONE;
  uint16_t planar = PLANARCONFIG_CONTIG;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  if (compression == COMPRESSION_JPEG) {
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  } else if (compression == COMPRESSION_SGILOG || compression == COMPRESSION_SGILOG24) {
    TIFFSetField(tiff, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_FLOAT);
  }
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &layout->width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &layout->height);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &layout->samples_per_pixel);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &layout->bits_per_sample);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &planar);
  layout->is_planar = planar == PLANARCONFIG_SEPARATE;
  layout->is_tiled = TIFFIsTiled(tiff);
  layout->row_size = TIFFScanlineSize64(tiff);
  if (layout->is_tiled) {
    TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &layout->tile_width);
    TIFFGetField(tiff, TIFFTAG_TILELENGTH, &layout->tile_height);
    layout->chunk_size = TIFFTileSize64(tiff);
  } else {
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &layout->rows_per_strip);
    layout->chunk_size = TIFFStripSize64(tiff);
  }
  return 0;
}

// Whether coded data contain EOI.
static int has_end(const uint8_t *coded, tmsize_t count) {
  while (count >= 2 && (coded[count - 2] != 0xFF || coded[count - 1] != 0xD9)) count--;
  return count >= 2;
}

// Decodes a strip or tile; returns 0 on success.
//
// Some programs omit EOI of JPEG, which libtiff does not distinguish from data that are missing.
static int decode_chunk(tiff_reader *reader, uint32_t chunk, uint8_t *bytes, tmsize_t size) {
  TIFF *tiff = reader->tiff;
  const int is_tiled = TIFFIsTiled(tiff);
  uint16_t compression = COMPRESSION_NONE;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &compression);
  const uint64_t count = TIFFGetStrileByteCount(tiff, chunk);
  if (compression != COMPRESSION_JPEG || count == 0 || count > reader->size) {
    const tmsize_t decoded = is_tiled ? TIFFReadEncodedTile(tiff, chunk, bytes, size)
                                      : TIFFReadEncodedStrip(tiff, chunk, bytes, size);
    return decoded < 0 || reader->is_incomplete;
  }
  uint8_t *coded = malloc(count + 2);
  if (coded == NULL) return 1;
  const tmsize_t stored = is_tiled ? TIFFReadRawTile(tiff, chunk, coded, (tmsize_t)count)
                                   : TIFFReadRawStrip(tiff, chunk, coded, (tmsize_t)count);
  int is_decoded = 0;
  if (stored >= 0) {
    if (reader->warning[0] == 0 && !has_end(coded, stored)) {
      snprintf(reader->warning, message_capacity, "JPEG data without EOI");
    }
    coded[stored] = 0xFF;
    coded[stored + 1] = 0xD9;
    is_decoded = TIFFReadFromUserBuffer(tiff, chunk, coded, stored + 2, bytes, size);
  }
  free(coded);
  return !is_decoded || reader->is_incomplete;
}

int tiff_reader_row(tiff_reader *reader, uint32_t row, uint16_t plane, uint8_t *bytes) {
  return TIFFReadScanline(reader->tiff, bytes, row, plane) < 0 || reader->is_incomplete;
}

int tiff_reader_strip(
    tiff_reader *reader, uint32_t row, uint16_t plane, uint8_t *bytes, size_t capacity) {
  const uint32_t strip = TIFFComputeStrip(reader->tiff, row, plane);
  return decode_chunk(reader, strip, bytes, (tmsize_t)capacity);
}

int tiff_reader_tile(
    tiff_reader *reader, uint32_t x, uint32_t y, uint16_t plane, uint8_t *bytes,
    size_t capacity) {
  TIFF *tiff = reader->tiff;
  const uint32_t tile = TIFFComputeTile(tiff, x, y, 0, plane);
  if (decode_chunk(reader, tile, bytes, (tmsize_t)capacity) == 0) return 0;
  // Some programs do not pad the last tiles: they store only the rows within the image.
  uint32_t height = 0;
  uint32_t tile_height = 0;
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
  TIFFGetField(tiff, TIFFTAG_TILELENGTH, &tile_height);
  if (reader->is_incomplete || y >= height || height - y >= tile_height) return 1;
  const tmsize_t size = TIFFTileRowSize(tiff) * (tmsize_t)(height - y);
  if (size <= 0 || (size_t)size > capacity) return 1;
  char first[message_capacity];
  memcpy(first, reader->message, message_capacity);
  if (decode_chunk(reader, tile, bytes, size)) return 1;
  if (reader->warning[0] == 0) memcpy(reader->warning, first, message_capacity);
  reader->message[0] = 0;
  return 0;
}

const char *tiff_reader_message(const tiff_reader *reader) { return reader->message; }

const char *tiff_reader_warning(const tiff_reader *reader) { return reader->warning; }

void tiff_reader_free(tiff_reader *reader) {
  if (reader->tiff != NULL) TIFFClose(reader->tiff);
  free(reader);
}
#endif
