// SPDX-License-Identifier: Apache-2.0
#include "CLibFuzzer.h"

#include <time.h>

uint64_t processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
