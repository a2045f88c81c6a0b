// SPDX-License-Identifier: Apache-2.0
// A walk through the symbols of a deflate stream, without decoding them. Source: RFC 1951.
#include "deflate_shim.h"

#include <string.h>

#include "deflate_format.h"

// What follows a code. An entry is a kind above the number of bits of the code and its extra bits.
enum { literal = 0x00, match = 0x40, end = 0x80, invalid = 0xC0, bits_mask = 0x3F };

// The kind of the next symbol, which is skipped with its extra bits: at most 28 bits.
static inline unsigned next_kind(bit_reader *reader, const code_table *table) {
  const unsigned entry = table->entries[reader->bits & ((1u << index_bits) - 1)];
  if (entry != 0) {
    skip(reader, entry & bits_mask);
    return entry & ~(unsigned)bits_mask;
  }
  const int index = next_code(reader, table);
  if (index < 0) return invalid;
  const unsigned following = table->following[index];
  skip(reader, following & bits_mask);
  return following & ~(unsigned)bits_mask;
}

// Entries of literals and lengths, and of distances: kinds and numbers of extra bits.
static void list_following(uint8_t *literals, uint8_t *distances) {
  memset(literals, literal, end_of_block);
  literals[end_of_block] = end;
  for (unsigned i = 0; i < 29; i++)
    literals[257 + i] = (uint8_t)(match | (i < 8 || i == 28 ? 0 : (i - 4) / 4));
  literals[286] = literals[287] = invalid;
  for (unsigned i = 0; i < 30; i++)
    distances[i] = (uint8_t)(match | (i < 4 ? 0 : (i - 2) / 2));
  distances[30] = distances[31] = invalid;
}

static int build_codes(
    const code_lengths *lengths, code_table *literals, code_table *distances,
    const uint8_t *after_literals, const uint8_t *after_distances) {
  return build(literals, lengths->literals, after_literals, literal_symbols)
      && build(distances, lengths->distances, after_distances, distance_symbols);
}

static int skip_symbols(
    bit_reader *reader, const code_table *literals, const code_table *distances) {
  while (!is_past_end(reader)) {
    refill(reader);
    unsigned kind = next_kind(reader, literals);
    // Literals have at most 15 bits, and lengths 20.
    if (kind == literal) kind = next_kind(reader, literals);
    if (kind == literal) kind = next_kind(reader, literals);
    if (kind == literal) continue;
    if (kind == end) return 1;
    if (kind != match) return 0;
    refill(reader);
    if (next_kind(reader, distances) != match) return 0;
  }
  return 0;
}

static int skip_stored(bit_reader *reader) {
  skip(reader, reader->available & 7);
  refill(reader);
  const unsigned length = take(reader, 16);
  if (take(reader, 16) != (length ^ 0xFFFF)) return 0;
  const size_t start = position(reader) / 8;
  if (start > reader->count || length > reader->count - start) return 0;
  *reader = (bit_reader){reader->bytes, reader->count, start + length, 0, 0};
  return 1;
}

// Walks to the end of the stream; the offset of the final block's first bit, or -1.
static int64_t find_final_block(bit_reader *reader) {
  code_table literals, distances;
  code_lengths lengths;
  uint8_t after_literals[literal_symbols], after_distances[distance_symbols];
  list_following(after_literals, after_distances);
  while (!is_past_end(reader)) {
    const size_t start = position(reader);
    refill(reader);
    const unsigned is_final = take(reader, 1);
    const unsigned type = take(reader, 2);
    int is_valid = 0;
    if (type == 0) {
      is_valid = skip_stored(reader);
    } else if (type != 3) {
      is_valid = 1;
      if (type == 1)
        list_fixed_lengths(&lengths);
      else
        is_valid = read_dynamic_lengths(reader, &literals, &lengths);
      is_valid = is_valid
          && build_codes(&lengths, &literals, &distances, after_literals, after_distances)
          && skip_symbols(reader, &literals, &distances);
    }
    if (!is_valid) return -1;
    if (is_final) return (int64_t)start;
  }
  return -1;
}

size_t deflate_make_continuable(uint8_t *bytes, size_t count, size_t capacity) {
  if (capacity < 5 || count > capacity - 5) return 0;
  bit_reader reader = {bytes, count, 0, 0, 0};
  const int64_t final = find_final_block(&reader);
  const size_t bits = position(&reader);
  if (final < 0 || (bits + 7) / 8 != count) return 0;
  bytes[final >> 3] &= (uint8_t)~(1u << (final & 7));
  // Three bits 0, the header of a stored block, up to the next byte; then length 0.
  const unsigned used = bits & 7;
  if (used != 0) bytes[count - 1] &= (uint8_t)((1u << used) - 1);
  if (used == 0 || used > 5) bytes[count++] = 0;
  memcpy(bytes + count, "\x00\x00\xFF\xFF", 4);
  return count + 4;
}
