#include <stddef.h>
#include <stdint.h>

/// The entry point of libFuzzer for programs with their own `main`.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

/// Processor time of this thread, in nanoseconds.
uint64_t processor_time(void);
