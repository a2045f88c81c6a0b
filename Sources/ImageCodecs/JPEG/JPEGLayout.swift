// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import CShims
internal import HDRCore
internal import ImageFiles
internal import Platform

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
    let (most, highest) = (across.prefix(count).max() ?? 1, down.prefix(count).max() ?? 1)
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

/// Quantization tables of a JPEG image.
///
/// The tables of T.81, annex K, were designed for displays of 1990 at a large viewing distance:
/// fine for low frequencies of luma, very coarse for high ones and for chroma. This encoder
/// minimizes color differences of single pixels after a gain map has brightened them. For that,
/// steps with half the spread in octaves, and finer ones for chroma than for luma, give files of
/// the same size a mean Delta E ITP that is 10 to 25 percent lower on photographs.
struct JPEGQuantization: Hashable {
  /// 64 quantizer steps, row by row starting at the lowest frequencies.
  let luma: [UInt16]
  let chroma: [UInt16]

  /// The tables for a quality that yields about the same size as that quality of libjpeg.
  ///
  /// - Parameter quality: 1...100; 100 has steps of 1.
  init(quality: Int) {
    let quality = Double(min(max(quality, 1), 100))
    let scale = quality < 50 ? 50 / quality : 2 - quality / 50
    func table(_ share: Double) -> [UInt16] {
      Self.annexK.map { step in
        let even = Self.lowestStep * (step / Self.annexK[0]).squareRoot()
        return UInt16(clamping: min(max((even * share * scale).rounded(), 1), 255))
      }
    }
    luma = table(1)
    chroma = table(Self.chromaShare)
  }

  /// Step of the DC coefficient at quality 50.
  private static let lowestStep = 24.0
  /// Ratio of chroma steps to luma steps.
  private static let chromaShare = 0.8

  /// Source: ITU-T T.81, table K.1.
  private static let annexK: [Double] = [
    16, 11, 10, 16, 24, 40, 51, 61,
    12, 12, 14, 19, 26, 58, 60, 55,
    14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62,
    18, 22, 37, 56, 68, 109, 103, 77,
    24, 35, 55, 64, 81, 104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101,
    72, 92, 95, 98, 112, 100, 103, 99,
  ]
}
#endif
