// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import CShims
internal import HDRCore
internal import ImageFiles

/// JPEG images that are parts of other files, and coefficients, by libjpeg.
enum LibJPEG: JPEGLibrary {
  static func tile(_ bytes: [UInt8], limits: ImageLimits) throws(ImageError) -> JPEGTile {
    let image = try JPEGFile(parsing: ByteSource(bytes), limits: limits).primary
    try limits.check(width: image.frame.width, height: image.frame.height)
    let reader = try JPEGSampleReader(image.serialized(), reducedBy: 1)
    let components = Int(reader.layout.components)
    guard image.frame.precision == 8, components == 1 || components == 3,
      Int(reader.layout.width) == image.frame.width,
      Int(reader.layout.height) == image.frame.height
    else {
      throw ImageError(
        .unsupported, "{components component} of {bits bit} are not supported",
        ["components": components, "bits": image.frame.precision])
    }
    let (width, height) = (image.frame.width, image.frame.height)
    try reader.start(asPlanes: false)
    var samples: [UInt8] = []
    samples.reserveCapacity(3 * width * height)
    var row = [UInt8](repeating: 0, count: 3 * width)
    for _ in 0..<height {
      try reader.readRGB(into: &row)
      samples += row
    }
    return JPEGTile(width: width, height: height, samples: samples)
  }

  static func rotated(_ bytes: [UInt8], by orientation: Orientation) throws(ImageError) -> [UInt8] {
    try JPEGRotator.make().rotation(bytes, by: orientation)
  }
}

/// DCT coefficients held by libjpeg.
@safe private struct JPEGRotator: ~Copyable {
  private let handle: OpaquePointer

  private init(handle: OpaquePointer) {
    // SAFETY: this value owns the handle until `deinit`.
    unsafe self.handle = handle
  }

  static func make() throws(ImageError) -> JPEGRotator {
    // SAFETY: `rotator` owns the handle once it is created.
    guard let handle = unsafe jpeg_rotator_create() else {
      throw ImageError(.outOfMemory, ["library": "libjpeg"])
    }
    return unsafe JPEGRotator(handle: handle)
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe jpeg_rotator_free(handle)
  }

  /// Rotates the image of a file; must be called once.
  func rotation(_ bytes: [UInt8], by orientation: Orientation) throws(ImageError) -> [UInt8] {
    let steps = orientation.steps
    var rotation = jpeg_rotation(
      transposes: steps.transposes ? 1 : 0, reverses_columns: steps.reversesColumns ? 1 : 0,
      reverses_rows: steps.reversesRows ? 1 : 0)
    var rotated: UnsafePointer<UInt8>?
    var count = 0
    // SAFETY: the bytes live for the call; the result has `count` bytes, lives as long as the
    // rotator, and is copied.
    let status = unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return Int32(1) }
      return unsafe jpeg_rotator_run(handle, start, bytes.count, &rotation, &rotated, &count)
    }
    guard status == 0 else {
      // SAFETY: the message lives as long as the rotator.
      let message = unsafe String(cString: jpeg_rotator_message(handle))
      throw ImageError(
        .libraryRejectedData, ["library": "libjpeg", "detail": message], at: .init(path: ["scan"]))
    }
    return unsafe Array(UnsafeBufferPointer(start: rotated, count: count))
  }
}

/// The samples of a JPEG image, decoded by libjpeg from top to bottom.
@safe final class JPEGSampleReader {
  private let handle: OpaquePointer
  private let input: PieceReader
  let layout: jpeg_layout

  /// Reads the headers of an image, to decode it at a fraction of its size.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - reduction: 1, 2, 4 or 8.
  /// - Throws: Errors of libjpeg.
  init(_ image: SplicedBytes, reducedBy reduction: Int) throws(ImageError) {
    input = PieceReader(image)
    // SAFETY: libjpeg uses `input` until `deinit` frees its reader; this object retains `input`
    // that long; `found` lives for the call.
    let context = unsafe Unmanaged.passUnretained(input).toOpaque()
    guard let handle = unsafe jpeg_reader_create(context, readBytes) else {
      throw ImageError(.outOfMemory, ["library": "libjpeg"])
    }
    unsafe self.handle = handle
    var found = jpeg_layout()
    let status = unsafe jpeg_reader_begin(handle, Int32(reduction), &found)
    layout = found
    try check(status)
  }

  deinit {
    // SAFETY: `handle` is not shared.
    unsafe jpeg_reader_free(handle)
  }

  /// Selects planes as coded or interleaved RGB; must be called once.
  func start(asPlanes: Bool) throws(ImageError) {
    // SAFETY: this reader owns the handle.
    try check(unsafe jpeg_reader_start(handle, asPlanes ? 1 : 0))
  }

  /// Decodes the next row of blocks.
  ///
  /// - Parameters:
  ///   - samples: Buffer for the planes, one after the other.
  ///   - strides: Width of each plane in samples, in whole blocks.
  ///   - offsets: Offset of each plane in `samples`.
  /// - Throws: Errors of libjpeg.
  func readBlocks(into samples: inout [UInt8], strides: [Int], offsets: [Int]) throws(ImageError) {
    // SAFETY: each plane has the rows and columns of whole blocks that libjpeg's layout declares.
    let status = unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return Int32(1) }
      let planes = unsafe zip(strides, offsets).map {
        unsafe jpeg_plane(samples: start + $1, row_stride: $0)
      }
      return unsafe planes.withUnsafeBufferPointer { planes in
        guard let planes = planes.baseAddress else { return Int32(1) }
        return unsafe jpeg_reader_blocks(handle, planes)
      }
    }
    try check(status)
  }

  /// Passes over the next row of blocks, without the samples.
  ///
  /// - Throws: Errors of libjpeg.
  func skipBlocks() throws(ImageError) {
    // SAFETY: libjpeg writes no samples.
    try check(unsafe jpeg_reader_skip_blocks(handle))
  }

  /// Decodes the next row into `row`, three bytes per pixel.
  func readRGB(into row: inout [UInt8]) throws(ImageError) {
    precondition(row.count == 3 * Int(layout.width), "a row of RGB")
    // SAFETY: libjpeg writes three bytes per pixel, for which `row` has room.
    let status = unsafe row.withUnsafeMutableBufferPointer { row in
      guard let start = row.baseAddress else { return Int32(1) }
      return unsafe jpeg_reader_rgb_row(handle, start)
    }
    try check(status)
  }

  var warning: String? {
    // SAFETY: the message lives as long as the reader, and is copied.
    let text = unsafe String(cString: jpeg_reader_warning(handle))
    return text.isEmpty ? nil : text
  }

  private func check(_ status: Int32) throws(ImageError) {
    guard status != 0 else { return }
    if let failure = input.failure { throw failure }
    // SAFETY: the message lives as long as the reader.
    let message = unsafe String(cString: jpeg_reader_message(handle))
    throw ImageError(
      .libraryRejectedData, ["library": "libjpeg", "detail": message],
      at: .init(path: ["scan"], offset: input.offset))
  }
}

private func readBytes(
  context: UnsafeMutableRawPointer, target: UnsafeMutablePointer<UInt8>, capacity: Int
) -> Int {
  // SAFETY: `context` is the `PieceReader`, which outlives libjpeg's reader; `target` has
  // `capacity` bytes, and at most that many are read.
  let input = unsafe Unmanaged<PieceReader>.fromOpaque(context).takeUnretainedValue()
  guard let bytes = input.read(atMost: capacity) else { return -1 }
  unsafe bytes.withUnsafeBufferPointer { source in
    guard let start = source.baseAddress else { return }
    unsafe target.update(from: start, count: source.count)
  }
  return bytes.count
}
#endif
