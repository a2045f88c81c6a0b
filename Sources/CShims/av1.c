// SPDX-License-Identifier: Apache-2.0
#ifdef WITH_AVIF
#include "av1_shim.h"

#include <aom/aom_encoder.h>
#include <aom/aomcx.h>
#include <stdio.h>
#include <string.h>

const char *av1_encoder_version(void) { return aom_codec_version_str(); }

static aom_img_fmt_t image_format(const av1_image *image) {
  aom_img_fmt_t format = AOM_IMG_FMT_I444;
  if (image->is_monochrome || image->chroma_shift_y) {
    format = AOM_IMG_FMT_I420;
  } else if (image->chroma_shift_x) {
    format = AOM_IMG_FMT_I422;
  }
  return image->bits > 8 ? (aom_img_fmt_t)(format | AOM_IMG_FMT_HIGHBITDEPTH) : format;
}

// 0 Main, 1 High, 2 Professional.
//
// Source: AV1 bitstream specification, 6.4.1.
static unsigned int profile(const av1_image *image) {
  if (image->bits > 10) return 2;
  if (image->is_monochrome || image->chroma_shift_y) return 0;
  return image->chroma_shift_x ? 2 : 1;
}

static aom_codec_err_t open_encoder(
    aom_codec_ctx_t *encoder, const av1_image *image, const av1_options *options) {
  aom_codec_iface_t *interface = aom_codec_av1_cx();
  aom_codec_enc_cfg_t configuration;
  aom_codec_err_t status =
      aom_codec_enc_config_default(interface, &configuration, AOM_USAGE_ALL_INTRA);
  if (status != AOM_CODEC_OK) return status;
  configuration.g_profile = profile(image);
  configuration.g_bit_depth = (aom_bit_depth_t)image->bits;
  configuration.g_input_bit_depth = image->bits;
  configuration.g_w = image->width;
  configuration.g_h = image->height;
  configuration.g_threads = options->threads;
  configuration.monochrome = (unsigned int)image->is_monochrome;
  // A single frame: a reduced header, and no frames in advance.
  configuration.g_limit = 1;
  configuration.g_lag_in_frames = 0;
  configuration.kf_mode = AOM_KF_DISABLED;
  configuration.kf_max_dist = 0;
  configuration.rc_end_usage = AOM_Q;
  configuration.rc_min_quantizer = options->quantizer;
  configuration.rc_max_quantizer = options->quantizer;
  return aom_codec_enc_init(
      encoder, interface, &configuration, image->bits > 8 ? AOM_CODEC_USE_HIGHBITDEPTH : 0);
}

#define SET(control, value)                                          \
  do {                                                               \
    aom_codec_err_t status = aom_codec_control(encoder, control, value); \
    if (status != AOM_CODEC_OK) return status;                       \
  } while (0)

static aom_codec_err_t configure(
    aom_codec_ctx_t *encoder, const av1_image *image, const av1_options *options) {
  SET(AOME_SET_CPUUSED, options->speed);
  SET(AV1E_SET_LOSSLESS, options->quantizer == 0);
  SET(AOME_SET_CQ_LEVEL, options->quantizer);
  SET(AOME_SET_TUNING, AOM_TUNE_SSIM);
  SET(AV1E_SET_ROW_MT, 1);
  SET(AV1E_SET_TILE_COLUMNS, options->tile_columns);
  SET(AV1E_SET_TILE_ROWS, options->tile_rows);
  // The encoder does not need the filtered image, to which only later frames would refer.
  SET(AV1E_SET_SKIP_POSTPROC_FILTERING, 1);
  SET(AV1E_SET_ENABLE_PALETTE, options->uses_graphics_tools);
  SET(AV1E_SET_ENABLE_INTRABC, options->uses_graphics_tools);
  SET(AV1E_SET_ENABLE_RECT_PARTITIONS, options->uses_rectangular_partitions);
  SET(AV1E_SET_COLOR_RANGE, image->is_full_range);
  SET(AV1E_SET_COLOR_PRIMARIES, image->primaries);
  SET(AV1E_SET_TRANSFER_CHARACTERISTICS, image->transfer);
  SET(AV1E_SET_MATRIX_COEFFICIENTS, image->matrix);
  SET(AV1E_SET_CHROMA_SAMPLE_POSITION, image->chroma_sample_position);
  return AOM_CODEC_OK;
}

static void set_samples(aom_image_t *target, const av1_image *image) {
  memset(target, 0, sizeof *target);
  target->fmt = image_format(image);
  target->bit_depth = image->bits > 8 ? 16 : 8;
  target->w = target->d_w = image->width;
  target->h = target->d_h = image->height;
  target->x_chroma_shift = image->is_monochrome ? 1 : image->chroma_shift_x;
  target->y_chroma_shift = image->is_monochrome ? 1 : image->chroma_shift_y;
  target->monochrome = image->is_monochrome;
  target->range = image->is_full_range ? AOM_CR_FULL_RANGE : AOM_CR_STUDIO_RANGE;
  target->cp = (aom_color_primaries_t)image->primaries;
  target->tc = (aom_transfer_characteristics_t)image->transfer;
  target->mc = (aom_matrix_coefficients_t)image->matrix;
  target->csp = (aom_chroma_sample_position_t)image->chroma_sample_position;
  for (int index = 0; index < (image->is_monochrome ? 1 : 3); index++) {
    // libaom does not write to them.
    target->planes[index] = (unsigned char *)image->planes[index];
    target->stride[index] = (int)image->row_strides[index];
  }
}

int av1_encode(
    const av1_image *image, const av1_options *options,
    void (*write)(void *context, const uint8_t *bytes, size_t size), void *context, char *message,
    size_t capacity) {
  aom_codec_ctx_t encoder;
  memset(&encoder, 0, sizeof encoder);
  aom_image_t samples;
  set_samples(&samples, image);
  aom_codec_err_t status = open_encoder(&encoder, image, options);
  if (status == AOM_CODEC_OK) status = configure(&encoder, image, options);
  if (status == AOM_CODEC_OK) status = aom_codec_encode(&encoder, &samples, 0, 1, 0);
  // After the image, a null image flushes until there is no output.
  for (int is_flushing = 0; status == AOM_CODEC_OK; is_flushing = 1) {
    aom_codec_iter_t position = NULL;
    const aom_codec_cx_pkt_t *packet;
    int count = 0;
    while ((packet = aom_codec_get_cx_data(&encoder, &position)) != NULL) {
      if (packet->kind != AOM_CODEC_CX_FRAME_PKT) continue;
      write(context, packet->data.frame.buf, packet->data.frame.sz);
      count++;
    }
    if (is_flushing && count == 0) break;
    status = aom_codec_encode(&encoder, NULL, 0, 1, 0);
  }
  if (status != AOM_CODEC_OK) {
    const char *detail = aom_codec_error_detail(&encoder);
    snprintf(
        message, capacity, "%s%s%s", aom_codec_err_to_string(status), detail ? ": " : "",
        detail ? detail : "");
  }
  aom_codec_destroy(&encoder);
  return status != AOM_CODEC_OK;
}
#endif
