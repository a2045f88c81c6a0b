// SPDX-License-Identifier: Apache-2.0
// Name of the clones that are selected at startup.

#include "multiversioned.h"

const char *pk_instruction_set(void) {
#ifdef HAS_CLONES
  if (__builtin_cpu_supports("x86-64-v4")) return "x86-64-v4";
  if (__builtin_cpu_supports("x86-64-v3")) return "x86-64-v3";
#endif
  return "baseline";
}
