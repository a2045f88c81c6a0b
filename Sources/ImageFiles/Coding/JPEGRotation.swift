// SPDX-License-Identifier: Apache-2.0
package import HDRCore

/// Lossless rotation of JPEG images.
///
/// Blocks of coefficients are rearranged and signs are changed; the coefficients are not
/// requantized.
package enum JPEGRotation {
  /// Rotates an image.
  ///
  /// Metadata is not changed, even if it describes rows and columns of the image.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - orientation: Orientation of the stored rows and columns; for `.upright`, the image is
  ///     returned as it is.
  ///   - limits: Limits of the size of the image, and of the memory of its coefficients.
  /// - Returns: The image with its rows and columns rotated.
  /// - Throws: `.unsupported`, with the reason, if an exact rotation is not possible: for a side
  ///   that is reversed and does not consist of whole blocks, a depth other than 8 bits, a lossless
  ///   or hierarchical process, or a height in a DNL segment; `.limitExceeded` for an image beyond
  ///   `limits` or the budget of memory; `.missingCodec` in a build without libjpeg; errors of the
  ///   codec.
  package static func rotated(
    _ image: JPEGImage, by orientation: Orientation, limits: ImageLimits
  ) throws(ImageError) -> JPEGImage {
    guard orientation != .upright else { return image }
    try check(image.frame, orientation, limits)
    guard let library = CodecRegistry.current.jpeg else { throw FileFormat.jpeg.missingCodec }
    // 16 bits per coefficient, for source and result, in blocks of up to 32 samples.
    let frame = image.frame
    let coefficients = (frame.width + 31) * (frame.height + 31) * frame.components.count
    let bytes = try Execution.current.budget.reserving(
      memory: 4 * coefficients, for: "coefficients"
    ) { () throws(ImageError) in
      try library.rotated(image.serialized().allBytes(), by: orientation)
    }
    return try image.withCodedData(of: JPEGImage(parsing: ByteSource(bytes), limits: limits))
  }

  /// Checks that each side that is reversed consists of whole blocks.
  ///
  /// Samples beyond the right and bottom edges are coded too; they cannot be moved to the left or
  /// top edge.
  private static func check(
    _ frame: JPEGFrame, _ orientation: Orientation, _ limits: ImageLimits
  ) throws(ImageError) {
    guard frame.precision == 8, processes.contains(frame.marker.rawValue), frame.height > 0 else {
      throw ImageError(
        .unsupported, "lossless rotation does not support this JPEG coding process or bit depth")
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
      throw ImageError(
        .unsupported, "JPEG {side} of {size pixel} is not a multiple of {block}",
        ["side": name, "size": side, "block": block])
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
  package var steps: (transposes: Bool, reversesColumns: Bool, reversesRows: Bool) {
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
