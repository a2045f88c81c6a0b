// SPDX-License-Identifier: Apache-2.0
#if RAW
internal import CShims
internal import HDRCore
internal import ImageFiles

/// Camera raw files by LibRaw.
enum LibRaw: CameraRawLibrary {
  static var name: String {
    // SAFETY: a static string.
    unsafe String(cString: raw_library())
  }

  static var cameras: [String] {
    // SAFETY: static strings, and as many as the library counts.
    (0..<raw_camera_count()).map { unsafe String(cString: raw_camera_name($0)) }
  }

  static func open(
    _ source: ByteSource, megabytes: UInt32
  ) throws(ImageError) -> any CameraRawFile { try LibRawFile(source, megabytes: megabytes) }
}

/// A file that LibRaw has opened.
///
/// Its functions are called by one thread at a time, except for the request to end a call.
@safe final class LibRawFile: CameraRawFile, @unchecked Sendable {
  private let handle: OpaquePointer

  private static let blockSize = 1 << 20

  /// Reads the headers of a file.
  ///
  /// - Throws: `.unsupported` for an unknown file, `.malformed` for a damaged one, `.limitExceeded`
  ///   if there is not enough memory.
  init(_ source: ByteSource, megabytes: UInt32) throws(ImageError) {
    guard let handle = unsafe raw_reader_create(source.count, megabytes) else {
      throw ImageError(
        .sizeLimitExceeded,
        ["element": "raw file", "size": source.count, "limit": Int(megabytes) << 20])
    }
    unsafe self.handle = handle
    for start in stride(from: 0, to: source.count, by: Self.blockSize) {
      let block = try source.bytes(in: start..<min(start + Self.blockSize, source.count))
      // SAFETY: the block has `count` bytes, which LibRaw copies.
      unsafe block.withUnsafeBufferPointer { block in
        guard let bytes = block.baseAddress else { return }
        unsafe raw_reader_append(handle, bytes, block.count)
      }
    }
    try check(unsafe raw_reader_open(handle))
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe raw_reader_free(handle)
  }

  var description: CameraRawDescription {
    var description = raw_description()
    // SAFETY: the description outlives the call.
    unsafe raw_reader_describe(handle, &description)
    return CameraRawDescription(description)
  }

  var warning: String? {
    // SAFETY: the message lives as long as the reader, and is copied.
    let text = unsafe String(cString: raw_reader_warning(handle))
    return text.isEmpty ? nil : text
  }

  func unpack() throws(ImageError) {
    try interruptible { () throws(ImageError) in
      try self.check(unsafe raw_reader_unpack(self.handle))
    }
  }

  /// Runs a long call, which ends soon if the operation is cancelled.
  private func interruptible<Result: Sendable>(
    _ call: @escaping @Sendable () throws(ImageError) -> Result
  ) throws(ImageError) -> Result {
    let pixels = Double(description.width * description.height)
    return try Execution.current.callLibrary(seconds: 0.05e-6 * pixels, stop: cancel, call)
  }

  /// Asks a call to end after the current row, from any thread; this reader is of no further use.
  @Sendable func cancel() {
    // SAFETY: LibRaw sets a flag atomically.
    unsafe raw_reader_cancel(handle)
  }

  func black(row: Int, column: Int, plane: Int) -> Int {
    // SAFETY: the pattern of LibRaw repeats for any row and column.
    Int(
      unsafe raw_reader_black(
        handle, UInt32(clamping: row), UInt32(clamping: column), UInt32(clamping: plane)))
  }

  func demosaic(gains: SIMD3<Float>) throws(ImageError) -> (width: Int, height: Int) {
    let gains = [gains.x, gains.y, gains.z]
    return try interruptible { () throws(ImageError) in
      var (width, height) = (UInt32(0), UInt32(0))
      // SAFETY: LibRaw reads three gains.
      let status = unsafe gains.withUnsafeBufferPointer { gains in
        guard let gains = gains.baseAddress else { return RAW_FAILED }
        return unsafe raw_reader_demosaic(self.handle, gains, &width, &height)
      }
      try self.check(status)
      return (Int(width), Int(height))
    }
  }

  func copy(_ part: CameraRawPart, to target: inout MutableSpan<UInt16>) throws(ImageError) {
    let status = unsafe target.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return RAW_FAILED }
      // SAFETY: the buffer has `count` samples; the shim checks that LibRaw has as many.
      return switch part {
      case .samples: unsafe raw_reader_samples(handle, start, samples.count)
      case .colors: unsafe raw_reader_colors(handle, start, samples.count)
      }
    }
    try check(status)
  }

  func preview() throws(ImageError) -> [UInt8] {
    var start: UnsafePointer<UInt8>?
    var size = 0
    try check(unsafe raw_reader_preview(handle, &start, &size))
    guard let start = unsafe start, size > 0 else {
      throw ImageError(.missingElement, ["element": "data of the preview"])
    }
    // SAFETY: the preview has `size` bytes and lives as long as the reader.
    return unsafe Array(UnsafeBufferPointer(start: start, count: size))
  }

  private func check(_ status: raw_status) throws(ImageError) {
    guard status != RAW_OK else { return }
    let library = LibRaw.name
    // SAFETY: the message lives as long as the reader.
    let message = unsafe String(cString: raw_reader_message(handle))
    let detail: DiagnosticParameters = [
      "library": library, "detail": message.isEmpty ? "not enough memory" : message,
    ]
    switch status {
    case RAW_UNSUPPORTED: throw ImageError(.rawLibRawUnsupported, detail)
    case RAW_DAMAGED: throw ImageError(.rawLibRawDamaged, detail)
    case RAW_TRUNCATED: throw ImageError(.rawLibRawTruncated, ["library": library])
    case RAW_SAMPLES_MISSING: throw ImageError(.rawSamplesMissing, ["library": library])
    case RAW_OUT_OF_MEMORY: throw ImageError(.rawLibRawLimitExceeded, detail)
    default: throw ImageError(.libraryFailed, detail)
    }
  }
}

extension CameraRawDescription {
  fileprivate init(_ file: raw_description) {
    let (rows, columns) = (Int(file.pattern_rows), Int(file.pattern_columns))
    self.init(
      width: Int(file.width), height: Int(file.height),
      visible: Area(
        x: Int(file.left), y: Int(file.top), width: Int(file.visible_width),
        height: Int(file.visible_height)),
      crop: file.crop_width > 0 && file.crop_height > 0
        ? Area(
          x: Int(file.crop_left), y: Int(file.crop_top), width: Int(file.crop_width),
          height: Int(file.crop_height)) : nil,
      planes: Int(file.planes), colors: Int(file.colors), patternRows: rows,
      patternColumns: columns, pattern: Self.array(file.pattern, rows * columns),
      isMosaic: file.is_mosaic != 0, orientation: Int(file.orientation), white: Int(file.white),
      blackRows: Int(file.black_rows), blackColumns: Int(file.black_columns),
      asShot: Self.array(file.as_shot, 3), daylight: Self.array(file.daylight, 3),
      xyzToCamera: Self.array(file.xyz_to_camera, 9),
      baselineExposure: Double(file.baseline_exposure), imageCount: Int(file.picture_count),
      make: Self.text(file.make), model: Self.text(file.model))
  }

  /// The elements of a C array.
  private static func array<Tuple, Element: BitwiseCopyable>(
    _ tuple: Tuple, _ count: Int, as type: Element.Type
  ) -> [Element] {
    // SAFETY: a C array is contiguous; `prefix` does not exceed its elements.
    unsafe withUnsafeBytes(of: tuple) { bytes in
      unsafe Array(bytes.bindMemory(to: type).prefix(count))
    }
  }

  private static func array<Tuple>(_ tuple: Tuple, _ count: Int) -> [Double] {
    array(tuple, count, as: Float.self).map(Double.init)
  }

  private static func array<Tuple>(_ tuple: Tuple, _ count: Int) -> [UInt8] {
    array(tuple, count, as: UInt8.self)
  }

  private static func text<Tuple>(_ tuple: Tuple) -> String {
    let bytes: [UInt8] = array(tuple, Int(raw_name_capacity))
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
#endif
