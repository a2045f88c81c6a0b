// SPDX-License-Identifier: Apache-2.0
// Functions that differ between systems; conditions on the system are in `platform.c` only.
#pragma once
#include <stddef.h>
#include <sys/types.h>

// Passes each message on standard error to `print` instead, which returns the number of bytes that it
// has processed. Does nothing if the C library does not permit to replace `stderr`.
void platform_filter_messages(ssize_t (*print)(const char *text, size_t count));
