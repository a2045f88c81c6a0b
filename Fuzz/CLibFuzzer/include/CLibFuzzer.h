// SPDX-License-Identifier: Apache-2.0
#include <stddef.h>
#include <stdint.h>

/// The entry point of libFuzzer for programs with their own `main`.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

/// Mutates bytes in place; returns the new number of bytes, at most `limit`.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t limit);

/// Processor time of this thread, in nanoseconds.
uint64_t processor_time(void);
