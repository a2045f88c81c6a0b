// SPDX-License-Identifier: Apache-2.0
#include "CLibFuzzer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__GLIBC__)
// libFuzzer limits single allocations only in combination with another sanitizer. Here,
// larger allocations abort the program, which counts as a crash.
enum { LARGEST = 256 << 20 };

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void check(size_t count, size_t size) {
  if (size != 0 && count > LARGEST / size) {
    fprintf(stderr, "an allocation of %zu times %zu bytes\n", count, size);
    abort();
  }
}

void *malloc(size_t size) {
  check(1, size);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  check(count, size);
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  check(1, size);
  return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  check(1, size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  check(1, size);
  *block = __libc_memalign(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}
#endif
