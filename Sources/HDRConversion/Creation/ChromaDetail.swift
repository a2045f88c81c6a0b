// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Whether subsampled chroma would blur an image: edges of saturated colors, as in text, charts and signs.
enum ChromaDetail {
  /// Returns whether many chroma samples differ from the mean of their 2 x 2 pixels.
  ///
  /// In photographs, at most 0.1 % of the samples differ by more than an eighth of the range; in red text on blue, 7 %.
  /// Bands of rows at equal distances are measured.
  ///
  /// - Parameters:
  ///   - height: Height of the image.
  ///   - rows: Makes rows of the image, in Y'CbCr of 4:4:4 and 8 bits.
  /// - Returns: Whether 4:4:4 is needed.
  /// - Throws: Errors of `rows`.
  static func isHigh(
    ofHeight height: Int, _ rows: (Range<Int>) throws(ImageError) -> ImagePlanes
  ) throws(ImageError) -> Bool {
    let interval = max(height / (bandHeight * bandCount), 1) * bandHeight
    var (differing, total) = (0, 0)
    for start in stride(from: 0, to: height, by: interval) {
      let band = try rows(start..<min(start + bandHeight, height))
      guard case .integer(let planes) = band.planes else {
        preconditionFailure("Y'CbCr of 8 bits")
      }
      for chroma in planes[1...2] {
        differing += differingCount(chroma)
        total += chroma.width * chroma.height
      }
    }
    return Double(differing) > leastShare * Double(total)
  }

  /// The number of samples that differ from the mean of their 2 x 2 samples.
  private static func differingCount(_ plane: Plane<UInt16>) -> Int {
    var count = 0
    for y in stride(from: 0, to: plane.height - 1, by: 2) {
      let (upper, lower) = (plane.row(y), plane.row(y + 1))
      for x in stride(from: 0, to: plane.width - 1, by: 2) {
        let (a, b) = (Int(upper[x]), Int(upper[x + 1]))
        let (c, d) = (Int(lower[x]), Int(lower[x + 1]))
        let sum = a + b + c + d
        func differs(_ sample: Int) -> Int { abs(4 * sample - sum) > 4 * leastDifference ? 1 : 0 }
        count += differs(a) + differs(b) + differs(c) + differs(d)
      }
    }
    return count
  }

  private static let bandHeight = 16
  private static let bandCount = 24
  private static let leastDifference = 32
  private static let leastShare = 0.01
}
