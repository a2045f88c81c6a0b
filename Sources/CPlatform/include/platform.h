// SPDX-License-Identifier: Apache-2.0
// What Swift cannot call or declare itself.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Returns freed memory to the system, where the C library keeps it for later allocations.
void platform_return_freed_memory(void);

// The relation of this process to the one that loaded the library.
typedef enum {
  // It loaded the library.
  platform_own_process,
  // It was forked from one that had not called the library.
  platform_forked_process,
  // It was forked from one that had: its threads are missing, and locks may be held for ever.
  platform_forked_after_use,
} platform_process;

// Counts as a use of the library. Needs nothing that a process could have inherited half-done.
platform_process platform_use(void);

// Receives the messages that codec libraries print on standard error, from now on, for the whole
// process: `receive` is called with `context` and each line, on any thread; NULL discards them.
//
// libjxl prints the line of its source for each error if it was built without NDEBUG, as in Debian;
// the error itself is returned as well. Failed assertions and messages of other libraries, which cannot
// be told from those of the program, are printed.
void platform_receive_messages(
  void (*_Nullable receive)(void *_Nullable context, const char *_Nonnull text),
  void *_Nullable context);

// Registers the codecs of the module `ImageCodecs`, if the program is linked to it.
void image_codecs_register(void);

// Adds whole blocks of 64 bytes to the state of SHA-256, eight words; by the instructions of the processor, if it
// has some.
void platform_sha256_add(uint32_t *_Nonnull state, const uint8_t *_Nonnull blocks, size_t count);

// The same on any processor.
void platform_sha256_add_by_words(uint32_t *_Nonnull state, const uint8_t *_Nonnull blocks, size_t count);
