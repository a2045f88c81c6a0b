/// Where the pixels of the developed picture lie in the active area.
struct DevelopedGrid: Hashable, Sendable {
  /// The picture within the active area.
  let crop: RawArea
  /// The active area.
  let activeWidth: Int
  let activeHeight: Int
  /// What masks cover: the active area before opcodes trimmed it.
  let maskedWidth: Int
  let maskedHeight: Int
  /// Where what opcodes left of it begins.
  let trim: SIMD2<Int>
  /// Size of the developed picture.
  let width: Int
  let height: Int

  /// - Parameters:
  ///   - crop: The picture within the active area.
  ///   - active: The active area.
  ///   - scale: Width and height of the developed picture as shares of the crop's, above 0.
  ///   - untrimmed: The active area before opcodes trimmed it, if they did.
  ///   - trim: Where what they left begins.
  init(
    crop: RawArea, active: RawArea, scale: SIMD2<Double>, untrimmed: RawArea? = nil,
    trim: SIMD2<Int> = .zero
  ) {
    self.crop = crop
    self.trim = trim
    (activeWidth, activeHeight) = (active.width, active.height)
    (maskedWidth, maskedHeight) = ((untrimmed ?? active).width, (untrimmed ?? active).height)
    width = max(Int((Double(crop.width) * scale.x).rounded()), 1)
    height = max(Int((Double(crop.height) * scale.y).rounded()), 1)
  }

  var isResampled: Bool { width != crop.width || height != crop.height }

  /// Rows and columns of the picture as its makers number them: those of the active area, or of the
  /// picture itself if it is of another size.
  var area: RawArea {
    isResampled ? RawArea(x: 0, y: 0, width: width, height: height) : crop
  }

  /// Where the center of a row lies, in photosites of the active area.
  func center(row y: Int) -> Double {
    guard isResampled else { return Double(y) + 0.5 }
    return Double(crop.y) + (Double(y) + 0.5) * Double(crop.height) / Double(height)
  }

  /// Where the center of a column lies.
  func center(column x: Int) -> Double {
    guard isResampled else { return Double(x) + 0.5 }
    return Double(crop.x) + (Double(x) + 0.5) * Double(crop.width) / Double(width)
  }
}
