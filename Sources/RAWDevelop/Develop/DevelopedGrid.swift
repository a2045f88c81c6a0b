// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Positions of the pixels of a developed image in the active area.
struct DevelopedGrid: Hashable, Sendable {
  /// The crop within the active area.
  let crop: RawArea
  /// Size of the active area.
  let activeWidth: Int
  let activeHeight: Int
  /// Size of the area that masks cover: the active area before TrimBounds opcodes.
  let maskedWidth: Int
  let maskedHeight: Int
  /// Origin of the trimmed area.
  let trim: SIMD2<Int>
  /// Size of the developed image.
  let width: Int
  let height: Int

  /// - Parameters:
  ///   - crop: The crop within the active area.
  ///   - active: The active area.
  ///   - scale: Width and height of the developed image as shares of the crop, above 0.
  ///   - untrimmed: The active area before TrimBounds opcodes, if there are any.
  ///   - trim: Origin of the trimmed area.
  init(
    crop: RawArea, active: RawArea, scale: SIMD2<Double>, untrimmed: RawArea? = nil,
    trim: SIMD2<Int> = .zero
  ) {
    self.crop = crop
    self.trim = trim
    (activeWidth, activeHeight) = (active.width, active.height)
    (maskedWidth, maskedHeight) = ((untrimmed ?? active).width, (untrimmed ?? active).height)
    width = max(Int(clamping: (Double(crop.width) * scale.x).rounded()), 1)
    height = max(Int(clamping: (Double(crop.height) * scale.y).rounded()), 1)
  }

  /// Whether it is resampled to at most half the photosites of each side, rounded up.
  var isHalfSize: Bool {
    isResampled && 2 * width <= crop.width + 1 && 2 * height <= crop.height + 1
  }

  var isResampled: Bool { width != crop.width || height != crop.height }

  /// The image in the rows and columns of its source: those of the active area, or of the image
  /// itself if it is resampled.
  var area: RawArea { isResampled ? RawArea(x: 0, y: 0, width: width, height: height) : crop }

  /// Center of a row, in photosites of the active area.
  func center(row y: Int) -> Double {
    guard isResampled else { return Double(y) + 0.5 }
    return Double(crop.y) + (Double(y) + 0.5) * Double(crop.height) / Double(height)
  }

  /// Center of a column, in photosites of the active area.
  func center(column x: Int) -> Double {
    guard isResampled else { return Double(x) + 0.5 }
    return Double(crop.x) + (Double(x) + 0.5) * Double(crop.width) / Double(width)
  }
}
