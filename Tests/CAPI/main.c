// SPDX-License-Identifier: Apache-2.0
/* Tests of the C interface. usage: capi-test */
#include "check.h"

#include <pthread.h>

enum { WIDTH = 64, HEIGHT = 48 };

/* Linear RGB: gray ramps from 0 to 4 times reference white along x, red tinted along y. */
static float *ramp(void) {
  float *samples = malloc(sizeof(float) * 3 * WIDTH * HEIGHT);
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) {
      float *pixel = samples + 3 * (y * WIDTH + x);
      pixel[0] = pixel[1] = pixel[2] = 4.0f * x / (WIDTH - 1);
      if (y >= HEIGHT / 2) pixel[1] *= 0.5f;
    }
  }
  return samples;
}

static hdr_image *ramp_image(void) {
  float *samples = ramp();
  hdr_pixels pixels = pixels_of(HDR_PACKING_RGB_FLOAT, WIDTH, HEIGHT, samples,
                                sizeof(float) * 3 * WIDTH * HEIGHT);
  hdr_image *image = NULL;
  REQUIRE(hdr_image_create(&pixels, &linear_bt2020, NULL, &image, &error));
  free(samples); /* The pixels were copied. */
  return image;
}

static hdr_bytes *encoded(const hdr_image *image, const char *format, bool lossless) {
  hdr_encode_options options;
  hdr_encode_options_init(&options);
  options.format = format;
  options.is_lossless = lossless;
  hdr_bytes *bytes = NULL;
  REQUIRE(hdr_image_encode(image, &options, NULL, &bytes, &error));
  return bytes;
}

static hdr_image *opened(const hdr_bytes *bytes) {
  hdr_image *image = NULL;
  REQUIRE(hdr_image_open_memory(hdr_bytes_data(bytes), hdr_bytes_size(bytes), NULL, NULL, &image,
                                &error));
  return image;
}

/* A losslessly encoded PQ image has the code values of the formula. */
static void test_encode_and_decode(void) {
  static const char *formats[] = {"png", "avif", "heic", "jxl"};
  static const char *names[] = {"png", "avif", "heif", "jxl"};
  hdr_image *source = ramp_image();
  CHECK(strcmp(hdr_image_format(source), "") == 0);
  for (int i = 0; i < 4; i++) {
    hdr_bytes *file = encoded(source, formats[i], true);
    CHECK(hdr_bytes_data(file)[hdr_bytes_size(file)] == 0);
    CHECK(hdr_bytes_notices(file)[0] == '[');
    hdr_image *image = opened(file);
    CHECK(strcmp(hdr_image_format(image), names[i]) == 0);

    hdr_image_info info = {.size = sizeof info};
    REQUIRE(hdr_image_get_info(image, &info, &error));
    CHECK(info.width == WIDTH && info.height == HEIGHT);
    CHECK(info.bits_per_sample >= 10 && !info.is_floating_point && !info.has_alpha);
    CHECK(info.is_high_dynamic_range && !info.has_gain_map);
    CHECK(info.color.primaries == 9 && info.color.transfer == 16);
    CHECK(fabs(info.max_content_light_level - 812) < 2);

    uint16_t *samples = malloc(6 * WIDTH * HEIGHT);
    hdr_pixels pixels = pixels_of(HDR_PACKING_RGB16, WIDTH, HEIGHT, samples, 6 * WIDTH * HEIGHT);
    REQUIRE(hdr_image_decode(image, &pq_bt2020, &pixels, NULL, &error));
    double tolerance = 1.5 * 65535 / ((1 << info.bits_per_sample) - 1);
    for (int x = 0; x < WIDTH; x++) {
      double expected = 65535 * pq(203 * 4.0 * x / (WIDTH - 1));
      CHECK(fabs(samples[3 * x] - expected) <= tolerance);
    }
    free(samples);
    hdr_image_destroy(image);
    hdr_bytes_destroy(file);
  }
  hdr_image_destroy(source);
}

/* Every packing holds the same colors. */
static void test_packings(void) {
  static const int pixel_bytes[] = {3, 6, 6, 12, 4, 8, 8, 16, 4, 4};
  hdr_image *source = ramp_image();
  const int x = 20, y = 40; /* Green is half of red and blue. */
  double red = pq(203 * 4.0 * x / (WIDTH - 1)), green = pq(203 * 2.0 * x / (WIDTH - 1));
  for (hdr_packing packing = HDR_PACKING_RGB8; packing <= HDR_PACKING_BGR10A2; packing++) {
    size_t stride = (size_t)pixel_bytes[packing] * WIDTH + 64, size = stride * HEIGHT;
    uint8_t *data = malloc(size);
    memset(data, 0xA5, size);
    hdr_pixels pixels = pixels_of(packing, WIDTH, HEIGHT, data, size);
    pixels.planes[0].stride = stride;
    REQUIRE(hdr_image_decode(source, &pq_bt2020, &pixels, NULL, &error));
    const uint8_t *pixel = data + y * stride + x * pixel_bytes[packing];
    CHECK(data[stride - 1] == 0xA5); /* Gaps between rows are unchanged. */
    double found_red = -1, found_green = -1, alpha = 1;
    uint16_t words[4];
    float floats[4];
    uint32_t word;
    switch (packing) {
    case HDR_PACKING_RGBA8: alpha = pixel[3] / 255.0; /* fallthrough */
    case HDR_PACKING_RGB8:
      found_red = pixel[0] / 255.0, found_green = pixel[1] / 255.0;
      break;
    case HDR_PACKING_RGBA16:
    case HDR_PACKING_RGB16:
      memcpy(words, pixel, packing == HDR_PACKING_RGBA16 ? 8 : 6);
      found_red = words[0] / 65535.0, found_green = words[1] / 65535.0;
      if (packing == HDR_PACKING_RGBA16) alpha = words[3] / 65535.0;
      break;
    case HDR_PACKING_RGBA_FLOAT:
    case HDR_PACKING_RGB_FLOAT:
      memcpy(floats, pixel, packing == HDR_PACKING_RGBA_FLOAT ? 16 : 12);
      found_red = floats[0], found_green = floats[1];
      if (packing == HDR_PACKING_RGBA_FLOAT) alpha = floats[3];
      break;
    case HDR_PACKING_RGBA_HALF:
    case HDR_PACKING_RGB_HALF:
      memcpy(words, pixel, 6);
      /* Both values are from 0.5 to 1: exponent 14. */
      found_red = (1024 + (words[0] & 1023)) / 2048.0;
      found_green = (1024 + (words[1] & 1023)) / 2048.0;
      CHECK(words[0] >> 10 == 14 && words[1] >> 10 == 14);
      break;
    default:
      memcpy(&word, pixel, 4);
      found_red = (packing == HDR_PACKING_RGB10A2 ? word & 1023 : word >> 20 & 1023) / 1023.0;
      found_green = (word >> 10 & 1023) / 1023.0;
      alpha = (word >> 30) / 3.0;
    }
    double tolerance = pixel_bytes[packing] <= 4 && packing < HDR_PACKING_RGB10A2 ? 1 / 255.0
                                                                                   : 1 / 1023.0;
    CHECK(fabs(found_red - red) <= tolerance);
    CHECK(fabs(found_green - green) <= tolerance);
    CHECK(alpha == 1);
    free(data);
  }

  /* P010: luma and chroma of gray in narrow range, two planes. */
  uint16_t *luma = malloc(2 * WIDTH * HEIGHT), *chroma = malloc(WIDTH * HEIGHT);
  hdr_pixels pixels = {HDR_PACKING_P010, HDR_ALPHA_OPAQUE, WIDTH, HEIGHT,
                       {{luma, 2 * WIDTH * HEIGHT, 0}, {chroma, WIDTH * HEIGHT, 0}}};
  hdr_color color = {9, 16, 9, false, 203};
  REQUIRE(hdr_image_decode(source, &color, &pixels, NULL, &error));
  CHECK(fabs((luma[x] >> 6) - (64 + 876 * red)) <= 1);
  CHECK(abs((chroma[x] >> 6) - 512) <= 1);
  hdr_image *copy = NULL;
  REQUIRE(hdr_image_create(&pixels, &color, NULL, &copy, &error));
  hdr_image_destroy(copy);
  free(luma);
  free(chroma);
  hdr_image_destroy(source);
}

static void test_describe(void) {
  hdr_image *source = ramp_image();
  hdr_bytes *json = NULL;
  FAILS(hdr_image_describe(source, 0, NULL, &json, &error), HDR_ERROR_INVALID_ARGUMENT);
  hdr_bytes *file = encoded(source, "avif", false);
  hdr_image *image = opened(file);
  uint32_t parts = HDR_DESCRIBE_LIGHT_LEVELS | HDR_DESCRIBE_STRUCTURE;
  REQUIRE(hdr_image_describe(image, parts, NULL, &json, &error));
  const char *text = (const char *)hdr_bytes_data(json);
  CHECK(strlen(text) == hdr_bytes_size(json));
  CHECK(strstr(text, "\"schema\" : \"hdrconvert/inspect/1\"") != NULL);
  CHECK(strstr(text, "\"format\" : \"avif\"") != NULL);
  CHECK(strstr(text, "\"lightLevels\"") != NULL && strstr(text, "\"structure\"") != NULL);
  hdr_bytes_destroy(json);
  hdr_image_destroy(image);
  hdr_bytes_destroy(file);
  hdr_image_destroy(source);
}

/* The largest sample of a rendition at a headroom. */
static float brightest(const hdr_image *image, double headroom) {
  hdr_render_options options;
  hdr_render_options_init(&options);
  options.headroom = headroom;
  hdr_image *rendered = NULL;
  REQUIRE(hdr_image_render(image, &options, NULL, &rendered, &error));
  hdr_image_info info = {.size = sizeof info};
  REQUIRE(hdr_image_get_info(rendered, &info, &error));
  CHECK(info.is_floating_point && info.color.transfer == 8 && info.color.primaries == 9);
  size_t count = 3 * (size_t)info.width * info.height;
  float *samples = malloc(4 * count), largest = 0;
  hdr_pixels pixels =
      pixels_of(HDR_PACKING_RGB_FLOAT, info.width, info.height, samples, 4 * count);
  REQUIRE(hdr_image_decode(rendered, NULL, &pixels, NULL, &error));
  for (size_t i = 0; i < count; i++) largest = fmaxf(largest, samples[i]);
  free(samples);
  hdr_image_destroy(rendered);
  return largest;
}

static void test_gain_maps(void) {
  hdr_image *hdr = ramp_image();
  uint8_t *samples = malloc(3 * WIDTH * HEIGHT);
  hdr_pixels pixels = pixels_of(HDR_PACKING_RGB8, WIDTH, HEIGHT, samples, 3 * WIDTH * HEIGHT);
  hdr_render_options standard;
  hdr_render_options_init(&standard);
  standard.headroom = 1;
  hdr_image *shown = NULL, *sdr = NULL;
  REQUIRE(hdr_image_render(hdr, &standard, NULL, &shown, &error));
  REQUIRE(hdr_image_decode(shown, &srgb_bt709, &pixels, NULL, &error));
  REQUIRE(hdr_image_create(&pixels, &srgb_bt709, NULL, &sdr, &error));
  free(samples);

  hdr_gain_map_options options;
  hdr_gain_map_options_init(&options);
  options.format = "jpg";
  hdr_gain_map_result result = {.size = sizeof result};
  hdr_bytes *file = NULL;
  options.chroma = 555;
  FAILS(hdr_gain_map_create(sdr, hdr, &options, NULL, &file, NULL, &error),
        HDR_ERROR_INVALID_ARGUMENT);
  options.chroma = 444;
  REQUIRE(hdr_gain_map_create(sdr, hdr, &options, NULL, &file, &result, &error));
  CHECK(result.size == sizeof result && result.mean_error > 0 && result.mean_error < 5);
  CHECK(result.base_byte_count + result.map_byte_count < hdr_bytes_size(file));
  hdr_image *both = opened(file);
  hdr_image_info info = {.size = sizeof info};
  REQUIRE(hdr_image_get_info(both, &info, &error));
  CHECK(info.has_gain_map && info.is_high_dynamic_range && info.bits_per_sample == 8);
  CHECK(fabs(brightest(both, INFINITY) - 4) < 0.2);
  CHECK(brightest(both, 1) <= 1.0001f);
  float twice = brightest(both, 2);
  CHECK(twice > 1.2f && twice <= 2.0001f);

  static const char *formats[] = {"avif", "heic", "jpg", "jxl"};
  for (int i = 0; i < 4; i++) {
    hdr_transcode_options transcoding;
    hdr_transcode_options_init(&transcoding);
    transcoding.format = formats[i];
    transcoding.flavors = "iso";
    hdr_bytes *bytes = NULL;
    REQUIRE(hdr_gain_map_transcode(both, &transcoding, NULL, &bytes, &error));
    hdr_image *image = opened(bytes);
    CHECK(fabs(brightest(image, INFINITY) - 4) < 0.3);
    hdr_image_destroy(image);
    hdr_bytes_destroy(bytes);
  }

  /* JPEG keeps the gain map; dropping it leaves an SDR image. */
  hdr_encode_options encoding;
  hdr_encode_options_init(&encoding);
  encoding.format = "jpg";
  for (hdr_gain_map_policy policy = HDR_GAIN_MAP_AUTOMATIC; policy <= HDR_GAIN_MAP_DROP; policy++) {
    encoding.gain_map = policy;
    hdr_bytes *bytes = NULL;
    REQUIRE(hdr_image_encode(both, &encoding, NULL, &bytes, &error));
    hdr_image *image = opened(bytes);
    REQUIRE(hdr_image_get_info(image, &info, &error));
    CHECK(info.has_gain_map == (policy != HDR_GAIN_MAP_APPLY && policy != HDR_GAIN_MAP_DROP));
    hdr_image_destroy(image);
    hdr_bytes_destroy(bytes);
  }
  encoding.gain_map = HDR_GAIN_MAP_KEEP;
  hdr_bytes *bytes = NULL;
  FAILS(hdr_image_encode(hdr, &encoding, NULL, &bytes, &error), HDR_ERROR_INVALID_ARGUMENT);

  hdr_bytes_destroy(file);
  hdr_image_destroy(both);
  hdr_image_destroy(sdr);
  hdr_image_destroy(shown);
  hdr_image_destroy(hdr);
}

/* Decodes a small image in linear BT.2020; the caller frees the samples. */
static float *linear_samples(const hdr_image *image, uint32_t width, uint32_t height) {
  hdr_image_info info = {.size = sizeof info};
  REQUIRE(hdr_image_get_info(image, &info, &error));
  CHECK(info.width == width && info.height == height && info.is_floating_point);
  size_t size = 12 * (size_t)info.width * info.height;
  float *samples = malloc(size);
  hdr_pixels pixels = pixels_of(HDR_PACKING_RGB_FLOAT, info.width, info.height, samples, size);
  REQUIRE(hdr_image_decode(image, &linear_bt2020, &pixels, NULL, &error));
  return samples;
}

/* The samples of crops and rotations are those of the source, and a reduced ramp is a ramp. */
static void test_transforms(void) {
  hdr_image *source = ramp_image(), *image = NULL;
  float *original = ramp();
  hdr_transform_options options;
#define TRANSFORM(from) hdr_image_transform(from, &options, NULL, &image, &error)
  hdr_transform_options_init(&options);
  CHECK(options.size == sizeof options && options.width == 0 && options.rotation == 0);
  options.crop_x = 10, options.crop_y = 20, options.crop_width = 30, options.crop_height = 8;
  options.rotation = -270;
  REQUIRE(TRANSFORM(source));
  float *samples = linear_samples(image, 8, 30);
  /* Rotated by 90 degrees clockwise, the left column of the part becomes the top row. */
  for (int y = 0; y < 30; y++) {
    for (int x = 0; x < 8; x++) {
      const float *expected = original + 3 * ((20 + 7 - x) * WIDTH + 10 + y);
      CHECK(memcmp(samples + 3 * (y * 8 + x), expected, 3 * sizeof(float)) == 0);
    }
  }
  free(samples);
  hdr_image_destroy(image);

  hdr_transform_options_init(&options);
  options.long_side = WIDTH / 4;
  REQUIRE(TRANSFORM(source));
  samples = linear_samples(image, WIDTH / 4, HEIGHT / 4);
  for (int x = 3; x < WIDTH / 4 - 3; x++) { /* Sample x is the mean of four of the ramp. */
    CHECK(fabs(samples[3 * x] - 4.0 * (4 * x + 1.5) / (WIDTH - 1)) < 2e-3);
  }
  free(samples);
  hdr_image_destroy(image);
  options.long_side = 2 * WIDTH; /* Never enlarges. */
  REQUIRE(TRANSFORM(source));
  free(linear_samples(image, WIDTH, HEIGHT));
  hdr_image_destroy(image);
  options.long_side = 0;
  options.width = 100, options.height = 20;
  REQUIRE(TRANSFORM(source));
  free(linear_samples(image, 100, 20));
  hdr_image_destroy(image);

  /* A gain map is applied; an SDR image stays one. */
  hdr_bytes *file = encoded(source, "jpg", false);
  hdr_image *photo = opened(file), *shown = NULL;
  hdr_transform_options_init(&options);
  options.long_side = WIDTH / 2;
  REQUIRE(TRANSFORM(photo));
  hdr_image_info info = {.size = sizeof info};
  REQUIRE(hdr_image_get_info(image, &info, &error));
  CHECK(info.is_high_dynamic_range && !info.has_gain_map);
  samples = linear_samples(image, WIDTH / 2, HEIGHT / 2);
  CHECK(fabs(samples[3 * (WIDTH / 2 - 2)] - 3.84) < 0.3);
  free(samples);
  hdr_image_destroy(image);
  hdr_render_options rendering;
  hdr_render_options_init(&rendering);
  rendering.headroom = 1;
  REQUIRE(hdr_image_render(photo, &rendering, NULL, &shown, &error));
  REQUIRE(TRANSFORM(shown));
  REQUIRE(hdr_image_get_info(image, &info, &error));
  CHECK(!info.is_high_dynamic_range && info.width == WIDTH / 2);
  hdr_image_destroy(image);
  hdr_image_destroy(shown);
  hdr_image_destroy(photo);
  hdr_bytes_destroy(file);

  image = NULL;
#define INVALID(field, value)                                                                      \
  hdr_transform_options_init(&options);                                                            \
  options.field = (value);                                                                         \
  FAILS(TRANSFORM(source), HDR_ERROR_INVALID_ARGUMENT)
  INVALID(rotation, 45);
  INVALID(width, 10);
  INVALID(height, 10);
  INVALID(crop_x, 1);
  INVALID(crop_width, 10);
  INVALID(crop_height, UINT32_MAX);
  hdr_transform_options_init(&options);
  options.width = options.height = options.long_side = 10; /* They exclude each other. */
  FAILS(TRANSFORM(source), HDR_ERROR_INVALID_ARGUMENT);
  options.width = options.height = UINT32_MAX, options.long_side = 0;
  FAILS(TRANSFORM(source), HDR_ERROR_LIMIT_EXCEEDED);
  CHECK(image == NULL);
#undef INVALID
#undef TRANSFORM
  free(original);
  hdr_image_destroy(source);
}

static void test_arguments(void) {
  hdr_image *image = NULL;
  FAILS(hdr_image_open_file("/nonexistent.avif", NULL, NULL, &image, &error),
        HDR_ERROR_MISSING_INPUT);
  hdr_error *error = NULL;
  hdr_image_open_file("/nonexistent.avif", NULL, NULL, &image, &error);
  CHECK(strcmp(hdr_error_file(error), "/nonexistent.avif") == 0);
  CHECK(hdr_error_path(error) == NULL && hdr_error_offset(error) == -1);
  hdr_error_destroy(error);
  CHECK(hdr_image_open_file("/nonexistent.avif", NULL, NULL, &image, NULL) != HDR_OK);
  CHECK(image == NULL);
  hdr_image_destroy(NULL);
  hdr_bytes_destroy(NULL);
  hdr_error_destroy(NULL);
  hdr_execution_destroy(NULL);

  float samples[12] = {0};
  hdr_pixels pixels = pixels_of(HDR_PACKING_RGB_FLOAT, 2, 2, samples, sizeof samples - 1);
#define CREATE hdr_image_create(&pixels, &linear_bt2020, NULL, &image, &error)
  FAILS(CREATE, HDR_ERROR_INVALID_ARGUMENT); /* Too small. */
  pixels = pixels_of(HDR_PACKING_RGB_FLOAT, 0, 2, samples, sizeof samples);
  FAILS(CREATE, HDR_ERROR_MALFORMED);
  pixels = pixels_of(99, 2, 2, samples, sizeof samples);
  FAILS(CREATE, HDR_ERROR_INVALID_ARGUMENT);
  pixels = pixels_of(HDR_PACKING_RGB_FLOAT, 2, 2, NULL, sizeof samples);
  FAILS(CREATE, HDR_ERROR_INVALID_ARGUMENT);
  pixels = pixels_of(HDR_PACKING_RGB_FLOAT, 2, 2, samples, sizeof samples);
  pixels.planes[0].stride = SIZE_MAX / 2;
  FAILS(CREATE, HDR_ERROR_INVALID_ARGUMENT);
  pixels.planes[0].stride = 0;
  pixels.planes[0].size = SIZE_MAX;
  FAILS(CREATE, HDR_ERROR_INVALID_ARGUMENT);
  pixels = pixels_of(HDR_PACKING_RGB_FLOAT, UINT32_MAX, UINT32_MAX, samples, sizeof samples);
  FAILS(CREATE, HDR_ERROR_LIMIT_EXCEEDED);
  pixels = pixels_of(HDR_PACKING_RGB_FLOAT, 2, 2, samples, sizeof samples);
  hdr_color unknown = {200, 8, 0, true, 0};
  FAILS(hdr_image_create(&pixels, &unknown, NULL, &image, &error), HDR_ERROR_INVALID_ARGUMENT);
  hdr_color dark = {9, 8, 0, true, NAN};
  FAILS(hdr_image_create(&pixels, &dark, NULL, &image, &error), HDR_ERROR_INVALID_ARGUMENT);
  FAILS(CREATE, HDR_OK);

  hdr_render_options rendering;
  hdr_render_options_init(&rendering);
  hdr_image *rendered = NULL;
  for (int i = 0; i < 3; i++) {
    rendering.headroom = (double[]){0.5, NAN, -INFINITY}[i];
    FAILS(hdr_image_render(image, &rendering, NULL, &rendered, &error),
          HDR_ERROR_INVALID_ARGUMENT);
  }
  hdr_render_options_init(&rendering);
  rendering.tone_map = "none such";
  FAILS(hdr_image_render(image, &rendering, NULL, &rendered, &error), HDR_ERROR_INVALID_ARGUMENT);

  hdr_encode_options encoding;
  hdr_encode_options_init(&encoding);
  hdr_bytes *bytes = NULL;
#define ENCODE hdr_image_encode(image, &encoding, NULL, &bytes, &error)
  FAILS(ENCODE, HDR_ERROR_INVALID_ARGUMENT);
  encoding.format = "gif";
  FAILS(ENCODE, HDR_ERROR_INVALID_ARGUMENT);
  encoding.format = "avif";
  encoding.quality = 101;
  FAILS(ENCODE, HDR_ERROR_INVALID_ARGUMENT);
  encoding.quality = -1;
  encoding.bits_per_sample = INT32_MIN;
  FAILS(ENCODE, HDR_ERROR_INVALID_ARGUMENT);
  encoding.bits_per_sample = 0;
  encoding.chroma = 555;
  FAILS(ENCODE, HDR_ERROR_INVALID_ARGUMENT);
  encoding.chroma = 0;
  encoding.exposure = NAN;
  FAILS(ENCODE, HDR_ERROR_INVALID_ARGUMENT);

  /* A program that knows fewer fields. */
  hdr_encode_options old;
  memset(&old, 0x7F, sizeof old);
  old.size = offsetof(hdr_encode_options, quality);
  old.format = "png";
  FAILS(hdr_image_encode(image, &old, NULL, &bytes, &error), HDR_OK);
  hdr_bytes_destroy(bytes);
  hdr_image_info info;
  memset(&info, 0x7F, sizeof info);
  info.size = offsetof(hdr_image_info, bits_per_sample);
  REQUIRE(hdr_image_get_info(image, &info, &error));
  CHECK(info.width == 2 && info.bits_per_sample == 0x7F7F7F7F);
  hdr_image_destroy(image);
}

static void test_open_options(void) {
  hdr_open_options options;
  memset(&options, 0xFF, sizeof options);
  hdr_open_options_init(&options);
  CHECK(options.size == sizeof options && options.assumed_transfer == 0);
  CHECK(options.assumed_primaries == 0 && options.assumed_reference_white == 0);
  hdr_image *source = ramp_image();
  hdr_bytes *file = encoded(source, "png", false);
  hdr_image *image = NULL;
#define OPEN                                                                                       \
  hdr_image_open_memory(hdr_bytes_data(file), hdr_bytes_size(file), &options, NULL, &image, &error)
  options.assumed_transfer = 18;
  REQUIRE(OPEN);
  hdr_image_info info = {.size = sizeof info};
  REQUIRE(hdr_image_get_info(image, &info, &error));
  /* The file specifies PQ, so that nothing is assumed. */
  CHECK(info.color.transfer == 16);
  hdr_image_destroy(image);
  options.assumed_transfer = 3; /* Reserved. */
  FAILS(OPEN, HDR_ERROR_INVALID_ARGUMENT);
#undef OPEN
  hdr_bytes_destroy(file);
  hdr_image_destroy(source);
}

/* Files that are cut or changed never crash, and fail with an error. */
static void test_damaged_files(void) {
  hdr_image *source = ramp_image();
  static const char *formats[] = {"avif", "jpg", "png"};
  for (int i = 0; i < 3; i++) {
    hdr_bytes *file = encoded(source, formats[i], false);
    size_t size = hdr_bytes_size(file);
    uint8_t *copy = malloc(size);
    for (size_t step = 0; step < 40; step++) {
      memcpy(copy, hdr_bytes_data(file), size);
      size_t length = step % 2 ? size : size * step / 40;
      if (step % 2) copy[size * step / 40] ^= 0x55;
      hdr_image *image = NULL;
      hdr_error *error = NULL;
      if (hdr_image_open_memory(copy, length, NULL, NULL, &image, &error) == HDR_OK) {
        float *samples = malloc(12 * WIDTH * HEIGHT);
        hdr_pixels pixels =
            pixels_of(HDR_PACKING_RGB_FLOAT, WIDTH, HEIGHT, samples, 12 * WIDTH * HEIGHT);
        hdr_image_decode(image, &linear_bt2020, &pixels, NULL, &error);
        free(samples);
      }
      hdr_error_destroy(error);
      hdr_image_destroy(image);
    }
    free(copy);
    hdr_bytes_destroy(file);
  }
  hdr_image_destroy(source);
}

struct progress {
  int calls;
  int limit;
  double largest;
};

static bool observe(void *context, double share) {
  struct progress *progress = context;
  progress->calls++;
  progress->largest = fmax(progress->largest, share);
  CHECK(share >= 0 && share <= 1);
  return progress->calls < progress->limit;
}

static void test_executions(void) {
  hdr_image *source = ramp_image();
  hdr_execution_options options;
  hdr_execution_options_init(&options);
  CHECK(options.thread_count >= 1 && options.memory_limit > 1 << 20);
  struct progress progress = {0, 1 << 30, 0};
  options.progress = observe;
  options.progress_context = &progress;
  hdr_execution *execution = NULL;
  REQUIRE(hdr_execution_create(&options, &execution, &error));
  hdr_encode_options encoding;
  hdr_encode_options_init(&encoding);
  encoding.format = "avif";
  hdr_bytes *bytes = NULL;
  REQUIRE(hdr_image_encode(source, &encoding, execution, &bytes, &error));
  CHECK(progress.calls > 0);
  hdr_bytes_destroy(bytes);
  hdr_execution_cancel(execution);
  FAILS(hdr_image_encode(source, &encoding, execution, &bytes, &error), HDR_ERROR_CANCELLED);
  hdr_execution_destroy(execution);

  /* A receiver that returns false. */
  progress = (struct progress){0, 1, 0};
  REQUIRE(hdr_execution_create(&options, &execution, &error));
  FAILS(hdr_image_encode(source, &encoding, execution, &bytes, &error), HDR_ERROR_CANCELLED);
  hdr_execution_destroy(execution);

  /* Limits. */
  options.progress = NULL;
  options.memory_limit = 10000;
  REQUIRE(hdr_execution_create(&options, &execution, &error));
  FAILS(hdr_image_encode(source, &encoding, execution, &bytes, &error), HDR_ERROR_LIMIT_EXCEEDED);
  hdr_execution_destroy(execution);
  hdr_execution_options_init(&options);
  options.pixel_limit = WIDTH * HEIGHT - 1;
  REQUIRE(hdr_execution_create(&options, &execution, &error));
  hdr_bytes *file = encoded(source, "png", false);
  hdr_image *image = NULL;
  FAILS(hdr_image_open_memory(hdr_bytes_data(file), hdr_bytes_size(file), NULL, execution, &image,
                              &error),
        HDR_ERROR_LIMIT_EXCEEDED);
  hdr_execution_destroy(execution);
  options.thread_count = 0;
  FAILS(hdr_execution_create(&options, &execution, &error), HDR_ERROR_INVALID_ARGUMENT);
  hdr_bytes_destroy(file);
  hdr_image_destroy(source);
}

static void *render_on_thread(void *image) {
  float *result = malloc(sizeof(float));
  *result = brightest(image, 2);
  return result;
}

/* One image may be used by several threads. */
static void test_threads(void) {
  hdr_image *source = ramp_image();
  hdr_bytes *file = encoded(source, "avif", false);
  hdr_image *image = opened(file);
  float expected = brightest(image, 2);
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, render_on_thread, image);
  for (int i = 0; i < 4; i++) {
    void *result = NULL;
    pthread_join(threads[i], &result);
    CHECK(*(float *)result == expected);
    free(result);
  }
  hdr_image_destroy(image);
  hdr_bytes_destroy(file);
  hdr_image_destroy(source);
}

int main(void) {
  CHECK(hdr_api_version() >> 16 == HDR_API_MAJOR);
  CHECK(hdr_api_version() >= (HDR_API_MAJOR << 16 | HDR_API_MINOR));
  CHECK(strlen(hdr_version()) > 0);
  test_arguments();
  test_encode_and_decode();
  test_packings();
  test_describe();
  test_gain_maps();
  test_transforms();
  test_open_options();
  test_damaged_files();
  test_executions();
  test_threads();
  printf(failures ? "%d checks failed\n" : "C interface: passed\n", failures);
  return failures != 0;
}
