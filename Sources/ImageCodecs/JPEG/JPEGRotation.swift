// SPDX-License-Identifier: Apache-2.0
internal import CShims
public import HDRCore
public import ImageContainers
internal import ImageFiles

/// Lossless rotation of JPEG images.
///
/// Blocks of coefficients are rearranged and signs are changed; the coefficients are not
/// requantized.
public enum JPEGRotation {
  /// Rotates an image.
  ///
  /// Metadata is not changed, even if it describes rows and columns of the image.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - orientation: Orientation of the stored rows and columns.
  ///   - limits: Limits of the coefficients.
  /// - Returns: The image with its rows and columns rotated.
  /// - Throws: `.unsupported`, with the reason, if an exact rotation is not possible,
  ///   `.missingCodec` in a build without libjpeg; errors of the codec.
  public static func rotated(
    _ image: JPEGImage, by orientation: Orientation, limits: ImageLimits
  ) throws(ImageError) -> JPEGImage {
    guard orientation != .upright else { return image }
    try check(image.frame, orientation, limits)
    #if JPEG
    // 16 bits per coefficient, for source and result, in blocks of up to 32 samples.
    let frame = image.frame
    let coefficients = (frame.width + 31) * (frame.height + 31) * frame.components.count
    let bytes = try Execution.current.budget.reserving(
      memory: 4 * coefficients, for: "coefficients"
    ) { () throws(ImageError) in
      try JPEGRotator.make().rotation(image.serialized().allBytes(), by: orientation)
    }
    return try image.withCodedData(
      of: JPEGImage(parsing: ByteSource(bytes), limits: limits))
    #else
    throw FileFormat.jpeg.missingCodec
    #endif
  }

  /// Checks that each side that is reversed consists of whole blocks.
  ///
  /// Samples beyond the right and bottom edges are coded too; they cannot be moved to the left or
  /// top edge.
  private static func check(
    _ frame: JPEGFrame, _ orientation: Orientation, _ limits: ImageLimits
  ) throws(ImageError) {
    guard frame.precision == 8, processes.contains(frame.marker.rawValue), frame.height > 0 else {
      throw ImageError(.jpegNotRotatable)
    }
    try limits.check(width: frame.width, height: frame.height)
    let isAlone = frame.components.count == 1
    func block(_ sampling: KeyPath<JPEGFrame.Component, Int>) -> Int {
      8 * (isAlone ? 1 : frame.components.map { $0[keyPath: sampling] }.max() ?? 1)
    }
    let (across, down) = (block(\.horizontalSampling), block(\.verticalSampling))
    let steps = orientation.steps
    // Rows are reversed after rows and columns are swapped.
    let reversesWidth = steps.transposes ? steps.reversesRows : steps.reversesColumns
    let reversesHeight = steps.transposes ? steps.reversesColumns : steps.reversesRows
    for (name, side, block, isReversed) in [
      ("width", frame.width, across, reversesWidth), ("height", frame.height, down, reversesHeight),
    ] where isReversed && side % block != 0 {
      throw ImageError(.jpegNotBlockAligned, ["side": name, "size": side, "block": block])
    }
    // 16 bits per coefficient, for source and result.
    let blocks = (frame.width + across - 1) / across * ((frame.height + down - 1) / down)
    let samples = blocks * across * down * frame.components.count
    guard 4 * samples <= limits.memory else {
      throw ImageError(.jpegCoefficientLimitExceeded, ["size": 4 * samples])
    }
  }

  /// Baseline, extended and progressive, by Huffman or arithmetic coding.
  ///
  /// Source: ITU-T T.81, table B.1.
  private static let processes: Set<UInt8> = [0xC0, 0xC1, 0xC2, 0xC9, 0xCA]
}

extension Orientation {
  /// Transformation of the stored image to the upright one: transpose, then reverse columns or
  /// rows.
  fileprivate var steps: (transposes: Bool, reversesColumns: Bool, reversesRows: Bool) {
    switch self {
    case .upright: (false, false, false)
    case .mirrored: (false, true, false)
    case .rotated180: (false, true, true)
    case .flipped: (false, false, true)
    case .transposed: (true, false, false)
    case .rotated90: (true, true, false)
    case .transversed: (true, true, true)
    case .rotated270: (true, false, true)
    }
  }
}

#if JPEG
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
