// SPDX-License-Identifier: Apache-2.0
// Reads camera raw files through LibRaw's C++ interface, whose structures differ between versions.
//
// C++ exceptions do not leave these functions: they return a status, and LibRaw's message is
// available afterwards. A reader keeps a copy of the file, since LibRaw reads it repeatedly.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum raw_status {
  RAW_OK = 0,
  // A file that LibRaw does not recognize, or a part that it does not decode.
  RAW_UNSUPPORTED = 1,
  // The file is contradictory.
  RAW_DAMAGED = 2,
  RAW_OUT_OF_MEMORY = 3,
  RAW_FAILED = 4,
  // The file contains headers but no samples.
  RAW_SAMPLES_MISSING = 5,
  // LibRaw reads beyond the end of the file.
  RAW_TRUNCATED = 6,
} raw_status;

// Name and version of the library.
const char *_Nonnull raw_library(void);

// Number of cameras in the list of the library.
uint32_t raw_camera_count(void);
// Name of a camera in that list; `index` is below the number.
const char *_Nonnull raw_camera_name(uint32_t index);

typedef struct raw_reader raw_reader;

// Returns NULL if there is not enough memory for a file of `size` bytes.
raw_reader *_Nullable raw_reader_create(size_t size, uint32_t memory_megabytes);
void raw_reader_free(raw_reader *_Nonnull reader);
// Appends bytes of the file; bytes beyond its size are ignored.
void raw_reader_append(
    raw_reader *_Nonnull reader, const uint8_t *_Nonnull bytes, size_t count);
// Reads the headers of a file whose bytes are complete.
raw_status raw_reader_open(raw_reader *_Nonnull reader);
// Decodes the samples.
raw_status raw_reader_unpack(raw_reader *_Nonnull reader);
// Asks a call on another thread to end after the current row; the reader is of no further use.
void raw_reader_cancel(raw_reader *_Nonnull reader);
// The message of the last error.
const char *_Nonnull raw_reader_message(const raw_reader *_Nonnull reader);
// The first warning about the decoded samples; empty without one.
const char *_Nonnull raw_reader_warning(const raw_reader *_Nonnull reader);

enum { raw_pattern_capacity = 64, raw_name_capacity = 64 };

typedef struct raw_description {
  // Size with all samples, and the visible area; levels and sizes are final once samples are
  // decoded.
  uint32_t width, height;
  uint32_t left, top, visible_width, visible_height;
  // The part of all samples that the camera's own images show; 0 if the file does not specify it.
  uint32_t crop_left, crop_top, crop_width, crop_height;
  // Samples of a pixel: 1 for mosaics and gray images, else 3. 0 if the file contains samples of a
  // kind that this reader does not support.
  uint32_t planes;
  // Number of colors of the camera: 1, 3 or 4.
  uint32_t colors;
  // Size of the color filter array pattern, starting at the first visible photosite; 0 without
  // filters or if photosites are not on a rectangular grid; then colors row by row: 0 red, 1 green,
  // 2 blue.
  uint32_t pattern_rows, pattern_columns;
  uint8_t pattern[raw_pattern_capacity];
  // Whether the sensor has a color filter array.
  int is_mosaic;
  // Exif's orientation, 1...8.
  uint32_t orientation;
  uint32_t white;
  // Size of the pattern of black levels, starting at the first visible photosite.
  uint32_t black_rows, black_columns;
  // Multipliers of the camera's red, green and blue for white; 0 if the file does not specify them.
  float as_shot[3];
  // Multipliers for daylight.
  float daylight[3];
  // Matrix from CIE XYZ to the camera's colors, row by row; all 0 for an unknown camera.
  float xyz_to_camera[9];
  // Stops by which the camera's own images are brighter than the samples; 0 if the file does not
  // specify them.
  float baseline_exposure;
  // Number of raw images in the file.
  uint32_t picture_count;
  char make[raw_name_capacity];
  char model[raw_name_capacity];
} raw_description;

void raw_reader_describe(raw_reader *_Nonnull reader, raw_description *_Nonnull description);
// The black level of a visible photosite, or of a sample of a pixel.
uint32_t raw_reader_black(raw_reader *_Nonnull reader, uint32_t row, uint32_t column, uint32_t plane);
// Copies all decoded samples, with the samples of a pixel interleaved; fails if `count` does not
// match.
raw_status raw_reader_samples(
    raw_reader *_Nonnull reader, uint16_t *_Nonnull samples, size_t count);

// Demosaics a mosaic of any kind to red, green and blue; must be called once after decoding. The
// colors are multiplied by `gains`, divided by the largest of them; white is 65535.
raw_status raw_reader_demosaic(
    raw_reader *_Nonnull reader, const float gains[_Nonnull 3], uint32_t *_Nonnull width,
    uint32_t *_Nonnull height);
// Copies the demosaiced colors, three samples per pixel.
raw_status raw_reader_colors(raw_reader *_Nonnull reader, uint16_t *_Nonnull samples, size_t count);

// Finds the largest preview; fails if it is not a JPEG. Its bytes live as long as the reader.
raw_status raw_reader_preview(
    raw_reader *_Nonnull reader, const uint8_t *_Nullable *_Nonnull bytes, size_t *_Nonnull size);

#ifdef __cplusplus
}
#endif
