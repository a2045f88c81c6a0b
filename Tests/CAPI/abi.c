// SPDX-License-Identifier: Apache-2.0
/* The layout of structures and the values of constants, which must not change within a major version
 * (64-bit platforms). Fields are only appended: a new field changes no line, and adds one. */
#include <hdrconvert.h>

#define FIELD(type, field, offset)                                             \
  _Static_assert(offsetof(type, field) == (offset), #type "." #field)

FIELD(hdr_execution_options, size, 0);
FIELD(hdr_execution_options, memory_limit, 8);
FIELD(hdr_execution_options, pixel_limit, 16);
FIELD(hdr_execution_options, thread_count, 24);
FIELD(hdr_execution_options, progress, 32);
FIELD(hdr_execution_options, progress_context, 40);

FIELD(hdr_color, primaries, 0);
FIELD(hdr_color, transfer, 2);
FIELD(hdr_color, matrix, 4);
FIELD(hdr_color, is_full_range, 6);
FIELD(hdr_color, reference_white, 8);
_Static_assert(sizeof(hdr_color) == 16, "hdr_color");

FIELD(hdr_plane, data, 0);
FIELD(hdr_plane, size, 8);
FIELD(hdr_plane, stride, 16);
_Static_assert(sizeof(hdr_plane) == 24, "hdr_plane");

FIELD(hdr_pixels, packing, 0);
FIELD(hdr_pixels, alpha, 4);
FIELD(hdr_pixels, width, 8);
FIELD(hdr_pixels, height, 12);
FIELD(hdr_pixels, planes, 16);
_Static_assert(sizeof(hdr_pixels) == 64, "hdr_pixels");

FIELD(hdr_image_info, width, 8);
FIELD(hdr_image_info, height, 12);
FIELD(hdr_image_info, bits_per_sample, 16);
FIELD(hdr_image_info, is_floating_point, 20);
FIELD(hdr_image_info, has_alpha, 21);
FIELD(hdr_image_info, is_gray, 22);
FIELD(hdr_image_info, is_high_dynamic_range, 23);
FIELD(hdr_image_info, has_gain_map, 24);
FIELD(hdr_image_info, color, 32);
FIELD(hdr_image_info, max_content_light_level, 48);
FIELD(hdr_image_info, max_frame_average_light_level, 56);

_Static_assert(HDR_ERROR_TRUNCATED == 1 && HDR_ERROR_MALFORMED == 2, "categories");
_Static_assert(HDR_ERROR_UNSUPPORTED == 3 && HDR_ERROR_MISSING_CODEC == 4, "categories");
_Static_assert(HDR_ERROR_LIMIT_EXCEEDED == 5 && HDR_ERROR_CODEC_FAILURE == 6, "categories");
_Static_assert(HDR_ERROR_MISSING_INPUT == 7 && HDR_ERROR_CANNOT_CREATE == 8, "categories");
_Static_assert(HDR_ERROR_INPUT_OUTPUT == 9 && HDR_ERROR_INVALID_ARGUMENT == 10, "categories");
_Static_assert(HDR_ERROR_UNSUITABLE == 11 && HDR_ERROR_CANCELLED == 12, "categories");
_Static_assert(HDR_OK == 0, "categories");
_Static_assert(HDR_PACKING_RGB8 == 0 && HDR_PACKING_RGB16 == 1, "packings");
_Static_assert(HDR_PACKING_RGB_HALF == 2 && HDR_PACKING_RGB_FLOAT == 3, "packings");
_Static_assert(HDR_PACKING_RGBA8 == 4 && HDR_PACKING_RGBA16 == 5, "packings");
_Static_assert(HDR_PACKING_RGBA_HALF == 6 && HDR_PACKING_RGBA_FLOAT == 7, "packings");
_Static_assert(HDR_PACKING_RGB10A2 == 8 && HDR_PACKING_BGR10A2 == 9, "packings");
_Static_assert(HDR_PACKING_P010 == 10, "packings");
_Static_assert(HDR_ALPHA_STRAIGHT == 0 && HDR_ALPHA_PREMULTIPLIED == 1, "alpha");
_Static_assert(HDR_ALPHA_OPAQUE == 2, "alpha");
_Static_assert(HDR_DESCRIBE_LIGHT_LEVELS == 1 && HDR_DESCRIBE_STRUCTURE == 2, "parts");
_Static_assert(HDR_METADATA_EXIF == 0 && HDR_METADATA_XMP == 1, "metadata");
_Static_assert(HDR_METADATA_ICC == 2, "metadata");
