// SPDX-License-Identifier: Apache-2.0
// Reads the samples of OpenEXR images through OpenEXR's C++ interface.
//
// C++ exceptions do not leave these functions: they return a status, and OpenEXR's message is
// available afterwards. Files are read through a callback, so a path is not needed.
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

#ifdef __cplusplus
}
#endif
