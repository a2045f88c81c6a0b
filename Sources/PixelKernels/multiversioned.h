// SPDX-License-Identifier: Apache-2.0
// Compilation of a kernel for several instruction sets, one of which is selected at startup.

#ifndef MULTIVERSIONED_H
#define MULTIVERSIONED_H

#include <string.h>

#include "PixelKernels.h"

#pragma STDC FP_CONTRACT OFF

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WITHOUT_CLONES  // The resolvers of clones run before the sanitizer, and crash.
#endif
#endif

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(WITHOUT_CLONES)
#define HAS_CLONES
#define MULTIVERSIONED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MULTIVERSIONED
#endif

// For functions shared by kernels that are too long for automatic inlining; without it they would
// be compiled for the baseline processor.
#define SHARED static inline __attribute__((always_inline))

static inline uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Number of samples per pass, so that intermediate results stay in the first-level cache.
#define PK_CHUNK 512

static inline size_t chunk_length(size_t left) { return left < PK_CHUNK ? left : PK_CHUNK; }

// Number of codes in a cache line.
#define PK_LINE 32

// Prefetches the next row, which directly follows in memory, while a row is processed. Beyond the
// end of a plane this does nothing.
static inline void prefetch_next_row(const uint16_t *codes, size_t count) {
  __builtin_prefetch((const void *)((uintptr_t)codes + count * sizeof *codes), 0, 2);
}

// Prefetches the next row for writing.
static inline void prefetch_next_target(uint16_t *codes, size_t count) {
  __builtin_prefetch((void *)((uintptr_t)codes + count * sizeof *codes), 1, 2);
}

static inline float smaller(float a, float b) { return a < b ? a : b; }
static inline float larger(float a, float b) { return a > b ? a : b; }

// Product of a matrix row and a color.
static inline float weighted(const float *row, float x, float y, float z) {
  return row[0] * x + row[1] * y + row[2] * z;
}

#endif
