// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#define CLONE(kernel) v3_##kernel

#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("arch=x86-64-v3"))), apply_to = function)
#include "kernels.h"
#pragma clang attribute pop
#else
#include "kernels.h"
#endif

bool kernel_clones_can_run_v3(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("x86-64-v3");
#else
  return true;
#endif
}
