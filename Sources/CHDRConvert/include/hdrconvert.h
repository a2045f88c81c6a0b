// SPDX-License-Identifier: Apache-2.0
/*
 * hdrconvert: HDR still images in C.
 *
 * What is to be made of an image is described by a request: JSON in UTF-8, such as
 *
 *     {"coding": {"format": "avif", "quality": 85}, "geometry": {"longSide": 2048}}
 *
 * Documentation/schemas/request.json lists all fields. Fields that are left out are decided by what
 * the image contains and what the format can store. The command (`hdrconvert convert --request`),
 * Swift, C and Python make the same file of the same request. Unknown fields, values out of range
 * and fields that cannot have an effect are errors, which name the field.
 *
 * Handles are opaque, immutable after creation (except hdr_execution_cancel) and may be used by
 * several threads at the same time; a handle must not be destroyed while a call uses it. Worker
 * threads and up to 96 MiB of memory for samples are kept for later calls.
 *
 * After fork, a child can use the library if its parent has not; otherwise all functions that can
 * fail return HDR_ERROR_INVALID_ARGUMENT with the code "api/forked", and handles of the parent are not
 * destroyed.
 *
 * Functions that can fail return HDR_OK or the category of the error. If `error` is not NULL, it
 * receives the error, which the caller destroys; on success it receives NULL. Outputs are not
 * written on failure. Files are untrusted: no content of a file makes a call crash.
 *
 * Structures whose fields may be appended start with their size, so that programs compiled with an
 * older header work with a newer library.
 *
 *     hdr_image *image = NULL;
 *     hdr_bytes *file = NULL;
 *     hdr_error *error = NULL;
 *     if (hdr_image_open_file("photo.heic", NULL, NULL, &image, &error) != HDR_OK ||
 *         hdr_image_convert(image, "{\"coding\": {\"format\": \"jpg\"}}", NULL, NULL, &file,
 *                           &error) != HDR_OK) {
 *       fprintf(stderr, "%s\n", hdr_error_message(error));
 *       hdr_error_destroy(error);
 *     }
 */
#ifndef HDRCONVERT_H
#define HDRCONVERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* HDR_NULLABLE marks pointers that may be NULL. HDR_CHECKED marks those that must not: NULL is
 * HDR_ERROR_INVALID_ARGUMENT, or an empty result of a function that cannot fail. */
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#pragma clang assume_nonnull begin
#define HDR_NULLABLE _Nullable
#define HDR_CHECKED _Nullable
#else
#define HDR_NULLABLE
#define HDR_CHECKED
#endif

/* ---- Version ---- */

/** Version of this interface: functions and fields are added in a minor version; changes that are
 * not compatible have a new major version, which is part of the name of the shared library. */
#define HDR_API_MAJOR 2
#define HDR_API_MINOR 2

/** Version of the interface that the library implements: major << 16 | minor. */
uint32_t hdr_api_version(void);

/** Version of the library and the command, such as "1.4.0", which is not that of this interface; a
 * constant. */
const char *hdr_version(void);

/* ---- Errors ---- */

/** Category of an error, by which a caller can react. */
typedef int32_t hdr_status;
enum {
  HDR_OK = 0,
  /** The bytes end before the structure does. */
  HDR_ERROR_TRUNCATED = 1,
  /** The bytes contradict the format. */
  HDR_ERROR_MALFORMED = 2,
  /** The file requires a feature that no build of this version supports. */
  HDR_ERROR_UNSUPPORTED = 3,
  /** Neither this build nor the libraries on this machine contain the required codec. */
  HDR_ERROR_MISSING_CODEC = 4,
  /** A limit of memory, pixels or work would be exceeded. */
  HDR_ERROR_LIMIT_EXCEEDED = 5,
  /** A codec library rejected the data without details. */
  HDR_ERROR_CODEC_FAILURE = 6,
  /** The input does not exist. */
  HDR_ERROR_MISSING_INPUT = 7,
  /** The output exists, or its folder cannot be written. */
  HDR_ERROR_CANNOT_CREATE = 8,
  /** Reading or writing failed. */
  HDR_ERROR_INPUT_OUTPUT = 9,
  /** The arguments contradict each other or the format. */
  HDR_ERROR_INVALID_ARGUMENT = 10,
  /** The input is valid, but lacks a required property. */
  HDR_ERROR_UNSUITABLE = 11,
  /** The caller cancelled the operation. */
  HDR_ERROR_CANCELLED = 12,
};

/** An error. Its strings are UTF-8 and exist until it is destroyed. */
typedef struct hdr_error hdr_error;

/** Category of the error. */
hdr_status hdr_error_status(const hdr_error *HDR_CHECKED error);

/** Stable identifier from Documentation/Diagnostics.md, such as "request/conflict", or a category: "malformed". */
const char *hdr_error_code(const hdr_error *HDR_CHECKED error);

/** One clause in English, without a full stop. */
const char *hdr_error_message(const hdr_error *HDR_CHECKED error);

/** Path of the file; NULL if it is unknown. */
const char *HDR_NULLABLE hdr_error_file(const hdr_error *HDR_CHECKED error);

/** Names of the enclosing structures of the file, separated by "/", outermost first; NULL if they
 * are unknown. */
const char *HDR_NULLABLE hdr_error_path(const hdr_error *HDR_CHECKED error);

/** Byte offset from the start of the file; -1 if it is unknown. */
int64_t hdr_error_offset(const hdr_error *HDR_CHECKED error);

/** Destroys an error; NULL is allowed. */
void hdr_error_destroy(hdr_error *HDR_NULLABLE error);

/* ---- Bytes ---- */

/** Bytes that the library has allocated: a file, metadata or UTF-8 text. */
typedef struct hdr_bytes hdr_bytes;

/** The bytes, followed by a NUL that hdr_bytes_size does not count; they exist until the object is
 * destroyed. */
const uint8_t *hdr_bytes_data(const hdr_bytes *HDR_CHECKED bytes);

/** Number of bytes. */
size_t hdr_bytes_size(const hdr_bytes *HDR_CHECKED bytes);

/** Report of the call that made a file, as a JSON object:
 *
 *     {"notices": [...], "deltaEITP": {"mean": 0.4, "percentile99": 1.9}}
 *
 * `notices` has the objects `notice` of Documentation/schemas/common.json: metadata and samples that
 * were dropped, assumed or clipped; it is empty for text and metadata. `deltaEITP` is the difference between the
 * alternate image as decoded and the original, of files with a computed gain map only. UTF-8; exists
 * until the object is destroyed. */
const char *hdr_bytes_report(const hdr_bytes *HDR_CHECKED bytes);

/** Destroys bytes; NULL is allowed. */
void hdr_bytes_destroy(hdr_bytes *HDR_NULLABLE bytes);

/* ---- Execution ---- */

/** Conditions of a job: threads, limits, progress and cancellation. */
typedef struct hdr_execution hdr_execution;

/** Receives the completed share of a call that decodes, converts, validates or measures, on the thread that
 * made it: 0, shares that never fall, and 1 at the end. If it returns false, the call ends with HDR_ERROR_CANCELLED. It must not use the images
 * of the call. */
typedef bool (*hdr_progress)(void *HDR_NULLABLE context, double share);

/** Options of hdr_execution_create. */
typedef struct hdr_execution_options {
  /** Size of this structure; HDR_ERROR_INVALID_ARGUMENT if it does not contain the fields up to
   * `progress_context`. */
  size_t size;
  /** Limit of memory in bytes, for all calls with this execution together, and of a single buffer.
   * Default: half of the memory that the process may use. */
  uint64_t memory_limit;
  /** Largest number of pixels of one image; its sides are limited to 65536. Default: 2^29. */
  uint64_t pixel_limit;
  /** Number of threads, at least 1; 256 are used at most. Default: one for each core that the process
   * may use. */
  int32_t thread_count;
  /** Called with the completed share; default NULL. */
  hdr_progress HDR_NULLABLE progress;
  /** First argument of `progress`. */
  void *HDR_NULLABLE progress_context;
} hdr_execution_options;

/** Sets the size and the defaults. */
void hdr_execution_options_init(hdr_execution_options *HDR_CHECKED options);

/** Creates the conditions of a job, which is one call or several; NULL stands for the defaults.
 * HDR_ERROR_INVALID_ARGUMENT for a number of threads below 1. Functions with a parameter
 * `execution` use defaults for NULL. One can serve for any number of files, whose memory is returned
 * with them; a cancelled execution stays cancelled. */
hdr_status hdr_execution_create(
    const hdr_execution_options *HDR_NULLABLE options,
    hdr_execution *HDR_NULLABLE *HDR_CHECKED execution,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Cancels all calls that use the execution, now and in future; may be called on any thread.
 * Transforms end within one band of rows. A call of a codec library for a whole image, which cannot be
 * interrupted, goes on on a thread of its own, with its memory, after the call of this library has ended. */
void hdr_execution_cancel(hdr_execution *HDR_CHECKED execution);

/** Destroys an execution that no call uses; NULL is allowed. */
void hdr_execution_destroy(hdr_execution *HDR_NULLABLE execution);

/** Receives a message of a codec library, in UTF-8. */
typedef void (*hdr_message)(void *HDR_NULLABLE context, const char *text);

/** Receives the debug messages that codec libraries print on standard error, from now on, for the whole
 * process; NULL discards them. The errors that they are about are returned as well. It replaces the C
 * library's `stderr`: call it before the program has threads. `receive` is called on any thread. */
void hdr_receive_messages(hdr_message HDR_NULLABLE receive, void *HDR_NULLABLE context);

/* ---- Color ---- */

/** Color encoding of samples by code points of ITU-T H.273 (CICP). */
typedef struct hdr_color {
  /** Primaries: 1 BT.709, 9 BT.2020, 12 Display P3, and others; HDR_ERROR_INVALID_ARGUMENT for reserved
   * and unspecified ones. */
  uint16_t primaries;
  /** Transfer function: 8 linear, 13 sRGB, 16 PQ, 18 HLG, and others. Floating-point samples are
   * usually linear; 1.0 is reference white. */
  uint16_t transfer;
  /** Matrix: 0 (or 2, unspecified) for RGB; 1, 6 or 9 for Y'CbCr (HDR_PACKING_P010). */
  uint16_t matrix;
  /** Whether integers use all code values; false for narrow range. */
  bool is_full_range;
  /** Luminance of linear 1.0, in cd/m²; 0 for 203 in hdr_image_create, and for that of the image in
   * hdr_image_decode. */
  double reference_white;
} hdr_color;

/* ---- Pixels in memory of the caller ---- */

/** Order and type of samples; multibyte values are little-endian. */
typedef int32_t hdr_packing;
enum {
  /** Red, green, blue of 8 bits. */
  HDR_PACKING_RGB8 = 0,
  /** Red, green, blue of 16 bits. */
  HDR_PACKING_RGB16 = 1,
  /** Red, green, blue in half precision. */
  HDR_PACKING_RGB_HALF = 2,
  /** Red, green, blue in single precision. */
  HDR_PACKING_RGB_FLOAT = 3,
  /** Red, green, blue, alpha of 8 bits. */
  HDR_PACKING_RGBA8 = 4,
  /** Red, green, blue, alpha of 16 bits. */
  HDR_PACKING_RGBA16 = 5,
  /** Red, green, blue, alpha in half precision. */
  HDR_PACKING_RGBA_HALF = 6,
  /** Red, green, blue, alpha in single precision. */
  HDR_PACKING_RGBA_FLOAT = 7,
  /** 32-bit words: red in bits 0 to 9, green in 10 to 19, blue in 20 to 29, alpha in 30 and 31. */
  HDR_PACKING_RGB10A2 = 8,
  /** 32-bit words: blue in bits 0 to 9, green in 10 to 19, red in 20 to 29, alpha in 30 and 31. */
  HDR_PACKING_BGR10A2 = 9,
  /** Two planes of 16-bit words with 10 bits at the top: luma, then pairs of Cb and Cr (4:2:0). */
  HDR_PACKING_P010 = 10,
};

/** Interpretation of the fourth sample of a pixel. */
typedef int32_t hdr_alpha;
enum {
  /** The components are not multiplied by alpha. */
  HDR_ALPHA_STRAIGHT = 0,
  /** The signal components are multiplied by alpha. */
  HDR_ALPHA_PREMULTIPLIED = 1,
  /** Ignored in inputs, and written as alpha 1. */
  HDR_ALPHA_OPAQUE = 2,
};

/** Rows of one plane. */
typedef struct hdr_plane {
  /** The first row. */
  void *HDR_NULLABLE data;
  /** Bytes at `data`. */
  size_t size;
  /** Bytes from one row to the next; 0 for rows without gaps. */
  size_t stride;
} hdr_plane;

/** Pixels in memory of the caller. */
typedef struct hdr_pixels {
  hdr_packing packing;
  hdr_alpha alpha;
  /** Columns of the image. */
  uint32_t width;
  /** Rows of the image, top to bottom. */
  uint32_t height;
  /** One plane; two for HDR_PACKING_P010. */
  hdr_plane planes[2];
} hdr_pixels;

/* ---- Images ---- */

/** An image: an opened file with its gain map and metadata, or samples in memory. */
typedef struct hdr_image hdr_image;

/** Opens a file at a path in UTF-8: HEIF, AVIF, JPEG, PNG, TIFF, OpenEXR, Radiance HDR, JPEG XL, JPEG XR, DNG
 * or camera raw. Samples are decoded when they are needed; files that can be parsed but not
 * decoded, because they are damaged or need another codec, can still be described. The part `input`
 * of the request chooses one of several images, and the color of a file that does not declare it, or
 * declares it wrongly; other parts are checked, but not used. NULL stands for an empty request. */
hdr_status hdr_image_open_file(
    const char *HDR_CHECKED path, const char *HDR_NULLABLE request,
    const hdr_execution *HDR_NULLABLE execution, hdr_image *HDR_NULLABLE *HDR_CHECKED image,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Opens a file in memory, which is copied, like hdr_image_open_file. */
hdr_status hdr_image_open_memory(
    const void *HDR_CHECKED bytes, size_t size, const char *HDR_NULLABLE request,
    const hdr_execution *HDR_NULLABLE execution, hdr_image *HDR_NULLABLE *HDR_CHECKED image,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Reads `size` bytes, at least 1, of a file from `offset` on into `buffer`. Returns the number of bytes
 * read, which may be less than `size`: the function is called again for the rest. 0 and negative
 * numbers end the call of the library with HDR_ERROR_INPUT_OUTPUT. It may be called on any thread,
 * but not on two at the same time, and must not use the image that it reads. */
typedef int64_t (*hdr_read)(void *HDR_NULLABLE context, uint64_t offset, void *buffer, size_t size);

/** Opens a file of `size` bytes that a function of the caller reads, like hdr_image_open_file. Parts are
 * read when they are needed, in any order: `read` and `context`, its first argument, must work until
 * the image and all images that are made of it are destroyed. */
hdr_status hdr_image_open_reader(
    hdr_read HDR_CHECKED read, void *HDR_NULLABLE context, uint64_t size,
    const char *HDR_NULLABLE request, const hdr_execution *HDR_NULLABLE execution,
    hdr_image *HDR_NULLABLE *HDR_CHECKED image, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Creates an image from pixels, which are copied; it is upright. HDR_ERROR_INVALID_ARGUMENT for planes
 * without data or with too few bytes, HDR_ERROR_LIMIT_EXCEEDED for sizes beyond the limits. */
hdr_status hdr_image_create(
    const hdr_pixels *HDR_CHECKED pixels, const hdr_color *HDR_CHECKED color,
    const hdr_execution *HDR_NULLABLE execution,
    hdr_image *HDR_NULLABLE *HDR_CHECKED image, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Destroys an image; NULL is allowed. */
void hdr_image_destroy(hdr_image *HDR_NULLABLE image);

/** Properties of an image. */
typedef struct hdr_image_info {
  /** Size of this structure, which the caller sets; HDR_ERROR_INVALID_ARGUMENT without any other field. */
  size_t size;
  /** Columns of the upright image. */
  uint32_t width;
  /** Rows of the upright image. */
  uint32_t height;
  /** Bits of a sample as stored; 16 for half precision, 32 for other floating-point numbers. */
  int32_t bits_per_sample;
  /** Whether samples are floating-point numbers. */
  bool is_floating_point;
  /** Whether the image has alpha. */
  bool has_alpha;
  /** Whether the image has one component. */
  bool is_gray;
  /** Whether the image, with its gain map, extends above reference white. */
  bool is_high_dynamic_range;
  /** Whether the file has a gain map that can be applied. */
  bool has_gain_map;
  /** Color of the decoded samples without the gain map; RGB. Code points that do not exist are 2. */
  hdr_color color;
  /** MaxCLL and MaxFALL that the file declares, in cd/m²; 0 if it does not. */
  double max_content_light_level;
  double max_frame_average_light_level;
} hdr_image_info;

/** Writes the properties of an image, as far as info->size permits. Nothing is decoded. */
hdr_status hdr_image_get_info(
    const hdr_image *HDR_CHECKED image, hdr_image_info *HDR_CHECKED info,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Name of the format of the file, such as "heif"; empty for samples in memory. Exists until the image
 * is destroyed. */
const char *hdr_image_format(const hdr_image *HDR_CHECKED image);

/** Parts of a description, to be combined with |. */
enum {
  /** Light levels of the primary image, which is decoded. */
  HDR_DESCRIBE_LIGHT_LEVELS = 1,
  /** Boxes, segments, chunks or directories of the file. */
  HDR_DESCRIBE_STRUCTURE = 2,
};

/** Describes a file as JSON: the report of `hdrconvert inspect --json`, whose schema is
 * Documentation/schemas/inspect.json. HDR_ERROR_INVALID_ARGUMENT for images that were not opened from a
 * file: those of hdr_image_create, hdr_image_render and hdr_image_get_gain_map. */
hdr_status hdr_image_describe(
    const hdr_image *HDR_CHECKED image, uint32_t parts, const hdr_execution *HDR_NULLABLE execution,
    hdr_bytes *HDR_NULLABLE *HDR_CHECKED json, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Metadata of an image in a file. */
typedef int32_t hdr_metadata;
enum {
  /** Exif, from its TIFF header on. Of TIFF, OpenEXR and JPEG XR, which store its tags elsewhere, it is
   * made of these. */
  HDR_METADATA_EXIF = 0,
  /** The XMP packet, in UTF-8. */
  HDR_METADATA_XMP = 1,
  /** The ICC profile. */
  HDR_METADATA_ICC = 2,
};

/** Copies metadata of an image as its file contains them; `bytes` receives NULL if it does not. The image
 * must have been opened from a file, as for hdr_image_describe. HDR_ERROR_UNSUITABLE for camera raw files
 * that are not TIFF files, such as CR3. */
hdr_status hdr_image_get_metadata(
    const hdr_image *HDR_CHECKED image, hdr_metadata metadata,
    const hdr_execution *HDR_NULLABLE execution, hdr_bytes *HDR_NULLABLE *HDR_CHECKED bytes,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Decodes the gain map of a file: an image of its own size, upright, with the samples of the file, and
 * its metadata as JSON, whose schema is Documentation/schemas/gainmap-metadata.json; `map` describes the
 * samples as stored, before the orientation is applied.
 *
 * hdr_image_decode without a color yields the samples: integers as stored, from 0 to their largest value
 * (Y'CbCr is converted to RGB, and other depths to that of the packing), and floating-point numbers from
 * 0 to 1. Those of a gain map with one component, whose hdr_image_info has is_gray, are written as equal
 * red, green and blue. Gain maps do not have a color; the image has that of sRGB, so that a conversion to PNG
 * keeps the samples. HDR_ERROR_UNSUITABLE if the file does not have a gain map that can be applied,
 * HDR_ERROR_UNSUPPORTED for formats other than HEIF, AVIF, JPEG, PNG and JPEG XL. */
hdr_status hdr_image_get_gain_map(
    const hdr_image *HDR_CHECKED image, const hdr_execution *HDR_NULLABLE execution,
    hdr_image *HDR_NULLABLE *HDR_CHECKED gain_map, hdr_bytes *HDR_NULLABLE *HDR_CHECKED metadata,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Decodes an image into memory of the caller, upright and without its gain map. Samples are
 * converted to the packing and to `color`; NULL keeps primaries and transfer function of the image.
 * Values out of range are clipped, not tone mapped. `pixels` must have the size of the upright image;
 * it is not written before all samples are decoded. */
hdr_status hdr_image_decode(
    const hdr_image *HDR_CHECKED image, const hdr_color *HDR_NULLABLE color,
    const hdr_pixels *HDR_CHECKED pixels,
    const hdr_execution *HDR_NULLABLE execution, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/* ---- Validating ---- */

/** Checks the file at a path in UTF-8 against ISO 22028-5, ISO 21496-1 and the rules of its format: the
 * report of `hdrconvert validate --json`, whose schema is Documentation/schemas/validate.json, without
 * `remedy`, which is a command. A file that violates rules is a result, also if it cannot be opened as an
 * image. Errors are those that leave nothing to check; HDR_ERROR_UNSUITABLE with the code
 * "validate/no-rules" is that of a format without rules. Images are decoded for rules about light levels
 * and about the samples of gain maps. */
hdr_status hdr_validate_file(
    const char *HDR_CHECKED path, const hdr_execution *HDR_NULLABLE execution,
    hdr_bytes *HDR_NULLABLE *HDR_CHECKED json, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Checks a file in memory, which is copied, like hdr_validate_file. */
hdr_status hdr_validate_memory(
    const void *HDR_CHECKED bytes, size_t size, const hdr_execution *HDR_NULLABLE execution,
    hdr_bytes *HDR_NULLABLE *HDR_CHECKED json, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Checks a file of `size` bytes that a function of the caller reads, like hdr_validate_file. It is not
 * called afterwards. */
hdr_status hdr_validate_reader(
    hdr_read HDR_CHECKED read, void *HDR_NULLABLE context, uint64_t size,
    const hdr_execution *HDR_NULLABLE execution, hdr_bytes *HDR_NULLABLE *HDR_CHECKED json,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/* ---- Rendering ---- */

/** Renders an image: its gain map is applied and its exposure changed, it is tone mapped for a
 * display, cropped, resized and rotated. Without a display, it has all headroom of the image.
 *
 * The request has the parts `content`, `gainMap` (`use` and `headroomStops`), `rendition`, `geometry`
 * (without `orientation`), `color` (`primaries`) and `raw`; other fields are errors. For a display with a peak luminance of 4 times reference white:
 *
 *     {"rendition": {"headroomStops": 2}}
 *
 * The result is upright, with linear values in single precision, in BT.2020 unless the request has
 * other primaries. They are made when they are read first, by hdr_image_decode. hdr_image_convert
 * makes a file of the original image by both requests, as of one. */
hdr_status hdr_image_render(
    const hdr_image *HDR_CHECKED image, const char *HDR_NULLABLE request,
    const hdr_execution *HDR_NULLABLE execution,
    hdr_image *HDR_NULLABLE *HDR_CHECKED rendered, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/* ---- Converting ---- */

/** Makes the file that a request describes.
 *
 * The format is required for images in memory; by default it is that of the file. Coded images and
 * metadata that the format can store are copied unless the request changes them. `sdr` is the SDR
 * image, of the same size, that a gain map is computed from, and the baseline image; NULL to make it
 * of the HDR image.
 *
 * If the request and that of a rendered image both change the same part, or if the file needs an SDR
 * image of a rendition for an HDR display, the rendered samples are converted. */
hdr_status hdr_image_convert(
    const hdr_image *HDR_CHECKED image, const char *HDR_NULLABLE request,
    const hdr_image *HDR_NULLABLE sdr,
    const hdr_execution *HDR_NULLABLE execution, hdr_bytes *HDR_NULLABLE *HDR_CHECKED file,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Writes `size` bytes, at least 1, of a file at `offset`. Bytes follow one another without gaps, except
 * that tables of TIFF, OpenEXR and JPEG XR replace bytes that were written before. If it returns false, the call
 * of the library ends with HDR_ERROR_INPUT_OUTPUT. It may be called on any thread, but not on two at the
 * same time, and must not use the images of the call. */
typedef bool (*hdr_write)(
    void *HDR_NULLABLE context, uint64_t offset, const void *bytes, size_t size);

/** Makes the file that a request describes, like hdr_image_convert, and writes it by a function of the
 * caller, whose first argument is `context`. Large files are not complete in memory. `report` receives
 * that of hdr_bytes_report, as text. After an error, the file is incomplete. `write` is
 * not called afterwards. */
hdr_status hdr_image_write(
    const hdr_image *HDR_CHECKED image, const char *HDR_NULLABLE request,
    const hdr_image *HDR_NULLABLE sdr, const hdr_execution *HDR_NULLABLE execution,
    hdr_write HDR_CHECKED write, void *HDR_NULLABLE context,
    hdr_bytes *HDR_NULLABLE *HDR_CHECKED report, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

#ifdef __clang__
#pragma clang assume_nonnull end
#pragma clang diagnostic pop
#endif
#undef HDR_NULLABLE
#undef HDR_CHECKED

#ifdef __cplusplus
}
#endif

#endif
