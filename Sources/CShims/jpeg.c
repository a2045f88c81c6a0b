// SPDX-License-Identifier: Apache-2.0
#ifdef WITH_JPEG
#include "jpeg_shim.h"

#include <stdio.h>
// jpeglib.h requires stdio.h.
#include <jpeglib.h>

#include <jerror.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "jpeg_huffman.h"

enum {
  input_capacity = 1 << 16,
  // Progressive files of cameras and encoders have about ten scans; a higher number only costs
  // time.
  most_scans = 500,
  most_rows = 8 * MAX_SAMP_FACTOR
};

typedef struct failure {
  struct jpeg_error_mgr base;
  jmp_buf jump;
  char message[JMSG_LENGTH_MAX];
  // The first warning; empty without one.
  char warning[JMSG_LENGTH_MAX];
} failure;

static void fail(j_common_ptr codec) {
  failure *failure = (struct failure *)codec->err;
  codec->err->format_message(codec, failure->message);
  longjmp(failure->jump, 1);
}

static void note(j_common_ptr codec, int level) {
  if (level >= 0) return;
  const int code = codec->err->msg_code;
  // Of libjpeg's warnings, only these leave samples without data.
  if (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER) fail(codec);
  failure *failure = (struct failure *)codec->err;
  if (failure->warning[0] == 0) codec->err->format_message(codec, failure->warning);
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

// Rows and columns of a decoded block of a component; 8 unless the image is reduced.
static int block_side(const jpeg_component_info *component) {
#if JPEG_LIB_VERSION >= 70
  return component->DCT_h_scaled_size;
#else
  return component->DCT_scaled_size;
#endif
}

static JDIMENSION rounded_up(JDIMENSION count, int factor) {
  return (count + (JDIMENSION)factor - 1) / (JDIMENSION)factor * (JDIMENSION)factor;
}

int jpeg_reader_begin(jpeg_reader *reader, int reduction, jpeg_layout *layout) {
  if (setjmp(reader->failure.jump)) return 1;
  struct jpeg_decompress_struct *codec = &reader->codec;
  jpeg_read_header(codec, TRUE);
  codec->scale_num = (unsigned)(8 / reduction);
  codec->scale_denom = 8;
  jpeg_calc_output_dimensions(codec);
  layout->width = (int)codec->output_width;
  layout->height = (int)codec->output_height;
  layout->components = codec->num_components;
  switch (codec->jpeg_color_space) {
    case JCS_GRAYSCALE: layout->color_space = 1; break;
    case JCS_RGB: layout->color_space = 2; break;
    case JCS_YCbCr: layout->color_space = 3; break;
    case JCS_CMYK: layout->color_space = 4; break;
    case JCS_YCCK: layout->color_space = 5; break;
    default: layout->color_space = 0; break;
  }
  layout->coefficient_memory = 0;
  for (int index = 0; index < codec->num_components && index < 3; index++) {
    const jpeg_component_info *component = &codec->comp_info[index];
    const int side = block_side(component);
    layout->horizontal_sampling[index] = component->h_samp_factor * side * reduction / 8;
    layout->vertical_sampling[index] = component->v_samp_factor * side * reduction / 8;
    layout->row_length[index] = (int)component->width_in_blocks * side;
    layout->row_count[index] = component->v_samp_factor * side;
    if (jpeg_has_multiple_scans(codec)) {
      layout->coefficient_memory += sizeof(JBLOCK) *
          rounded_up(component->width_in_blocks, component->h_samp_factor) *
          rounded_up(component->height_in_blocks, component->v_samp_factor);
    }
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

// Reads the next row of blocks into rows that libjpeg does not write unless components are needed.
static int read_blocks(struct jpeg_decompress_struct *codec, JSAMPARRAY *rows) {
  const JDIMENSION wanted = (JDIMENSION)codec->max_v_samp_factor * codec->scale_num;
  return jpeg_read_raw_data(codec, rows, wanted) != wanted;
}

int jpeg_reader_skip_blocks(jpeg_reader *reader) {
  if (setjmp(reader->failure.jump)) return 1;
  struct jpeg_decompress_struct *codec = &reader->codec;
  JSAMPROW rows[3][most_rows] = {{NULL}};
  JSAMPARRAY arrays[3] = {rows[0], rows[1], rows[2]};
  for (int index = 0; index < codec->num_components; index++)
    codec->comp_info[index].component_needed = FALSE;
  const int failed = read_blocks(codec, arrays);
  for (int index = 0; index < codec->num_components; index++)
    codec->comp_info[index].component_needed = TRUE;
  return failed;
}

int jpeg_reader_blocks(jpeg_reader *reader, const jpeg_plane *planes) {
  if (setjmp(reader->failure.jump)) return 1;
  struct jpeg_decompress_struct *codec = &reader->codec;
  JSAMPROW rows[3][most_rows];
  JSAMPARRAY arrays[3] = {rows[0], rows[1], rows[2]};
  for (int index = 0; index < codec->num_components; index++) {
    const jpeg_component_info *component = &codec->comp_info[index];
    const int count = component->v_samp_factor * block_side(component);
    for (int y = 0; y < count; y++) {
      rows[index][y] = planes[index].samples + planes[index].row_stride * (size_t)y;
    }
  }
  return read_blocks(codec, arrays);
}

int jpeg_reader_rgb_row(jpeg_reader *reader, uint8_t *row) {
  if (setjmp(reader->failure.jump)) return 1;
  JSAMPROW rows[1] = {row};
  return jpeg_read_scanlines(&reader->codec, rows, 1) != 1;
}

const char *jpeg_reader_message(const jpeg_reader *reader) { return reader->failure.message; }

const char *jpeg_reader_warning(const jpeg_reader *reader) { return reader->failure.warning; }

void jpeg_reader_free(jpeg_reader *reader) {
  jpeg_destroy_decompress(&reader->codec);
  free(reader);
}

struct jpeg_writer {
  struct jpeg_compress_struct codec;
  failure failure;
  // The file with codes of eight bits, which then become optimal.
  unsigned char *bytes;
  unsigned long count;
  jpeg_scan scan;
  uint8_t *optimized;
};

// Stores the address of the output, which libjpeg moves as it grows: in files that are not finished as well.
static void end_output(struct jpeg_compress_struct *codec) {
  if (codec->dest != NULL) codec->dest->term_destination(codec);
}

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

// Makes each symbol its own code.
static void set_byte_codes(JHUFF_TBL *table, int symbols) {
  memset(table->bits, 0, sizeof table->bits);
  table->bits[8] = (UINT8)symbols;
  for (int symbol = 0; symbol < symbols; symbol++) table->huffval[symbol] = (UINT8)symbol;
}

static jpeg_scan scan_of(const struct jpeg_compress_struct *codec) {
  const JDIMENSION across = 8 * (JDIMENSION)codec->comp_info[0].h_samp_factor;
  const JDIMENSION down = 8 * (JDIMENSION)codec->comp_info[0].v_samp_factor;
  jpeg_scan scan = {
      .unit_count = (size_t)((codec->image_width + across - 1) / across)
          * ((codec->image_height + down - 1) / down)};
  for (int index = 0; index < codec->num_components; index++) {
    const jpeg_component_info *component = &codec->comp_info[index];
    for (int i = 0; i < component->h_samp_factor * component->v_samp_factor; i++)
      scan.tables[scan.block_count++] = (uint8_t)component->dc_tbl_no;
  }
  return scan;
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
  for (int index = 0; index < 2; index++) {
    set_byte_codes(codec->dc_huff_tbl_ptrs[index], jpeg_dc_symbols);
    set_byte_codes(codec->ac_huff_tbl_ptrs[index], jpeg_ac_symbols);
  }
  codec->raw_data_in = TRUE;
  codec->comp_info[0].h_samp_factor = horizontal_subsampling;
  codec->comp_info[0].v_samp_factor = vertical_subsampling;
  writer->scan = scan_of(codec);
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
  writer->codec.dest = NULL;
  uint8_t *padded = realloc(writer->bytes, writer->count + jpeg_padding);
  if (padded != NULL) {
    writer->bytes = padded;
    writer->optimized = jpeg_optimize_codes(padded, writer->count, &writer->scan, count);
  }
  *bytes = writer->optimized;
  if (writer->optimized != NULL) return 0;
  snprintf(writer->failure.message, sizeof writer->failure.message, "Huffman codes not optimized");
  return 1;
}

const char *jpeg_writer_message(const jpeg_writer *writer) { return writer->failure.message; }

void jpeg_writer_free(jpeg_writer *writer) {
  end_output(&writer->codec);
  jpeg_destroy_compress(&writer->codec);
  free(writer->bytes);
  free(writer->optimized);
  free(writer);
}

struct jpeg_rotator {
  struct jpeg_decompress_struct reader;
  struct jpeg_compress_struct writer;
  struct jpeg_progress_mgr progress;
  failure failure;
  unsigned char *bytes;
  unsigned long count;
};

jpeg_rotator *jpeg_rotator_create(void) {
  jpeg_rotator *rotator = calloc(1, sizeof *rotator);
  if (rotator == NULL) return NULL;
  rotator->reader.err = rotator->writer.err = prepared(&rotator->failure);
  if (setjmp(rotator->failure.jump)) {
    jpeg_rotator_free(rotator);
    return NULL;
  }
  jpeg_create_decompress(&rotator->reader);
  jpeg_create_compress(&rotator->writer);
  rotator->progress.progress_monitor = watch;
  rotator->reader.progress = &rotator->progress;
  return rotator;
}

// A cosine with an odd number of half waves changes sign if its side is reversed.
static void rotate_block(const JCOEF *from, JCOEF *to, const jpeg_rotation *rotation) {
  for (int row = 0; row < DCTSIZE; row++) {
    for (int column = 0; column < DCTSIZE; column++) {
      const JCOEF old =
          from[rotation->transposes ? DCTSIZE * column + row : DCTSIZE * row + column];
      const int is_odd =
          ((rotation->reverses_columns ? column : 0) ^ (rotation->reverses_rows ? row : 0)) & 1;
      to[DCTSIZE * row + column] = (JCOEF)(is_odd ? -old : old);
    }
  }
}

static void rotate_component(
    jpeg_rotator *rotator, jvirt_barray_ptr source, jvirt_barray_ptr target, JDIMENSION columns,
    JDIMENSION rows, const jpeg_rotation *rotation) {
  const j_common_ptr reader = (j_common_ptr)&rotator->reader;
  const j_common_ptr writer = (j_common_ptr)&rotator->writer;
  for (JDIMENSION y = 0; y < rows; y++) {
    const JBLOCKROW row = writer->mem->access_virt_barray(writer, target, y, 1, TRUE)[0];
    const JDIMENSION old_y = rotation->reverses_rows ? rows - 1 - y : y;
    for (JDIMENSION x = 0; x < columns; x++) {
      const JDIMENSION old_x = rotation->reverses_columns ? columns - 1 - x : x;
      const JDIMENSION line = rotation->transposes ? old_x : old_y;
      const JDIMENSION place = rotation->transposes ? old_y : old_x;
      rotate_block(
          reader->mem->access_virt_barray(reader, source, line, 1, FALSE)[0][place], row[x], rotation);
    }
  }
}

static void transpose_tables(struct jpeg_compress_struct *writer) {
  for (int index = 0; index < NUM_QUANT_TBLS; index++) {
    if (writer->quant_tbl_ptrs[index] == NULL) continue;
    UINT16 *steps = writer->quant_tbl_ptrs[index]->quantval;
    for (int row = 0; row < DCTSIZE; row++) {
      for (int column = 0; column < row; column++) {
        const UINT16 step = steps[DCTSIZE * row + column];
        steps[DCTSIZE * row + column] = steps[DCTSIZE * column + row];
        steps[DCTSIZE * column + row] = step;
      }
    }
  }
}

int jpeg_rotator_run(
    jpeg_rotator *rotator, const uint8_t *bytes, size_t count, const jpeg_rotation *rotation,
    const uint8_t **rotated, size_t *rotated_count) {
  if (setjmp(rotator->failure.jump)) return 1;
  struct jpeg_decompress_struct *reader = &rotator->reader;
  struct jpeg_compress_struct *writer = &rotator->writer;
  jpeg_mem_src(reader, bytes, (unsigned long)count);
  jpeg_read_header(reader, TRUE);
  jvirt_barray_ptr *source = jpeg_read_coefficients(reader);
  jpeg_mem_dest(writer, &rotator->bytes, &rotator->count);
  jpeg_copy_critical_parameters(reader, writer);
  // The caller copies the JFIF and Adobe segments of the file.
  writer->write_JFIF_header = writer->write_Adobe_marker = FALSE;
  writer->optimize_coding = TRUE;
  if (reader->progressive_mode) jpeg_simple_progression(writer);
  if (rotation->transposes) {
    writer->image_width = reader->image_height;
    writer->image_height = reader->image_width;
    transpose_tables(writer);
  }
  jvirt_barray_ptr target[MAX_COMPONENTS];
  JDIMENSION columns[MAX_COMPONENTS], rows[MAX_COMPONENTS];
  for (int index = 0; index < writer->num_components; index++) {
    const jpeg_component_info *old = &reader->comp_info[index];
    jpeg_component_info *new = &writer->comp_info[index];
    columns[index] = rotation->transposes ? old->height_in_blocks : old->width_in_blocks;
    rows[index] = rotation->transposes ? old->width_in_blocks : old->height_in_blocks;
    new->h_samp_factor = rotation->transposes ? old->v_samp_factor : old->h_samp_factor;
    new->v_samp_factor = rotation->transposes ? old->h_samp_factor : old->v_samp_factor;
    target[index] = writer->mem->request_virt_barray(
        (j_common_ptr)writer, JPOOL_IMAGE, TRUE, rounded_up(columns[index], new->h_samp_factor),
        rounded_up(rows[index], new->v_samp_factor), (JDIMENSION)new->v_samp_factor);
  }
  writer->mem->realize_virt_arrays((j_common_ptr)writer);
  for (int index = 0; index < writer->num_components; index++) {
    rotate_component(rotator, source[index], target[index], columns[index], rows[index], rotation);
  }
  jpeg_write_coefficients(writer, target);
  jpeg_finish_compress(writer);
  jpeg_finish_decompress(reader);
  *rotated = rotator->bytes;
  *rotated_count = (size_t)rotator->count;
  return 0;
}

const char *jpeg_rotator_message(const jpeg_rotator *rotator) { return rotator->failure.message; }

void jpeg_rotator_free(jpeg_rotator *rotator) {
  end_output(&rotator->writer);
  jpeg_destroy_compress(&rotator->writer);
  jpeg_destroy_decompress(&rotator->reader);
  free(rotator->bytes);
  free(rotator);
}
#endif
