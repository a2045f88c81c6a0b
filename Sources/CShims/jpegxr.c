// SPDX-License-Identifier: Apache-2.0
#ifdef WITH_JPEGXR
#include "jpegxr_shim.h"

#include <jxrlib/windowsmediaphoto.h>
#include <stdlib.h>
#include <string.h>

enum {
  ROWS_OF_MACROBLOCK = 16,
  // jxrlib reads packets of 4096 bytes, two of them ahead.
  BYTES_AHEAD = 4 * 4096,
};

struct jpegxr_reader {
  uint8_t *bytes;
  size_t size;
  size_t position;
  int is_truncated;
  struct WMPStream stream;
  CWMImageInfo image;
  CWMIStrCodecParam parameters;
  CTXSTRCODEC codec;
  uint32_t rows_above;
  // Number of rows of macroblocks that jxrlib decoded; the first call yields none.
  unsigned int next;
};

static Bool stream_at_end(struct WMPStream *stream) {
  const jpegxr_reader *reader = stream->state.pvObj;
  return reader->position >= reader->size;
}

// Yields zeros after the end: jxrlib reads ahead, and does not check all results.
static ERR stream_read(struct WMPStream *stream, void *target, size_t count) {
  jpegxr_reader *reader = stream->state.pvObj;
  size_t available = reader->position < reader->size ? reader->size - reader->position : 0;
  size_t copied = count < available ? count : available;
  if (copied > 0) memcpy(target, reader->bytes + reader->position, copied);
  memset((uint8_t *)target + copied, 0, count - copied);
  reader->position += count;
  if (reader->position > reader->size + BYTES_AHEAD) reader->is_truncated = 1;
  return WMP_errSuccess;
}

static ERR stream_write(struct WMPStream *stream, const void *bytes, size_t count) {
  (void)stream, (void)bytes, (void)count;
  return WMP_errFileIO;
}

static ERR stream_set_position(struct WMPStream *stream, size_t position) {
  jpegxr_reader *reader = stream->state.pvObj;
  // jxrlib sets the position of each packet, also of those after the end that it reads ahead.
  size_t end = reader->size + BYTES_AHEAD;
  reader->position = position < end ? position : end;
  return WMP_errSuccess;
}

static ERR stream_get_position(struct WMPStream *stream, size_t *position) {
  const jpegxr_reader *reader = stream->state.pvObj;
  *position = reader->position;
  return WMP_errSuccess;
}

static ERR stream_close(struct WMPStream **stream) {
  (void)stream;
  return WMP_errSuccess;
}

jpegxr_reader *jpegxr_reader_create(const uint8_t *bytes, size_t size) {
  jpegxr_reader *reader = calloc(1, sizeof(*reader));
  if (reader == NULL) return NULL;
  reader->bytes = malloc(size > 0 ? size : 1);
  if (reader->bytes == NULL) {
    free(reader);
    return NULL;
  }
  memcpy(reader->bytes, bytes, size);
  reader->size = size;
  reader->stream.state.pvObj = reader;
  reader->stream.fMem = 1;
  reader->stream.Close = stream_close;
  reader->stream.EOS = stream_at_end;
  reader->stream.Read = stream_read;
  reader->stream.Write = stream_write;
  reader->stream.SetPos = stream_set_position;
  reader->stream.GetPos = stream_get_position;
  return reader;
}

static jpegxr_status status_of(const jpegxr_reader *reader, Int code) {
  if (reader->is_truncated) return JPEGXR_TRUNCATED;
  if (code == WMP_errOutOfMemory) return JPEGXR_OUT_OF_MEMORY;
  return code == ICERR_OK ? JPEGXR_OK : JPEGXR_REJECTED;
}

jpegxr_status jpegxr_reader_open(
    jpegxr_reader *reader, uint32_t bits_per_pixel, int has_alpha, uint32_t rows_above,
    jpegxr_layout *layout) {
  reader->parameters.pWStream = &reader->stream;
  // 2 for color and alpha, if the codestream has both.
  reader->parameters.uAlphaMode = has_alpha ? 2 : 0;
  Int code = ImageStrDecGetInfo(&reader->image, &reader->parameters);
  if (code != ICERR_OK) return status_of(reader, code);
  layout->width = reader->image.cWidth;
  layout->height = reader->image.cHeight;
  layout->color_format = (uint32_t)reader->image.cfColorFormat;
  // The library replaces the other polarity of black and white, and notes it in a parameter.
  layout->bit_depth = reader->parameters.bBlackWhite && reader->image.bdBitDepth == BD_1
                          ? (uint32_t)BD_1alt : (uint32_t)reader->image.bdBitDepth;
  reader->image.cBitsPerUnit = bits_per_pixel;
  reader->image.cLeadingPadding = 0;
  reader->image.bRGB = 1;
  // The container specifies the orientation; rows are decoded as stored.
  reader->image.oOrientation = O_NONE;
  reader->rows_above = rows_above;
  return status_of(reader, ImageStrDecInit(&reader->image, &reader->parameters, &reader->codec));
}

// Decodes a row of macroblocks; jxrlib stores the rows of the one before.
static jpegxr_status decode(jpegxr_reader *reader, uint8_t *rows, size_t stride) {
  CWMImageBufferInfo buffer = {0};
  // jxrlib adds the offset of a row from the top of the image, so that only addresses within `rows` result.
  uintptr_t first = 0;
  if (reader->next > 0) {
    size_t coded = (size_t)(reader->next - 1) * ROWS_OF_MACROBLOCK;
    if (coded > reader->rows_above) first = (coded - reader->rows_above) * stride;
  }
  buffer.pv = (void *)((uintptr_t)rows - first);
  buffer.cLine = ROWS_OF_MACROBLOCK;
  buffer.cbStride = stride;
  buffer.uiFirstMBRow = buffer.uiLastMBRow = reader->next;
  size_t decoded = 0;
  Int code = ImageStrDecDecode(reader->codec, &buffer, &decoded);
  reader->next += 1;
  return status_of(reader, code);
}

jpegxr_status jpegxr_reader_next(jpegxr_reader *reader, uint8_t *rows, size_t stride) {
  if (reader->codec == NULL) return JPEGXR_REJECTED;
  if (reader->next == 0) {
    jpegxr_status status = decode(reader, rows, stride);
    if (status != JPEGXR_OK) return status;
  }
  return decode(reader, rows, stride);
}

void jpegxr_reader_free(jpegxr_reader *reader) {
  if (reader == NULL) return;
  if (reader->codec != NULL) ImageStrDecTerm(reader->codec);
  free(reader->bytes);
  free(reader);
}

struct jpegxr_writer {
  // Bytes that were not taken yet.
  uint8_t *bytes;
  size_t size;
  size_t capacity;
  // Number of bytes before them.
  size_t taken;
  int is_out_of_memory;
  struct WMPStream stream;
  CWMImageInfo image;
  CWMIStrCodecParam parameters;
  CTXSTRCODEC codec;
};

static ERR sink_write(struct WMPStream *stream, const void *bytes, size_t count) {
  jpegxr_writer *writer = stream->state.pvObj;
  if (count > writer->capacity - writer->size) {
    size_t capacity = 2 * writer->capacity + count;
    uint8_t *larger = realloc(writer->bytes, capacity);
    if (larger == NULL) {
      writer->is_out_of_memory = 1;
      return WMP_errOutOfMemory;
    }
    writer->bytes = larger;
    writer->capacity = capacity;
  }
  memcpy(writer->bytes + writer->size, bytes, count);
  writer->size += count;
  return WMP_errSuccess;
}

static ERR sink_read(struct WMPStream *stream, void *target, size_t count) {
  (void)stream, (void)target, (void)count;
  return WMP_errFileIO;
}

static Bool sink_at_end(struct WMPStream *stream) {
  (void)stream;
  return 1;
}

static ERR sink_get_position(struct WMPStream *stream, size_t *position) {
  const jpegxr_writer *writer = stream->state.pvObj;
  *position = writer->taken + writer->size;
  return WMP_errSuccess;
}

// A codestream of one tile in spatial order is written from its start to its end.
static ERR sink_set_position(struct WMPStream *stream, size_t position) {
  const jpegxr_writer *writer = stream->state.pvObj;
  return position == writer->taken + writer->size ? WMP_errSuccess : WMP_errFileIO;
}

jpegxr_writer *jpegxr_writer_create(void) {
  jpegxr_writer *writer = calloc(1, sizeof(*writer));
  if (writer == NULL) return NULL;
  writer->stream.state.pvObj = writer;
  writer->stream.fMem = 1;
  writer->stream.Close = stream_close;
  writer->stream.EOS = sink_at_end;
  writer->stream.Read = sink_read;
  writer->stream.Write = sink_write;
  writer->stream.SetPos = sink_set_position;
  writer->stream.GetPos = sink_get_position;
  return writer;
}

static jpegxr_status written(const jpegxr_writer *writer, Int code) {
  if (writer->is_out_of_memory || code == WMP_errOutOfMemory) return JPEGXR_OUT_OF_MEMORY;
  return code == ICERR_OK ? JPEGXR_OK : JPEGXR_REJECTED;
}

jpegxr_status jpegxr_writer_open(
    jpegxr_writer *writer, uint32_t width, uint32_t height, int is_gray, uint8_t luma,
    uint8_t chroma) {
  size_t components = is_gray ? 1 : 3;
  writer->image.cWidth = width;
  writer->image.cHeight = height;
  writer->image.cfColorFormat = is_gray ? Y_ONLY : CF_RGB;
  writer->image.bdBitDepth = BD_16F;
  writer->image.cBitsPerUnit = 16 * components;
  writer->image.bRGB = 1;

  CWMIStrCodecParam *parameters = &writer->parameters;
  parameters->cfColorFormat = is_gray ? Y_ONLY : YUV_444;
  parameters->bdBitDepth = BD_LONG;
  parameters->bfBitstreamFormat = SPATIAL;
  parameters->olOverlap = OL_ONE;
  parameters->cChannel = components;
  parameters->sbSubband = SB_ALL;
  parameters->uiDefaultQPIndex = parameters->uiDefaultQPIndexYLP = luma;
  parameters->uiDefaultQPIndexYHP = luma;
  parameters->uiDefaultQPIndexU = parameters->uiDefaultQPIndexULP = chroma;
  parameters->uiDefaultQPIndexUHP = chroma;
  parameters->uiDefaultQPIndexV = parameters->uiDefaultQPIndexVLP = chroma;
  parameters->uiDefaultQPIndexVHP = chroma;
  parameters->pWStream = &writer->stream;
  Int code = ImageStrEncInit(&writer->image, parameters, &writer->codec);
  if (code != ICERR_OK) writer->codec = NULL;
  return written(writer, code);
}

jpegxr_status jpegxr_writer_next(
    jpegxr_writer *writer, const uint16_t *rows, uint32_t count, size_t stride) {
  CWMImageBufferInfo buffer = {0};
  // The encoder does not change the samples.
  buffer.pv = (void *)(uintptr_t)rows;
  buffer.cLine = count;
  buffer.cbStride = stride;
  return written(writer, ImageStrEncEncode(writer->codec, &buffer));
}

jpegxr_status jpegxr_writer_finish(jpegxr_writer *writer) {
  Int code = ImageStrEncTerm(writer->codec);
  writer->codec = NULL;
  return written(writer, code);
}

const uint8_t *jpegxr_writer_bytes(const jpegxr_writer *writer, size_t *size) {
  *size = writer->size;
  return writer->bytes;
}

void jpegxr_writer_discard(jpegxr_writer *writer) {
  writer->taken += writer->size;
  writer->size = 0;
}

void jpegxr_writer_free(jpegxr_writer *writer) {
  if (writer == NULL) return;
  if (writer->codec != NULL) ImageStrEncTerm(writer->codec);
  free(writer->bytes);
  free(writer);
}
#endif
