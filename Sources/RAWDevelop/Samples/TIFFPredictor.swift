// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

/// Prediction of samples before deflate.
///
/// Source: TIFF 6.0, section 14; TIFF Technical Note 3; DNG 1.7.1, chapter 3, "Predictor".
struct TIFFPredictor: Hashable, Sendable {
  enum Method: Hashable, Sendable {
    case none
    /// Differences to the preceding sample of the plane.
    case horizontal
    /// The first bytes of all samples of a row, then the second bytes and so on, as differences.
    case floatingPoint
  }

  let method: Method
  /// Distance of the subtracted samples in the plane; 2 and 4 are for mosaics.
  let distance: Int

  static let none = TIFFPredictor(method: .none, distance: 1)

  private init(method: Method, distance: Int) {
    self.method = method
    self.distance = distance
  }

  /// - Throws: `.unsupported` for an unknown predictor.
  init(_ directory: DNGDirectory, compression: RawLayout.Compression) throws(ImageError) {
    guard compression == .deflate, let code = try directory.integer(.predictor) else {
      self = .none
      return
    }
    switch code {
    case 1: self = .none
    case 2: self.init(method: .horizontal, distance: 1)
    case 3: self.init(method: .floatingPoint, distance: 1)
    case 34_892: self.init(method: .horizontal, distance: 2)
    case 34_893: self.init(method: .horizontal, distance: 4)
    case 34_894: self.init(method: .floatingPoint, distance: 2)
    case 34_895: self.init(method: .floatingPoint, distance: 4)
    default:
      throw directory.error(
        .unsupportedValue, .predictor, ["field": "predictor", "value": "\(code)"])
    }
  }

  /// Undoes the prediction of a row of integers.
  func undo(_ row: inout [UInt16], planes: Int, bits: Int) {
    guard method == .horizontal, planes * distance < row.count else { return }
    let mask: UInt16 = bits == 8 ? 0xFF : 0xFFFF
    for index in planes * distance..<row.count {
      row[index] = (row[index] &+ row[index - planes * distance]) & mask
    }
  }

  /// Undoes the prediction of a row of floating-point samples.
  ///
  /// - Parameters:
  ///   - row: The bytes of the row.
  ///   - planes: Samples per pixel.
  ///   - size: Bytes per sample.
  /// - Returns: The bytes of the samples, most significant byte first.
  func undoFloatingPoint(_ row: [UInt8], planes: Int, size: Int) -> [UInt8] {
    var sums = row
    if planes * distance < row.count {
      for index in planes * distance..<row.count { sums[index] &+= sums[index - planes * distance] }
    }
    let count = row.count / size
    var bytes = [UInt8](repeating: 0, count: row.count)
    for sample in 0..<count {
      for byte in 0..<size { bytes[sample * size + byte] = sums[byte * count + sample] }
    }
    return bytes
  }
}
