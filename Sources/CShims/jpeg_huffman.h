// SPDX-License-Identifier: Apache-2.0
// Optimal Huffman codes for JPEG files that are encoded in one pass.
//
// A file is first encoded with codes of eight bits that are the symbols themselves. Its symbols are then
// counted, and encoded again with codes of least size. The result is the file that libjpeg makes in
// two passes, which needs the coefficients of the whole image in memory.

#ifndef JPEG_HUFFMAN_H
#define JPEG_HUFFMAN_H

#include <stddef.h>
#include <stdint.h>

enum {
  jpeg_code_lengths = 16,
  // Symbols that a table of codes of eight bits may have; no code consists of ones only.
  jpeg_dc_symbols = 16,
  jpeg_ac_symbols = 255,
  jpeg_most_blocks = 10,
  // Readable bytes after a file.
  jpeg_padding = 8,
};

// The blocks of a scan.
typedef struct {
  // Number of minimum coded units.
  size_t unit_count;
  // Blocks of a minimum coded unit, and the index of the tables of each.
  unsigned block_count;
  uint8_t tables[jpeg_most_blocks];
} jpeg_scan;

// Encodes the symbols of a baseline file with one scan and up to two tables of each kind again, whose
// codes of eight bits are the symbols.
//
// Changes `bytes`, which `jpeg_padding` more follow. Returns the new file, which the caller frees, or
// NULL if memory allocation fails or the file has another structure.
uint8_t *jpeg_optimize_codes(
    uint8_t *bytes, size_t count, const jpeg_scan *scan, size_t *optimized_count);

#endif
