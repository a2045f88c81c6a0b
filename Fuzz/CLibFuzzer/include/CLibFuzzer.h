#include <stddef.h>
#include <stdint.h>

/// The entry of libFuzzer for programs with their own `main`.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

/// Nanoseconds that this thread has computed; other work on the machine does not count.
uint64_t processor_time(void);
