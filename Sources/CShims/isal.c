// SPDX-License-Identifier: Apache-2.0
#ifdef WITH_ISAL
#include "isal_shim.h"

#include <isa-l.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(number) #number
#define VERSION(major, minor, patch) "ISA-L " TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *isal_deflater_library(void) {
  return VERSION(ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION);
}

// Level 3 takes longer, and makes most photos larger.
enum { level = 2, level_memory = ISAL_DEF_LVL2_LARGE };

struct isal_deflater {
  struct isal_zstream stream;
  uint8_t memory[level_memory];
};

struct isal_deflater *isal_deflater_create(void) {
  return calloc(1, sizeof(struct isal_deflater));
}

void isal_deflater_free(struct isal_deflater *deflater) { free(deflater); }

// Bytes that form a block of their own: where history is empty, ISA-L (2.30) hashes the address of its stream instead
// of the third byte, so that equal bytes rarely (26 of a million streams) give another one. It does not if history exists.
enum { first_count = 16 };

// Compresses bytes; 0 if their stream does not fit.
static int compress(struct isal_zstream *stream, const uint8_t *bytes, size_t count, int is_last) {
  stream->next_in = (uint8_t *)bytes;
  stream->avail_in = (uint32_t)count;
  stream->end_of_stream = is_last != 0;
  // The stream is complete if there is room left.
  return isal_deflate(stream) == COMP_OK && stream->avail_in == 0 && stream->avail_out != 0;
}

size_t isal_deflater_compress(
    struct isal_deflater *deflater, const uint8_t *bytes, size_t count, int is_last,
    uint8_t *target, size_t capacity) {
  if (count > UINT32_MAX || capacity > UINT32_MAX) return 0;
  struct isal_zstream *stream = &deflater->stream;
  isal_deflate_init(stream);
  stream->level = level;
  stream->level_buf = deflater->memory;
  stream->level_buf_size = level_memory;
  stream->next_out = target;
  stream->avail_out = (uint32_t)capacity;
  stream->flush = SYNC_FLUSH;
  const size_t first = count > first_count ? first_count : 0;
  if (first != 0 && !compress(stream, bytes, first, 0)) return 0;
  return compress(stream, bytes + first, count - first, is_last) ? stream->total_out : 0;
}

// Source of the format: RFC 1950.

enum {
  input_capacity = 1 << 16,
  // Bytes that are inflated at once, so that the end of a piece, which ISA-L copies, is a small part.
  output_block = 3 << 16,
};

struct inflate_reader {
  void *context;
  inflate_read_next read;
  // Whether all input was read.
  int is_last;
  int is_begun;
  int is_valid;
  struct inflate_state state;
  // Output; bytes from `taken` to `filled` are still to be taken.
  uint8_t *output;
  size_t capacity;
  size_t taken;
  size_t filled;
  uint8_t input[input_capacity];
};

inflate_reader *inflate_create(void *context, inflate_read_next read, size_t largest_request) {
  if (largest_request > UINT32_MAX - output_block) return NULL;
  inflate_reader *reader = malloc(sizeof *reader);
  if (reader == NULL) return NULL;
  const size_t capacity = largest_request + output_block;
  uint8_t *const output = malloc(capacity);
  if (output == NULL) {
    free(reader);
    return NULL;
  }
  reader->context = context;
  reader->read = read;
  reader->is_last = reader->is_begun = 0;
  reader->is_valid = 1;
  reader->output = output;
  reader->capacity = capacity;
  reader->taken = reader->filled = 0;
  isal_inflate_init(&reader->state);
  // ISA-L 2.30 does not find a checksum that it receives in two pieces.
  reader->state.crc_flag = ISAL_ZLIB_NO_HDR;
  return reader;
}

void inflate_free(inflate_reader *reader) {
  free(reader->output);
  free(reader);
}

static int is_finished(const inflate_reader *reader) {
  return reader->state.block_state == ISAL_BLOCK_FINISH;
}

// Reads further input once all was used; 0 if reading fails.
static int fetch(inflate_reader *reader) {
  if (reader->state.avail_in > 0 || reader->is_last) return 1;
  const ptrdiff_t count = reader->read(reader->context, reader->input, input_capacity);
  if (count < 0 || count > input_capacity) return 0;
  reader->is_last = count == 0;
  reader->state.next_in = reader->input;
  reader->state.avail_in = (uint32_t)count;
  return 1;
}

// Returns the next byte of the input; -1 at its end, or if reading fails.
static int next_byte(inflate_reader *reader) {
  struct inflate_state *const state = &reader->state;
  // ISA-L has read up to eight bytes ahead.
  if (state->read_in_length >= 8) {
    const int byte = (int)(state->read_in >> (state->read_in_length % 8) & 0xFF);
    state->read_in >>= 8;
    state->read_in_length -= 8;
    return byte;
  }
  if (!fetch(reader) || state->avail_in == 0) return -1;
  state->avail_in--;
  return *state->next_in++;
}

// Reads the header of the stream; 0 if it is not valid.
static int begin(inflate_reader *reader) {
  if (reader->is_begun) return 1;
  reader->is_begun = 1;
  const int method = next_byte(reader);
  const int flags = next_byte(reader);
  const int preset_dictionary = 0x20;
  // As in zlib, matches may begin before a window that is declared too small.
  return method >= 0 && flags >= 0 && (method << 8 | flags) % 31 == 0 && (method & 15) == 8
      && method >> 4 <= 7 && (flags & preset_dictionary) == 0;
}

// Inflates up to `count` bytes to the end of the output; 0 if the stream is not valid or ends.
static int advance(inflate_reader *reader, size_t count) {
  struct inflate_state *const state = &reader->state;
  if (!reader->is_valid || is_finished(reader)) return 0;
  reader->is_valid = begin(reader) && fetch(reader);
  if (!reader->is_valid) return 0;
  const uint32_t available = state->avail_in;
  state->next_out = reader->output + reader->filled;
  state->avail_out = (uint32_t)count;
  reader->is_valid = isal_inflate(state) == ISAL_DECOMP_OK;
  const size_t inflated = count - state->avail_out;
  reader->filled += inflated;
  return reader->is_valid
      && (state->avail_in < available || inflated > 0 || is_finished(reader));
}

const uint8_t *inflate_next(inflate_reader *reader, size_t count) {
  if (reader->filled - reader->taken < count) {
    if (count > reader->capacity) return NULL;
    reader->filled -= reader->taken;
    memmove(reader->output, reader->output + reader->taken, reader->filled);
    reader->taken = 0;
    while (reader->filled < count)
      if (!advance(reader, reader->capacity - reader->filled) && reader->filled < count)
        return NULL;
  }
  const uint8_t *const bytes = reader->output + reader->taken;
  reader->taken += count;
  return bytes;
}

int inflate_finish(inflate_reader *reader) {
  if (reader->filled != reader->taken) return 0;
  reader->filled = reader->taken = 0;
  // After the last request, a valid stream is complete.
  while (!is_finished(reader))
    if (!advance(reader, 1) || reader->filled > 0) return 0;
  if (!reader->is_valid) return 0;
  for (int shift = 24; shift >= 0; shift -= 8)
    if (next_byte(reader) != (int)(reader->state.crc >> shift & 0xFF)) return 0;
  return next_byte(reader) < 0 && reader->is_last;
}
#endif
