// Looking up rows of places in a table, one by one: vector gathers take longer.

#ifndef LOOKUP_H
#define LOOKUP_H

#include "multiversioned.h"

#ifdef WITH_CLONES
#include <immintrin.h>
#endif

// Copies an element of at most 8 bytes. The compiler does not know that it is one, or it would gather
// all the same.
static inline void copy_element(char *target, const char *element, size_t size) {
  uint64_t bits = 0;
  memcpy(&bits, element, size);
  __asm__("" : "+r"(bits));
  memcpy(target, &bits, size);
}

// Copies to `found` what `table` has at each place, of which only the bits in `mask` count. Elements
// are of `size` bytes.
//
// Four places come in one load, the first in the lowest bits, as little-endian processors have them,
// which are all that Swift runs on.
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

#ifdef WITH_CLONES

// Sixteen places of a table of 256 that lies in the vector registers, where looking up takes half as
// long: 32 entries at a time by the low bits of a place, of which the others choose.
__attribute__((target("arch=x86-64-v4"))) static inline __m512
choose(const __m512 *table, __m512i places) {
  __m512 found[8];
  for (int i = 0; i < 8; i++)
    found[i] = _mm512_permutex2var_ps(table[2 * i], places, table[2 * i + 1]);
  for (int bit = 5; bit < 8; bit++) {
    const __mmask16 is_set = _mm512_test_epi32_mask(places, _mm512_set1_epi32(1 << bit));
    for (int i = 0; i < 128 >> bit; i++)
      found[i] = _mm512_mask_blend_ps(is_set, found[2 * i], found[2 * i + 1]);
  }
  return found[0];
}

#endif

#endif
