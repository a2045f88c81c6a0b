// SPDX-License-Identifier: Apache-2.0
#ifdef WITH_RAW
#include "raw_shim.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <libraw/libraw.h>
#include <memory>
#include <new>
#include <string>
#include <vector>

extern "C" const char *raw_library(void) {
  static const std::string name = std::string("LibRaw ") + LibRaw::version();
  return name.c_str();
}

extern "C" uint32_t raw_camera_count(void) { return (uint32_t)LibRaw::cameraCount(); }

extern "C" const char *raw_camera_name(uint32_t index) { return LibRaw::cameraList()[index]; }

struct raw_reader {
  LibRaw libraw;
  std::vector<uint8_t> file;
  size_t size = 0;
  std::string message;
  // The first warning; empty without one.
  std::string warning;
};

namespace {

// Receives the offset after samples out of range, where LibRaw goes on decoding, or -1 at the end of
// the file, where it fails.
//
// The type of the offset differs between versions of LibRaw.
template <typename Offset>
void note_damage(void *context, const char *, Offset offset) {
  raw_reader *reader = static_cast<raw_reader *>(context);
  if (reader->warning.empty())
    reader->warning = "samples out of range before byte " + std::to_string(offset);
  // LibRaw checks for the end of the file at the first error only, and counts this one after the call.
  reader->libraw.get_internal_data_pointer()->unpacker_data.data_error = -1;
}

raw_status status_of(int code) {
  switch (code) {
    case LIBRAW_SUCCESS: return RAW_OK;
    case LIBRAW_UNSUFFICIENT_MEMORY:
    case LIBRAW_TOO_BIG:
    case LIBRAW_MEMPOOL_OVERFLOW: return RAW_OUT_OF_MEMORY;
    case LIBRAW_FILE_UNSUPPORTED:
    case LIBRAW_NOT_IMPLEMENTED:
    case LIBRAW_NO_THUMBNAIL:
    case LIBRAW_UNSUPPORTED_THUMBNAIL:
    case LIBRAW_REQUEST_FOR_NONEXISTENT_IMAGE: return RAW_UNSUPPORTED;
    case LIBRAW_IO_ERROR: return RAW_TRUNCATED;
    case LIBRAW_DATA_ERROR:
    case LIBRAW_BAD_CROP: return RAW_DAMAGED;
    default: return RAW_FAILED;
  }
}

// Runs `body`, which returns a LibRaw code, and converts exceptions to a status.
template <typename Body>
raw_status guarded(raw_reader *reader, Body body) noexcept {
  try {
    try {
      const int code = body();
      if (code != LIBRAW_SUCCESS) reader->message = libraw_strerror(code);
      return status_of(code);
    } catch (const std::bad_alloc &) {
      return RAW_OUT_OF_MEMORY;
    } catch (const LibRaw_exceptions &) {
      reader->message = "Data error or unsupported file format";
      return RAW_DAMAGED;
    } catch (const std::exception &error) {
      reader->message = error.what();
    } catch (...) {
      reader->message = "an error without description";
    }
    return RAW_FAILED;
  } catch (...) {
    return RAW_OUT_OF_MEMORY;  // Copying the message failed.
  }
}

// Converts LibRaw's flip bits (mirrored horizontally, mirrored vertically, transposed) to Exif.
uint32_t orientation_of(int flip) {
  static const uint32_t numbers[8] = {1, 2, 4, 3, 5, 8, 6, 7};
  return numbers[flip & 7];
}

void copy_name(char (&target)[raw_name_capacity], const char *source) {
  std::strncpy(target, source, raw_name_capacity - 1);
  target[raw_name_capacity - 1] = 0;
}

// The color of a photosite; the second green of four colors is reported as green.
uint8_t color_at(LibRaw &libraw, int row, int column) {
  const int color = libraw.COLOR(row, column);
  return static_cast<uint8_t>(color == 3 && libraw.imgdata.idata.cdesc[3] == 'G' ? 1 : color);
}

void describe_filters(LibRaw &libraw, raw_description &description) {
  const unsigned filters = libraw.imgdata.idata.filters;
  description.is_mosaic = filters != 0;
  if (filters == 0 || libraw.is_fuji_rotated()) return;
  // Patterns below 1000 are identified by number, of which 9 is X-Trans; others repeat after eight
  // rows and two columns.
  unsigned rows = 8, columns = 2;
  if (filters == 9) rows = columns = 6;
  if (filters != 9 && filters < 1000) return;
  auto repeats = [&](unsigned period) {
    for (unsigned row = 0; row < rows; row++)
      for (unsigned column = 0; column < columns; column++)
        if (color_at(libraw, row, column) != color_at(libraw, row % period, column)) return false;
    return true;
  };
  if (rows == 8 && repeats(2)) rows = 2;
  description.pattern_rows = rows;
  description.pattern_columns = columns;
  for (unsigned row = 0; row < rows; row++)
    for (unsigned column = 0; column < columns; column++)
      description.pattern[row * columns + column] = color_at(libraw, row, column);
}

// The camera's crop, if it is inside the visible area and is most of it; centered if the file
// specifies its size but not its position, for which LibRaw has 65535.
void describe_crop(const libraw_image_sizes_t &sizes, raw_description &description) {
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
  const auto &crop = sizes.raw_inset_crops[0];
#else
  const auto &crop = sizes.raw_inset_crop;
#endif
  const unsigned width = crop.cwidth, height = crop.cheight;
  unsigned left = crop.cleft, top = crop.ctop;
  if (left == 0xffff && top == 0xffff && width <= sizes.width && height <= sizes.height) {
    left = sizes.left_margin + (sizes.width - width) / 2;
    top = sizes.top_margin + (sizes.height - height) / 2;
  }
  const bool is_inside =
      left >= sizes.left_margin && top >= sizes.top_margin &&
      left + width <= static_cast<unsigned>(sizes.left_margin) + sizes.width &&
      top + height <= static_cast<unsigned>(sizes.top_margin) + sizes.height;
  if (!is_inside || 10 * width < 9u * sizes.width || 10 * height < 9u * sizes.height) return;
  description.crop_left = left;
  description.crop_top = top;
  description.crop_width = width;
  description.crop_height = height;
}

// The gain, in stops, that the camera applies to the samples before its tone curve.
//
// Fujifilm cameras store by how much the samples are darker (tag 0x9650), older ones a brightening
// (tag 0x9200). LibRaw sets the first to -999 if it is not in the file.
float baseline_exposure(const libraw_fuji_info_t &fuji) {
  const float largest = 8;
  const float darker = fuji.ExpoMidPointShift, brightening = fuji.BrightnessCompensation;
  if (darker >= -largest && darker <= largest) return -darker;
  return brightening >= 0 && brightening <= largest ? brightening : 0;
}

unsigned least_multiple(unsigned a, unsigned b) {
  unsigned multiple = a;
  while (multiple % b != 0) multiple += a;
  return multiple;
}

}  // namespace

raw_reader *raw_reader_create(size_t size, uint32_t memory_megabytes) {
  try {
    std::unique_ptr<raw_reader> reader(new raw_reader);
    reader->file.resize(size);
    reader->libraw.set_dataerror_handler(&note_damage, reader.get());
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
    reader->libraw.imgdata.rawparams.max_raw_memory_mb = memory_megabytes;
#else
    reader->libraw.imgdata.params.max_raw_memory_mb = memory_megabytes;
    // LibRaw's default handler prints.
    reader->libraw.set_memerror_handler(nullptr, nullptr);
#endif
    return reader.release();
  } catch (...) {
    return nullptr;
  }
}

void raw_reader_free(raw_reader *reader) {
  try {
    delete reader;
  } catch (...) {
  }
}

void raw_reader_append(raw_reader *reader, const uint8_t *bytes, size_t count) {
  const size_t taken = std::min(count, reader->file.size() - reader->size);
  std::memcpy(reader->file.data() + reader->size, bytes, taken);
  reader->size += taken;
}

raw_status raw_reader_open(raw_reader *reader) {
  return guarded(reader, [&] {
    return reader->libraw.open_buffer(reader->file.data(), reader->size);
  });
}

// Whether the file is too small for its samples: some LibRaw decoders do not check and return
// noise.
static bool lacks_samples(raw_reader *reader) {
  LibRaw &libraw = reader->libraw;
  const libraw_image_sizes_t &sizes = libraw.imgdata.sizes;
  const size_t samples = static_cast<size_t>(sizes.raw_width) * sizes.raw_height;
  const auto offset = libraw.get_internal_data_pointer()->unpacker_data.data_offset;
  // Every coding of raw samples takes at least an eighth of a bit per sample.
  return offset >= static_cast<INT64>(reader->size) || reader->size < samples / 64;
}

raw_status raw_reader_unpack(raw_reader *reader) {
  if (lacks_samples(reader)) {
    reader->message = "no samples in the file";
    return RAW_SAMPLES_MISSING;
  }
  const raw_status status = guarded(reader, [&] { return reader->libraw.unpack(); });
  const bool lacks_metadata = reader->libraw.imgdata.process_warnings & LIBRAW_WARN_NO_METADATA;
  if (lacks_metadata && reader->warning.empty()) reader->warning = "no metadata of the camera";
  return status;
}

void raw_reader_cancel(raw_reader *reader) { reader->libraw.setCancelFlag(); }

const char *raw_reader_message(const raw_reader *reader) { return reader->message.c_str(); }

const char *raw_reader_warning(const raw_reader *reader) { return reader->warning.c_str(); }

void raw_reader_describe(raw_reader *reader, raw_description *description) {
  LibRaw &libraw = reader->libraw;
  const libraw_data_t &data = libraw.imgdata;
  *description = raw_description{};
  description->width = data.sizes.raw_width;
  description->height = data.sizes.raw_height;
  description->left = data.sizes.left_margin;
  description->top = data.sizes.top_margin;
  description->visible_width = data.sizes.width;
  description->visible_height = data.sizes.height;
  describe_crop(data.sizes, *description);
  if (data.rawdata.raw_image != nullptr) description->planes = 1;
  if (data.rawdata.color4_image != nullptr || data.rawdata.color3_image != nullptr)
    description->planes = 3;
  description->colors = static_cast<uint32_t>(data.idata.colors);
  describe_filters(libraw, *description);
  description->orientation = orientation_of(data.sizes.flip);
  description->white = data.color.maximum;
  const unsigned filter_rows = std::max(description->pattern_rows, 1u);
  const unsigned filter_columns = std::max(description->pattern_columns, 1u);
  const unsigned *pattern = data.color.cblack + 4;
  const bool has_pattern = pattern[0] > 0 && pattern[1] > 0 && pattern[0] <= 8 && pattern[1] <= 8;
  description->black_rows = least_multiple(filter_rows, has_pattern ? pattern[0] : 1);
  description->black_columns = least_multiple(filter_columns, has_pattern ? pattern[1] : 1);
  for (int color = 0; color < 3; color++) {
    description->as_shot[color] = std::max(data.color.cam_mul[color], 0.0f);
    description->daylight[color] = std::max(data.color.pre_mul[color], 0.0f);
    for (int axis = 0; axis < 3; axis++)
      description->xyz_to_camera[3 * color + axis] = data.color.cam_xyz[color][axis];
  }
  description->baseline_exposure = baseline_exposure(data.makernotes.fuji);
  description->picture_count = data.idata.raw_count;
  copy_name(description->make, data.idata.make);
  copy_name(description->model, data.idata.model);
}

uint32_t raw_reader_black(raw_reader *reader, uint32_t row, uint32_t column, uint32_t plane) {
  LibRaw &libraw = reader->libraw;
  const libraw_colordata_t &color = libraw.imgdata.color;
  const unsigned *pattern = color.cblack + 4;
  uint32_t black = color.black;
  const bool is_mosaic = libraw.imgdata.idata.filters != 0 && !libraw.is_fuji_rotated();
  const int filter = is_mosaic ? libraw.COLOR(static_cast<int>(row), static_cast<int>(column))
                               : static_cast<int>(plane);
  if (filter >= 0 && filter < 4) black += color.cblack[filter];
  if (pattern[0] > 0 && pattern[1] > 0 && pattern[0] <= 8 && pattern[1] <= 8)
    black += color.cblack[6 + row % pattern[0] * pattern[1] + column % pattern[1]];
  return black;
}

raw_status raw_reader_samples(raw_reader *reader, uint16_t *samples, size_t count) {
  const libraw_data_t &data = reader->libraw.imgdata;
  const size_t width = data.sizes.raw_width, height = data.sizes.raw_height;
  const ushort *source = data.rawdata.raw_image;
  size_t stored = 1, planes = 1;
  if (data.rawdata.color4_image != nullptr) {
    source = data.rawdata.color4_image[0];
    stored = 4;
    planes = 3;
  } else if (data.rawdata.color3_image != nullptr) {
    source = data.rawdata.color3_image[0];
    stored = planes = 3;
  }
  if (source == nullptr || count != width * height * planes) return RAW_FAILED;
  size_t pitch = data.sizes.raw_pitch / sizeof(ushort);
  if (pitch == 0) pitch = width * stored;
  for (size_t row = 0; row < height; row++) {
    const ushort *line = source + row * pitch;
    uint16_t *target = samples + row * width * planes;
    for (size_t pixel = 0; pixel < width; pixel++)
      for (size_t plane = 0; plane < planes; plane++)
        target[pixel * planes + plane] = line[pixel * stored + plane];
  }
  return RAW_OK;
}

raw_status raw_reader_demosaic(
    raw_reader *reader, const float gains[3], uint32_t *width, uint32_t *height) {
  const raw_status status = guarded(reader, [&] {
    libraw_output_params_t &parameters = reader->libraw.imgdata.params;
    parameters.output_bps = 16;
    parameters.gamm[0] = parameters.gamm[1] = 1;
    parameters.no_auto_bright = 1;
    parameters.output_color = 0;
    parameters.use_camera_matrix = 0;
    parameters.user_flip = 0;
    parameters.highlight = 1;
    parameters.adjust_maximum_thr = 0;
    parameters.user_qual = 3;
    for (int color = 0; color < 4; color++) parameters.user_mul[color] = gains[color == 3 ? 1 : color];
    return reader->libraw.dcraw_process();
  });
  if (status != RAW_OK) return status;
  if (reader->libraw.imgdata.image == nullptr) return RAW_FAILED;
  *width = reader->libraw.imgdata.sizes.width;
  *height = reader->libraw.imgdata.sizes.height;
  return RAW_OK;
}

raw_status raw_reader_colors(raw_reader *reader, uint16_t *samples, size_t count) {
  const libraw_data_t &data = reader->libraw.imgdata;
  const size_t pixels = static_cast<size_t>(data.sizes.width) * data.sizes.height;
  if (data.image == nullptr || count != 3 * pixels) return RAW_FAILED;
  for (size_t pixel = 0; pixel < pixels; pixel++)
    std::copy_n(data.image[pixel], 3, samples + 3 * pixel);
  return RAW_OK;
}

raw_status raw_reader_preview(raw_reader *reader, const uint8_t **bytes, size_t *size) {
  const raw_status status = guarded(reader, [&] { return reader->libraw.unpack_thumb(); });
  if (status != RAW_OK) return status;
  const libraw_thumbnail_t &preview = reader->libraw.imgdata.thumbnail;
  if (preview.tformat != LIBRAW_THUMBNAIL_JPEG || preview.thumb == nullptr) {
    reader->message = "the preview is not JPEG";
    return RAW_UNSUPPORTED;
  }
  *bytes = reinterpret_cast<const uint8_t *>(preview.thumb);
  *size = preview.tlength;
  return RAW_OK;
}
#endif
