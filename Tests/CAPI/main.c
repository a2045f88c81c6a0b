// SPDX-License-Identifier: Apache-2.0
/* Tests of the C interface. usage: capi-test */
#include "check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* The file of a request, computed from an SDR image unless it is NULL. */
static hdr_bytes *converted(const hdr_image *image, const char *request, const hdr_image *sdr) {
  hdr_bytes *bytes = NULL;
  REQUIRE(hdr_image_convert(image, request, sdr, NULL, &bytes, &error));
  return bytes;
}

static hdr_bytes *encoded(const hdr_image *image, const char *format, bool lossless) {
  char request[100];
  snprintf(request, sizeof request, "{\"coding\": {\"format\": \"%s\", \"isLossless\": %s}}",
           format, lossless ? "true" : "false");
  return converted(image, request, NULL);
}

static hdr_image *rendered(const hdr_image *image, const char *request) {
  hdr_image *result = NULL;
  REQUIRE(hdr_image_render(image, request, NULL, &result, &error));
  return result;
}

static hdr_image_info info_of(const hdr_image *image) {
  hdr_image_info info = {.size = sizeof info};
  REQUIRE(hdr_image_get_info(image, &info, &error));
  return info;
}

static bool is_same(const hdr_bytes *first, const hdr_bytes *second) {
  size_t size = hdr_bytes_size(first);
  return size == hdr_bytes_size(second) &&
         memcmp(hdr_bytes_data(first), hdr_bytes_data(second), size) == 0;
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
    CHECK(strstr(hdr_bytes_report(file), "\"notices\"") != NULL);
    CHECK(strstr(hdr_bytes_report(file), "\"deltaEITP\"") == NULL);
    hdr_image *image = opened(file);
    CHECK(strcmp(hdr_image_format(image), names[i]) == 0);

    hdr_image_info info = info_of(image);
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
  FAILS(hdr_image_describe(source, 4, NULL, &json, &error), HDR_ERROR_INVALID_ARGUMENT);
  hdr_bytes *file = encoded(source, "avif", false);
  hdr_image *image = opened(file);
  uint32_t parts = HDR_DESCRIBE_LIGHT_LEVELS | HDR_DESCRIBE_STRUCTURE;
  REQUIRE(hdr_image_describe(image, parts, NULL, &json, &error));
  const char *text = (const char *)hdr_bytes_data(json);
  CHECK(strlen(text) == hdr_bytes_size(json));
  CHECK(strcmp(hdr_bytes_report(json), "{\"notices\":[]}") == 0);
  CHECK(strstr(text, "\"schema\" : \"hdrconvert/inspect/1\"") != NULL);
  CHECK(strstr(text, "\"format\" : \"avif\"") != NULL);
  CHECK(strstr(text, "\"lightLevels\"") != NULL && strstr(text, "\"structure\"") != NULL);
  hdr_bytes_destroy(json);
  hdr_image *linear = rendered(image, "{}");
  FAILS(hdr_image_describe(linear, 0, NULL, &json, &error), HDR_ERROR_INVALID_ARGUMENT);
  hdr_image_destroy(linear);
  hdr_image_destroy(image);
  hdr_bytes_destroy(file);
  hdr_image_destroy(source);
}

static hdr_bytes *metadata_of(const hdr_image *image, hdr_metadata metadata) {
  hdr_bytes *bytes = NULL;
  REQUIRE(hdr_image_get_metadata(image, metadata, NULL, &bytes, &error));
  return bytes;
}

/* Metadata are copied; NULL stands for those that the file does not contain. */
static void test_metadata(void) {
  hdr_image *source = ramp_image();
  hdr_bytes *bytes = NULL;
  FAILS(hdr_image_get_metadata(source, HDR_METADATA_EXIF, NULL, &bytes, &error),
        HDR_ERROR_INVALID_ARGUMENT);
  hdr_bytes *file = converted(
      source, "{\"content\": \"gainMap\", \"coding\": {\"format\": \"jpg\"}}", NULL);
  hdr_image *image = opened(file);
  CHECK(metadata_of(image, HDR_METADATA_EXIF) == NULL);
  bytes = metadata_of(image, HDR_METADATA_XMP);
  CHECK(bytes != NULL && strstr((const char *)hdr_bytes_data(bytes), "x:xmpmeta") != NULL);
  hdr_bytes_destroy(bytes);
  bytes = metadata_of(image, HDR_METADATA_ICC);
  CHECK(hdr_bytes_size(bytes) > 128 && memcmp(hdr_bytes_data(bytes) + 36, "acsp", 4) == 0);
  hdr_bytes_destroy(bytes);

  bytes = NULL;
  for (int i = 0; i < 3; i++) {
    static const hdr_metadata invalid[] = {-1, 3, INT32_MAX};
    FAILS(hdr_image_get_metadata(image, invalid[i], NULL, &bytes, &error),
          HDR_ERROR_INVALID_ARGUMENT);
    CHECK(bytes == NULL);
  }
  hdr_image_destroy(image);
  hdr_bytes_destroy(file);
  hdr_image_destroy(source);
}

/* The samples of the gain map with its metadata make the alternate image of the baseline image. */
static void test_gain_map_samples(void) {
  hdr_image *source = ramp_image(), *map = NULL;
  hdr_bytes *metadata = NULL;
  FAILS(hdr_image_get_gain_map(source, NULL, &map, &metadata, &error), HDR_ERROR_INVALID_ARGUMENT);
  hdr_bytes *file = encoded(source, "avif", false);
  hdr_image *image = opened(file);
  FAILS(hdr_image_get_gain_map(image, NULL, &map, &metadata, &error), HDR_ERROR_UNSUITABLE);
  CHECK(map == NULL && metadata == NULL);
  hdr_image_destroy(image);
  hdr_bytes_destroy(file);

  static const char *formats[] = {"jpg", "avif", "heic", "jxl"};
  for (int i = 0; i < 4; i++) {
    char request[120];
    snprintf(request, sizeof request,
             "{\"content\": \"gainMap\", \"coding\": {\"format\": \"%s\"}, "
             "\"gainMap\": {\"scale\": 2, \"componentCount\": %d}}",
             formats[i], i % 2 ? 3 : 1);
    file = converted(source, request, NULL);
    image = opened(file);
    REQUIRE(hdr_image_get_gain_map(image, NULL, &map, &metadata, &error));
    const char *text = (const char *)hdr_bytes_data(metadata);
    CHECK(strstr(text, "\"schema\" : \"hdrconvert/gainmap-metadata/1\"") != NULL);
    CHECK(strstr(text, "\"iso21496\"") != NULL);
    hdr_image_info info = info_of(map);
    CHECK(info.width == WIDTH / 2 && info.height == HEIGHT / 2 && info.bits_per_sample == 8);
    CHECK(info.is_gray == (i % 2 == 0) && !info.is_high_dynamic_range && !info.has_gain_map);
    CHECK(strcmp(hdr_image_format(map), "") == 0);

    uint8_t samples[3 * (WIDTH / 2) * (HEIGHT / 2)];
    float floats[3 * (WIDTH / 2) * (HEIGHT / 2)];
    hdr_pixels pixels =
        pixels_of(HDR_PACKING_RGB8, WIDTH / 2, HEIGHT / 2, samples, sizeof samples);
    REQUIRE(hdr_image_decode(map, NULL, &pixels, NULL, &error));
    pixels = pixels_of(HDR_PACKING_RGB_FLOAT, WIDTH / 2, HEIGHT / 2, floats, sizeof floats);
    REQUIRE(hdr_image_decode(map, NULL, &pixels, NULL, &error));
    /* The image is brightest at the right. */
    CHECK(samples[0] < 20 && samples[3 * (WIDTH / 2 - 2)] > 200);
    for (size_t j = 0; j < sizeof samples; j++) {
      CHECK(fabs(floats[j] * 255 - samples[j]) < 1e-3);
      if (info.is_gray) CHECK(samples[j] == samples[j - j % 3]);
    }

    /* A PNG has the same samples. */
    hdr_bytes *png = encoded(map, "png", true);
    hdr_image *stored = opened(png);
    CHECK(info_of(stored).bits_per_sample == 8 && info_of(stored).is_gray == info.is_gray);
    uint8_t again[sizeof samples];
    pixels = pixels_of(HDR_PACKING_RGB8, WIDTH / 2, HEIGHT / 2, again, sizeof again);
    REQUIRE(hdr_image_decode(stored, NULL, &pixels, NULL, &error));
    CHECK(memcmp(samples, again, sizeof samples) == 0);
    hdr_image_destroy(stored);
    hdr_bytes_destroy(png);

    hdr_image_destroy(map);
    hdr_bytes_destroy(metadata);
    hdr_image_destroy(image);
    hdr_bytes_destroy(file);
  }
  hdr_image_destroy(source);
}

/* A file in memory that functions read and write. */
struct stream {
  uint8_t *bytes;
  size_t size, capacity;
  /* Calls until `result` is returned; -1 for no limit. */
  int calls;
  int64_t result;
  /* Largest number of bytes of one call; 0 for all. */
  size_t step;
  size_t replaced;
  bool is_busy;
};

static int64_t read_stream(void *context, uint64_t offset, void *buffer, size_t size) {
  struct stream *stream = context;
  CHECK(size > 0 && !stream->is_busy);
  if (stream->calls == 0) return stream->result;
  if (stream->calls > 0) stream->calls--;
  if (offset >= stream->size) return 0;
  size_t count = stream->size - offset;
  if (count > size) count = size;
  if (stream->step && count > stream->step) count = stream->step;
  stream->is_busy = true;
  memcpy(buffer, stream->bytes + offset, count);
  stream->is_busy = false;
  return (int64_t)count;
}

static bool write_stream(void *context, uint64_t offset, const void *bytes, size_t size) {
  struct stream *stream = context;
  CHECK(size > 0 && offset <= stream->size);
  if (stream->calls == 0) return false;
  if (stream->calls > 0) stream->calls--;
  if (offset < stream->size) stream->replaced += size;
  if (offset + size > stream->capacity) {
    stream->capacity = 2 * (offset + size);
    stream->bytes = realloc(stream->bytes, stream->capacity);
  }
  memcpy(stream->bytes + offset, bytes, size);
  if (offset + size > stream->size) stream->size = offset + size;
  return true;
}

/* The report of a valid file names its standards; that of a broken one is a result as well. */
static void test_validate(void) {
  hdr_image *source = ramp_image(), *image = NULL;
  hdr_bytes *file = encoded(source, "png", false), *json = NULL, *again = NULL;
  size_t size = hdr_bytes_size(file);
  REQUIRE(hdr_validate_memory(hdr_bytes_data(file), size, NULL, &json, &error));
  const char *text = (const char *)hdr_bytes_data(json);
  CHECK(strlen(text) == hdr_bytes_size(json));
  CHECK(strstr(text, "\"schema\" : \"hdrconvert/validate/1\"") != NULL);
  CHECK(strstr(text, "\"broken\" : 0") != NULL && strstr(text, "\"22028-5\"") != NULL);

  uint8_t *copy = malloc(size);
  memcpy(copy, hdr_bytes_data(file), size);
  struct stream in = {.bytes = copy, .size = size, .calls = -1, .step = 77};
  REQUIRE(hdr_validate_reader(read_stream, &in, size, NULL, &again, &error));
  CHECK(is_same(json, again));
  hdr_bytes_destroy(again);
  hdr_bytes_destroy(json);
  json = NULL;
  in.calls = 3;
  FAILS(hdr_validate_reader(read_stream, &in, size, NULL, &json, &error), HDR_ERROR_INPUT_OUTPUT);
  FAILS(hdr_validate_reader(read_stream, &in, UINT64_MAX, NULL, &json, &error),
        HDR_ERROR_INVALID_ARGUMENT);
  FAILS(hdr_validate_memory(copy, 7, NULL, &json, &error), HDR_ERROR_MALFORMED);

  /* Readers refuse wrong checksums. */
  copy[30] ^= 1;
  FAILS(hdr_image_open_memory(copy, size, NULL, NULL, &image, &error), HDR_ERROR_MALFORMED);
  CHECK(image == NULL && json == NULL);
  REQUIRE(hdr_validate_memory(copy, size, NULL, &json, &error));
  CHECK(strstr((const char *)hdr_bytes_data(json), "\"verdict\" : \"broken\"") != NULL);
  hdr_bytes_destroy(json);
  free(copy);
  hdr_bytes_destroy(file);

  /* OpenEXR does not have rules. */
  json = NULL;
  file = encoded(source, "exr", false);
  size = hdr_bytes_size(file);
  FAILS(hdr_validate_memory(hdr_bytes_data(file), size, NULL, &json, &error),
        HDR_ERROR_UNSUITABLE);
  hdr_bytes_destroy(file);
  FAILS(hdr_validate_file("/nonexistent.avif", NULL, &json, &error), HDR_ERROR_MISSING_INPUT);
  CHECK(json == NULL);
  hdr_image_destroy(source);
}

/* Functions of the program read and write the same bytes as memory; those that fail are errors. */
static void test_callbacks(void) {
  static const char *formats[] = {"avif", "heic", "jpg", "jxl", "png", "tiff", "exr", "jxr"};
  hdr_image *source = ramp_image();
  for (int i = 0; i < 8; i++) {
    char request[60];
    snprintf(request, sizeof request, "{\"coding\": {\"format\": \"%s\"}}", formats[i]);
    hdr_bytes *file = converted(source, request, NULL), *report = NULL;
    struct stream out = {.calls = -1};
    REQUIRE(hdr_image_write(source, request, NULL, NULL, write_stream, &out, &report, &error));
    CHECK(out.size == hdr_bytes_size(file));
    CHECK(memcmp(out.bytes, hdr_bytes_data(file), out.size) == 0);
    CHECK((out.replaced > 0) == (i >= 5)); /* As documented. */
    CHECK(strcmp((const char *)hdr_bytes_data(report), hdr_bytes_report(file)) == 0);
    hdr_bytes_destroy(report);
    report = NULL;
    struct stream full = {.calls = 0};
    FAILS(hdr_image_write(source, request, NULL, NULL, write_stream, &full, &report, &error),
          HDR_ERROR_INPUT_OUTPUT);
    CHECK(report == NULL && full.size == 0);
    if (i >= 4) { /* Written in parts. */
      full.calls = 2;
      FAILS(hdr_image_write(source, request, NULL, NULL, write_stream, &full, &report, &error),
            HDR_ERROR_INPUT_OUTPUT);
      CHECK(report == NULL && full.size > 0);
      free(full.bytes);
    }

    /* Read as a whole and in small parts; the image reads when it is decoded. */
    float *expected = malloc(12 * WIDTH * HEIGHT), *samples = malloc(12 * WIDTH * HEIGHT);
    hdr_pixels pixels =
        pixels_of(HDR_PACKING_RGB_FLOAT, WIDTH, HEIGHT, expected, 12 * WIDTH * HEIGHT);
    hdr_image *image = opened(file);
    REQUIRE(hdr_image_decode(image, &linear_bt2020, &pixels, NULL, &error));
    hdr_image_destroy(image);
    pixels.planes[0].data = samples;
    for (size_t step = 0; step < 200; step += 99) {
      struct stream in = {.bytes = out.bytes, .size = out.size, .calls = -1, .step = step};
      REQUIRE(hdr_image_open_reader(read_stream, &in, in.size, NULL, NULL, &image, &error));
      REQUIRE(hdr_image_decode(image, &linear_bt2020, &pixels, NULL, &error));
      CHECK(memcmp(samples, expected, 12 * WIDTH * HEIGHT) == 0);
      hdr_image_destroy(image);
    }

    /* Functions that fail at once and later, that have too few bytes, and that return nonsense. */
    static const int64_t results[] = {0, -1, INT64_MIN, INT64_MAX, 1 << 30};
    for (int calls = 0; calls < 8; calls++) {
      struct stream in = {.bytes = out.bytes, .size = out.size, .calls = calls, .step = 50};
      in.result = results[calls % 5];
      image = NULL;
      FAILS(hdr_image_open_reader(read_stream, &in, in.size, NULL, NULL, &image, &error),
            HDR_ERROR_INPUT_OUTPUT);
      CHECK(image == NULL);
    }
    struct stream in = {.bytes = out.bytes, .size = out.size - 100, .calls = -1};
    hdr_status status =
        hdr_image_open_reader(read_stream, &in, out.size, NULL, NULL, &image, NULL);
    if (status == HDR_OK) {
      status = hdr_image_decode(image, &linear_bt2020, &pixels, NULL, NULL);
      hdr_image_destroy(image);
    }
    CHECK(status == HDR_ERROR_INPUT_OUTPUT);
    static const uint64_t sizes[] = {0, 1, 31, (uint64_t)1 << 40, INT64_MAX, UINT64_MAX};
    for (int j = 0; j < 6; j++) {
      in = (struct stream){.bytes = out.bytes, .size = out.size, .calls = -1};
      image = NULL;
      CHECK(hdr_image_open_reader(read_stream, &in, sizes[j], NULL, NULL, &image, NULL) != HDR_OK);
      CHECK(image == NULL);
    }
    free(expected);
    free(samples);
    free(out.bytes);
    hdr_bytes_destroy(file);
  }
  hdr_image_destroy(source);
}

/* The largest sample of a rendition for a display with a headroom; INFINITY for all headroom. */
static float brightest(const hdr_image *image, double headroom) {
  char request[100] = "{}";
  if (isfinite(headroom)) {
    snprintf(request, sizeof request, "{\"rendition\": {\"headroomStops\": %.9g}}", log2(headroom));
  }
  hdr_image *shown = rendered(image, request);
  hdr_image_info info = info_of(shown);
  CHECK(info.is_floating_point && info.color.transfer == 8 && info.color.primaries == 9);
  size_t count = 3 * (size_t)info.width * info.height;
  float *samples = malloc(4 * count), largest = 0;
  hdr_pixels pixels =
      pixels_of(HDR_PACKING_RGB_FLOAT, info.width, info.height, samples, 4 * count);
  REQUIRE(hdr_image_decode(shown, NULL, &pixels, NULL, &error));
  for (size_t i = 0; i < count; i++) largest = fmaxf(largest, samples[i]);
  free(samples);
  hdr_image_destroy(shown);
  return largest;
}

static void test_gain_maps(void) {
  hdr_image *hdr = ramp_image();
  uint8_t *samples = malloc(3 * WIDTH * HEIGHT);
  hdr_pixels pixels = pixels_of(HDR_PACKING_RGB8, WIDTH, HEIGHT, samples, 3 * WIDTH * HEIGHT);
  hdr_image *shown = rendered(hdr, "{\"rendition\": {\"headroomStops\": 0}}"), *sdr = NULL;
  REQUIRE(hdr_image_decode(shown, &srgb_bt709, &pixels, NULL, &error));
  REQUIRE(hdr_image_create(&pixels, &srgb_bt709, NULL, &sdr, &error));
  free(samples);

  hdr_bytes *file = converted(hdr,
                              "{\"content\": \"gainMap\", "
                              "\"coding\": {\"format\": \"jpg\", \"chroma\": \"444\"}}",
                              sdr);
  const char *delta = strstr(hdr_bytes_report(file), "\"mean\" : ");
  CHECK(strstr(hdr_bytes_report(file), "\"deltaEITP\"") != NULL && delta != NULL);
  double mean = delta ? strtod(delta + strlen("\"mean\" : "), NULL) : 0;
  CHECK(mean > 0 && mean < 5);
  hdr_image *both = opened(file);
  hdr_image_info info = info_of(both);
  CHECK(info.has_gain_map && info.is_high_dynamic_range && info.bits_per_sample == 8);
  CHECK(fabs(brightest(both, INFINITY) - 4) < 0.2);
  CHECK(brightest(both, 1) <= 1.0001f);
  float twice = brightest(both, 2);
  CHECK(twice > 1.2f && twice <= 2.0001f);

  static const char *formats[] = {"avif", "heic", "jpg", "jxl"};
  for (int i = 0; i < 4; i++) {
    char request[120];
    snprintf(request, sizeof request,
             "{\"gainMap\": {\"use\": \"keep\", \"flavors\": [\"iso\"]}, "
             "\"coding\": {\"format\": \"%s\"}}",
             formats[i]);
    hdr_bytes *bytes = converted(both, request, NULL);
    hdr_image *image = opened(bytes);
    CHECK(info_of(image).has_gain_map);
    CHECK(fabs(brightest(image, INFINITY) - 4) < 0.3);
    hdr_image_destroy(image);
    hdr_bytes_destroy(bytes);
  }

  /* JPEG keeps the gain map; dropping it leaves an SDR image. */
  static const struct {
    const char *request;
    bool has_gain_map;
  } uses[] = {{"{}", true},
              {"{\"coding\": {\"format\": \"jpg\"}}", true},
              {"{\"coding\": {\"format\": \"avif\"}}", false},
              {"{\"gainMap\": {\"use\": \"keep\"}}", true},
              {"{\"gainMap\": {\"use\": \"apply\"}}", true}, /* A new one. */
              {"{\"content\": \"gainMap\"}", true},
              {"{\"content\": \"sdr\"}", false},
              {"{\"gainMap\": {\"use\": \"drop\"}}", false}};
  for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
    hdr_bytes *bytes = converted(both, uses[i].request, NULL);
    hdr_image *image = opened(bytes);
    CHECK(info_of(image).has_gain_map == uses[i].has_gain_map);
    hdr_image_destroy(image);
    hdr_bytes_destroy(bytes);
  }
  hdr_bytes *bytes = NULL;
  FAILS(hdr_image_convert(hdr,
                          "{\"gainMap\": {\"use\": \"keep\"}, \"coding\": {\"format\": \"jpg\"}}",
                          NULL, NULL, &bytes, &error),
        HDR_ERROR_INVALID_ARGUMENT);

  hdr_bytes_destroy(file);
  hdr_image_destroy(both);
  hdr_image_destroy(sdr);
  hdr_image_destroy(shown);
  hdr_image_destroy(hdr);
}

/* A rendition is stored as one request with that of the conversion stores it. */
static void test_renditions(void) {
  hdr_image *source = ramp_image();
  hdr_bytes *file = encoded(source, "jpg", false);
  hdr_image *photo = opened(file);
  static const struct {
    const char *rendition, *conversion, *both;
  } pairs[] = {
      {"{}", "{\"coding\": {\"format\": \"avif\"}}", "{\"coding\": {\"format\": \"avif\"}}"},
      {"{\"rendition\": {\"headroomStops\": 1}}", "{\"coding\": {\"format\": \"avif\"}}",
       "{\"rendition\": {\"headroomStops\": 1}, \"coding\": {\"format\": \"avif\"}}"},
      {"{\"rendition\": {\"headroomStops\": 0}}", "{}", "{\"rendition\": {\"headroomStops\": 0}}"},
      {"{\"geometry\": {\"longSide\": 32}}", "{}", "{\"geometry\": {\"longSide\": 32}}"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    hdr_image *image = rendered(photo, pairs[i].rendition);
    hdr_bytes *first = converted(image, pairs[i].conversion, NULL);
    hdr_bytes *second = converted(photo, pairs[i].both, NULL);
    CHECK(is_same(first, second));
    hdr_bytes_destroy(first);
    hdr_bytes_destroy(second);
    hdr_image_destroy(image);
  }

  /* Formats without HDR get a gain map for the rendition. */
  hdr_image *twice = rendered(photo, "{\"rendition\": {\"headroomStops\": 1}}");
  hdr_bytes *bytes = encoded(twice, "jpg", false);
  hdr_image *image = opened(bytes);
  CHECK(info_of(image).has_gain_map);
  float largest = brightest(image, INFINITY);
  CHECK(largest > 1.2f && largest < 2.1f);
  hdr_image_destroy(image);
  hdr_bytes_destroy(bytes);

  /* A rendition of a rendition for another display starts from its samples. */
  CHECK(brightest(twice, 1) <= 1.0001f);
  hdr_image_destroy(twice);

  /* Fields of files, of other types, and unknown ones. */
  static const char *invalid[] = {"", "{", "[]", "{\"coding\": {\"format\": \"avif\"}}",
                                  "{\"input\": {\"image\": \"1\"}}", "{\"rendition\": 1}",
                                  "{\"rendition\": {\"headroom\": 1}}",
                                  "{\"rendition\": {\"headroomStops\": -1}}",
                                  "{\"rendition\": {\"toneMapping\": \"none such\"}}"};
  for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
    image = NULL;
    FAILS(hdr_image_render(photo, invalid[i], NULL, &image, &error), HDR_ERROR_INVALID_ARGUMENT);
    CHECK(image == NULL);
  }
  hdr_error *error = NULL;
  hdr_image_render(photo, "{\"rendition\": {\"headroom\": 1}}", NULL, &image, &error);
  CHECK(strstr(hdr_error_message(error), "rendition.headroom") != NULL);
  hdr_error_destroy(error);
  hdr_image_destroy(photo);
  hdr_bytes_destroy(file);
  hdr_image_destroy(source);
}

/* Decodes a small image in linear BT.2020; the caller frees the samples. */
static float *linear_samples(const hdr_image *image, uint32_t width, uint32_t height) {
  hdr_image_info info = info_of(image);
  CHECK(info.width == width && info.height == height && info.is_floating_point);
  size_t size = 12 * (size_t)info.width * info.height;
  float *samples = malloc(size);
  hdr_pixels pixels = pixels_of(HDR_PACKING_RGB_FLOAT, info.width, info.height, samples, size);
  REQUIRE(hdr_image_decode(image, &linear_bt2020, &pixels, NULL, &error));
  return samples;
}

/* The samples of crops and rotations are those of the source, and a reduced ramp is a ramp. */
static void test_geometry(void) {
  hdr_image *source = ramp_image();
  float *original = ramp();
  hdr_image *image = rendered(
      source, "{\"geometry\": {\"crop\": {\"x\": 10, \"y\": 20, \"width\": 30, \"height\": 8}, "
              "\"rotation\": -270}}");
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

  image = rendered(source, "{\"geometry\": {\"longSide\": 16}}");
  samples = linear_samples(image, WIDTH / 4, HEIGHT / 4);
  for (int x = 3; x < WIDTH / 4 - 3; x++) { /* Sample x is the mean of four of the ramp. */
    CHECK(fabs(samples[3 * x] - 4.0 * (4 * x + 1.5) / (WIDTH - 1)) < 2e-3);
  }
  free(samples);
  hdr_image_destroy(image);
  image = rendered(source, "{\"geometry\": {\"longSide\": 128}}"); /* Never enlarges. */
  free(linear_samples(image, WIDTH, HEIGHT));
  hdr_image_destroy(image);
  image = rendered(source, "{\"geometry\": {\"width\": 100, \"height\": 20}}");
  free(linear_samples(image, 100, 20));
  hdr_image_destroy(image);

  /* A gain map is applied; an SDR image stays one. */
  hdr_bytes *file = encoded(source, "jpg", false);
  hdr_image *photo = opened(file);
  image = rendered(photo, "{\"geometry\": {\"longSide\": 32}}");
  hdr_image_info info = info_of(image);
  CHECK(info.is_high_dynamic_range && !info.has_gain_map);
  samples = linear_samples(image, WIDTH / 2, HEIGHT / 2);
  CHECK(fabs(samples[3 * (WIDTH / 2 - 2)] - 3.84) < 0.3);
  free(samples);
  hdr_image_destroy(image);
  hdr_image *shown = rendered(photo, "{\"rendition\": {\"headroomStops\": 0}}");
  image = rendered(shown, "{\"geometry\": {\"longSide\": 32}}");
  info = info_of(image);
  CHECK(!info.is_high_dynamic_range && info.width == WIDTH / 2);
  hdr_image_destroy(image);
  hdr_image_destroy(shown);
  hdr_image_destroy(photo);
  hdr_bytes_destroy(file);

  static const char *invalid[] = {
      "{\"geometry\": {\"rotation\": 45}}", "{\"geometry\": {\"width\": 10}}",
      "{\"geometry\": {\"height\": 10}}", "{\"geometry\": {\"longSide\": 0}}",
      "{\"geometry\": {\"crop\": {\"x\": 1}}}",
      "{\"geometry\": {\"crop\": {\"x\": 1, \"y\": 0, \"width\": 64, \"height\": 48}}}",
      "{\"geometry\": {\"longSide\": 10, \"width\": 10, \"height\": 10}}"};
  for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
    image = NULL;
    FAILS(hdr_image_render(source, invalid[i], NULL, &image, &error), HDR_ERROR_INVALID_ARGUMENT);
    CHECK(image == NULL);
  }
  FAILS(hdr_image_render(source,
                         "{\"geometry\": {\"width\": 2147483647, \"height\": 2147483647}}", NULL,
                         &image, &error),
        HDR_ERROR_LIMIT_EXCEEDED);
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
  FAILS(CREATE, HDR_ERROR_INVALID_ARGUMENT);
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

  static const char *invalid[] = {
      "{}", /* Images in memory need a format. */
      "{\"coding\": {\"format\": \"gif\"}}",
      "{\"coding\": {\"format\": \"avif\", \"quality\": 101}}",
      "{\"coding\": {\"format\": \"avif\", \"quality\": \"90\"}}",
      "{\"coding\": {\"format\": \"avif\", \"depth\": 7}}",
      "{\"coding\": {\"format\": \"avif\", \"chroma\": \"555\"}}",
      "{\"coding\": {\"format\": \"avif\"}, \"rendition\": {\"exposure\": 33}}",
      "{\"coding\": {\"format\": \"avif\"}, \"rendition\": {\"exposure\": NaN}}",
      "{\"coding\": {\"format\": \"avif\"}, \"colour\": {\"range\": \"full\"}}",
      "not JSON"};
  hdr_bytes *bytes = NULL;
  for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++) {
    FAILS(hdr_image_convert(image, invalid[i], NULL, NULL, &bytes, &error),
          HDR_ERROR_INVALID_ARGUMENT);
    CHECK(bytes == NULL);
  }

  /* A program that knows fewer fields, and one that knows none. */
  hdr_image_info info;
  info.size = 0;
  FAILS(hdr_image_get_info(image, &info, &error), HDR_ERROR_INVALID_ARGUMENT);
  memset(&info, 0x7F, sizeof info);
  info.size = offsetof(hdr_image_info, bits_per_sample);
  REQUIRE(hdr_image_get_info(image, &info, &error));
  CHECK(info.width == 2 && info.bits_per_sample == 0x7F7F7F7F);
  hdr_image_destroy(image);
}

static void test_input(void) {
  hdr_image *source = ramp_image();
  hdr_bytes *file = encoded(source, "png", false);
  hdr_image *image = NULL;
#define OPEN(request)                                                                              \
  hdr_image_open_memory(hdr_bytes_data(file), hdr_bytes_size(file), request, NULL, &image, &error)
  REQUIRE(OPEN("{\"input\": {\"assumed\": {\"transfer\": \"hlg\"}}}"));
  /* The file specifies PQ, so that nothing is assumed. */
  CHECK(info_of(image).color.transfer == 16);
  hdr_image_destroy(image);
  REQUIRE(OPEN("{\"input\": {\"declared\": {\"transfer\": \"hlg\"}}}"));
  CHECK(info_of(image).color.transfer == 18);
  hdr_image_destroy(image);
  FAILS(OPEN("{\"input\": {\"assumed\": {\"transfer\": \"none such\"}}}"),
        HDR_ERROR_INVALID_ARGUMENT);
  FAILS(OPEN("{\"assumed\": {}, \"assumed_transfer\": 18}"), HDR_ERROR_INVALID_ARGUMENT);
  FAILS(OPEN("{"), HDR_ERROR_INVALID_ARGUMENT);
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
  hdr_bytes *bytes = NULL;
#define ENCODE                                                                                     \
  hdr_image_convert(source, "{\"coding\": {\"format\": \"avif\"}}", NULL, execution, &bytes, &error)
  REQUIRE(ENCODE);
  CHECK(progress.calls > 0);
  hdr_bytes_destroy(bytes);
  hdr_execution_cancel(execution);
  FAILS(ENCODE, HDR_ERROR_CANCELLED);
  hdr_execution_destroy(execution);

  /* A receiver that returns false. */
  progress = (struct progress){0, 1, 0};
  REQUIRE(hdr_execution_create(&options, &execution, &error));
  FAILS(ENCODE, HDR_ERROR_CANCELLED);
  hdr_execution_destroy(execution);

  /* Limits. */
  options.progress = NULL;
  options.memory_limit = 10000;
  REQUIRE(hdr_execution_create(&options, &execution, &error));
  FAILS(ENCODE, HDR_ERROR_LIMIT_EXCEEDED);
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
  hdr_execution_options_init(&options);
  options.size = 0; /* Limits would be ignored. */
  FAILS(hdr_execution_create(&options, &execution, &error), HDR_ERROR_INVALID_ARGUMENT);

  /* Calls that decode report progress also if samples are not converted. */
  hdr_execution_options_init(&options);
  progress = (struct progress){0, 1 << 30, 0};
  options.progress = observe;
  options.progress_context = &progress;
  REQUIRE(hdr_execution_create(&options, &execution, &error));
  static float decoded[3 * WIDTH * HEIGHT];
  hdr_pixels target =
      pixels_of(HDR_PACKING_RGB_FLOAT, WIDTH, HEIGHT, decoded, sizeof decoded);
  REQUIRE(hdr_image_decode(source, NULL, &target, execution, &error));
  CHECK(progress.calls >= 2);
  hdr_execution_destroy(execution);
#undef ENCODE
  hdr_bytes_destroy(file);
  hdr_image_destroy(source);
}

struct reading {
  const hdr_image *file, *rendition;
  float largest, sample;
};

static void *render_on_thread(void *context) {
  struct reading *reading = context;
  reading->largest = brightest(reading->file, 2);
  float *samples = linear_samples(reading->rendition, WIDTH, HEIGHT);
  reading->sample = samples[3 * (WIDTH - 1)];
  free(samples);
  return NULL;
}

/* One image may be used by several threads; a function reads for one at a time. */
static void test_threads(void) {
  hdr_image *source = ramp_image(), *image = NULL;
  hdr_bytes *file = encoded(source, "avif", false);
  struct stream in = {.bytes = (uint8_t *)hdr_bytes_data(file), .size = hdr_bytes_size(file)};
  in.calls = -1;
  REQUIRE(hdr_image_open_reader(read_stream, &in, in.size, NULL, NULL, &image, &error));
  hdr_image *shown = rendered(image, "{\"rendition\": {\"headroomStops\": 1}}");
  float expected = brightest(image, 2);
  pthread_t threads[4];
  struct reading readings[4];
  for (int i = 0; i < 4; i++) {
    readings[i] = (struct reading){image, shown, 0, 0};
    pthread_create(&threads[i], NULL, render_on_thread, &readings[i]);
  }
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
    CHECK(readings[i].largest == expected && readings[i].sample == readings[0].sample);
  }
  hdr_image_destroy(shown);
  hdr_image_destroy(image);
  hdr_bytes_destroy(file);
  hdr_image_destroy(source);
}

/* NULL for a required argument is an error, and an empty result of a function that cannot fail. */
static void test_null(void) {
  hdr_image *source = ramp_image(), *image = NULL;
  hdr_bytes *bytes = NULL;
  hdr_execution *execution = NULL;
  hdr_image_info info = {.size = sizeof info};
  float sample[3] = {0};
  hdr_pixels pixels = pixels_of(HDR_PACKING_RGB_FLOAT, 1, 1, sample, sizeof sample);
  CHECK(hdr_error_status(NULL) == HDR_OK && strcmp(hdr_error_code(NULL), "") == 0);
  CHECK(strcmp(hdr_error_message(NULL), "") == 0 && hdr_error_offset(NULL) == -1);
  CHECK(hdr_error_file(NULL) == NULL && hdr_error_path(NULL) == NULL);
  CHECK(hdr_bytes_size(NULL) == 0 && hdr_bytes_data(NULL)[0] == 0);
  CHECK(strcmp(hdr_bytes_report(NULL), "") == 0 && strcmp(hdr_image_format(NULL), "") == 0);
  hdr_execution_options_init(NULL);
  hdr_execution_cancel(NULL);
  hdr_error_destroy(NULL);
  hdr_bytes_destroy(NULL);
  hdr_image_destroy(NULL);
  hdr_execution_destroy(NULL);
#define INVALID(call) FAILS(call, HDR_ERROR_INVALID_ARGUMENT)
  INVALID(hdr_execution_create(NULL, NULL, &error));
  INVALID(hdr_image_open_file(NULL, NULL, NULL, &image, &error));
  INVALID(hdr_image_open_file("/nowhere", NULL, NULL, NULL, &error));
  INVALID(hdr_image_open_memory(NULL, 10, NULL, NULL, &image, &error));
  INVALID(hdr_image_open_memory(sample, 10, NULL, NULL, NULL, &error));
  INVALID(hdr_image_create(NULL, &linear_bt2020, NULL, &image, &error));
  INVALID(hdr_image_create(&pixels, NULL, NULL, &image, &error));
  INVALID(hdr_image_create(&pixels, &linear_bt2020, NULL, NULL, &error));
  INVALID(hdr_image_get_info(NULL, &info, &error));
  INVALID(hdr_image_get_info(source, NULL, &error));
  INVALID(hdr_image_describe(NULL, 0, NULL, &bytes, &error));
  INVALID(hdr_image_describe(source, 0, NULL, NULL, &error));
  struct stream stream = {.calls = 0};
  INVALID(hdr_image_open_reader(NULL, NULL, 10, NULL, NULL, &image, &error));
  INVALID(hdr_image_open_reader(read_stream, &stream, 10, NULL, NULL, NULL, &error));
  INVALID(hdr_image_open_reader(read_stream, &stream, 10, "{", NULL, &image, &error));
  INVALID(hdr_validate_file(NULL, NULL, &bytes, &error));
  INVALID(hdr_validate_file("/nowhere", NULL, NULL, &error));
  INVALID(hdr_validate_memory(NULL, 10, NULL, &bytes, &error));
  INVALID(hdr_validate_memory(sample, 10, NULL, NULL, &error));
  INVALID(hdr_validate_memory(sample, SIZE_MAX, NULL, &bytes, &error));
  INVALID(hdr_validate_reader(NULL, NULL, 10, NULL, &bytes, &error));
  INVALID(hdr_validate_reader(read_stream, &stream, 10, NULL, NULL, &error));
  INVALID(hdr_image_get_metadata(NULL, HDR_METADATA_XMP, NULL, &bytes, &error));
  INVALID(hdr_image_get_metadata(source, HDR_METADATA_XMP, NULL, NULL, &error));
  INVALID(hdr_image_get_gain_map(NULL, NULL, &image, &bytes, &error));
  INVALID(hdr_image_get_gain_map(source, NULL, NULL, &bytes, &error));
  INVALID(hdr_image_get_gain_map(source, NULL, &image, NULL, &error));
  INVALID(hdr_image_decode(NULL, NULL, &pixels, NULL, &error));
  INVALID(hdr_image_decode(source, NULL, NULL, NULL, &error));
  INVALID(hdr_image_render(NULL, "{}", NULL, &image, &error));
  INVALID(hdr_image_render(source, "{}", NULL, NULL, &error));
  INVALID(hdr_image_convert(NULL, "{}", NULL, NULL, &bytes, &error));
  INVALID(hdr_image_convert(source, "{\"coding\": {\"format\": \"png\"}}", NULL, NULL, NULL, &error));
  static const char png[] = "{\"coding\": {\"format\": \"png\"}}";
  INVALID(hdr_image_write(NULL, png, NULL, NULL, write_stream, &stream, &bytes, &error));
  INVALID(hdr_image_write(source, png, NULL, NULL, NULL, &stream, &bytes, &error));
  INVALID(hdr_image_write(source, png, NULL, NULL, write_stream, &stream, NULL, &error));
  INVALID(hdr_image_write(source, "{", NULL, NULL, write_stream, &stream, &bytes, &error));
  hdr_color other = linear_bt2020;
  other.matrix = 9;
  INVALID(hdr_image_create(&pixels, &other, NULL, &image, &error));
#undef INVALID
  /* Without a place for the error. */
  CHECK(hdr_image_get_info(NULL, &info, NULL) == HDR_ERROR_INVALID_ARGUMENT);
  CHECK(image == NULL && bytes == NULL && execution == NULL);
  hdr_image_destroy(source);
}

/* Half floats have 16 bits, in files and in memory. */
static void test_half(void) {
  uint16_t samples[3] = {0x3C00, 0x4000, 0x3800};
  hdr_pixels pixels = pixels_of(HDR_PACKING_RGB_HALF, 1, 1, samples, sizeof samples);
  hdr_image *image = NULL;
  REQUIRE(hdr_image_create(&pixels, &linear_bt2020, NULL, &image, &error));
  CHECK(info_of(image).bits_per_sample == 16 && info_of(image).is_floating_point);
  hdr_bytes *file = encoded(image, "exr", false);
  hdr_image *half = opened(file);
  CHECK(info_of(half).bits_per_sample == 16 && info_of(half).is_floating_point);
  hdr_image_destroy(half);
  hdr_bytes_destroy(file);
  hdr_image_destroy(image);
}

/* Many files with one execution: the memory of a parsed file is returned with it. */
static void test_rounds(void) {
  hdr_execution_options options;
  hdr_execution_options_init(&options);
  options.memory_limit = 4 << 20;
  hdr_execution *execution = NULL;
  REQUIRE(hdr_execution_create(&options, &execution, &error));
  hdr_image *source = ramp_image();
  hdr_bytes *file = converted(source, "{\"coding\": {\"format\": \"jpg\"}, \"content\": \"gainMap\"}", NULL);
  for (int round = 0; round < 2000; round++) {
    hdr_image *image = NULL;
    REQUIRE(hdr_image_open_memory(hdr_bytes_data(file), hdr_bytes_size(file), NULL, execution, &image,
                                  &error));
    hdr_bytes *json = NULL;
    REQUIRE(hdr_image_describe(image, HDR_DESCRIBE_STRUCTURE, execution, &json, &error));
    hdr_bytes_destroy(json);
    hdr_image_destroy(image);
  }
  hdr_bytes_destroy(file);
  hdr_image_destroy(source);
  hdr_execution_destroy(execution);
}

/* What a forked process finds; the status of a conversion of the photo at `path`. */
static int in_child(const char *path, const hdr_image *inherited) {
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    hdr_image *image = NULL;
    hdr_bytes *file = NULL;
    hdr_status status = hdr_image_open_file(path, NULL, NULL, &image, NULL);
    if (status == HDR_OK) {
      status = hdr_image_convert(image, "{\"coding\": {\"format\": \"jpg\"}}", NULL, NULL, &file, NULL);
    }
    hdr_bytes_destroy(file);
    hdr_image_destroy(image);
    hdr_image_destroy((hdr_image *)inherited);
    _exit(status);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A child can use the library that its parent has not used; otherwise it gets an error at once. */
static void test_fork(bool is_used) {
  const char *photo = getenv("HDR_PHOTO");
  if (photo == NULL) return;
  CHECK(in_child(photo, NULL) == (is_used ? HDR_ERROR_INVALID_ARGUMENT : HDR_OK));
  if (!is_used) return;
  hdr_image *image = ramp_image();
  CHECK(in_child(photo, image) == HDR_ERROR_INVALID_ARGUMENT);
  hdr_image_destroy(image);
}

int main(void) {
  CHECK(hdr_api_version() >> 16 == HDR_API_MAJOR);
  CHECK(hdr_api_version() >= (HDR_API_MAJOR << 16 | HDR_API_MINOR));
  CHECK(strlen(hdr_version()) > 0);
  test_fork(false);
  test_null();
  test_half();
  test_arguments();
  test_encode_and_decode();
  test_packings();
  test_describe();
  test_validate();
  test_metadata();
  test_gain_map_samples();
  test_callbacks();
  test_gain_maps();
  test_renditions();
  test_geometry();
  test_input();
  test_damaged_files();
  test_executions();
  test_threads();
  test_rounds();
  test_fork(true);
  printf(failures ? "%d checks failed\n" : "C interface: passed\n", failures);
  return failures != 0;
}
