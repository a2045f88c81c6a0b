// SPDX-License-Identifier: Apache-2.0
#if EXR
internal import CShims
internal import HDRCore
internal import ImageFiles

/// One part of an OpenEXR file that the library has opened.
@safe final class EXRFile {
  private let handle: OpaquePointer
  private let input: SourceReader

  init(_ source: ByteSource, part: Int) throws(ImageError) {
    input = SourceReader(source)
    // SAFETY: OpenEXR uses `input` until `deinit` frees its reader; this object retains `input`
    // that long.
    let context = unsafe Unmanaged.passUnretained(input).toOpaque()
    guard let handle = unsafe exr_reader_create(context, readSource) else {
      throw ImageError(.outOfMemory, ["library": "OpenEXR"])
    }
    unsafe self.handle = handle
    try check(
      unsafe exr_reader_open(
        handle, Int32(clamping: part), Int32(clamping: Execution.current.threads)))
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe exr_reader_free(handle)
  }

  /// Reads rows of the data window as one float plane per channel.
  ///
  /// - Parameters:
  ///   - rows: Rows, in coordinates of the data window.
  ///   - channels: Names of channels that the part contains.
  ///   - width: Width of the data window, and of the rows of each plane.
  /// - Returns: `channels.count` planes of `rows.count` rows; subsampled channels fill only the
  ///   upper left part of their planes.
  /// - Throws: Errors of the library.
  func read(
    rows: ClosedRange<Int>, channels: [String], width: Int
  ) throws(ImageError) -> EXRSamples {
    var names: [CChar] = []
    for channel in channels { names += channel.utf8CString }
    let plane = width * rows.count
    var samples = [Float](repeating: 0, count: plane * channels.count)
    // SAFETY: both arrays live for the call, and the planes have room for the rows.
    let status = unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe names.withUnsafeBufferPointer { names in
        guard let samples = samples.baseAddress, let names = names.baseAddress else {
          return EXR_OK
        }
        return unsafe exr_reader_read(
          handle, Int32(clamping: rows.lowerBound), Int32(clamping: rows.upperBound), names,
          Int32(clamping: channels.count), samples, width, plane)
      }
    }
    try check(status)
    return EXRSamples(samples: samples, width: width, height: rows.count)
  }

  private func check(_ status: exr_status) throws(ImageError) {
    guard status != EXR_OK else { return }
    if let failure = input.failure { throw failure }
    guard status != EXR_OUT_OF_MEMORY else {
      throw ImageError(.outOfMemory, ["library": "OpenEXR"])
    }
    // SAFETY: the message lives as long as the reader.
    let message = unsafe String(cString: exr_reader_message(handle))
    throw ImageError(
      .libraryRejectedData, ["library": "OpenEXR", "detail": message],
      at: .init(offset: input.lastOffset))
  }
}

/// Rows of several channels, one plane after the other.
struct EXRSamples {
  let samples: [Float]
  let width: Int
  let height: Int

  /// The first `count` samples of a row; by default all.
  func row(_ row: Int, of channel: Int, count: Int? = nil) -> [Float] {
    let start = (channel * height + row) * width
    return Array(samples[start..<start + (count ?? width)])
  }

  /// `height` rows of a channel, starting at row `first`.
  func plane(_ channel: Int, height: Int, from first: Int = 0) -> Plane<Float> {
    let start = (channel * self.height + first) * width
    return Plane(width: width, height: height) { plane in
      for index in start..<start + width * height { plane.append(samples[index]) }
    }
  }
}
#endif
