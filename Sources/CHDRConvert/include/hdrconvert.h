// SPDX-License-Identifier: Apache-2.0
/*
 * hdrconvert: HDR still images in C.
 *
 * Handles are opaque, immutable after creation (except hdr_execution_cancel) and may be used by
 * several threads at the same time; a handle must not be destroyed while a call uses it. The library
 * does not have global state.
 *
 * Functions that can fail return HDR_OK or the category of the error. If `error` is not NULL, it
 * receives the error, which the caller destroys; on success it receives NULL. Outputs are not
 * written on failure. Files are untrusted: no content of a file makes a call crash.
 *
 * Structures of options start with their size. The hdr_*_init functions set it and all defaults, so
 * that programs compiled with an older header work with a newer library. Fields are only appended.
 *
 *     hdr_image *image = NULL;
 *     hdr_error *error = NULL;
 *     if (hdr_image_open_file("photo.heic", NULL, NULL, &image, &error) != HDR_OK) {
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

#ifdef __clang__
#pragma clang assume_nonnull begin
#define HDR_NULLABLE _Nullable
#define HDR_NONNULL _Nonnull
#else
#define HDR_NULLABLE
#define HDR_NONNULL
#endif

/* ---- Version ---- */

/** Version of this interface: functions and fields are added in a minor version; changes that are
 * not compatible have a new major version, which is part of the name of the shared library. */
#define HDR_API_MAJOR 1
#define HDR_API_MINOR 1

/** Version of the interface that the library implements: major << 16 | minor. */
uint32_t hdr_api_version(void);

/** Version of the program, such as "1.4.0"; a constant. */
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
hdr_status hdr_error_status(const hdr_error *error);

/** Stable identifier, such as "png/crc-mismatch"; Documentation/Diagnostics.md lists all. */
const char *hdr_error_code(const hdr_error *error);

/** One clause in English with the invalid values, without a full stop. */
const char *hdr_error_message(const hdr_error *error);

/** Path of the file; NULL if it is unknown. */
const char *HDR_NULLABLE hdr_error_file(const hdr_error *error);

/** Names of the enclosing structures of the file, separated by "/", outermost first; NULL if they
 * are unknown. */
const char *HDR_NULLABLE hdr_error_path(const hdr_error *error);

/** Byte offset from the start of the file; -1 if it is unknown. */
int64_t hdr_error_offset(const hdr_error *error);

/** Destroys an error; NULL is allowed. */
void hdr_error_destroy(hdr_error *HDR_NULLABLE error);

/* ---- Bytes ---- */

/** Bytes that the library has allocated: a file or UTF-8 text. */
typedef struct hdr_bytes hdr_bytes;

/** The bytes, followed by a NUL that hdr_bytes_size does not count; they exist until the object is
 * destroyed. */
const uint8_t *hdr_bytes_data(const hdr_bytes *bytes);

/** Number of bytes. */
size_t hdr_bytes_size(const hdr_bytes *bytes);

/** Notices of the call that made a file, as a JSON array of the objects `notice` of
 * Documentation/schemas/common.json: metadata and samples that were dropped, assumed or clipped.
 * "[]" without notices and for text. UTF-8; exists until the object is destroyed. */
const char *hdr_bytes_notices(const hdr_bytes *bytes);

/** Destroys bytes; NULL is allowed. */
void hdr_bytes_destroy(hdr_bytes *HDR_NULLABLE bytes);

/* ---- Execution ---- */

/** Conditions of a job: threads, limits, progress and cancellation. */
typedef struct hdr_execution hdr_execution;

/** Receives the completed share of the current stage, 0 to 1, on the thread that made the call; a
 * call may have several stages. If it returns false, the call ends with HDR_ERROR_CANCELLED. */
typedef bool (*hdr_progress)(void *HDR_NULLABLE context, double share);

/** Options of hdr_execution_create. */
typedef struct hdr_execution_options {
  /** Size of this structure. */
  size_t size;
  /** Limit of memory in bytes, for all calls with this execution together. Default: half of the
   * memory that the process may use. */
  uint64_t memory_limit;
  /** Largest number of pixels of one image. Default: 2^29. */
  uint64_t pixel_limit;
  /** Number of threads. Default: one for each core. */
  int32_t thread_count;
  /** Called with the completed share; default NULL. */
  hdr_progress HDR_NULLABLE progress;
  /** First argument of `progress`. */
  void *HDR_NULLABLE progress_context;
} hdr_execution_options;

/** Sets the size and the defaults. */
void hdr_execution_options_init(hdr_execution_options *options);

/** Creates the conditions of a job, which is one call or several. Functions with a parameter
 * `execution` use defaults for NULL. Create one for each job: the work and the memory of parsed files
 * add up until it is destroyed, and a cancelled execution stays cancelled. */
hdr_status hdr_execution_create(
    const hdr_execution_options *HDR_NULLABLE options,
    hdr_execution *HDR_NULLABLE *HDR_NONNULL execution,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Cancels all calls that use the execution, now and in future; may be called on any thread.
 * Transforms end within one band of rows; a single HEVC or AV1 image is decoded or encoded to its
 * end first. */
void hdr_execution_cancel(hdr_execution *execution);

/** Destroys an execution that no call uses; NULL is allowed. */
void hdr_execution_destroy(hdr_execution *HDR_NULLABLE execution);

/* ---- Color ---- */

/** Color encoding of samples by code points of ITU-T H.273 (CICP). */
typedef struct hdr_color {
  /** Primaries: 1 BT.709, 9 BT.2020, 12 Display P3, and others. */
  uint16_t primaries;
  /** Transfer function: 8 linear, 13 sRGB, 16 PQ, 18 HLG, and others. Floating-point samples are
   * usually linear; 1.0 is reference white. */
  uint16_t transfer;
  /** Matrix: 0 for RGB; 1, 6 or 9 for Y'CbCr (HDR_PACKING_P010). */
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

/** Options of the functions that open files. */
typedef struct hdr_open_options {
  /** Size of this structure. */
  size_t size;
  /** Transfer function to assume for a file that does not specify one; default 0: by format. */
  uint16_t assumed_transfer;
  /** Primaries to assume for a file that does not specify them; default 0: by format. */
  uint16_t assumed_primaries;
  /** Luminance of linear 1.0 to assume, in cd/m²; default 0: by format. */
  double assumed_reference_white;
} hdr_open_options;

/** Sets the size and the defaults. */
void hdr_open_options_init(hdr_open_options *options);

/** Opens a file at a path in UTF-8: HEIF, AVIF, JPEG, PNG, TIFF, OpenEXR, Radiance HDR, JPEG XL, DNG
 * or camera raw. Samples are decoded when they are needed; files that can be parsed but not
 * decoded, because they are damaged or need another codec, can still be described. */
hdr_status hdr_image_open_file(
    const char *path, const hdr_open_options *HDR_NULLABLE options,
    hdr_execution *HDR_NULLABLE execution, hdr_image *HDR_NULLABLE *HDR_NONNULL image,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Opens a file in memory, which is copied. */
hdr_status hdr_image_open_memory(
    const void *bytes, size_t size, const hdr_open_options *HDR_NULLABLE options,
    hdr_execution *HDR_NULLABLE execution, hdr_image *HDR_NULLABLE *HDR_NONNULL image,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Creates an image from pixels, which are copied. */
hdr_status hdr_image_create(
    const hdr_pixels *pixels, const hdr_color *color, hdr_execution *HDR_NULLABLE execution,
    hdr_image *HDR_NULLABLE *HDR_NONNULL image, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Destroys an image; NULL is allowed. */
void hdr_image_destroy(hdr_image *HDR_NULLABLE image);

/** Properties of an image. */
typedef struct hdr_image_info {
  /** Size of this structure, which the caller sets. */
  size_t size;
  /** Columns of the upright image. */
  uint32_t width;
  /** Rows of the upright image. */
  uint32_t height;
  /** Bits of a sample as stored; 16 and 32 for floating point. */
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
    const hdr_image *image, hdr_image_info *info, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Name of the format of the file, such as "heif"; empty for samples in memory. Exists until the image
 * is destroyed. */
const char *hdr_image_format(const hdr_image *image);

/** Parts of a description, to be combined with |. */
enum {
  /** Light levels of the primary image, which is decoded. */
  HDR_DESCRIBE_LIGHT_LEVELS = 1,
  /** Boxes, segments, chunks or directories of the file. */
  HDR_DESCRIBE_STRUCTURE = 2,
};

/** Describes a file as JSON: the report of `hdrconvert inspect --json`, whose schema is
 * Documentation/schemas/inspect.json. The image must have been opened from a file. */
hdr_status hdr_image_describe(
    const hdr_image *image, uint32_t parts, hdr_execution *HDR_NULLABLE execution,
    hdr_bytes *HDR_NULLABLE *HDR_NONNULL json, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Decodes an image into memory of the caller, upright and without its gain map. Samples are
 * converted to the packing and to `color`; NULL keeps primaries and transfer function of the image.
 * Values out of range are clipped, not tone mapped. `pixels` must have the size of the upright image;
 * it is not written before all samples are decoded. */
hdr_status hdr_image_decode(
    const hdr_image *image, const hdr_color *HDR_NULLABLE color, const hdr_pixels *pixels,
    hdr_execution *HDR_NULLABLE execution, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/* ---- Rendering ---- */

/** Options of hdr_image_render. */
typedef struct hdr_render_options {
  /** Size of this structure. */
  size_t size;
  /** Peak luminance of the display over reference white, at least 1: 1 for SDR. Default: infinity,
   * all headroom of the image, a gain map being applied in full. */
  double headroom;
  /** Primaries of the result; default 9, BT.2020. */
  uint16_t primaries;
  /** Tone-mapping operator: "adaptive", "bt2390" and others as in `hdrconvert render --help`.
   * Default NULL: the gain map of the file, else its SMPTE ST 2094-50 metadata, else "adaptive". */
  const char *HDR_NULLABLE tone_map;
} hdr_render_options;

/** Sets the size and the defaults. */
void hdr_render_options_init(hdr_render_options *options);

/** Renders an image for a display. The result is upright, with linear values in single precision in
 * memory, none above the headroom. */
hdr_status hdr_image_render(
    const hdr_image *image, const hdr_render_options *HDR_NULLABLE options,
    hdr_execution *HDR_NULLABLE execution, hdr_image *HDR_NULLABLE *HDR_NONNULL rendered,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/* ---- Crop, resize, rotation ---- */

/** Options of hdr_image_transform. */
typedef struct hdr_transform_options {
  /** Size of this structure. */
  size_t size;
  /** Left column of the part to keep, in the upright image. */
  uint32_t crop_x;
  /** Top row of the part to keep. */
  uint32_t crop_y;
  /** Columns of the part to keep; default 0, with a height of 0: the whole image. */
  uint32_t crop_width;
  /** Rows of the part to keep. */
  uint32_t crop_height;
  /** Columns of the resized part; default 0, with a height of 0: not resized. */
  uint32_t width;
  /** Rows of the resized part. */
  uint32_t height;
  /** Longer side of the resized part, which keeps its aspect ratio and is not enlarged, instead of
   * width and height; default 0: not resized. */
  uint32_t long_side;
  /** Clockwise rotation of the result in degrees, a multiple of 90; default 0. */
  int32_t rotation;
} hdr_transform_options;

/** Sets the size and the defaults. */
void hdr_transform_options_init(hdr_transform_options *options);

/** Crops, resizes and rotates an image, in this order. The result is in memory, with linear values in
 * single precision in BT.2020 like that of hdr_image_render with its defaults: a gain map is applied
 * in full. Linear values are resampled, with a filter without ringing. For a display, render the
 * image first. */
hdr_status hdr_image_transform(
    const hdr_image *image, const hdr_transform_options *options,
    hdr_execution *HDR_NULLABLE execution, hdr_image *HDR_NULLABLE *HDR_NONNULL transformed,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/* ---- Encoding ---- */

/** Gain map of an encoded file. */
typedef int32_t hdr_gain_map_policy;
enum {
  /** As `hdrconvert convert`: JPEG keeps the gain map of the image or gets one that is computed from
   * an HDR image; in other formats, the gain map is applied. */
  HDR_GAIN_MAP_AUTOMATIC = 0,
  /** Applied in full. */
  HDR_GAIN_MAP_APPLY = 1,
  /** Kept, with its baseline image. */
  HDR_GAIN_MAP_KEEP = 2,
  /** Computed from the HDR image. */
  HDR_GAIN_MAP_CREATE = 3,
  /** Dropped. */
  HDR_GAIN_MAP_DROP = 4,
};

/** Options of hdr_image_encode. */
typedef struct hdr_encode_options {
  /** Size of this structure. */
  size_t size;
  /** Format by suffix: "heic", "avif", "jxl", "png", "jpg", "tiff", "exr"; required. */
  const char *HDR_NULLABLE format;
  /** Quality, 0 to 100; default -1: that of the format. */
  int32_t quality;
  /** Speed, 0 to 10; default -1: that of the format. */
  int32_t speed;
  /** Whether decoding yields the same code values. */
  bool is_lossless;
  /** Bits per sample; default 0: those of the format. */
  int32_t bits_per_sample;
  /** Chroma subsampling: 444, 422, 420 or 400; default 0: that of the format. */
  int32_t chroma;
  /** Transfer function: 16 PQ, 18 HLG, or 13 sRGB, for which the image is rendered for SDR. Default
   * 0: PQ, sRGB for JPEG, linear for OpenEXR. */
  uint16_t transfer;
  /** Primaries; default 0: 9 (BT.2020), 1 (BT.709) for SDR. */
  uint16_t primaries;
  /** Gain map; default HDR_GAIN_MAP_AUTOMATIC. */
  hdr_gain_map_policy gain_map;
  /** Exposure in stops, -32 to 32; default 0. */
  double exposure;
} hdr_encode_options;

/** Sets the size and the defaults. */
void hdr_encode_options_init(hdr_encode_options *options);

/** Encodes an image to a file in memory. PQ is not tone mapped; light levels are measured and
 * written. Exif and XMP of the image are copied. */
hdr_status hdr_image_encode(
    const hdr_image *image, const hdr_encode_options *options,
    hdr_execution *HDR_NULLABLE execution, hdr_bytes *HDR_NULLABLE *HDR_NONNULL file,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/* ---- Gain maps ---- */

/** Options of hdr_gain_map_create. */
typedef struct hdr_gain_map_options {
  /** Size of this structure. */
  size_t size;
  /** Format by suffix: "jpg", "heic", "avif" or "jxl"; required. */
  const char *HDR_NULLABLE format;
  /** Flavors of the metadata, separated by commas: "iso", "xmp", "apple". Default NULL: those of the
   * format. */
  const char *HDR_NULLABLE flavors;
  /** Quality of the baseline image, 0 to 100; default -1: that of the format. */
  int32_t quality;
  /** Speed, 0 to 10; default -1: that of the format. */
  int32_t speed;
  /** Quality of the gain map, 0 to 100; default -1: by quality. */
  int32_t map_quality;
  /** Pixels of the baseline image per sample of the gain map in each direction: 1, 2 or 4; default 0:
   * by quality. */
  int32_t map_scale;
  /** Components of the gain map, 1 or 3; default 0: by quality. */
  int32_t map_component_count;
  /** Whether the HDR image is the baseline image. */
  bool is_base_hdr;
  /** Primaries of the SDR image; default 12, Display P3. */
  uint16_t primaries;
  /** Limit of the 99th percentile of Delta E ITP of the alternate image, which determines qualities
   * and size; default 0: as given. */
  double target_error;
  /** Chroma subsampling of the baseline image: 444, 422, 420 or 400; default 0: that of the format. */
  int32_t chroma;
} hdr_gain_map_options;

/** Sets the size and the defaults. */
void hdr_gain_map_options_init(hdr_gain_map_options *options);

/** Measured quality of a file with a gain map. */
typedef struct hdr_gain_map_result {
  /** Size of this structure, which the caller sets. */
  size_t size;
  /** Mean of Delta E ITP between the alternate image as decoded and the original. */
  double mean_error;
  /** 99th percentile of Delta E ITP. */
  double percentile_error;
  /** Bytes of the encoded baseline image. */
  uint64_t base_byte_count;
  /** Bytes of the encoded gain map. */
  uint64_t map_byte_count;
} hdr_gain_map_result;

/** Encodes an SDR and an HDR image of the same size as a baseline image with a gain map. For an SDR
 * image of NULL, the HDR image is tone mapped. `result` may be NULL. */
hdr_status hdr_gain_map_create(
    const hdr_image *HDR_NULLABLE sdr, const hdr_image *hdr, const hdr_gain_map_options *options,
    hdr_execution *HDR_NULLABLE execution, hdr_bytes *HDR_NULLABLE *HDR_NONNULL file,
    hdr_gain_map_result *HDR_NULLABLE result, hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

/** Options of hdr_gain_map_transcode. */
typedef struct hdr_transcode_options {
  /** Size of this structure. */
  size_t size;
  /** Format by suffix: "jpg", "heic", "avif" or "jxl"; required. */
  const char *HDR_NULLABLE format;
  /** Flavors of the metadata, separated by commas: "iso", "xmp", "apple". Default NULL: those that
   * suit gain map and format. */
  const char *HDR_NULLABLE flavors;
  /** Quality of a baseline image that is re-encoded, 0 to 100; default -1: that of the format. */
  int32_t quality;
  /** Quality of a gain map that is re-encoded, 0 to 100; default 95. */
  int32_t map_quality;
  /** Speed, 0 to 10; default -1: that of the format. */
  int32_t speed;
  /** Whether the gain map is requantized if a flavor cannot represent its metadata exactly. */
  bool is_exact;
} hdr_transcode_options;

/** Sets the size and the defaults. */
void hdr_transcode_options_init(hdr_transcode_options *options);

/** Writes an image with its gain map in another format or with other flavors of metadata. What the
 * format can store is copied; the rest is re-encoded. To apply a gain map, use hdr_image_render. */
hdr_status hdr_gain_map_transcode(
    const hdr_image *image, const hdr_transcode_options *options,
    hdr_execution *HDR_NULLABLE execution, hdr_bytes *HDR_NULLABLE *HDR_NONNULL file,
    hdr_error *HDR_NULLABLE *HDR_NULLABLE error);

#ifdef __clang__
#pragma clang assume_nonnull end
#endif
#undef HDR_NULLABLE
#undef HDR_NONNULL

#ifdef __cplusplus
}
#endif

#endif
