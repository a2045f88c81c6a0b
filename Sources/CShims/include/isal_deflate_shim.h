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
