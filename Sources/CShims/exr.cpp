#ifdef WITH_EXR
#include "exr_shim.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfChromaticities.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfOpaqueAttribute.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <OpenEXR/ImfThreading.h>
#include <OpenEXR/OpenEXRConfig.h>
#include <cfloat>
#include <cstring>
#include <half.h>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" const char *exr_library(void) { return "OpenEXR " OPENEXR_VERSION_STRING; }

namespace {

class CallerInput final : public Imf::IStream {
 public:
  CallerInput(void *context, exr_read_at read)
      : Imf::IStream("input"), context(context), read_at(read) {}

  bool read(char bytes[], int count) override {
    if (count < 0 || read_at(context, position, bytes, static_cast<size_t>(count)) != 0) {
      throw std::runtime_error("cannot read");
    }
    position += static_cast<uint64_t>(count);
    return true;
  }
  uint64_t tellg() override { return position; }
  void seekg(uint64_t offset) override { position = offset; }

 private:
  void *context;
  exr_read_at read_at;
  uint64_t position = 0;
};

class CallerOutput final : public Imf::OStream {
 public:
  CallerOutput(void *context, exr_write_at write)
      : Imf::OStream("output"), context(context), write_at(write) {}

  void write(const char bytes[], int count) override {
    if (count < 0 || write_at(context, position, bytes, static_cast<size_t>(count)) != 0) {
      throw std::runtime_error("cannot write");
    }
    position += static_cast<uint64_t>(count);
  }
  uint64_t tellp() override { return position; }
  void seekp(uint64_t offset) override { position = offset; }

 private:
  void *context;
  exr_write_at write_at;
  uint64_t position = 0;
};

// Runs `body` and converts exceptions to a status and a message.
template <typename Body>
exr_status guarded(std::string &message, Body body) noexcept {
  try {
    try {
      body();
      return EXR_OK;
    } catch (const std::bad_alloc &) {
      return EXR_OUT_OF_MEMORY;
    } catch (const std::exception &error) {
      message = error.what();
    } catch (...) {
      message = "an error without description";
    }
    return EXR_REFUSED;
  } catch (...) {
    return EXR_OUT_OF_MEMORY;  // Copying the message failed.
  }
}

// OpenEXR has one thread pool per process. It is only enlarged, so that readers do not take threads
// from each other.
void provide_threads(int count) {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (Imf::globalThreadCount() < count) Imf::setGlobalThreadCount(count);
}

// `value` over `divisor`, rounded toward minus infinity.
int floor_divided(int value, int divisor) {
  return value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor);
}

// A slice for which OpenEXR accesses `samples` at the first sample of a channel in the rows
// starting at `first`. OpenEXR requires the address of pixel (0, 0), which may be outside any
// array; hence the integer arithmetic.
template <typename Sample>
Imf::Slice slice(
    Imf::PixelType type, Sample *samples, size_t row_stride, int min_x, int first,
    int x_sampling = 1, int y_sampling = 1) {
  const intptr_t column = sizeof(Sample);
  const intptr_t row = static_cast<intptr_t>(row_stride) * column;
  const intptr_t first_row = -static_cast<intptr_t>(floor_divided(-first, y_sampling));
  const intptr_t origin = reinterpret_cast<intptr_t>(samples) - first_row * row -
                          floor_divided(min_x, x_sampling) * column;
  return Imf::Slice(
      type, reinterpret_cast<char *>(origin), static_cast<size_t>(column),
      static_cast<size_t>(row), x_sampling, y_sampling);
}

// Rounds to nearest even.
half rounded_half(float sample) {
  if (sample > HALF_MAX && sample <= FLT_MAX) return half(HALF_MAX);
  if (sample < -HALF_MAX && sample >= -FLT_MAX) return half(-HALF_MAX);
  return half(sample);
}

// Stream from which OpenEXR reads the value of an attribute.
class MemoryInput final : public Imf::IStream {
 public:
  explicit MemoryInput(const std::string &bytes) : Imf::IStream("attribute"), bytes(bytes) {}

  bool read(char target[], int count) override {
    if (count < 0 || static_cast<size_t>(count) > bytes.size() - position) {
      throw std::runtime_error("an attribute ends early");
    }
    std::memcpy(target, bytes.data() + position, static_cast<size_t>(count));
    position += static_cast<size_t>(count);
    return true;
  }
  uint64_t tellg() override { return position; }
  void seekg(uint64_t offset) override { position = static_cast<size_t>(offset); }

 private:
  const std::string &bytes;
  size_t position = 0;
};

// Inserts an attribute of type `blob`: a little-endian size followed by that number of bytes.
void insert_blob(Imf::Header &header, const char *name, const uint8_t *bytes, size_t size) {
  std::string value;
  for (int shift = 0; shift < 32; shift += 8) value += static_cast<char>(size >> shift);
  value.append(reinterpret_cast<const char *>(bytes), size);
  MemoryInput input(value);
  Imf::OpaqueAttribute attribute("blob");
  attribute.readValueFrom(input, static_cast<int>(value.size()), 2);
  header.insert(name, attribute);
}

}  // namespace

struct exr_reader {
  CallerInput input;
  std::unique_ptr<Imf::MultiPartInputFile> file;
  std::unique_ptr<Imf::InputPart> part;
  std::string message;

  exr_reader(void *context, exr_read_at read) : input(context, read) {}
};

extern "C" exr_reader *exr_reader_create(void *context, exr_read_at read) {
  return new (std::nothrow) exr_reader(context, read);
}

extern "C" exr_status exr_reader_open(exr_reader *reader, int part, int threads) {
  return guarded(reader->message, [&] {
    provide_threads(threads);
    reader->file = std::make_unique<Imf::MultiPartInputFile>(reader->input, threads, false);
    reader->part = std::make_unique<Imf::InputPart>(*reader->file, part);
  });
}

extern "C" exr_status exr_reader_read(
    exr_reader *reader, int first, int last, const char *names, int channel_count, float *samples,
    size_t row_stride, size_t plane_stride) {
  return guarded(reader->message, [&] {
    const Imf::Header &header = reader->part->header();
    const int min_x = header.dataWindow().min.x;
    Imf::FrameBuffer buffer;
    for (int index = 0; index < channel_count; index++) {
      const Imf::Channel *channel = header.channels().findChannel(names);
      if (channel == nullptr) throw std::runtime_error("a channel is missing");
      buffer.insert(
          names, slice(
                     Imf::FLOAT, samples + plane_stride * static_cast<size_t>(index), row_stride,
                     min_x, first, channel->xSampling, channel->ySampling));
      names += std::strlen(names) + 1;
    }
    reader->part->setFrameBuffer(buffer);
    reader->part->readPixels(first, last);
  });
}

extern "C" const char *exr_reader_message(const exr_reader *reader) {
  return reader->message.c_str();
}

extern "C" void exr_reader_free(exr_reader *reader) { delete reader; }

struct exr_writer {
  CallerOutput output;
  std::unique_ptr<Imf::OutputFile> file;
  std::vector<std::string> names;
  std::vector<half> halves;
  bool is_half = false;
  int width = 0;
  std::string message;

  exr_writer(void *context, exr_write_at write) : output(context, write) {}
};

extern "C" exr_writer *exr_writer_create(void *context, exr_write_at write) {
  return new (std::nothrow) exr_writer(context, write);
}

extern "C" exr_status exr_writer_open(
    exr_writer *writer, const exr_description *description, const char *names,
    int channel_count) {
  return guarded(writer->message, [&] {
    provide_threads(description->threads);
    writer->width = description->width;
    writer->is_half = description->is_half != 0;
    Imf::Header header(description->width, description->height);
    header.compression() = Imf::ZIP_COMPRESSION;
    const float *xy = description->chromaticities;
    Imf::addChromaticities(
        header,
        Imf::Chromaticities({xy[0], xy[1]}, {xy[2], xy[3]}, {xy[4], xy[5]}, {xy[6], xy[7]}));
    Imf::addWhiteLuminance(header, description->white_luminance);
    if (description->exif != nullptr) {
      insert_blob(header, "exif", description->exif, description->exif_size);
    }
    if (description->xmp != nullptr) {
      header.insert(
          "xmp", Imf::StringAttribute(std::string(description->xmp, description->xmp_size)));
    }
    for (int index = 0; index < channel_count; index++) {
      writer->names.emplace_back(names);
      header.channels().insert(names, Imf::Channel(writer->is_half ? Imf::HALF : Imf::FLOAT));
      names += std::strlen(names) + 1;
    }
    writer->file =
        std::make_unique<Imf::OutputFile>(writer->output, header, description->threads);
  });
}

extern "C" exr_status exr_writer_write(
    exr_writer *writer, int rows, const float *samples, size_t row_stride, size_t plane_stride) {
  return guarded(writer->message, [&] {
    const int first = writer->file->currentScanLine();
    const size_t width = static_cast<size_t>(writer->width);
    const size_t half_plane = width * static_cast<size_t>(rows);
    if (writer->is_half) writer->halves.resize(half_plane * writer->names.size());
    Imf::FrameBuffer buffer;
    for (size_t index = 0; index < writer->names.size(); index++) {
      const float *source = samples + plane_stride * index;
      if (!writer->is_half) {
        // OpenEXR only reads from the buffers of an output file.
        buffer.insert(
            writer->names[index],
            slice(Imf::FLOAT, const_cast<float *>(source), row_stride, 0, first));
        continue;
      }
      half *target = writer->halves.data() + half_plane * index;
      for (int y = 0; y < rows; y++) {
        const float *from = source + row_stride * static_cast<size_t>(y);
        half *to = target + width * static_cast<size_t>(y);
        for (size_t x = 0; x < width; x++) to[x] = rounded_half(from[x]);
      }
      buffer.insert(writer->names[index], slice(Imf::HALF, target, width, 0, first));
    }
    writer->file->setFrameBuffer(buffer);
    writer->file->writePixels(rows);
  });
}

extern "C" exr_status exr_writer_write_halves(
    exr_writer *writer, int rows, const uint16_t *const *planes) {
  return guarded(writer->message, [&] {
    const int first = writer->file->currentScanLine();
    const size_t width = static_cast<size_t>(writer->width);
    Imf::FrameBuffer buffer;
    for (size_t index = 0; index < writer->names.size(); index++) {
      // OpenEXR only reads from the buffers of an output file.
      buffer.insert(
          writer->names[index],
          slice(Imf::HALF, const_cast<uint16_t *>(planes[index]), width, 0, first));
    }
    writer->file->setFrameBuffer(buffer);
    writer->file->writePixels(rows);
  });
}

extern "C" exr_status exr_writer_finish(exr_writer *writer) {
  // The destructor writes the table of chunk offsets.
  return guarded(writer->message, [&] { writer->file.reset(); });
}

extern "C" const char *exr_writer_message(const exr_writer *writer) {
  return writer->message.c_str();
}

extern "C" void exr_writer_free(exr_writer *writer) { delete writer; }
#endif
