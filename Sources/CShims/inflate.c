// SPDX-License-Identifier: Apache-2.0
// Inflates zlib streams. Sources: RFC 1950, RFC 1951.
#include "inflate_shim.h"

#include <stdlib.h>
#include <string.h>

#include "deflate_format.h"

enum {
  largest_window = 1 << 15,
  largest_match = 258,
  // Copies write up to this many bytes beyond a match.
  overrun = 16,
  input_capacity = 1 << 16,
  // Largest number of input bytes that decoding of a match or of three literals accesses.
  symbol_input = 32,
  // Largest size of a block header; the lengths of 316 symbols have at most 14 bits each.
  header_input = 1024,
  output_block = 3 << 16,
  literal_index_bits = 11,
  distance_index_bits = 8,
  // At least the number of entries that a complete code can need; `fill` checks it.
  literal_entries = 2400,
  distance_entries = 512,
};

// Entries of decoding tables: a value in bits 16 to 30, the number of bits of the code in bits 8 to
// 11, and in bits 0 to 5 their number together with the extra bits.
enum {
  // The value is a literal.
  is_literal = INT32_MIN,
  // None of literal, length and distance.
  is_exception = 1 << 15,
  // The value is the index of another table, which is indexed by as many bits as bits 8 to 11
  // specify.
  is_subtable = 1 << 14,
  is_end = 1 << 13,
};

typedef enum { at_start, at_block, in_stored, in_codes, at_end, failed } inflate_state;

struct inflate_reader {
  void *context;
  inflate_read_next read;
  bit_reader input;
  // Whether all remaining input is in the buffer.
  int is_last;
  inflate_state state;
  // Whether the current block is the final one.
  int is_final;
  size_t stored_count;
  size_t window;
  // Output; bytes from `taken` to `filled` are still to be taken.
  uint8_t *output;
  size_t capacity;
  size_t taken;
  size_t filled;
  code_table scratch;
  code_lengths lengths;
  uint32_t after_literals[literal_symbols];
  uint32_t after_distances[distance_symbols];
  uint32_t literals[literal_entries];
  uint32_t distances[distance_entries];
  uint8_t bytes[input_capacity];
};

static void list_entries(inflate_reader *reader) {
  for (uint32_t i = 0; i < end_of_block; i++)
    reader->after_literals[i] = (uint32_t)is_literal | i << 16;
  reader->after_literals[end_of_block] = is_exception | is_end;
  uint32_t base = 3;
  for (uint32_t i = 0; i < 28; i++) {
    const uint32_t extra = i < 8 ? 0 : (i - 4) / 4;
    reader->after_literals[257 + i] = base << 16 | extra;
    base += 1u << extra;
  }
  reader->after_literals[285] = (uint32_t)largest_match << 16;
  reader->after_literals[286] = reader->after_literals[287] = is_exception;
  base = 1;
  for (uint32_t i = 0; i < 30; i++) {
    const uint32_t extra = i < 4 ? 0 : (i - 2) / 2;
    reader->after_distances[i] = base << 16 | extra;
    base += 1u << extra;
  }
  reader->after_distances[30] = reader->after_distances[31] = is_exception;
}

inflate_reader *inflate_create(void *context, inflate_read_next read, size_t largest_request) {
  if (largest_request > SIZE_MAX / 4) return NULL;
  inflate_reader *reader = calloc(1, sizeof *reader);
  if (reader == NULL) return NULL;
  reader->capacity = largest_window + largest_request + output_block + largest_match + overrun;
  reader->output = malloc(reader->capacity);
  if (reader->output == NULL) {
    free(reader);
    return NULL;
  }
  reader->context = context;
  reader->read = read;
  reader->input = (bit_reader){reader->bytes, 0, 0, 0, 0};
  list_entries(reader);
  return reader;
}

void inflate_free(inflate_reader *reader) {
  free(reader->output);
  free(reader);
}

// Number of input bytes in the buffer that are not in `bits`.
static size_t remaining(const bit_reader *input) {
  return input->next < input->count ? input->count - input->next : 0;
}

// Returns the whole bytes in `bits` to the input.
static void return_bytes(bit_reader *input) {
  input->next -= input->available / 8;
  input->available %= 8;
  input->bits &= (1u << input->available) - 1;
}

// Moves to the next byte.
static void align(bit_reader *input) {
  skip(input, input->available % 8);
  return_bytes(input);
}

// Fills the input buffer; 0 if reading fails.
static int fetch(inflate_reader *reader) {
  bit_reader *input = &reader->input;
  return_bytes(input);
  const size_t kept = remaining(input);
  memmove(reader->bytes, input->bytes + input->next, kept);
  input->next = 0;
  input->count = kept;
  while (!reader->is_last && input->count < input_capacity) {
    const ptrdiff_t count = reader->read(
        reader->context, reader->bytes + input->count, input_capacity - input->count);
    if (count < 0 || (size_t)count > input_capacity - input->count) return 0;
    if (count == 0) reader->is_last = 1;
    input->count += (size_t)count;
  }
  return 1;
}

// Makes `count` input bytes available, or all there are; 0 if reading fails.
static int require(inflate_reader *reader, size_t count) {
  return reader->is_last || remaining(&reader->input) >= count || fetch(reader);
}

// Builds a decoding table that is indexed by `table_bits` bits; 0 if the code is not complete.
// `may_be_short` permits a single code of one bit, and none.
static int fill(
    uint32_t *table, size_t capacity, unsigned table_bits, const uint8_t *lengths,
    const uint32_t *following, unsigned symbols, int may_be_short) {
  unsigned counts[max_code_length + 2] = {0};
  for (unsigned s = 0; s < symbols; s++) counts[lengths[s]]++;
  unsigned used = symbols - counts[0];
  counts[0] = 0;
  unsigned codes[max_code_length + 2] = {0};
  uint16_t starts[max_code_length + 2] = {0};
  for (unsigned length = 1; length <= max_code_length; length++) {
    codes[length + 1] = (codes[length] + counts[length]) << 1;
    starts[length + 1] = (uint16_t)(starts[length] + counts[length]);
    if (codes[length] + counts[length] > 1u << length) return 0;
  }
  const int is_short = used == 0 || (used == 1 && counts[1] == 1);
  if (codes[max_code_length + 1] != 1u << (max_code_length + 1) && !(is_short && may_be_short))
    return 0;
  uint16_t sorted[literal_symbols];
  for (unsigned s = 0; s < symbols; s++)
    if (lengths[s] != 0) sorted[starts[lengths[s]]++] = (uint16_t)s;
  const unsigned size = 1u << table_bits;
  for (unsigned i = 0; i < size; i++) table[i] = is_exception;
  size_t next = size;
  unsigned prefix = size, subtable = 0, subtable_bits = 0;
  unsigned position = 0;
  for (unsigned length = 1; length <= max_code_length; length++) {
    for (unsigned code = codes[length], left = counts[length]; left > 0; left--, code++) {
      const unsigned symbol = sorted[position++];
      unsigned reversed = 0;
      for (unsigned i = 0; i < length; i++) reversed |= (code >> i & 1u) << (length - 1 - i);
      if (length <= table_bits) {
        const uint32_t entry = following[symbol] + length + (length << 8);
        for (unsigned i = reversed; i < size; i += 1u << length) table[i] = entry;
        continue;
      }
      if ((reversed & (size - 1)) != prefix) {
        // As many bits as the codes with this prefix need: the remaining codes fill it.
        prefix = reversed & (size - 1);
        subtable_bits = length - table_bits;
        unsigned room = 1u << subtable_bits, present = left;
        while (present < room && table_bits + subtable_bits < max_code_length) {
          room = (room - present) << 1;
          present = counts[table_bits + ++subtable_bits];
        }
        if ((size_t)1 << subtable_bits > capacity - next) return 0;
        subtable = (unsigned)next;
        next += (size_t)1 << subtable_bits;
        table[prefix] =
            is_exception | is_subtable | subtable << 16 | subtable_bits << 8 | table_bits;
      }
      const unsigned rest = length - table_bits;
      const uint32_t entry = following[symbol] + rest + (rest << 8);
      for (unsigned i = reversed >> table_bits; i < 1u << subtable_bits; i += 1u << rest)
        table[subtable + i] = entry;
    }
  }
  return 1;
}

static int begin_stream(inflate_reader *reader) {
  if (!require(reader, 2)) return 0;
  refill(&reader->input);
  const unsigned method = take(&reader->input, 8);
  const unsigned flags = take(&reader->input, 8);
  const unsigned preset_dictionary = 0x20;
  if ((method << 8 | flags) % 31 != 0 || (method & 15) != 8 || method >> 4 > 7
      || (flags & preset_dictionary) != 0)
    return 0;
  reader->window = (size_t)256 << (method >> 4);
  reader->state = at_block;
  return 1;
}

static int begin_block(inflate_reader *reader) {
  bit_reader *input = &reader->input;
  if (reader->is_final) {
    align(input);
    reader->state = at_end;
    return !is_past_end(input);
  }
  if (!require(reader, header_input)) return 0;
  refill(input);
  reader->is_final = (int)take(input, 1);
  const unsigned type = take(input, 2);
  if (type == 0) {
    align(input);
    refill(input);
    reader->stored_count = take(input, 16);
    reader->state = in_stored;
    const unsigned complement = take(input, 16);
    align(input);
    return complement == (reader->stored_count ^ 0xFFFF) && !is_past_end(input);
  }
  if (type == 3) return 0;
  if (type == 1)
    list_fixed_lengths(&reader->lengths);
  else if (!read_dynamic_lengths(input, &reader->scratch, &reader->lengths))
    return 0;
  reader->state = in_codes;
  return reader->lengths.literals[end_of_block] != 0 && !is_past_end(input)
      && fill(
             reader->literals, literal_entries, literal_index_bits, reader->lengths.literals,
             reader->after_literals, literal_symbols, 0)
      && fill(
             reader->distances, distance_entries, distance_index_bits, reader->lengths.distances,
             reader->after_distances, distance_symbols, 1);
}

static int copy_stored(inflate_reader *reader) {
  bit_reader *input = &reader->input;
  if (reader->stored_count > 0 && !require(reader, 1)) return 0;
  size_t count = remaining(input);
  const size_t room = reader->capacity - reader->filled;
  if (count > room) count = room;
  if (count > reader->stored_count) count = reader->stored_count;
  if (count == 0 && reader->stored_count > 0) return 0;
  memcpy(reader->output + reader->filled, input->bytes + input->next, count);
  input->next += count;
  reader->filled += count;
  reader->stored_count -= count;
  if (reader->stored_count == 0) reader->state = at_block;
  return 1;
}

static inline void copy8(uint8_t *to, const uint8_t *from) {
  uint64_t word;
  memcpy(&word, from, sizeof word);
  memcpy(to, &word, sizeof word);
}

// Repeats the bytes at `distance` before `to`. Writes at most `overrun` bytes more than `length`.
static inline void copy_match(uint8_t *to, size_t distance, size_t length) {
  uint8_t *const stop = to + length;
  if (distance >= 8) {
    // Most matches are short.
    copy8(to, to - distance);
    copy8(to + 8, to + 8 - distance);
    for (to += 16; to < stop; to += 8) copy8(to, to - distance);
  } else if (distance == 1) {
    memset(to, to[-1], length);
  } else {
    // Each word has `distance` valid bytes.
    for (; to < stop; to += distance) copy8(to, to - distance);
  }
}

static inline uint32_t entry_of(const bit_reader *input, const uint32_t *table, unsigned bits) {
  return table[input->bits & ((1u << bits) - 1)];
}

// Value of an entry with its extra bits, which are skipped.
static inline size_t take_value(bit_reader *input, uint32_t entry) {
  const uint64_t bits = input->bits & (((uint64_t)1 << (entry & 63)) - 1);
  skip(input, entry & 63);
  return (entry >> 16 & 0x7FFF) + (size_t)(bits >> (entry >> 8 & 15));
}

// The entry that follows a pointer to another table.
static inline uint32_t entry_after(bit_reader *input, const uint32_t *table, uint32_t pointer) {
  skip(input, pointer & 63);
  return entry_of(input, table + (pointer >> 16 & 0x7FFF), pointer >> 8 & 15);
}

// Decodes symbols until the output is full, the block ends or input is missing; 0 if they are not
// valid.
static int decode_symbols(inflate_reader *reader) {
  if (!require(reader, symbol_input)) return 0;
  bit_reader input = reader->input;
  const uint32_t *const literals = reader->literals;
  const uint32_t *const distances = reader->distances;
  uint8_t *const start = reader->output;
  uint8_t *out = start + reader->filled;
  uint8_t *const stop = start + reader->capacity - largest_match - overrun;
  int is_valid = 1;
  refill(&input);
  uint32_t entry = entry_of(&input, literals, literal_index_bits);
  while (out < stop) {
    if ((ptrdiff_t)(input.count - input.next) < symbol_input
        && (!reader->is_last || is_past_end(&input))) {
      is_valid = !reader->is_last;
      break;
    }
    if (entry & (uint32_t)is_literal) {
      // Three literals have at most 33 bits, and the next code 15.
      skip(&input, entry & 63);
      *out++ = (uint8_t)(entry >> 16);
      entry = entry_of(&input, literals, literal_index_bits);
      if (entry & (uint32_t)is_literal) {
        skip(&input, entry & 63);
        *out++ = (uint8_t)(entry >> 16);
        entry = entry_of(&input, literals, literal_index_bits);
        if (entry & (uint32_t)is_literal) {
          skip(&input, entry & 63);
          *out++ = (uint8_t)(entry >> 16);
          entry = entry_of(&input, literals, literal_index_bits);
          refill(&input);
          continue;
        }
      }
      refill(&input);
    }
    if (entry & is_exception) {
      if (entry & is_subtable) entry = entry_after(&input, literals, entry);
      if (entry & (uint32_t)is_literal) {
        skip(&input, entry & 63);
        *out++ = (uint8_t)(entry >> 16);
        entry = entry_of(&input, literals, literal_index_bits);
        refill(&input);
        continue;
      }
      if (entry & is_exception) {
        skip(&input, entry & 63);
        is_valid = (entry & is_end) != 0 && !is_past_end(&input);
        reader->state = at_block;
        break;
      }
    }
    // A length and a distance have at most 48 bits.
    const size_t length = take_value(&input, entry);
    entry = entry_of(&input, distances, distance_index_bits);
    if (entry & is_subtable) entry = entry_after(&input, distances, entry);
    const size_t distance = take_value(&input, entry);
    if ((entry & is_exception) != 0 || distance > (size_t)(out - start)
        || distance > reader->window) {
      is_valid = 0;
      break;
    }
    refill(&input);
    entry = entry_of(&input, literals, literal_index_bits);
    copy_match(out, distance, length);
    out += length;
  }
  reader->input = input;
  reader->filled = (size_t)(out - start);
  return is_valid;
}

// Continues to the next state, or until the output is full; 0 if the stream is not valid.
static int advance(inflate_reader *reader) {
  switch (reader->state) {
    case at_start: return begin_stream(reader);
    case at_block: return begin_block(reader);
    case in_stored: return copy_stored(reader);
    case in_codes: return decode_symbols(reader);
    default: return 0;
  }
}

// Moves bytes that are still needed to the start of the output.
static void make_room(inflate_reader *reader) {
  const size_t kept = reader->taken < largest_window ? reader->taken : largest_window;
  const size_t first = reader->taken - kept;
  memmove(reader->output, reader->output + first, reader->filled - first);
  reader->filled -= first;
  reader->taken -= first;
}

const uint8_t *inflate_next(inflate_reader *reader, size_t count) {
  if (reader->filled - reader->taken < count) {
    const size_t most = reader->capacity - largest_match - overrun;
    if (count > most - largest_window) return NULL;
    if (reader->taken + count > most) make_room(reader);
    while (reader->filled - reader->taken < count)
      if (!advance(reader)) {
        reader->state = failed;
        return NULL;
      }
  }
  const uint8_t *const bytes = reader->output + reader->taken;
  reader->taken += count;
  return bytes;
}

int inflate_finish(inflate_reader *reader, uint32_t *checksum) {
  make_room(reader);
  while (reader->state != at_end)
    if (reader->filled != reader->taken || !advance(reader)) return 0;
  if (reader->filled != reader->taken || !require(reader, 5) || remaining(&reader->input) != 4)
    return 0;
  const uint8_t *bytes = reader->input.bytes + reader->input.next;
  *checksum = 0;
  for (unsigned i = 0; i < 4; i++) *checksum = *checksum << 8 | bytes[i];
  return 1;
}
