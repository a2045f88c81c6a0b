// SPDX-License-Identifier: Apache-2.0
#ifdef WITH_ISAL
#include "isal_deflate_shim.h"

#include <isa-l.h>
#include <stdlib.h>

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
#endif
