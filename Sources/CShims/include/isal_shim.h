// SPDX-License-Identifier: Apache-2.0
// Compression by ISA-L, which is several times as fast as libdeflate and zlib.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Name and version of the library; static.
const char *_Nonnull isal_deflater_library(void);

// A compressor, which one thread uses at a time; NULL without memory.
struct isal_deflater;
struct isal_deflater *_Nullable isal_deflater_create(void);
void isal_deflater_free(struct isal_deflater *_Nonnull deflater);

// Compresses `count` bytes to a deflate stream that starts and ends at byte boundaries, in memory of
// `capacity` bytes. If `is_last` is 0, its last block is not marked as final.
//
// Returns the size of the stream; 0 if it does not fit.
size_t isal_deflater_compress(
    struct isal_deflater *_Nonnull deflater, const uint8_t *_Nullable bytes, size_t count,
    int is_last, uint8_t *_Nonnull target, size_t capacity);

// Inflates zlib streams piece by piece with ISA-L, in half of the time of zlib.

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
