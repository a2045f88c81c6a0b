// SPDX-License-Identifier: Apache-2.0
// Table lookups for rows of indices, one element at a time, which is faster than vector gathers.

#ifndef LOOKUP_H
#define LOOKUP_H

#include "multiversioned.h"

// Table elements of any type.
typedef uint16_t __attribute__((may_alias)) element16;
typedef uint32_t __attribute__((may_alias)) element32;
typedef uint64_t __attribute__((may_alias)) element64;

// Copies an element of 2, 4 or 8 bytes. The volatile read prevents the compiler from combining
// several reads into a gather.
SHARED void copy_element(char *target, const char *element, size_t size) {
  switch (size) {
    case sizeof(element16): *(element16 *)target = *(const volatile element16 *)element; break;
    case sizeof(element32): *(element32 *)target = *(const volatile element32 *)element; break;
    default: *(element64 *)target = *(const volatile element64 *)element;
  }
}

// Copies to `found` the entry of `table` at each index, masked by `mask`. Elements have `size`
// bytes.
//
// Four indices are loaded at once, the first in the lowest bits: all processors that Swift supports
// are little-endian.
SHARED void look_up(
    const uint16_t *restrict places, uint16_t mask, size_t length, const void *restrict table,
    void *restrict found, size_t size) {
  const char *entries = table;
  char *target = found;
  const uint64_t masks = (uint64_t)mask * 0x0001000100010001u;
  const size_t whole = length - length % 4;
#pragma clang loop vectorize(disable) interleave(disable) unroll_count(4)
  for (size_t i = 0; i < whole; i += 4) {
    uint64_t four;
    memcpy(&four, places + i, sizeof four);
    four &= masks;
    copy_element(target + i * size, entries + (four & 0xFFFF) * size, size);
    copy_element(target + (i + 1) * size, entries + (four >> 16 & 0xFFFF) * size, size);
    copy_element(target + (i + 2) * size, entries + (four >> 32 & 0xFFFF) * size, size);
    copy_element(target + (i + 3) * size, entries + (four >> 48) * size, size);
  }
#pragma clang loop vectorize(disable) interleave(disable) unroll(disable)
  for (size_t i = whole; i < length; i++)
    copy_element(target + i * size, entries + (size_t)(places[i] & mask) * size, size);
}

#endif
