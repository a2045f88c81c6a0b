// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import HDRCore
internal import ImageFiles
internal import Synchronization

/// A libjxl decoder for one image.
@safe struct JPEGXLDecoder: ~Copyable {
  private let handle: OpaquePointer

  init() throws(ImageError) {
    // SAFETY: this decoder owns `handle` until `deinit`.
    guard let handle = unsafe JxlDecoderCreate(nil) else {
      throw ImageError(.outOfMemory, ["library": "libjxl"])
    }
    unsafe self.handle = handle
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe JxlDecoderDestroy(handle)
  }

  /// Decodes the first frame, or the preview.
  ///
  /// - Parameters:
  ///   - file: A codestream or a file.
  ///   - request: The samples.
  ///   - samples: Receives the samples; its size must be exactly that of the image.
  /// - Throws: `.malformed` or `.truncated` for a corrupt image or one that differs from the request.
  consuming func decode(
    _ file: [UInt8], _ request: JPEGXLRequest, into samples: UnsafeMutableRawBufferPointer
  ) throws(ImageError) {
    // SAFETY: libjxl reads the file and writes the samples only inside the closure, and only within
    // the declared sizes.
    try unsafe file.withUnsafeBufferPointer { (file) throws(ImageError) in
      let color = request.color == nil ? 0 : JXL_DEC_COLOR_ENCODING.rawValue
      let image = request.isPreview ? JXL_DEC_PREVIEW_IMAGE : JXL_DEC_FULL_IMAGE
      try unsafe begin(file, events: JXL_DEC_BASIC_INFO.rawValue | image.rawValue | color)
      try unsafe run(request, samples)
    }
  }

  private func begin(_ file: UnsafeBufferPointer<UInt8>, events: UInt32) throws(ImageError) {
    // libjxl prints errors about a signature, or about a declared end of input, to standard error.
    // SAFETY: the caller keeps the bytes until decoding ends; the runner does not have a context.
    guard let start = file.baseAddress,
      [JXL_SIG_CODESTREAM, JXL_SIG_CONTAINER]
        .contains(unsafe JxlSignatureCheck(start, file.count))
    else { throw ImageError(.notOfFormat, ["format": "JPEG XL"]) }
    guard unsafe JxlDecoderSetParallelRunner(handle, runJPEGXLTasks, nil) == JXL_DEC_SUCCESS,
      unsafe JxlDecoderSetKeepOrientation(handle, JXL_TRUE) == JXL_DEC_SUCCESS,
      unsafe JxlDecoderSubscribeEvents(handle, Int32(bitPattern: events)) == JXL_DEC_SUCCESS,
      unsafe JxlDecoderSetInput(handle, start, file.count) == JXL_DEC_SUCCESS
    else { throw ImageError(.libraryResultUnexpected, ["library": "libjxl"]) }
  }

  /// Runs the decoder until the image is complete.
  private func run(
    _ request: JPEGXLRequest, _ samples: UnsafeMutableRawBufferPointer
  ) throws(ImageError) {
    var format = JxlPixelFormat(
      num_channels: UInt32(clamping: request.channels), data_type: request.type,
      endianness: JXL_NATIVE_ENDIAN, align: 0)
    var hasBuffer = false
    while true {
      // SAFETY: as in `decode`.
      switch unsafe JxlDecoderProcessInput(handle) {
      case JXL_DEC_BASIC_INFO: try request.check(try basicInfo())
      case JXL_DEC_COLOR_ENCODING:
        guard var color = request.color,
          unsafe JxlDecoderSetPreferredColorProfile(handle, &color) == JXL_DEC_SUCCESS
        else { throw ImageError(.libraryResultUnexpected, ["library": "libjxl"]) }
      case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
        try unsafe setBuffer(samples, &format, extraChannel: request.extraChannel)
        hasBuffer = true
      case JXL_DEC_NEED_PREVIEW_OUT_BUFFER: try unsafe setPreviewBuffer(samples, &format)
      case JXL_DEC_FULL_IMAGE, JXL_DEC_PREVIEW_IMAGE: return
      case JXL_DEC_NEED_MORE_INPUT:
        // What has arrived is decoded, with lower resolution where only that has.
        guard request.acceptsTruncation, hasBuffer,
          unsafe JxlDecoderFlushImage(handle) == JXL_DEC_SUCCESS
        else {
          throw ImageError(.jpegxlCodestreamTruncated)
        }
        return
      default:
        try Execution.current.checkCancellation()
        throw ImageError(.jpegxlCodestreamInvalid)
      }
    }
  }

  /// Sets the buffer for color and alpha, or for an extra channel.
  private func setBuffer(
    _ samples: UnsafeMutableRawBufferPointer, _ format: inout JxlPixelFormat, extraChannel: Int?
  ) throws(ImageError) {
    var size = 0
    guard let start = samples.baseAddress else { throw ImageError(.jpegxlCodestreamInvalid) }
    // SAFETY: as in `decode`; the size of the buffer is that of the samples.
    guard let extraChannel else {
      guard unsafe JxlDecoderImageOutBufferSize(handle, &format, &size) == JXL_DEC_SUCCESS,
        size == samples.count,
        unsafe JxlDecoderSetImageOutBuffer(handle, &format, start, size) == JXL_DEC_SUCCESS
      else { throw ImageError(.jpegxlCodestreamInvalid) }
      return
    }
    let index = UInt32(clamping: extraChannel)
    guard
      unsafe JxlDecoderExtraChannelBufferSize(handle, &format, &size, index) == JXL_DEC_SUCCESS,
      size == samples.count,
      unsafe JxlDecoderSetExtraChannelBuffer(handle, &format, start, size, index)
        == JXL_DEC_SUCCESS,
      // libjxl decodes extra channels only together with color, which is dropped.
      unsafe JxlDecoderSetImageOutCallback(handle, &format, { _, _, _, _, _ in }, nil)
        == JXL_DEC_SUCCESS
    else { throw ImageError(.jpegxlCodestreamInvalid) }
  }

  /// Sets the buffer for color and alpha of the preview.
  private func setPreviewBuffer(
    _ samples: UnsafeMutableRawBufferPointer, _ format: inout JxlPixelFormat
  ) throws(ImageError) {
    var size = 0
    // SAFETY: as in `decode`; the size of the buffer is that of the samples.
    guard let start = samples.baseAddress,
      unsafe JxlDecoderPreviewOutBufferSize(handle, &format, &size) == JXL_DEC_SUCCESS,
      size == samples.count,
      unsafe JxlDecoderSetPreviewOutBuffer(handle, &format, start, size) == JXL_DEC_SUCCESS
    else { throw ImageError(.jpegxlCodestreamInvalid) }
  }

  private func basicInfo() throws(ImageError) -> JxlBasicInfo {
    var info = JxlBasicInfo()
    // SAFETY: libjxl fills in `info`.
    guard unsafe JxlDecoderGetBasicInfo(handle, &info) == JXL_DEC_SUCCESS else {
      throw ImageError(.jpegxlCodestreamInvalid)
    }
    return info
  }

  /// Returns the ICC profile that the codestream declares.
  ///
  /// - Parameters:
  ///   - codestream: The beginning of a codestream.
  ///   - limit: Maximum size of the profile, in bytes.
  /// - Returns: The profile.
  /// - Throws: `.malformed`, or `.truncated` if the beginning does not contain all of the profile;
  ///   `.limitExceeded` for a larger profile.
  consuming func profile(of codestream: [UInt8], limit: Int) throws(ImageError) -> [UInt8] {
    // SAFETY: libjxl reads the bytes only inside this closure.
    try unsafe codestream.withUnsafeBufferPointer { (bytes) throws(ImageError) in
      try unsafe begin(bytes, events: JXL_DEC_COLOR_ENCODING.rawValue)
      switch unsafe JxlDecoderProcessInput(handle) {
      case JXL_DEC_COLOR_ENCODING: return try readProfile(limit: limit)
      case JXL_DEC_NEED_MORE_INPUT: throw ImageError(.jpegxlCodestreamTruncated)
      default: throw ImageError(.jpegxlCodestreamInvalid)
      }
    }
  }

  private func readProfile(limit: Int) throws(ImageError) -> [UInt8] {
    var size = 0
    // SAFETY: libjxl sets `size`, then writes that many bytes.
    guard unsafe original_profile_size(handle, &size) == JXL_DEC_SUCCESS else {
      throw ImageError(.jpegxlCodestreamInvalid)
    }
    guard size <= limit else {
      throw ImageError(.jpegxlProfileTooLarge, ["size": size, "limit": limit])
    }
    var profile = [UInt8](repeating: 0, count: size)
    let status = unsafe profile.withUnsafeMutableBufferPointer { bytes in
      unsafe copy_original_profile(handle, bytes.baseAddress, bytes.count)
    }
    guard status == JXL_DEC_SUCCESS else { throw ImageError(.jpegxlCodestreamInvalid) }
    return profile
  }

  /// Reconstructs the JPEG file that a file was transcoded from.
  ///
  /// - Parameters:
  ///   - file: A JPEG XL file with boxes.
  ///   - limit: Maximum size of the JPEG file, in bytes.
  /// - Returns: The JPEG file.
  /// - Throws: As `JPEGXLLibrary.reconstructed`.
  consuming func reconstruct(_ file: [UInt8], limit: Int) throws(ImageError) -> [UInt8] {
    // SAFETY: libjxl reads the file only inside this closure.
    try unsafe file.withUnsafeBufferPointer { (bytes) throws(ImageError) -> [UInt8] in
      try unsafe begin(
        bytes, events: JXL_DEC_JPEG_RECONSTRUCTION.rawValue | JXL_DEC_FULL_IMAGE.rawValue)
      return try writeJPEG(expectedSize: 2 * bytes.count, limit: limit)
    }
  }

  /// Runs the decoder until the JPEG file is complete.
  ///
  /// libjxl writes a file only into a buffer that has room for all of it.
  private func writeJPEG(expectedSize: Int, limit: Int) throws(ImageError) -> [UInt8] {
    var jpeg = [UInt8](repeating: 0, count: min(max(expectedSize, 1 << 16), limit))
    var isReady = false
    while true {
      var written = 0
      // SAFETY: libjxl writes the buffer only inside the closure, after which it is released; it
      // reports how much of it is left.
      let status =
        isReady
        ? unsafe jpeg.withUnsafeMutableBufferPointer { buffer in
          guard
            unsafe JxlDecoderSetJPEGBuffer(handle, buffer.baseAddress, buffer.count)
              == JXL_DEC_SUCCESS
          else { return JXL_DEC_ERROR }
          let status = unsafe JxlDecoderProcessInput(handle)
          written = unsafe buffer.count - JxlDecoderReleaseJPEGBuffer(handle)
          return status
        } : unsafe JxlDecoderProcessInput(handle)
      switch status {
      case JXL_DEC_JPEG_RECONSTRUCTION: isReady = true
      case JXL_DEC_JPEG_NEED_MORE_OUTPUT:
        guard jpeg.count < limit else {
          throw ImageError(.jpegxlReconstructionTooLarge, ["limit": limit])
        }
        let size = min(2 * jpeg.count, limit)
        try Execution.current.budget.require(memory: size, for: "JPEG file")
        jpeg = [UInt8](repeating: 0, count: size)
      case JXL_DEC_FULL_IMAGE where isReady: return Array(jpeg[..<written])
      case JXL_DEC_NEED_IMAGE_OUT_BUFFER, JXL_DEC_FULL_IMAGE, JXL_DEC_SUCCESS:
        throw ImageError(.jpegxlReconstructionMissing)
      case JXL_DEC_NEED_MORE_INPUT: throw ImageError(.jpegxlCodestreamTruncated)
      default: throw ImageError(.jpegxlCodestreamInvalid)
      }
    }
  }

  /// Name and version of the library.
  static var library: String {
    let version = JxlDecoderVersion()
    return "libjxl \(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
  }
}

/// Runs the parallel work of libjxl on the threads of `Execution.current`, to its end: libjxl 0.7 ends the process if
/// work fails that it has prepared.
///
/// - Returns: 0, or another value if libjxl cannot prepare.
func runJPEGXLTasks(
  runner: UnsafeMutableRawPointer?, work: UnsafeMutableRawPointer?, prepare: JxlParallelRunInit?,
  task: JxlParallelRunFunction?, start: UInt32, end: UInt32
) -> JxlParallelRetCode {
  guard start < end else { return 0 }
  let workers = min(Execution.current.threads, Int(end - start))
  // SAFETY: libjxl passes its own work, which its functions may use on several threads as long as
  // this call lasts; each thread has a number below the one that was prepared for.
  guard let prepare = unsafe prepare, let task = unsafe task, unsafe prepare(work, workers) == 0
  else { return JxlParallelRetCode(JXL_PARALLEL_RET_RUNNER_ERROR) }
  let next = Atomic(start)
  let shared = unsafe JPEGXLTask(work: work, function: task)
  WorkerThreads.perform(workers) { worker in
    while true {
      let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
      guard index < end, index >= start else { return }
      shared.run(index, on: worker)
    }
  }
  return 0
}

/// A function of libjxl with its context, for use on several threads.
@safe private struct JPEGXLTask: @unchecked Sendable {
  private let work: UnsafeMutableRawPointer?
  private let function: JxlParallelRunFunction

  @unsafe init(work: UnsafeMutableRawPointer?, function: @escaping JxlParallelRunFunction) {
    // SAFETY: the caller guarantees that both are valid as long as this value exists.
    unsafe (self.work, self.function) = (work, function)
  }

  func run(_ index: UInt32, on worker: Int) {
    // SAFETY: as in `init`; libjxl expects calls on several threads.
    unsafe function(work, index, worker)
  }
}

/// A depth map or matte as an extra channel, which has the size of the image.
struct JPEGXLChannel {
  let type: JxlExtraChannelType
  /// The type of the auxiliary image.
  let name: String
  let bits: Int
  /// Samples scaled to 16 bits.
  let samples: [UInt16]

  /// Prepares a channel; samples are interpolated linearly.
  ///
  /// - Throws: Errors of the decoder; `.codecFailure` for floating-point samples; `.cancelled`.
  init(_ auxiliary: AuxiliaryImage, width: Int, height: Int) throws(ImageError) {
    let image = try auxiliary.image.planes()
    guard case .integer(let planes) = image.planes, case .integer(let bits) = image.layout.samples
    else { throw ImageError(.libraryResultUnexpected, ["library": "libjxl"]) }
    let isDepth = FileImage.Role(auxiliaryType: auxiliary.type) == .depth
    type = isDepth ? JXL_CHANNEL_DEPTH : JXL_CHANNEL_SELECTION_MASK
    name = auxiliary.type
    self.bits = bits
    let plane = try planes[0].interpolated(width: width, height: height)
    let maximum = UInt32(1) << UInt32(bits) - 1
    let source = plane.span
    var samples: [UInt16] = []
    samples.reserveCapacity(width * height)
    for index in source.indices {
      let sample = min(UInt32(source[index]), maximum)
      samples.append(UInt16(truncatingIfNeeded: (sample * 65_535 + maximum / 2) / maximum))
    }
    self.samples = samples
  }
}
#endif
