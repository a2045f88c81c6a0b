// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import CShims
internal import HDRCore
internal import ImageFiles

/// The mapping of coded JPEG components to planes.
struct JPEGLayout {
  /// Layout of the decoded image.
  let format: ImageLayout
  /// Factor by which width and height of the decoded image are less than the coded ones.
  let reduction: Int
  /// Whether planes are decoded as coded; if not, libjpeg converts to RGB.
  let takesPlanes: Bool
  /// Number of pixel rows that are decoded together.
  let blockHeight: Int
  /// For each component, width in whole blocks and height of one row of blocks, in samples.
  let blocks: [(width: Int, height: Int)]
  /// Size of libjpeg's coefficients of the whole image, in bytes.
  let coefficientMemory: Int
  /// Number of blocks of 64 samples within the image, at least.
  let blockCount: Int

  /// Maps the components of an image.
  ///
  /// - Parameters:
  ///   - layout: The frame header, as interpreted by libjpeg.
  ///   - reduction: The factor by which it reduces the image.
  /// - Throws: `.unsupported` for other components than gray, Y'CbCr and RGB.
  init(_ layout: jpeg_layout, reducedBy reduction: Int) throws(ImageError) {
    self.reduction = reduction
    let (width, height) = (Int(layout.width), Int(layout.height))
    let horizontal = layout.horizontal_sampling
    let vertical = layout.vertical_sampling
    let across = [horizontal.0, horizontal.1, horizontal.2].map(Int.init)
    let down = [vertical.0, vertical.1, vertical.2].map(Int.init)
    let components: ImageLayout.Components
    switch (layout.color_space, layout.components) {
    case (1, 1): components = .gray
    case (2, 3): components = .rgb
    case (3, 3): components = Self.chroma(across, down).map { .ycbcr($0) } ?? .rgb
    case (4, _), (5, _): throw .cmyk
    default:
      throw ImageError(
        .unsupported, "{count component} without a known color space", ["count": layout.components])
    }
    takesPlanes = components != .rgb
    format = ImageLayout(
      width: width, height: height, components: components, samples: .integer(bits: 8))
    let count = Int(layout.components)
    let (most, highest) = (
      across.prefix(count).max() ?? 1, down.prefix(count).max() ?? 1
    )
    let (lengths, counts) = (layout.row_length, layout.row_count)
    blocks = Array(
      zip(
        [lengths.0, lengths.1, lengths.2].map(Int.init),
        [counts.0, counts.1, counts.2].map(Int.init)
      ).prefix(count))
    blockHeight = blocks.map(\.height).max() ?? 8
    blockCount = (0..<count).reduce(0) {
      $0 + width * across[$1] / most * (height * down[$1] / highest) / 64
    }
    coefficientMemory = Int(clamping: layout.coefficient_memory)
  }

  /// The chroma subsampling, if it is a common one.
  private static func chroma(_ across: [Int], _ down: [Int]) -> ChromaSubsampling? {
    guard across[1] == across[2], down[1] == down[2] else { return nil }
    switch (across[0], across[1], down[0], down[1]) {
    case (1, 1, 1, 1), (2, 2, 1, 1), (1, 1, 2, 2), (2, 2, 2, 2): return .yuv444
    case (2, 1, 1, 1), (2, 1, 2, 2): return .yuv422
    case (2, 1, 2, 1): return .yuv420
    default: return nil
    }
  }
}
#endif
