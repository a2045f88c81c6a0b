// SPDX-License-Identifier: Apache-2.0
/* Checks of the tests of the C interface. */
#ifndef CHECK_H
#define CHECK_H

#include <hdrconvert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

/* Counts and prints a condition that does not hold. */
#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      failures++;                                                              \
      printf("%s:%d: FAILED: %s\n", __FILE__, __LINE__, #condition);           \
    }                                                                          \
  } while (0)

/* Ends the program unless a call succeeds, with its error. */
#define REQUIRE(call)                                                          \
  do {                                                                         \
    hdr_error *error = NULL;                                                   \
    if ((call) != HDR_OK) {                                                    \
      printf("%s:%d: %s: %s [%s]\n", __FILE__, __LINE__, #call,                \
             hdr_error_message(error), hdr_error_code(error));                 \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

/* Checks that a call fails with a status, and that the error agrees. */
#define FAILS(call, expected)                                                  \
  do {                                                                         \
    hdr_error *error = NULL;                                                   \
    hdr_status status = (call);                                                \
    if (status != (expected)) {                                                \
      failures++;                                                              \
      printf("%s:%d: %s returned %d (%s)\n", __FILE__, __LINE__, #call,        \
             status, error ? hdr_error_message(error) : "");                   \
    }                                                                          \
    CHECK((status == HDR_OK) == (error == NULL));                              \
    if (error) {                                                               \
      CHECK(hdr_error_status(error) == status);                                \
      CHECK(strlen(hdr_error_code(error)) > 0);                                \
      CHECK(strlen(hdr_error_message(error)) > 0);                             \
    }                                                                          \
    hdr_error_destroy(error);                                                  \
  } while (0)

static const hdr_color linear_bt2020 = {9, 8, 0, true, 203};
static const hdr_color pq_bt2020 = {9, 16, 0, true, 203};
static const hdr_color srgb_bt709 = {1, 13, 0, true, 203};

/* Pixels of one plane without gaps between rows. */
static inline hdr_pixels pixels_of(hdr_packing packing, uint32_t width, uint32_t height,
                                   void *data, size_t size) {
  hdr_pixels pixels = {packing, HDR_ALPHA_STRAIGHT, width, height, {{data, size, 0}}};
  return pixels;
}

/* PQ signal of a luminance in cd/m² (SMPTE ST 2084). */
static inline double pq(double luminance) {
  double y = pow(luminance / 10000, 2610.0 / 16384);
  return pow((3424.0 / 4096 + 2413.0 / 128 * y) / (1 + 2392.0 / 128 * y), 2523.0 / 32);
}

#endif
