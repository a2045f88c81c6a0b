// SPDX-License-Identifier: Apache-2.0
#include "platform.h"

#include "memory_shim.h"

#include <stdio.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// MARK: Memory

void memory_return_freed(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// MARK: Messages

#if defined(__GLIBC__) || defined(__APPLE__)

static ssize_t (*print_message)(const char *text, size_t count);

#ifdef __GLIBC__
static ssize_t print_from_stream(void *cookie, const char *text, size_t count) {
  (void)cookie;
  return print_message(text, count);
}

static FILE *open_filter(void) {
  cookie_io_functions_t functions = {.write = print_from_stream};
  return fopencookie(NULL, "w", functions);
}
#else
static int print_from_stream(void *cookie, const char *text, int count) {
  (void)cookie;
  return (int)print_message(text, (size_t)count);
}

static FILE *open_filter(void) { return funopen(NULL, NULL, print_from_stream, NULL, NULL); }
#endif

void platform_filter_messages(ssize_t (*print)(const char *text, size_t count)) {
  print_message = print;
  FILE *filter = open_filter();
  if (!filter) return;
  setvbuf(filter, NULL, _IONBF, 0);
  stderr = filter;
}

#else

void platform_filter_messages(ssize_t (*print)(const char *text, size_t count)) { (void)print; }

#endif
