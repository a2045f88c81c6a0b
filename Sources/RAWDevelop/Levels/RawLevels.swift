internal import HDRCore
internal import ImageContainers
internal import ImageFiles

/// What makes linear light, 0 black and 1 white, of raw samples.
///
/// Source: DNG 1.7.1, chapter 5, "Mapping Raw Values to Linear Reference Values".
struct RawLevels: Sendable {
  /// The part of the raw picture with photosites that see light.
  let activeArea: RawArea
  /// Linear values of codes; `nil` if codes are linear.
  ///
  /// Codes beyond the last one are as that.
  let linearization: [Float]?
  /// Rows and columns of the pattern of black levels, which begins with the active area.
  let blackPattern: (rows: Int, columns: Int)
  /// Row after row, the samples of a pixel side by side.
  let black: [Double]
  /// What each column, and each row, of the active area adds to black.
  let blackOfColumns: [Double]
  let blackOfRows: [Double]
  /// One for each sample of a pixel.
  let white: [Double]
  let planes: Int

  private static let maximumBlackSides = 64

  /// - Parameters:
  ///   - image: The raw picture.
  ///   - layout: Of its samples.
  ///   - size: What the opcodes of list 1 leave of it, from whose corner the active area is counted;
  ///     `nil` for all of it.
  /// - Throws: `.malformed` for levels that contradict each other or the picture.
  init(
    of image: DNGImage, _ layout: RawLayout, size: (width: Int, height: Int)? = nil
  ) throws(ImageError) {
    let size = size ?? (image.width, image.height)
    let directory = image.directory
    planes = layout.planes
    let stated = try Self.activeArea(image)
    activeArea = RawArea(
      x: stated.x, y: stated.y, width: min(stated.width, size.width - stated.x),
      height: min(stated.height, size.height - stated.y))
    guard activeArea.width > 0, activeArea.height > 0 else {
      throw directory.error(
        .rawActiveAreaEmpty, .activeArea, ["size": .size(size.width, size.height)])
    }
    linearization = try directory.integers(.linearizationTable, atMost: 1 << 16)
      .map { $0.map(Float.init) }
    if linearization != nil, case .float = layout.coding {
      throw directory.error(.rawLinearizationOfFloats, .linearizationTable)
    }
    let sides = try directory.integers(.blackLevelRepeatDim, atMost: 2) ?? [1, 1]
    guard sides.count == 2, sides.allSatisfy({ (1...Self.maximumBlackSides).contains($0) }) else {
      throw directory.error(
        .invalidValue, .blackLevelRepeatDim, ["field": "BlackLevelRepeatDim", "value": "\(sides)"])
    }
    blackPattern = (sides[0], sides[1])
    black = try Self.perSample(
      directory, .blackLevel, planes: planes, repeated: sides[0] * sides[1], default: 0)
    blackOfColumns = try Self.deltas(
      directory, .blackLevelDeltaH, count: stated.width, kept: activeArea.width)
    blackOfRows = try Self.deltas(
      directory, .blackLevelDeltaV, count: stated.height, kept: activeArea.height)
    let usual =
      switch layout.coding {
      case .integer: Double(layout.largestCode)
      case .float: 1.0
      }
    white = try Self.perSample(directory, .whiteLevel, planes: planes, repeated: 1, default: usual)
    for plane in 0..<planes where !(white[plane] - highestBlack(plane) > 0) {
      throw directory.error(
        .rawWhiteBelowBlack, .whiteLevel, ["white": white[plane], "black": highestBlack(plane)])
    }
  }

  /// The highest black level of a plane.
  private func highestBlack(_ plane: Int) -> Double {
    let pattern = stride(from: plane, to: black.count, by: planes).map { black[$0] }
    return (pattern.max() ?? 0) + (blackOfColumns.max() ?? 0) + (blackOfRows.max() ?? 0)
  }

  /// What a sample above black is multiplied by.
  func scale(_ plane: Int) -> Double { 1 / (white[plane] - highestBlack(plane)) }

  private static func activeArea(_ image: DNGImage) throws(ImageError) -> RawArea {
    guard let sides = try image.directory.integers(.activeArea, atMost: 4) else {
      return RawArea(x: 0, y: 0, width: image.width, height: image.height)
    }
    guard sides.count == 4, sides[0] < sides[2], sides[1] < sides[3], sides[2] <= image.height,
      sides[3] <= image.width
    else {
      throw image.directory.error(
        .rawActiveAreaInvalid, .activeArea,
        ["area": "\(sides)", "size": .size(image.width, image.height)])
    }
    return RawArea(
      x: sides[1], y: sides[0], width: sides[3] - sides[1], height: sides[2] - sides[0])
  }

  /// Values for each sample of a pixel; one for all is readable too.
  private static func perSample(
    _ directory: DNGDirectory, _ tag: TIFFTag, planes: Int, repeated: Int, default usual: Double
  ) throws(ImageError) -> [Double] {
    guard let values = try directory.numbers(tag, atMost: planes * repeated) else {
      return Array(repeating: usual, count: planes * repeated)
    }
    if values.count == planes * repeated { return values }
    if values.count == repeated {
      return values.flatMap { Array(repeating: $0, count: planes) }
    }
    throw directory.error(
      .rawLevelCount, tag, ["count": values.count, "samples": planes * repeated])
  }

  private static func deltas(
    _ directory: DNGDirectory, _ tag: TIFFTag, count: Int, kept: Int
  ) throws(ImageError) -> [Double] {
    guard let values = try directory.numbers(tag, atMost: count) else { return [] }
    guard values.count == count else {
      throw directory.error(.rawLevelCount, tag, ["count": values.count, "samples": count])
    }
    return Array(values.prefix(kept))
  }
}
