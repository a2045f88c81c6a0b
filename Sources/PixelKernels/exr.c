// SPDX-License-Identifier: Apache-2.0
// Chunks of OpenEXR files before ZIP compression.

#include "multiversioned.h"

MULTIVERSIONED
void pk_separate_bytes(const uint8_t *restrict bytes, uint8_t *restrict separated, size_t count) {
  const size_t odd = count / 2;
  uint8_t *restrict upper = separated + (count - odd);
  for (size_t i = 0; i < odd; i++) {
    separated[i] = bytes[2 * i];
    upper[i] = bytes[2 * i + 1];
  }
  if (count % 2 != 0) separated[odd] = bytes[count - 1];
}

MULTIVERSIONED
void pk_predict_bytes(const uint8_t *restrict bytes, uint8_t *restrict predicted, size_t count) {
  if (count == 0) return;
  predicted[0] = bytes[0];
  for (size_t i = 1; i < count; i++) predicted[i] = (uint8_t)(bytes[i] - bytes[i - 1] + 128);
}
