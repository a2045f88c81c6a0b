// SPDX-License-Identifier: Apache-2.0
#ifdef __linux__
#define _GNU_SOURCE
#endif
#include "messages_shim.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// Other C libraries do not let programs replace `stderr`.
#if defined(__GLIBC__) || defined(__APPLE__)

static bool contains(const char *text, size_t count, const char *word) {
  return memmem(text, count, word, strlen(word)) != NULL;
}

// Whether a message begins with the name of a source file of libjxl.
static bool is_debugging(const char *text, size_t count) {
  const char *colon = memchr(text, ':', count);
  if (!colon || !contains(text, (size_t)(colon - text), "lib/jxl/")) return false;
  return !contains(text, count, "ASSERT") && !contains(text, count, "ABORT");
}

static ssize_t print(const char *text, size_t count) {
  if (is_debugging(text, count)) return (ssize_t)count;
  return write(STDERR_FILENO, text, count);
}

#ifdef __GLIBC__
static ssize_t print_message(void *cookie, const char *text, size_t count) {
  (void)cookie;
  return print(text, count);
}

static FILE *open_filter(void) {
  cookie_io_functions_t functions = {.write = print_message};
  return fopencookie(NULL, "w", functions);
}
#else
static int print_message(void *cookie, const char *text, int count) {
  (void)cookie;
  return (int)print(text, (size_t)count);
}

static FILE *open_filter(void) { return funopen(NULL, NULL, print_message, NULL, NULL); }
#endif

void messages_discard_debugging(void) {
  FILE *filter = open_filter();
  if (!filter) return;
  setvbuf(filter, NULL, _IONBF, 0);
  stderr = filter;
}

#else

void messages_discard_debugging(void) {}

#endif
