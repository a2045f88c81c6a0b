// SPDX-License-Identifier: Apache-2.0
#ifdef WITH_EXR
#include "exr_shim.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfThreading.h>
#include <OpenEXR/OpenEXRConfig.h>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>

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
#endif
