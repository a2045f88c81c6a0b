// SPDX-License-Identifier: Apache-2.0
/// Filters full-resolution chroma down to its subsampled positions.
///
/// A rotated image cannot be filtered row by row, because its rows become columns while the chroma
/// location refers to rows.
struct ChromaReduction {
  /// Depth of the full-resolution chroma; large enough that rounding twice does not change the
  /// result.
  static let largeBits = 16

  private let format: ImageLayout
  private let isFullRange: Bool
  private let chromaLocation: ChromaLocation
  private let isDithered: Bool

  init(_ target: ImageDescription, isDithered: Bool) {
    format = target.layout
    isFullRange = target.color.isFullRange
    chromaLocation = target.color.chromaLocation
    self.isDithered = isDithered
  }

  /// Reduces planes with full chroma of `largeBits` to the planes of `format`.
  func reduced(_ planes: [Plane<UInt16>]) throws(ImageError) -> [Plane<UInt16>] {
    var planes = planes
    // One plane after the other, so that each large plane is released early.
    for index in 1...2 { planes[index] = try reduced(planes[index]) }
    return planes
  }

  private func reduced(_ plane: Plane<UInt16>) throws(ImageError) -> Plane<UInt16> {
    guard case .integer(let bits) = format.samples else { preconditionFailure("chroma of floats") }
    let size = format.planeSize(1)
    let single = ImageLayout(
      width: size.width, height: size.height, components: .gray, samples: format.samples)
    let large = Quantization(bits: Self.largeBits, isFullRange: isFullRange)
    let (offset, scale) = (Float(large.chromaOffset), Float(1 / large.chromaScale))
    let codes = QuantizationScale(
      chromaOf: Quantization(bits: bits, isFullRange: isFullRange))
    let (chromaLocation, isDithered, step) = (chromaLocation, isDithered, format.chroma.vertical)
    return try SharedPlanes<UInt16>.makePlanes(single) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<size.height) { band in
        var row = [Float](repeating: 0, count: plane.width)
        var half = [Float](repeating: 0, count: size.width)
        var below = half
        for y in band {
          row.assign(plane, row: y * step, offset: offset, scale: scale)
          half.assign(halving: row, chromaLocation: chromaLocation)
          if step == 2, y * 2 + 1 < plane.height {
            // Left and center sites are both halfway between the two rows.
            row.assign(plane, row: y * 2 + 1, offset: offset, scale: scale)
            below.assign(halving: row, chromaLocation: chromaLocation)
            half.mix(below, weight: 0.5)
          }
          if isDithered { half.dither(y: y, codes) }
          shared.withRow(y, of: 0) { half.quantize(codes, into: &$0) }
        }
      }
    }[0]
  }
}
