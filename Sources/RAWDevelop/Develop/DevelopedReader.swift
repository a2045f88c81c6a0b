// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Synchronization

/// Yields a developed raw image, computed as rows are read.
final class DevelopedReader: RowReader {
  let layout: ImageLayout
  private let tiles: DevelopedTiles
  private let filtered: FilteredRows?
  private let tileWidth: Int
  /// Kept for readers of other sizes.
  private let source: DevelopmentSource

  /// Columns of the tiles of a thread: few enough for their data to stay in the cache of a core.
  private static let sourceTileWidth = 1024

  init(
    _ source: DevelopmentSource, _ parameters: DevelopmentParameters,
    _ development: RawDevelopment, format: ImageLayout, filter: LinearSpaceFilter? = nil
  ) throws(ImageError) {
    self.layout = format
    self.source = source
    let grid = parameters.grid(development)
    tileWidth = max(Self.sourceTileWidth * grid.width / grid.crop.width, 1)
    var rendering: DevelopedRendering
    if development.isSceneLinear {
      rendering = .scene(SceneLinearTransform(parameters, development))
    } else {
      rendering = .look(try LookRendering(parameters, development, masks: source.masks))
    }
    let gains = rendering.gains
    let reference = try source.reference { (samples) throws(ImageError) in
      try parameters.reference(samples, development, gains: gains)
    }
    var camera = try parameters.camera(reference, development, gains: gains)
    filtered = try filter.map { filter throws(ImageError) in
      let transform = SceneLinearTransform(
        parameters, development, profile: try parameters.looks(development).standard.profile,
        gains: gains, primaries: .bt2020, stops: development.sceneExposure)
      return FilteredRows(camera, filter: filter, area: grid.area, conversion: transform.conversion)
    }
    if let filtered { camera = filtered }
    if case .look(var look) = rendering, look.needsMidtones {
      let midtones = Midtones(camera: camera, area: grid.area)
      look.set(midtoneScale: try midtones.scale(look))
      rendering = .look(look)
    }
    tiles = DevelopedTiles(
      camera: camera, rendering: rendering, area: grid.area, planeCount: format.planeCount)
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    var strip = layout
    strip.height = rows.count
    let (tiles, width, tileWidth) = (tiles, layout.width, tileWidth)
    let starts = Array(stride(from: 0, to: width, by: tileWidth))
    let planes = try SharedPlanes<Float>.makePlanes(strip) { (shared) throws(ImageError) in
      _ = try concurrentMap(starts.count) { (index) throws(ImageError) in
        let columns = starts[index]..<min(starts[index] + tileWidth, width)
        tiles.develop(rows: rows, columns: columns, into: shared)
      }
    }
    try filtered?.check()
    return ImagePlanes(layout: strip, planes: .float(planes))
  }
}

/// Conversion of camera colors to the output.
enum DevelopedRendering: Sendable {
  case scene(SceneLinearTransform)
  case look(LookRendering)

  /// White-balance gains of red, green and blue.
  var gains: SIMD3<Float> {
    switch self {
    case .scene(let transform): transform.gains
    case .look(let look): look.gains
    }
  }

  /// Calls `body` with the conversion of a row of some columns.
  func withConversion(columns: Range<Int>, _ body: ((inout LinearRow, _ y: Int) -> Void) -> Void) {
    switch self {
    case .scene(let transform): body { row, _ in transform.apply(to: &row) }
    case .look(let look): body { row, y in look.apply(to: &row, y: y, columns: columns) }
    }
  }
}

/// Computes tiles of a developed image.
private struct DevelopedTiles: Sendable {
  let camera: any CameraRows
  let rendering: DevelopedRendering
  /// The image in the rows and columns of the camera colors.
  let area: RawArea
  let planeCount: Int

  /// Computes a tile of the image; rows of `shared` begin with the first row of the tile.
  func develop(rows: Range<Int>, columns: Range<Int>, into shared: SharedPlanes<Float>) {
    let first = area.y + rows.lowerBound
    let here = area.x + columns.lowerBound..<area.x + columns.upperBound
    rendering.withConversion(columns: here) { convert in
      camera.make(rows: first..<area.y + rows.upperBound, columns: here) { y, row in
        convert(&row, y)
        shared.withRow(y - first, columns: columns, of: 0) { row.red.copy(into: &$0) }
        guard planeCount > 1 else { return }
        shared.withRow(y - first, columns: columns, of: 1) { row.green.copy(into: &$0) }
        shared.withRow(y - first, columns: columns, of: 2) { row.blue.copy(into: &$0) }
      }
    }
  }
}

/// Measures the ratio of mid-tones in a look to those in the scene.
///
/// Large images are sampled in blocks at fixed positions.
struct Midtones: Sendable {
  let camera: any CameraRows
  /// The image.
  let area: RawArea

  private static let blockSize = 32
  private static let blocksPerSide = 16

  /// The median of the ratios; that of a neutral ramp if the image has too few mid-tones.
  func scale(_ look: LookRendering) throws(ImageError) -> Double {
    let (rows, columns) = (blocks(area.rows), blocks(area.columns))
    let found = try concurrentMap(rows.count * columns.count) { index in
      var ratios: [Float] = []
      let block = columns[index % columns.count]
      camera.make(rows: rows[index / columns.count], columns: block) { y, row in
        ratios += look.midtoneRatios(&row, y: y, columns: block)
      }
      return ratios
    }
    var ratios = found.flatMap(\.self)
    if ratios.count < 64 { ratios = look.standardMidtoneRatios }
    guard !ratios.isEmpty else { return 1 }
    ratios.sort()
    return Double(ratios[ratios.count / 2])
  }

  /// Ranges that are adjacent in small images, and evenly spread over large ones.
  private func blocks(_ range: Range<Int>) -> [Range<Int>] {
    let count = min(Self.blocksPerSide, (range.count + Self.blockSize - 1) / Self.blockSize)
    return (0..<count).map { index in
      let room = max(range.count - Self.blockSize, 0)
      let start = range.lowerBound + (count > 1 ? room * index / (count - 1) : 0)
      return start..<min(start + Self.blockSize, range.upperBound)
    }
  }
}

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

/// The samples of a raw image, and those with less noise, for readers of any size.
final class DevelopmentSource: Sendable {
  let samples: RawSamples
  /// Semantic masks of the looks, by name.
  let masks: [String: Plane<UInt16>]
  private let reference = Mutex<LinearReference?>(nil)

  init(_ samples: RawSamples, masks: [String: Plane<UInt16>]) {
    (self.samples, self.masks) = (samples, masks)
  }

  /// The linear values of the samples, which are made once.
  func reference(
    _ make: (RawSamples) throws(ImageError) -> LinearReference
  ) throws(ImageError) -> LinearReference {
    try reference.withLock { reference throws(ImageError) in
      if let reference { return reference }
      let made = try make(samples)
      reference = made
      return made
    }
  }
}

/// An object that is made when it is needed, and shared as long as it is used.
final class SharedWhileUsed<Value: AnyObject & Sendable>: Sendable {
  private struct Reference: Sendable {
    weak var value: Value?
  }
  private let reference = Mutex(Reference())

  func value(_ make: () throws(ImageError) -> Value) throws(ImageError) -> Value {
    try reference.withLock { reference throws(ImageError) in
      if let known = reference.value { return known }
      let made = try make()
      reference.value = made
      return made
    }
  }
}
