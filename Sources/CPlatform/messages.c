// SPDX-License-Identifier: Apache-2.0
#include "include/platform.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// A receiver is never freed: another thread may be about to call it.
typedef struct {
  void (*receive)(void *_Nullable context, const char *_Nonnull text);
  void *context;
} message_receiver;

static _Atomic(message_receiver *) receiver;

static bool contains(const char *text, size_t count, const char *word) {
  return memmem(text, count, word, strlen(word)) != NULL;
}

// Whether a message begins with the name of a source file of libjxl.
static bool is_debugging(const char *text, size_t count) {
  const char *colon = memchr(text, ':', count);
  if (!colon || !contains(text, (size_t)(colon - text), "lib/jxl/")) return false;
  return !contains(text, count, "ASSERT") && !contains(text, count, "ABORT");
}

static ssize_t print_message(const char *text, size_t count) {
  if (!is_debugging(text, count)) return write(STDERR_FILENO, text, count);
  message_receiver *current = atomic_load(&receiver);
  if (!current) return (ssize_t)count;
  char line[512];
  size_t length = count;
  while (length > 0 && text[length - 1] == '\n') length--;
  // Longer ones are cut between characters of UTF-8.
  if (length >= sizeof line) length = sizeof line - 1;
  while (length < count && length > 0 && (text[length] & 0xC0) == 0x80) length--;
  memcpy(line, text, length);
  line[length] = 0;
  current->receive(current->context, line);
  return (ssize_t)count;
}

// Passes what is printed on standard error to `print_message`, if the C library permits to replace
// `stderr`.

#ifdef __GLIBC__
static ssize_t print_from_stream(void *cookie, const char *text, size_t count) {
  (void)cookie;
  return print_message(text, count);
}

static FILE *open_filter(void) {
  cookie_io_functions_t functions = {.write = print_from_stream};
  return fopencookie(NULL, "w", functions);
}
#elif defined(__APPLE__)
static int print_from_stream(void *cookie, const char *text, int count) {
  (void)cookie;
  return (int)print_message(text, (size_t)count);
}

static FILE *open_filter(void) { return funopen(NULL, NULL, print_from_stream, NULL, NULL); }
#endif

void platform_receive_messages(
  void (*_Nullable receive)(void *_Nullable context, const char *_Nonnull text),
  void *_Nullable context) {
  message_receiver *new = receive ? malloc(sizeof *new) : NULL;
  if (new) *new = (message_receiver){receive, context};
  atomic_store(&receiver, new);
#if defined(__GLIBC__) || defined(__APPLE__)
  static atomic_bool is_filtered;
  if (atomic_exchange(&is_filtered, true)) return;
  FILE *filter = open_filter();
  if (!filter) return;
  setvbuf(filter, NULL, _IONBF, 0);
  stderr = filter;
#endif
}
