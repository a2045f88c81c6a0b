// SPDX-License-Identifier: Apache-2.0
#ifdef WITH_JPEG
#include "jpeg_huffman.h"

#include <stdlib.h>
#include <string.h>

enum {
  all_symbols = 256,
  block_size = 64,
  zero_run = 0xF0,
  most_tables = 2,
  marker_soi = 0xD8,
  marker_eoi = 0xD9,
  marker_dht = 0xC4,
  marker_sos = 0xDA,
  // Largest size of a coded block: codes of 16 bits and values of 11, all bytes stuffed.
  block_capacity = block_size * 8,
};

// The tables of one class: DC or AC.
typedef struct {
  uint32_t counts[most_tables][all_symbols];
  // Code in the upper bits, its length in the lowest five.
  uint32_t codes[most_tables][all_symbols];
  uint8_t lengths[most_tables][jpeg_code_lengths];
  uint8_t symbols[most_tables][all_symbols];
} code_class;

typedef struct {
  code_class classes[2];
} code_set;

// Finds the lengths of codes, and sorts the symbols by them. Source: T.81, figures K.1 to K.4.
static void find_code(const uint32_t *counts, uint8_t *lengths, uint8_t *symbols) {
  // One symbol more reserves the code of ones only.
  enum { nodes = all_symbols + 1 };
  uint64_t frequencies[nodes];
  unsigned sizes[nodes] = {0}, bits[nodes + 1] = {0};
  // Those with a frequency, in their order.
  int active[nodes], count = 0, others[nodes];
  for (int i = 0; i < nodes; i++) {
    frequencies[i] = i < all_symbols ? counts[i] : 1;
    others[i] = -1;
    if (frequencies[i] != 0) active[count++] = i;
  }
  while (count > 1) {
    int least = -1, next = -1;
    // Of equal frequencies, the last one is the least.
    for (int i = 0; i < count; i++) {
      const uint64_t frequency = frequencies[active[i]];
      if (least < 0 || frequency <= frequencies[active[least]]) {
        next = least;
        least = i;
      } else if (next < 0 || frequency <= frequencies[active[next]]) {
        next = i;
      }
    }
    int first = active[least], second = active[next];
    memmove(active + next, active + next + 1, (size_t)(--count - next) * sizeof *active);
    frequencies[first] += frequencies[second];
    for (sizes[first]++; others[first] >= 0; sizes[first]++) first = others[first];
    others[first] = second;
    for (sizes[second]++; others[second] >= 0; sizes[second]++) second = others[second];
  }
  for (int i = 0; i < nodes; i++) bits[sizes[i]]++;
  bits[0] = 0;
  for (unsigned length = nodes; length > jpeg_code_lengths; length--) {
    while (bits[length] > 0) {
      unsigned shorter = length - 2;
      while (bits[shorter] == 0) shorter--;
      bits[length] -= 2;
      bits[length - 1]++;
      bits[shorter + 1] += 2;
      bits[shorter]--;
    }
  }
  unsigned longest = jpeg_code_lengths;
  while (longest > 0 && bits[longest] == 0) longest--;
  if (longest > 0) bits[longest]--;
  for (unsigned length = 1; length <= jpeg_code_lengths; length++)
    lengths[length - 1] = (uint8_t)bits[length];
  for (unsigned size = 1; size <= nodes; size++)
    for (unsigned symbol = 0; symbol < all_symbols; symbol++)
      if (sizes[symbol] == size) *symbols++ = (uint8_t)symbol;
}

// Assigns the codes of a table. Source: T.81, figures C.1 to C.3.
static void assign_codes(const uint8_t *lengths, const uint8_t *symbols, uint32_t *codes) {
  uint32_t code = 0;
  for (unsigned length = 1; length <= jpeg_code_lengths; length++, code <<= 1)
    for (unsigned left = lengths[length - 1]; left > 0; left--)
      codes[*symbols++] = code++ << 5 | length;
}

// Removes the zeros that follow bytes of ones in coded data, up to the next marker. Returns its
// offset in the file, and the size of the data.
static size_t unstuff(uint8_t *data, size_t count, size_t *size) {
  size_t from = 0, to = 0;
  while (from < count) {
    const uint8_t *next = memchr(data + from, 0xFF, count - from);
    const size_t run = next == NULL ? count - from : (size_t)(next - (data + from));
    memmove(data + to, data + from, run);
    from += run;
    to += run;
    if (from + 1 >= count || data[from + 1] != 0) break;
    data[to++] = 0xFF;
    from += 2;
  }
  *size = to;
  return from;
}

typedef struct {
  const uint8_t *data;
  // In bits.
  size_t position;
  size_t end;
} symbol_reader;

// A symbol in the highest eight of the next bits, which are at least 57.
static inline uint64_t next_bits(const symbol_reader *reader) {
  uint64_t word;
  memcpy(&word, reader->data + (reader->position >> 3), sizeof word);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word << (reader->position & 7);
}

static inline unsigned value_size(unsigned symbol) { return symbol & 15; }

// Index of the coefficient after an AC symbol.
static inline unsigned after(unsigned index, unsigned symbol) {
  if (symbol != zero_run && value_size(symbol) == 0) return block_size;
  return index + (symbol >> 4) + 1;
}

// Counts the symbols; 0 if there are not as many as the scan needs.
static int count_symbols(symbol_reader reader, const jpeg_scan *scan, code_set *set) {
  for (size_t unit = 0; unit < scan->unit_count; unit++) {
    for (unsigned block = 0; block < scan->block_count; block++) {
      uint32_t *counts = set->classes[0].counts[scan->tables[block]];
      for (unsigned index = 0; index < block_size;) {
        if (reader.position >= reader.end) return 0;
        const unsigned symbol = (unsigned)(next_bits(&reader) >> 56);
        counts[symbol]++;
        reader.position += 8 + value_size(symbol);
        index = index == 0 ? 1 : after(index, symbol);
        counts = set->classes[1].counts[scan->tables[block]];
      }
    }
  }
  return reader.position <= reader.end;
}

typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
  uint64_t bits;
  unsigned used;
} bit_writer;

static int make_room(bit_writer *writer, size_t count) {
  if (writer->capacity - writer->count >= count) return 1;
  const size_t capacity = writer->capacity + writer->capacity / 2 + count;
  uint8_t *bytes = realloc(writer->bytes, capacity);
  if (bytes == NULL) return 0;
  writer->bytes = bytes;
  writer->capacity = capacity;
  return 1;
}

static inline void put_byte(bit_writer *writer, uint8_t byte) {
  writer->bytes[writer->count++] = byte;
  if (byte == 0xFF) writer->bytes[writer->count++] = 0;
}

// Writes the 32 oldest bits.
static inline void put_word(bit_writer *writer) {
  writer->used -= 32;
  const uint32_t word = (uint32_t)(writer->bits >> writer->used);
  const uint32_t high = 0x80808080, ones = 0x01010101;
  const int may_have_ones = (word & high & ~(word + ones)) != 0;
  for (int shift = 24; shift >= 0; shift -= 8) {
    const uint8_t byte = (uint8_t)(word >> shift);
    if (may_have_ones)
      put_byte(writer, byte);
    else
      writer->bytes[writer->count++] = byte;
  }
}

static inline void put_bits(bit_writer *writer, uint32_t value, unsigned count) {
  writer->bits = writer->bits << count | value;
  writer->used += count;
  if (writer->used >= 32) put_word(writer);
}

// Fills the last byte with ones. Source: T.81, F.1.2.3.
static void put_end(bit_writer *writer) {
  while (writer->used % 8 != 0) put_bits(writer, 1, 1);
  while (writer->used > 0) {
    writer->used -= 8;
    put_byte(writer, (uint8_t)(writer->bits >> writer->used));
  }
}

// Encodes symbols that were counted before; 0 if memory allocation fails.
static int encode_symbols(
    symbol_reader reader, const jpeg_scan *scan, const code_set *set, bit_writer *writer) {
  for (size_t unit = 0; unit < scan->unit_count; unit++) {
    if (!make_room(writer, jpeg_most_blocks * block_capacity)) return 0;
    for (unsigned block = 0; block < scan->block_count; block++) {
      const uint32_t *codes = set->classes[0].codes[scan->tables[block]];
      for (unsigned index = 0; index < block_size;) {
        const uint64_t bits = next_bits(&reader);
        const unsigned symbol = (unsigned)(bits >> 56), size = value_size(symbol);
        const uint32_t value = (uint32_t)(bits << 8 >> 1 >> (63 - size));
        const uint32_t code = codes[symbol];
        put_bits(writer, code >> 5 << size | value, (code & 31) + size);
        reader.position += 8 + size;
        index = index == 0 ? 1 : after(index, symbol);
        codes = set->classes[1].codes[scan->tables[block]];
      }
    }
  }
  put_end(writer);
  return 1;
}

static size_t segment_size(const uint8_t *segment) {
  return 2 + ((size_t)segment[2] << 8 | segment[3]);
}

// Writes a segment with the code that replaces the one of `segment`.
static void write_code(const uint8_t *segment, const code_set *set, bit_writer *writer) {
  const code_class *class = &set->classes[segment[4] >> 4 & 1];
  const unsigned table = segment[4] & 1;
  unsigned symbols = 0;
  for (unsigned i = 0; i < jpeg_code_lengths; i++) symbols += class->lengths[table][i];
  const unsigned size = 3 + jpeg_code_lengths + symbols;
  uint8_t *to = writer->bytes + writer->count;
  const uint8_t header[] = {0xFF, marker_dht, (uint8_t)(size >> 8), (uint8_t)size, segment[4]};
  memcpy(to, header, sizeof header);
  memcpy(to + sizeof header, class->lengths[table], jpeg_code_lengths);
  memcpy(to + sizeof header + jpeg_code_lengths, class->symbols[table], symbols);
  writer->count += 2 + size;
}

// Offset of the segment that begins the scan; 0 if the segments are not valid.
static size_t find_scan(const uint8_t *bytes, size_t count) {
  size_t at = 2;
  while (at + 5 <= count && bytes[at] == 0xFF) {
    const size_t size = segment_size(bytes + at);
    if (size > count - at) return 0;
    if (bytes[at + 1] == marker_sos) return at;
    at += size;
  }
  return 0;
}

// The segments before the coded data, with other codes.
static void write_segments(
    const uint8_t *bytes, size_t count, const code_set *set, bit_writer *writer) {
  memcpy(writer->bytes, bytes, 2);
  writer->count = 2;
  for (size_t at = 2; at < count; at += segment_size(bytes + at)) {
    const size_t size = segment_size(bytes + at);
    if (bytes[at + 1] == marker_dht) {
      write_code(bytes + at, set, writer);
    } else {
      memcpy(writer->bytes + writer->count, bytes + at, size);
      writer->count += size;
    }
  }
}

static void find_codes(code_set *set) {
  for (unsigned i = 0; i < 2; i++) {
    code_class *class = &set->classes[i];
    for (unsigned table = 0; table < most_tables; table++) {
      find_code(class->counts[table], class->lengths[table], class->symbols[table]);
      assign_codes(class->lengths[table], class->symbols[table], class->codes[table]);
    }
  }
}

uint8_t *jpeg_optimize_codes(
    uint8_t *bytes, size_t count, const jpeg_scan *scan, size_t *optimized_count) {
  const uint8_t closing[] = {0xFF, marker_eoi};
  const size_t header = find_scan(bytes, count);
  if (header == 0) return NULL;
  const size_t start = header + segment_size(bytes + header);
  size_t size;
  const size_t end = start + unstuff(bytes + start, count - start, &size);
  if (count - end != sizeof closing || memcmp(bytes + end, closing, sizeof closing) != 0)
    return NULL;
  code_set *set = calloc(1, sizeof *set);
  if (set == NULL) return NULL;
  const symbol_reader reader = {bytes + start, 0, 8 * size};
  bit_writer writer = {0};
  int is_done = count_symbols(reader, scan, set) && make_room(&writer, count);
  if (is_done) {
    find_codes(set);
    write_segments(bytes, start, set, &writer);
    is_done = encode_symbols(reader, scan, set, &writer) && make_room(&writer, sizeof closing);
  }
  free(set);
  if (!is_done) {
    free(writer.bytes);
    return NULL;
  }
  memcpy(writer.bytes + writer.count, closing, sizeof closing);
  *optimized_count = writer.count + sizeof closing;
  return writer.bytes;
}
#endif
