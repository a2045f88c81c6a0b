// SPDX-License-Identifier: Apache-2.0
#include "loading.h"

#if defined(LIBRARY) && defined(WITH_HEIF)
#include <libheif/heif.h>

#if LIBHEIF_NUMERIC_VERSION < 0x02000000
LIBRARY(heif, "libheif.so.1");

FUNCTION(heif, struct heif_context *, heif_context_alloc, (void), ())
FUNCTION(heif, struct heif_error, heif_context_encode_image,
         (struct heif_context *context, const struct heif_image *image,
          struct heif_encoder *encoder, const struct heif_encoding_options *options,
          struct heif_image_handle **handle),
         (context, image, encoder, options, handle))
FUNCTION(heif, void, heif_context_free, (struct heif_context *context), (context))
FUNCTION(heif, struct heif_error, heif_context_get_encoder_for_format,
         (struct heif_context *context, enum heif_compression_format format,
          struct heif_encoder **encoder),
         (context, format, encoder))
FUNCTION(heif, struct heif_error, heif_context_write,
         (struct heif_context *context, struct heif_writer *writer, void *user_data),
         (context, writer, user_data))
FUNCTION(heif, void, heif_encoder_release, (struct heif_encoder *encoder), (encoder))
FUNCTION(heif, struct heif_error, heif_encoder_set_lossless,
         (struct heif_encoder *encoder, int enable), (encoder, enable))
FUNCTION(heif, struct heif_error, heif_encoder_set_lossy_quality,
         (struct heif_encoder *encoder, int quality), (encoder, quality))
FUNCTION(heif, struct heif_error, heif_encoder_set_parameter,
         (struct heif_encoder *encoder, const char *name, const char *value),
         (encoder, name, value))
FUNCTION(heif, struct heif_encoding_options *, heif_encoding_options_alloc, (void), ())
FUNCTION(heif, void, heif_encoding_options_free, (struct heif_encoding_options *options),
         (options))
FUNCTION(heif, const char *, heif_get_version, (void), ())
FUNCTION(heif, struct heif_error, heif_image_add_plane,
         (struct heif_image *image, enum heif_channel channel, int width, int height, int bits),
         (image, channel, width, height, bits))
FUNCTION(heif, struct heif_error, heif_image_create,
         (int width, int height, enum heif_colorspace colorspace, enum heif_chroma chroma,
          struct heif_image **image),
         (width, height, colorspace, chroma, image))
FUNCTION(heif, uint8_t *, heif_image_get_plane,
         (struct heif_image *image, enum heif_channel channel, int *stride),
         (image, channel, stride))
FUNCTION(heif, void, heif_image_release, (const struct heif_image *image), (image))
FUNCTION(heif, struct heif_error, heif_image_set_nclx_color_profile,
         (struct heif_image *image, const struct heif_color_profile_nclx *profile),
         (image, profile))
FUNCTION(heif, struct heif_color_profile_nclx *, heif_nclx_color_profile_alloc, (void), ())
FUNCTION(heif, void, heif_nclx_color_profile_free, (struct heif_color_profile_nclx *profile),
         (profile))
#endif
#endif
