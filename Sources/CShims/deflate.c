// SPDX-License-Identifier: Apache-2.0
// A walk through the symbols of a deflate stream, without decoding them: bits, codes, block headers. Source: RFC 1951.
#include "deflate_shim.h"

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
