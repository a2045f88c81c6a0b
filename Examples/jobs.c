// SPDX-License-Identifier: Apache-2.0
/* Jobs with the C library, and a program that does them. usage: jobs FOLDER HEIC PHOTO... */
#include <hdrconvert.h>
#include <stdio.h>
#include <stdlib.h>

static const hdr_color linear_bt2020 = {9, 8, 0, true, 203}, pq_bt2020 = {9, 16, 0, true, 203};
static const char as_thumbnail[] = "{\"geometry\": {\"longSide\": 256}}";
static const char at_headroom_3[] = "{\"rendition\": {\"headroomStops\": 1.585}}";
static const char as_avif[] = "{\"coding\": {\"format\": \"avif\"}}";
static const char as_png[] = "{\"coding\": {\"format\": \"png\"}}";
static const char as_jpeg[] = "{\"coding\": {\"format\": \"jpg\"}}";
static hdr_error *error;

/* Ends the program unless a call has succeeded or was cancelled. */
static void check(hdr_status status) {
  if (status != HDR_OK && status != HDR_ERROR_CANCELLED) {
    fprintf(stderr, "%s (%s)\n", hdr_error_message(error), hdr_error_code(error));
    exit(1);
  }
  hdr_error_destroy(error);
}

/* Conditions of a job; 0 and NULL for defaults. */
static hdr_execution *execution_with(uint64_t memory_limit, hdr_progress progress, void *context) {
  hdr_execution_options options;
  hdr_execution *execution = NULL;
  hdr_execution_options_init(&options);
  if (memory_limit > 0) options.memory_limit = memory_limit;
  options.progress = progress;
  options.progress_context = context;
  check(hdr_execution_create(&options, &execution, &error));
  return execution;
}

static hdr_image *opened(const char *photo, const hdr_execution *execution) {
  hdr_image *image = NULL;
  check(hdr_image_open_file(photo, NULL, execution, &image, &error));
  return image;
}

/* Thumbnails of many photos within 256 MB; the memory of each file is returned with it. */
static void thumbnails(char *const photos[], int count, hdr_bytes *made[]) {
  hdr_execution *execution = execution_with(256 << 20, NULL, NULL);
  for (int i = 0; i < count; i++) {
    hdr_image *image = opened(photos[i], execution);
    check(hdr_image_convert(image, as_thumbnail, NULL, execution, &made[i], &error));
    hdr_image_destroy(image);
  }
  hdr_execution_destroy(execution);
}

/* An Ultra HDR JPEG of a photo in memory, with its progress; `show` ends the work by returning
 * false, which leaves `jpeg` unchanged. */
static void ultra_hdr(const void *photo, size_t size, hdr_progress show, void *context,
                      hdr_bytes **jpeg) {
  hdr_execution *execution = execution_with(0, show, context);
  hdr_image *image = NULL;
  check(hdr_image_open_memory(photo, size, NULL, execution, &image, &error));
  check(hdr_image_convert(image, as_jpeg, NULL, execution, jpeg, &error));
  hdr_image_destroy(image);
  hdr_execution_destroy(execution);
}

/* The image as a display of headroom 3 shows it, in memory of the caller. */
static void buffers(const hdr_image *photo, const hdr_pixels *pq, const hdr_pixels *linear) {
  hdr_image *shown = NULL;
  check(hdr_image_render(photo, at_headroom_3, NULL, &shown, &error));
  check(hdr_image_decode(shown, &pq_bt2020, pq, NULL, &error));
  check(hdr_image_decode(shown, &linear_bt2020, linear, NULL, &error));
  hdr_image_destroy(shown);
}

/* AVIF, PNG and Ultra HDR JPEG of a frame of linear values. */
static void files(const hdr_pixels *frame, hdr_bytes *made[3]) {
  const char *const requests[] = {as_avif, as_png, as_jpeg};
  hdr_image *image = NULL;
  check(hdr_image_create(frame, &linear_bt2020, NULL, &image, &error));
  for (int i = 0; i < 3; i++)
    check(hdr_image_convert(image, requests[i], NULL, NULL, &made[i], &error));
  hdr_image_destroy(image);
}

/* Progress, which ends the work when `context` has counted down to 0. */
static bool show(void *context, double share) {
  fprintf(stderr, "%3.0f %%\r", 100 * share);
  return --*(int *)context > 0;
}

static void save(const char *folder, const char *name, const void *data, size_t size) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
    perror(path);
    exit(1);
  }
}

static void save_file(const char *folder, const char *name, hdr_bytes *file) {
  save(folder, name, hdr_bytes_data(file), hdr_bytes_size(file));
  hdr_bytes_destroy(file);
}

int main(int argc, char *argv[]) {
  if (argc < 4) return fprintf(stderr, "usage: jobs FOLDER HEIC PHOTO...\n"), 64;
  const char *folder = argv[1];
  char **photos = argv + 3;
  int count = argc - 3;

  hdr_bytes **small = calloc(count, sizeof *small);
  thumbnails(photos, count, small);
  for (int i = 0; i < count - 1; i++) hdr_bytes_destroy(small[i]);
  save_file(folder, "thumbnail", small[count - 1]);
  free(small);

  enum { LARGEST = 16 << 20 };
  void *heic = malloc(LARGEST);
  FILE *file = fopen(argv[2], "rb");
  size_t size = file == NULL ? 0 : fread(heic, 1, LARGEST, file);
  if (file != NULL) fclose(file);
  int all = 1000, two = 2;
  hdr_bytes *jpeg = NULL, *none = NULL;
  ultra_hdr(heic, size, show, &all, &jpeg);
  ultra_hdr(heic, size, show, &two, &none);
  free(heic);
  if (none != NULL) return fprintf(stderr, "not cancelled\n"), 1;
  save_file(folder, "ultra_hdr.jpg", jpeg);

  hdr_image *image = opened(photos[0], NULL);
  hdr_image_info info = {.size = sizeof info};
  check(hdr_image_get_info(image, &info, &error));
  uint32_t width = info.width, height = info.height;
  size_t words = (size_t)4 * width * height, halves = (size_t)6 * width * height;
  hdr_pixels pq = {HDR_PACKING_RGB10A2, HDR_ALPHA_OPAQUE, width, height, {{NULL, words, 0}}};
  hdr_pixels linear = {HDR_PACKING_RGB_HALF, HDR_ALPHA_OPAQUE, width, height, {{NULL, halves, 0}}};
  pq.planes[0].data = malloc(words);
  linear.planes[0].data = malloc(halves);
  buffers(image, &pq, &linear);
  hdr_image_destroy(image);
  save(folder, "pq", pq.planes[0].data, words);
  save(folder, "linear", linear.planes[0].data, halves);

  const char *const names[] = {"half.avif", "half.png", "half.jpg"};
  hdr_bytes *made[3];
  files(&linear, made);
  for (int i = 0; i < 3; i++) save_file(folder, names[i], made[i]);
  free(pq.planes[0].data);
  free(linear.planes[0].data);
  return 0;
}
