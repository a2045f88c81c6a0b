// SPDX-License-Identifier: Apache-2.0
#include "messages_shim.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "platform.h"

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

void messages_discard_debugging(void) { platform_filter_messages(print); }
