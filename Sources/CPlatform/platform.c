// SPDX-License-Identifier: Apache-2.0
#include "include/platform.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

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

// The process that loaded this library, and the first one that used it; 0 before.
static atomic_int loading_process, using_process;

__attribute__((constructor)) static void remember_process(void) {
  atomic_store(&loading_process, (int)getpid());
}

platform_process platform_use(void) {
  int own = (int)getpid(), user = 0;
  if (!atomic_compare_exchange_strong(&using_process, &user, own) && user != own)
    return platform_forked_after_use;
  return own == atomic_load(&loading_process) ? platform_own_process : platform_forked_process;
}
