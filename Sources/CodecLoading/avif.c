// SPDX-License-Identifier: Apache-2.0
#include "loading.h"

#if defined(LIBRARY) && defined(WITH_AVIF)
#include <avif/avif.h>

#if AVIF_VERSION_MAJOR == 1
LIBRARY(avif, "libavif.so.16");
#define IS_KNOWN
#elif AVIF_VERSION_MAJOR == 0 && AVIF_VERSION_MINOR == 11
LIBRARY(avif, "libavif.so.15");
#define IS_KNOWN
#endif

#ifdef IS_KNOWN
FUNCTION(avif, const char *, avifCodecName, (avifCodecChoice choice, avifCodecFlags flags),
         (choice, flags))
FUNCTION(avif, void, avifCodecVersions, (char buffer[256]), (buffer))
FUNCTION(avif, avifDecoder *, avifDecoderCreate, (void), ())
FUNCTION(avif, void, avifDecoderDestroy, (avifDecoder *decoder), (decoder))
FUNCTION(avif, avifResult, avifDecoderNextImage, (avifDecoder *decoder), (decoder))
FUNCTION(avif, avifResult, avifDecoderParse, (avifDecoder *decoder), (decoder))
FUNCTION(avif, avifResult, avifDecoderSetIOMemory,
         (avifDecoder *decoder, const uint8_t *data, size_t size), (decoder, data, size))
FUNCTION(avif, avifEncoder *, avifEncoderCreate, (void), ())
FUNCTION(avif, void, avifEncoderDestroy, (avifEncoder *encoder), (encoder))
FUNCTION(avif, avifResult, avifEncoderWrite,
         (avifEncoder *encoder, const avifImage *image, avifRWData *output),
         (encoder, image, output))
FUNCTION(avif, avifImage *, avifImageCreate,
         (uint32_t width, uint32_t height, uint32_t depth, avifPixelFormat format),
         (width, height, depth, format))
FUNCTION(avif, void, avifImageDestroy, (avifImage *image), (image))
FUNCTION(avif, void, avifRWDataFree, (avifRWData *data), (data))
FUNCTION(avif, const char *, avifResultToString, (avifResult result), (result))
FUNCTION(avif, const char *, avifVersion, (void), ())
#endif
#endif
