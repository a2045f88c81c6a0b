// SPDX-License-Identifier: Apache-2.0
#include "loading.h"

#if defined(LIBRARY) && defined(WITH_JPEGXL)
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <jxl/version.h>

#if JPEGXL_MAJOR_VERSION == 0 && JPEGXL_MINOR_VERSION == 7
LIBRARY(jxl, "libjxl.so.0.7");

FUNCTION(jxl, void, JxlColorEncodingSetToSRGB, (JxlColorEncoding * encoding, int is_gray),
         (encoding, is_gray))
FUNCTION(jxl, JxlDecoder *, JxlDecoderCreate, (const JxlMemoryManager *manager), (manager))
FUNCTION(jxl, void, JxlDecoderDestroy, (JxlDecoder * decoder), (decoder))
FUNCTION(jxl, JxlDecoderStatus, JxlDecoderGetBasicInfo,
         (const JxlDecoder *decoder, JxlBasicInfo *info), (decoder, info))
FUNCTION(jxl, JxlDecoderStatus, JxlDecoderGetColorAsICCProfile,
         (const JxlDecoder *decoder, const JxlPixelFormat *unused, JxlColorProfileTarget target,
          uint8_t *profile, size_t size),
         (decoder, unused, target, profile, size))
FUNCTION(jxl, JxlDecoderStatus, JxlDecoderGetICCProfileSize,
         (const JxlDecoder *decoder, const JxlPixelFormat *unused, JxlColorProfileTarget target,
          size_t *size),
         (decoder, unused, target, size))
FUNCTION(jxl, JxlDecoderStatus, JxlDecoderImageOutBufferSize,
         (const JxlDecoder *decoder, const JxlPixelFormat *format, size_t *size),
         (decoder, format, size))
FUNCTION(jxl, JxlDecoderStatus, JxlDecoderProcessInput, (JxlDecoder * decoder), (decoder))
FUNCTION(jxl, size_t, JxlDecoderReleaseJPEGBuffer, (JxlDecoder * decoder), (decoder))
FUNCTION(jxl, JxlDecoderStatus, JxlDecoderSetImageOutBuffer,
         (JxlDecoder * decoder, const JxlPixelFormat *format, void *buffer, size_t size),
         (decoder, format, buffer, size))
FUNCTION(jxl, JxlDecoderStatus, JxlDecoderSetInput,
         (JxlDecoder * decoder, const uint8_t *data, size_t size), (decoder, data, size))
FUNCTION(jxl, JxlDecoderStatus, JxlDecoderSetJPEGBuffer,
         (JxlDecoder * decoder, uint8_t *data, size_t size), (decoder, data, size))
FUNCTION(jxl, JxlDecoderStatus, JxlDecoderSetKeepOrientation, (JxlDecoder * decoder, int keeps),
         (decoder, keeps))
FUNCTION(jxl, JxlDecoderStatus, JxlDecoderSetParallelRunner,
         (JxlDecoder * decoder, JxlParallelRunner runner, void *context),
         (decoder, runner, context))
FUNCTION(jxl, JxlDecoderStatus, JxlDecoderSetPreferredColorProfile,
         (JxlDecoder * decoder, const JxlColorEncoding *encoding), (decoder, encoding))
FUNCTION(jxl, JxlDecoderStatus, JxlDecoderSubscribeEvents, (JxlDecoder * decoder, int events),
         (decoder, events))
FUNCTION(jxl, uint32_t, JxlDecoderVersion, (void), ())
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderAddImageFrame,
         (const JxlEncoderFrameSettings *settings, const JxlPixelFormat *format,
          const void *buffer, size_t size),
         (settings, format, buffer, size))
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderAddJPEGFrame,
         (const JxlEncoderFrameSettings *settings, const uint8_t *buffer, size_t size),
         (settings, buffer, size))
FUNCTION(jxl, void, JxlEncoderCloseInput, (JxlEncoder * encoder), (encoder))
FUNCTION(jxl, JxlEncoder *, JxlEncoderCreate, (const JxlMemoryManager *manager), (manager))
FUNCTION(jxl, void, JxlEncoderDestroy, (JxlEncoder * encoder), (encoder))
FUNCTION(jxl, JxlEncoderFrameSettings *, JxlEncoderFrameSettingsCreate,
         (JxlEncoder * encoder, const JxlEncoderFrameSettings *source), (encoder, source))
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderFrameSettingsSetOption,
         (JxlEncoderFrameSettings * settings, JxlEncoderFrameSettingId option, int64_t value),
         (settings, option, value))
FUNCTION(jxl, JxlEncoderError, JxlEncoderGetError, (JxlEncoder * encoder), (encoder))
FUNCTION(jxl, int, JxlEncoderGetRequiredCodestreamLevel, (const JxlEncoder *encoder), (encoder))
FUNCTION(jxl, void, JxlEncoderInitBasicInfo, (JxlBasicInfo * info), (info))
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderProcessOutput,
         (JxlEncoder * encoder, uint8_t **next, size_t *available), (encoder, next, available))
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderSetBasicInfo,
         (JxlEncoder * encoder, const JxlBasicInfo *info), (encoder, info))
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderSetCodestreamLevel, (JxlEncoder * encoder, int level),
         (encoder, level))
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderSetColorEncoding,
         (JxlEncoder * encoder, const JxlColorEncoding *color), (encoder, color))
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderSetFrameDistance,
         (JxlEncoderFrameSettings * settings, float distance), (settings, distance))
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderSetFrameLossless,
         (JxlEncoderFrameSettings * settings, int is_lossless), (settings, is_lossless))
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderSetICCProfile,
         (JxlEncoder * encoder, const uint8_t *profile, size_t size), (encoder, profile, size))
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderSetParallelRunner,
         (JxlEncoder * encoder, JxlParallelRunner runner, void *context),
         (encoder, runner, context))
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderStoreJPEGMetadata, (JxlEncoder * encoder, int stores),
         (encoder, stores))
FUNCTION(jxl, JxlEncoderStatus, JxlEncoderUseContainer, (JxlEncoder * encoder, int uses),
         (encoder, uses))
FUNCTION(jxl, JxlSignature, JxlSignatureCheck, (const uint8_t *bytes, size_t count),
         (bytes, count))
#endif
#endif
