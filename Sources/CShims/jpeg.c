#ifdef WITH_JPEG
#include "jpeg_shim.h"

#include <stdio.h>
// jpeglib.h needs stdio.h before it.
#include <jpeglib.h>

#include <jerror.h>
#include <setjmp.h>
#include <stdlib.h>

enum {
  input_capacity = 1 << 16,
  // Progressive files of cameras and encoders have about ten; more than these only cost time.
  most_scans = 500,
  most_rows = 8 * MAX_SAMP_FACTOR
};

typedef struct failure {
  struct jpeg_error_mgr base;
  jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
} failure;

static void fail(j_common_ptr codec) {
  failure *failure = (struct failure *)codec->err;
  codec->err->format_message(codec, failure->message);
  longjmp(failure->jump, 1);
}

static void note(j_common_ptr codec, int level) {
  if (level >= 0) return;
  const int code = codec->err->msg_code;
  // Of all that is merely odd, only these leave samples without data.
  if (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER) fail(codec);
}

static struct jpeg_error_mgr *prepared(failure *failure) {
  jpeg_std_error(&failure->base);
  failure->base.error_exit = fail;
  failure->base.emit_message = note;
  return &failure->base;
}

#ifdef LIBJPEG_TURBO_VERSION
#define STRING_OF(tokens) #tokens
#define EXPANDED_STRING_OF(tokens) STRING_OF(tokens)
#define LIBRARY "libjpeg-turbo " EXPANDED_STRING_OF(LIBJPEG_TURBO_VERSION)
#else
#define LIBRARY "libjpeg"
#endif

const char *jpeg_library(void) { return LIBRARY; }

struct jpeg_reader {
  struct jpeg_decompress_struct codec;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  failure failure;
  void *context;
  jpeg_read_next read;
  uint8_t input[input_capacity];
};

static void source_begin(j_decompress_ptr codec) { (void)codec; }

static boolean source_fill(j_decompress_ptr codec) {
  jpeg_reader *reader = (jpeg_reader *)codec->client_data;
  const ptrdiff_t count = reader->read(reader->context, reader->input, input_capacity);
  if (count <= 0) ERREXIT(codec, JERR_INPUT_EOF);
  codec->src->next_input_byte = reader->input;
  codec->src->bytes_in_buffer = (size_t)count;
  return TRUE;
}

static void source_skip(j_decompress_ptr codec, long count) {
  while (count > (long)codec->src->bytes_in_buffer) {
    count -= (long)codec->src->bytes_in_buffer;
    source_fill(codec);
  }
  if (count <= 0) return;
  codec->src->next_input_byte += count;
  codec->src->bytes_in_buffer -= (size_t)count;
}

static void source_end(j_decompress_ptr codec) { (void)codec; }

static void watch(j_common_ptr codec) {
  if (((j_decompress_ptr)codec)->input_scan_number > most_scans) {
    failure *failure = (struct failure *)codec->err;
    snprintf(failure->message, sizeof failure->message, "more than %d scans", most_scans);
    longjmp(failure->jump, 1);
  }
}

jpeg_reader *jpeg_reader_create(void *context, jpeg_read_next read) {
  jpeg_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->context = context;
  reader->read = read;
  reader->codec.err = prepared(&reader->failure);
  if (setjmp(reader->failure.jump)) {
    jpeg_reader_free(reader);
    return NULL;
  }
  jpeg_create_decompress(&reader->codec);
  reader->codec.client_data = reader;
  reader->source.init_source = source_begin;
  reader->source.fill_input_buffer = source_fill;
  reader->source.skip_input_data = source_skip;
  reader->source.resync_to_restart = jpeg_resync_to_restart;
  reader->source.term_source = source_end;
  reader->codec.src = &reader->source;
  reader->progress.progress_monitor = watch;
  reader->codec.progress = &reader->progress;
  return reader;
}

int jpeg_reader_begin(jpeg_reader *reader, jpeg_layout *layout) {
  if (setjmp(reader->failure.jump)) return 1;
  struct jpeg_decompress_struct *codec = &reader->codec;
  jpeg_read_header(codec, TRUE);
  layout->width = (int)codec->image_width;
  layout->height = (int)codec->image_height;
  layout->components = codec->num_components;
  switch (codec->jpeg_color_space) {
    case JCS_GRAYSCALE: layout->color_space = 1; break;
    case JCS_RGB: layout->color_space = 2; break;
    case JCS_YCbCr: layout->color_space = 3; break;
    case JCS_CMYK: layout->color_space = 4; break;
    case JCS_YCCK: layout->color_space = 5; break;
    default: layout->color_space = 0; break;
  }
  layout->is_buffered = jpeg_has_multiple_scans(codec);
  for (int index = 0; index < codec->num_components && index < 3; index++) {
    layout->horizontal_sampling[index] = codec->comp_info[index].h_samp_factor;
    layout->vertical_sampling[index] = codec->comp_info[index].v_samp_factor;
  }
  return 0;
}

int jpeg_reader_start(jpeg_reader *reader, int as_planes) {
  if (setjmp(reader->failure.jump)) return 1;
  reader->codec.raw_data_out = as_planes ? TRUE : FALSE;
  reader->codec.out_color_space = as_planes ? reader->codec.jpeg_color_space : JCS_RGB;
  jpeg_start_decompress(&reader->codec);
  return 0;
}

int jpeg_reader_blocks(jpeg_reader *reader, const jpeg_plane *planes) {
  if (setjmp(reader->failure.jump)) return 1;
  struct jpeg_decompress_struct *codec = &reader->codec;
  JSAMPROW rows[3][most_rows];
  JSAMPARRAY arrays[3] = {rows[0], rows[1], rows[2]};
  for (int index = 0; index < codec->num_components; index++) {
    const int count = 8 * codec->comp_info[index].v_samp_factor;
    for (int y = 0; y < count; y++) {
      rows[index][y] = planes[index].samples + planes[index].row_stride * (size_t)y;
    }
  }
  const JDIMENSION wanted = (JDIMENSION)(8 * codec->max_v_samp_factor);
  return jpeg_read_raw_data(codec, arrays, wanted) != wanted;
}

int jpeg_reader_rgb_row(jpeg_reader *reader, uint8_t *row) {
  if (setjmp(reader->failure.jump)) return 1;
  JSAMPROW rows[1] = {row};
  return jpeg_read_scanlines(&reader->codec, rows, 1) != 1;
}

const char *jpeg_reader_message(const jpeg_reader *reader) { return reader->failure.message; }

void jpeg_reader_free(jpeg_reader *reader) {
  jpeg_destroy_decompress(&reader->codec);
  free(reader);
}

struct jpeg_writer {
  struct jpeg_compress_struct codec;
  failure failure;
  unsigned char *bytes;
  unsigned long count;
};

jpeg_writer *jpeg_writer_create(void) {
  jpeg_writer *writer = calloc(1, sizeof *writer);
  if (writer == NULL) return NULL;
  writer->codec.err = prepared(&writer->failure);
  if (setjmp(writer->failure.jump)) {
    jpeg_writer_free(writer);
    return NULL;
  }
  jpeg_create_compress(&writer->codec);
  return writer;
}

int jpeg_writer_begin(
    jpeg_writer *writer, int width, int height, int components, int horizontal_subsampling,
    int vertical_subsampling, const uint16_t *luma, const uint16_t *chroma) {
  if (setjmp(writer->failure.jump)) return 1;
  struct jpeg_compress_struct *codec = &writer->codec;
  jpeg_mem_dest(codec, &writer->bytes, &writer->count);
  codec->image_width = (JDIMENSION)width;
  codec->image_height = (JDIMENSION)height;
  codec->input_components = components;
  codec->in_color_space = components == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
  jpeg_set_defaults(codec);
  const uint16_t *tables[2] = {luma, chroma};
  for (int index = 0; index < 2; index++) {
    unsigned int steps[DCTSIZE2];
    for (int place = 0; place < DCTSIZE2; place++) steps[place] = tables[index][place];
    jpeg_add_quant_table(codec, index, steps, 100, TRUE);
  }
  codec->optimize_coding = TRUE;
  codec->raw_data_in = TRUE;
  codec->comp_info[0].h_samp_factor = horizontal_subsampling;
  codec->comp_info[0].v_samp_factor = vertical_subsampling;
  jpeg_start_compress(codec, TRUE);
  return 0;
}

int jpeg_writer_blocks(jpeg_writer *writer, const jpeg_plane *planes) {
  if (setjmp(writer->failure.jump)) return 1;
  struct jpeg_compress_struct *codec = &writer->codec;
  JSAMPROW rows[3][most_rows];
  JSAMPARRAY arrays[3] = {rows[0], rows[1], rows[2]};
  for (int index = 0; index < codec->num_components; index++) {
    const int count = 8 * codec->comp_info[index].v_samp_factor;
    for (int y = 0; y < count; y++) {
      rows[index][y] = planes[index].samples + planes[index].row_stride * (size_t)y;
    }
  }
  const JDIMENSION wanted = (JDIMENSION)(8 * codec->comp_info[0].v_samp_factor);
  return jpeg_write_raw_data(codec, arrays, wanted) != wanted;
}

int jpeg_writer_finish(jpeg_writer *writer, const uint8_t **bytes, size_t *count) {
  if (setjmp(writer->failure.jump)) return 1;
  jpeg_finish_compress(&writer->codec);
  *bytes = writer->bytes;
  *count = (size_t)writer->count;
  return 0;
}

const char *jpeg_writer_message(const jpeg_writer *writer) { return writer->failure.message; }

void jpeg_writer_free(jpeg_writer *writer) {
  jpeg_destroy_compress(&writer->codec);
  free(writer->bytes);
  free(writer);
}
#endif
