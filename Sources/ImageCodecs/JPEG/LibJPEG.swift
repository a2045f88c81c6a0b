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
#endif
