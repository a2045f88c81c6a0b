// SPDX-License-Identifier: Apache-2.0
#include "loading.h"

#if defined(LIBRARY) && defined(WITH_HEIF)
#include <libde265/de265.h>

#if LIBDE265_NUMERIC_VERSION < 0x02000000
LIBRARY(de265, "libde265.so.0");

FUNCTION(de265, de265_error, de265_decode, (de265_decoder_context *decoder, int *more),
         (decoder, more))
FUNCTION(de265, de265_error, de265_flush_data, (de265_decoder_context *decoder), (decoder))
FUNCTION(de265, de265_error, de265_free_decoder, (de265_decoder_context *decoder), (decoder))
FUNCTION(de265, int, de265_get_bits_per_pixel, (const struct de265_image *image, int channel),
         (image, channel))
FUNCTION(de265, enum de265_chroma, de265_get_chroma_format, (const struct de265_image *image),
         (image))
FUNCTION(de265, const char *, de265_get_error_text, (de265_error error), (error))
FUNCTION(de265, int, de265_get_image_height, (const struct de265_image *image, int channel),
         (image, channel))
FUNCTION(de265, const uint8_t *, de265_get_image_plane,
         (const struct de265_image *image, int channel, int *stride), (image, channel, stride))
FUNCTION(de265, int, de265_get_image_width, (const struct de265_image *image, int channel),
         (image, channel))
FUNCTION(de265, const struct de265_image *, de265_get_next_picture,
         (de265_decoder_context *decoder), (decoder))
FUNCTION(de265, const char *, de265_get_version, (void), ())
FUNCTION(de265, de265_error, de265_get_warning, (de265_decoder_context *decoder), (decoder))
FUNCTION(de265, de265_decoder_context *, de265_new_decoder, (void), ())
FUNCTION(de265, de265_error, de265_push_NAL,
         (de265_decoder_context *decoder, const void *data, int length, de265_PTS time,
          void *user_data),
         (decoder, data, length, time, user_data))
FUNCTION(de265, void, de265_set_parameter_bool,
         (de265_decoder_context *decoder, enum de265_param parameter, int value),
         (decoder, parameter, value))
FUNCTION(de265, de265_error, de265_start_worker_threads,
         (de265_decoder_context *decoder, int threads), (decoder, threads))
#endif
#endif
