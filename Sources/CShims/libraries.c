// SPDX-License-Identifier: Apache-2.0
#include "libraries_shim.h"

#include <stddef.h>

// scripts/library.d/lazy.c defines the functions that take the place of these.
#define LOADED_AT_START(name) \
  __attribute__((weak)) const char *library_load_##name(void) { return NULL; }

LOADED_AT_START(heif)
LOADED_AT_START(de265)
LOADED_AT_START(avif)
LOADED_AT_START(jxl)
LOADED_AT_START(tiff)
LOADED_AT_START(raw_r)
