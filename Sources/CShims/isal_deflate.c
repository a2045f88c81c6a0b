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

size_t isal_deflater_compress(
    struct isal_deflater *deflater, const uint8_t *bytes, size_t count, int is_last,
    uint8_t *target, size_t capacity) {
  if (count > UINT32_MAX || capacity > UINT32_MAX) return 0;
  struct isal_zstream *stream = &deflater->stream;
  isal_deflate_init(stream);
  stream->level = level;
  stream->level_buf = deflater->memory;
  stream->level_buf_size = level_memory;
  stream->next_in = (uint8_t *)bytes;
  stream->avail_in = (uint32_t)count;
  stream->next_out = target;
  stream->avail_out = (uint32_t)capacity;
  stream->end_of_stream = is_last != 0;
  stream->flush = SYNC_FLUSH;
  // The stream is complete if there is room left.
  if (isal_deflate(stream) != COMP_OK || stream->avail_in != 0 || stream->avail_out == 0) return 0;
  return stream->total_out;
}
#endif
