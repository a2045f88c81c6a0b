// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import CShims
internal import HDRCore
internal import ImageFiles

/// The mapping of coded JPEG components to planes.
struct JPEGLayout {
  let format: ImageLayout
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

  init(_ layout: jpeg_layout) throws(ImageError) {
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
      throw ImageError(.jpegComponentsUnknown, ["count": layout.components])
    }
    takesPlanes = components != .rgb
    format = ImageLayout(
      width: width, height: height, components: components, samples: .integer(bits: 8))
    let count = Int(layout.components)
    let (most, highest) = (
      across.prefix(count).max() ?? 1, down.prefix(count).max() ?? 1
    )
    blockHeight = 8 * highest
    blocks = (0..<count).map { index in
      ((width * across[index] + 8 * most - 1) / (8 * most) * 8, 8 * down[index])
    }
    blockCount = (0..<count).reduce(0) {
      $0 + width * across[$1] / most * (height * down[$1] / highest) / 64
    }
    // 16 bits per coefficient, for all components.
    let blockRows = (height - 1) / blockHeight + 1
    coefficientMemory =
      layout.is_buffered == 0
      ? 0 : 2 * blockRows * blocks.reduce(0) { $0 + $1.width * $1.height }
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
