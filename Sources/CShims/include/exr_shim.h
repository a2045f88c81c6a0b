// Reads and writes the samples of OpenEXR images through OpenEXR's C++ interface.
//
// C++ exceptions do not leave these functions: they return a status, and OpenEXR's message is
// available afterwards. Files are read and written through callbacks, so a path is not needed.
//
// Samples are floats in blocks of planes, one plane per channel. Channel names are consecutive
// zero-terminated strings.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum exr_status {
  EXR_OK = 0,
  // OpenEXR rejected the file, or a callback failed.
  EXR_REFUSED = 1,
  EXR_OUT_OF_MEMORY = 2,
} exr_status;

// Copies `count` bytes at `offset` of the file to `bytes`; returns 0 on success.
typedef int (*exr_read_at)(
    void *_Nonnull context, uint64_t offset, void *_Nonnull bytes, size_t count);
// Writes `count` bytes at `offset` of the file; returns 0 on success.
typedef int (*exr_write_at)(
    void *_Nonnull context, uint64_t offset, const void *_Nonnull bytes, size_t count);

// Name and version of the library.
const char *_Nonnull exr_library(void);

typedef struct exr_reader exr_reader;

// Returns NULL if memory allocation fails. The context must live until the reader is freed.
exr_reader *_Nullable exr_reader_create(void *_Nonnull context, exr_read_at _Nonnull read);
exr_status exr_reader_open(exr_reader *_Nonnull reader, int part, int threads);
// Reads rows `first`...`last`, in coordinates of the data window. A plane begins with the first of
// its own rows in this range; subsampled channels use the upper left part of their planes.
exr_status exr_reader_read(
    exr_reader *_Nonnull reader, int first, int last, const char *_Nonnull names,
    int channel_count, float *_Nonnull samples, size_t row_stride, size_t plane_stride);
const char *_Nonnull exr_reader_message(const exr_reader *_Nonnull reader);
void exr_reader_free(exr_reader *_Nonnull reader);

typedef struct exr_description {
  int width;
  int height;
  // Whether samples are stored as half instead of float.
  int is_half;
  int threads;
  // Chromaticities of red, green, blue and white, x and y each.
  float chromaticities[8];
  // Luminance of (1, 1, 1), in cd/m².
  float white_luminance;
  // Value of the attribute `exif`, a blob; NULL to omit it.
  const uint8_t *_Nullable exif;
  size_t exif_size;
  // Value of the attribute `xmp`; NULL to omit it.
  const char *_Nullable xmp;
  size_t xmp_size;
} exr_description;

typedef struct exr_writer exr_writer;

exr_writer *_Nullable exr_writer_create(void *_Nonnull context, exr_write_at _Nonnull write);
// Begins a file of scan lines with ZIP compression.
exr_status exr_writer_open(
    exr_writer *_Nonnull writer, const exr_description *_Nonnull description,
    const char *_Nonnull names, int channel_count);
// Writes the next rows. In a half-float file, finite samples out of range become the largest finite
// ones.
exr_status exr_writer_write(
    exr_writer *_Nonnull writer, int rows, const float *_Nonnull samples, size_t row_stride,
    size_t plane_stride);
// Writes the next rows of a half-float file from bit patterns, one plane per channel.
exr_status exr_writer_write_halves(
    exr_writer *_Nonnull writer, int rows, const uint16_t *_Nonnull const *_Nonnull planes);
// Completes the file after its last row.
exr_status exr_writer_finish(exr_writer *_Nonnull writer);
const char *_Nonnull exr_writer_message(const exr_writer *_Nonnull writer);
void exr_writer_free(exr_writer *_Nonnull writer);

#ifdef __cplusplus
}
#endif
