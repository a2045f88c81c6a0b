// SPDX-License-Identifier: Apache-2.0
// Bits, codes and block headers of deflate streams. Source: RFC 1951.

#ifndef DEFLATE_FORMAT_H
#define DEFLATE_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
  max_code_length = 15,
  literal_symbols = 288,
  distance_symbols = 32,
  // Symbols that a block may define codes for.
  used_literal_symbols = 286,
  used_distance_symbols = 30,
  end_of_block = 256,
  // Codes up to this length are looked up at once; longer ones are rare.
  index_bits = 10,
};

typedef struct {
  // By the next `index_bits` bits; 0 for longer codes.
  uint8_t entries[1 << index_bits];
  // Canonical code: number of codes of each length, and symbols in the order of codes.
  uint16_t counts[max_code_length + 1];
  uint16_t symbols[literal_symbols];
  // Entries of symbols, without the bits of the code.
  uint8_t following[literal_symbols];
  // Whether all codes are used.
  int is_complete;
} code_table;

typedef struct {
  const uint8_t *bytes;
  size_t count;
  // Index of the next byte to be added to `bits`.
  size_t next;
  uint64_t bits;
  // Number of valid bits in `bits`. Bits beyond the end are 0, and are counted.
  unsigned available;
} bit_reader;

// Makes at least 56 bits available.
static inline void refill(bit_reader *reader) {
  if (reader->count - reader->next >= 8 && reader->next <= reader->count) {
    uint64_t word = 0;
    for (unsigned i = 0; i < 8; i++) word |= (uint64_t)reader->bytes[reader->next + i] << (8 * i);
    reader->bits |= word << reader->available;
    reader->next += (63 - reader->available) >> 3;
    reader->available |= 56;
    return;
  }
  while (reader->available <= 56) {
    if (reader->next < reader->count)
      reader->bits |= (uint64_t)reader->bytes[reader->next] << reader->available;
    reader->next++;
    reader->available += 8;
  }
}

static inline void skip(bit_reader *reader, unsigned count) {
  reader->bits >>= count;
  reader->available -= count;
}

static inline unsigned take(bit_reader *reader, unsigned count) {
  const unsigned value = (unsigned)(reader->bits & ((1u << count) - 1));
  skip(reader, count);
  return value;
}

// Offset of the next bit.
static inline size_t position(const bit_reader *reader) {
  return 8 * reader->next - reader->available;
}

static inline int is_past_end(const bit_reader *reader) {
  return 8 * reader->next > 8 * reader->count + reader->available;
}

// Builds a table from code lengths; 0 if more codes are used than exist.
static inline int build(
    code_table *table, const uint8_t *lengths, const uint8_t *following, unsigned symbols) {
  memset(table->counts, 0, sizeof table->counts);
  for (unsigned s = 0; s < symbols; s++) table->counts[lengths[s]]++;
  table->counts[0] = 0;
  uint16_t starts[max_code_length + 2] = {0};
  unsigned codes[max_code_length + 2] = {0};
  for (unsigned length = 1; length <= max_code_length; length++) {
    starts[length + 1] = (uint16_t)(starts[length] + table->counts[length]);
    codes[length + 1] = (codes[length] + table->counts[length]) << 1;
    if (codes[length] + table->counts[length] > 1u << length) return 0;
  }
  table->is_complete = codes[max_code_length + 1] == 1u << (max_code_length + 1);
  memset(table->entries, 0, sizeof table->entries);
  for (unsigned s = 0; s < symbols; s++) {
    const unsigned length = lengths[s];
    if (length == 0) continue;
    const unsigned code = codes[length]++;
    table->symbols[starts[length]] = (uint16_t)s;
    table->following[starts[length]++] = following[s];
    if (length > index_bits) continue;
    unsigned reversed = 0;
    for (unsigned i = 0; i < length; i++) reversed |= (code >> i & 1u) << (length - 1 - i);
    for (unsigned i = reversed; i < 1u << index_bits; i += 1u << length)
      table->entries[i] = (uint8_t)(following[s] + length);
  }
  return 1;
}

// The index in canonical order of the next code, which is skipped; -1 if it does not exist.
static inline int next_code(bit_reader *reader, const code_table *table) {
  unsigned code = 0, first = 0, index = 0;
  for (unsigned length = 1; length <= max_code_length; length++) {
    code |= (unsigned)(reader->bits >> (length - 1)) & 1u;
    const unsigned count = table->counts[length];
    if (code - first < count) {
      skip(reader, length);
      return (int)(index + code - first);
    }
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  return -1;
}

// Reads the code lengths of `count` symbols; 0 if they are not valid.
static inline int read_lengths(
    bit_reader *reader, code_table *scratch, uint8_t *lengths, unsigned count) {
  static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
  static const uint8_t none[19] = {0};
  uint8_t code_lengths[19] = {0};
  const unsigned used = take(reader, 4) + 4;
  for (unsigned i = 0; i < used; i++) {
    refill(reader);
    code_lengths[order[i]] = (uint8_t)take(reader, 3);
  }
  if (!build(scratch, code_lengths, none, 19) || !scratch->is_complete) return 0;
  unsigned filled = 0;
  while (filled < count) {
    refill(reader);
    const int index = next_code(reader, scratch);
    if (index < 0 || is_past_end(reader)) return 0;
    const unsigned symbol = scratch->symbols[index];
    unsigned repeats = 1;
    uint8_t length = (uint8_t)symbol;
    if (symbol >= 16) {
      if (symbol == 16 && filled == 0) return 0;
      length = symbol == 16 ? lengths[filled - 1] : 0;
      repeats = symbol == 16 ? 3 + take(reader, 2)
                             : symbol == 17 ? 3 + take(reader, 3) : 11 + take(reader, 7);
    }
    if (repeats > count - filled) return 0;
    memset(lengths + filled, length, repeats);
    filled += repeats;
  }
  return 1;
}

// Code lengths of one block.
typedef struct {
  uint8_t literals[literal_symbols];
  uint8_t distances[distance_symbols];
} code_lengths;

// Reads the code lengths of a dynamic block; 0 if they are not valid.
static inline int read_dynamic_lengths(
    bit_reader *reader, code_table *scratch, code_lengths *lengths) {
  uint8_t read[literal_symbols + distance_symbols];
  const unsigned literal_count = take(reader, 5) + 257;
  const unsigned distance_count = take(reader, 5) + 1;
  if (literal_count > used_literal_symbols || distance_count > used_distance_symbols
      || !read_lengths(reader, scratch, read, literal_count + distance_count))
    return 0;
  memset(lengths, 0, sizeof *lengths);
  memcpy(lengths->literals, read, literal_count);
  memcpy(lengths->distances, read + literal_count, distance_count);
  return 1;
}

static inline void list_fixed_lengths(code_lengths *lengths) {
  memset(lengths->literals, 8, 144);
  memset(lengths->literals + 144, 9, 112);
  memset(lengths->literals + 256, 7, 24);
  memset(lengths->literals + 280, 8, 8);
  memset(lengths->distances, 5, distance_symbols);
}

#endif
