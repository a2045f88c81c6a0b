// SPDX-License-Identifier: Apache-2.0
#include "include/platform.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void platform_return_freed_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// The function of the same name in `ImageCodecs` takes the place of this one.
__attribute__((weak)) void image_codecs_register(void) {}
