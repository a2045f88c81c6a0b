internal import HDRCore
internal import ImageCodecs

/// How many pixels of a picture have their largest component at each code of 16-bit PQ.
struct BrightnessCounts: Sendable {
  private var counts = [Int](repeating: 0, count: 1 << 16)
  private let white: Double

  /// Counts the pixels of a rendition in 16-bit PQ, R'G'B' or gray.
  init(_ rendition: PictureOutput) {
    white = rendition.hdr.diffuseWhite ?? HDRDescription.defaultDiffuseWhite
    guard case .integer(let planes) = rendition.image.planes else {
      preconditionFailure("16-bit PQ has integers")
    }
    let isRGB = rendition.image.format.components == .rgb
    let (red, green, blue) = (planes[0], planes[isRGB ? 1 : 0], planes[isRGB ? 2 : 0])
    for y in 0..<red.height {
      let (r, g, b) = (red.row(y), green.row(y), blue.row(y))
      for x in 0..<red.width { counts[Int(max(r[x], g[x], b[x]))] += 1 }
    }
  }

  /// Share of the pixels with light above a headroom, by more than rounding.
  func share(above headroom: Headroom) -> Double {
    let signal = PQ.inverseEOTF(min(headroom.ratio * 1.001 * white, PQ.peakLuminance))
    let above = counts[(Int((signal * 65_535).rounded(.up)))...].reduce(0, +)
    return Double(above) / Double(max(counts.reduce(0, +), 1))
  }
}
