// SPDX-License-Identifier: Apache-2.0
// Concatenation of deflate streams.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Makes another deflate stream able to follow: the last block of the stream in `bytes` is marked as
// not final, and an empty stored block is appended, after which the stream ends at a byte
// boundary.
//
// Returns the size of the stream, at most 5 bytes more than `count`; 0 if the bytes are not exactly
// one valid deflate stream, or if `capacity` is less than `count + 5`. Never accesses bytes beyond
// `capacity`.
//
// Source: RFC 1951, 3.2.3 and 3.2.4.
size_t deflate_make_continuable(uint8_t *_Nonnull bytes, size_t count, size_t capacity);
