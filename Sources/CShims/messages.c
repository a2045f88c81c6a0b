// SPDX-License-Identifier: Apache-2.0
#include "messages_shim.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

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

// Passes each message on standard error to `print` instead, which returns the number of bytes that it
// has processed. Does nothing if the C library does not permit to replace `stderr`.

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

static void filter_messages(ssize_t (*print)(const char *text, size_t count)) {
  print_message = print;
  FILE *filter = open_filter();
  if (!filter) return;
  setvbuf(filter, NULL, _IONBF, 0);
  stderr = filter;
}

#else

static void filter_messages(ssize_t (*print)(const char *text, size_t count)) { (void)print; }

#endif

void messages_discard_debugging(void) { filter_messages(print); }
