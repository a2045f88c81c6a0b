// SPDX-License-Identifier: Apache-2.0
// Inflates zlib streams piece by piece with ISA-L, in half of the time of zlib.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Copies up to `capacity` further bytes of the stream to `bytes`, and returns their number: 0 at
// the end, -1 for an error.
typedef ptrdiff_t (*inflate_read_next)(
    void *_Nonnull context, uint8_t *_Nonnull bytes, size_t capacity);

typedef struct inflate_reader inflate_reader;

// Returns NULL if memory allocation fails. The context must live until the reader is freed.
inflate_reader *_Nullable inflate_create(
    void *_Nonnull context, inflate_read_next _Nonnull read, size_t largest_request);
// Returns the next `count` bytes of the output, at most `largest_request`, which are valid until the
// next call; NULL if the stream is not valid or ends before.
const uint8_t *_Nullable inflate_next(inflate_reader *_Nonnull reader, size_t count);
// Returns 1 if the stream and its input end exactly here, and the checksum is right; otherwise 0.
int inflate_finish(inflate_reader *_Nonnull reader);
void inflate_free(inflate_reader *_Nonnull reader);
