// SPDX-License-Identifier: Apache-2.0
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/version.h>

// libjxl 0.9 removed an unused argument of the two functions for ICC profiles.
#if JPEGXL_NUMERIC_VERSION < JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define UNUSED_FORMAT NULL,
#else
#define UNUSED_FORMAT
#endif

/// Sets the size in bytes of the ICC profile of the original image.
static inline JxlDecoderStatus original_profile_size(const JxlDecoder *decoder, size_t *size) {
  return JxlDecoderGetICCProfileSize(
      decoder, UNUSED_FORMAT JXL_COLOR_PROFILE_TARGET_ORIGINAL, size);
}

/// Copies the ICC profile of the original image.
static inline JxlDecoderStatus
copy_original_profile(const JxlDecoder *decoder, uint8_t *profile, size_t size) {
  return JxlDecoderGetColorAsICCProfile(
      decoder, UNUSED_FORMAT JXL_COLOR_PROFILE_TARGET_ORIGINAL, profile, size);
}

#undef UNUSED_FORMAT
