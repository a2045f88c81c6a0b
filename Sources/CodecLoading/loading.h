// SPDX-License-Identifier: Apache-2.0
// Definitions of functions that load their library.
#pragma once
#include "codec_loading.h"

#if defined(__ELF__) && !defined(REFERENCES)
#include <stdatomic.h>
#include <stddef.h>

// A library by the name with which it is loaded.
typedef struct {
  const char *name;
  void *_Atomic handle;
} codec_library;

// The address of a function, after loading its library if it is not loaded yet. Ends the program
// as the dynamic linker does if the library is missing or does not define the function.
void *codec_function(codec_library *library, const char *name);

#define LIBRARY(library, file) static codec_library library = {file, NULL}

// Defines a function that calls the one of the library. The parameters are those of its header,
// which the compiler compares.
#define FUNCTION(library, result, name, parameters, arguments)                        \
  result name parameters {                                                            \
    static void *_Atomic address;                                                     \
    void *function = atomic_load_explicit(&address, memory_order_acquire);            \
    if (function == NULL) {                                                           \
      function = codec_function(&library, #name);                                     \
      atomic_store_explicit(&address, function, memory_order_release);                \
    }                                                                                 \
    return ((__typeof__(&name))function)arguments;                                    \
  }

#elif defined(__ELF__)
// For packages: a library with references to all functions, from which tools conclude on the
// dependencies of the program.
#define LIBRARY(library, file) enum { library }
#define FUNCTION(library, result, name, parameters, arguments) \
  __attribute__((used)) static const void *const name##_reference = (const void *)name;
#endif
