// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Whether subsampled chroma would blur an image: edges of saturated colors, as in text, charts and signs.
enum ChromaDetail {
  /// Bands of rows at equal distances, which are measured.
  static func bands(ofHeight height: Int) -> [Range<Int>] {
    let interval = max(height / (bandHeight * bandCount), 1) * bandHeight
    return stride(from: 0, to: height, by: interval).map { $0..<min($0 + bandHeight, height) }
  }

  /// Returns whether many chroma samples differ from the mean of their 2 x 2 pixels.
  ///
  /// In photographs, at most 0.1 % of the samples differ by more than an eighth of the range; in red text on blue, 7 %.
  ///
  /// - Parameter image: Bands of the image below each other, in Y'CbCr of 4:4:4 and 8 bits.
  /// - Returns: Whether 4:4:4 is needed.
  static func isHigh(in image: ImagePlanes) -> Bool {
    guard case .integer(let planes) = image.planes else {
      preconditionFailure("Y'CbCr of 8 bits")
    }
    let chroma = planes[1...2]
    let differing = chroma.reduce(0) { $0 + differingCount($1) }
    let total = chroma.reduce(0) { $0 + $1.width * $1.height }
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
