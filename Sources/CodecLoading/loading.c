// SPDX-License-Identifier: Apache-2.0
#include "loading.h"

#ifndef REFERENCES
#include <unistd.h>

static void (*end_program)(int status) = _exit;

void codec_loading_set_end(void (*end)(int status)) { end_program = end; }

#ifdef LIBRARY
#include <dlfcn.h>
#include <stdio.h>

// An entry for the Swift driver, which passes it to the linker in front of the libraries: those whose
// functions are all defined here are not linked.
__attribute__((section(".swift1_autolink_entries"), used))
static const char as_needed[] = "-Wl,--as-needed";

// The status with which the dynamic linker ends a program.
enum { missing_library = 127 };

static _Noreturn void fail(void) {
  const char *message = dlerror();
  fprintf(stderr, "hdrconvert: %s\n", message != NULL ? message : "cannot load a codec library");
  end_program(missing_library);
  _exit(missing_library);
}

void *codec_function(codec_library *library, const char *name) {
  void *handle = atomic_load_explicit(&library->handle, memory_order_acquire);
  if (handle == NULL) {
    // Threads that load it at the same time get the same handle.
    handle = dlopen(library->name, RTLD_LAZY | RTLD_LOCAL);
    if (handle == NULL) fail();
    atomic_store_explicit(&library->handle, handle, memory_order_release);
  }
  void *function = dlsym(handle, name);
  if (function == NULL) fail();
  return function;
}
#endif
#endif
