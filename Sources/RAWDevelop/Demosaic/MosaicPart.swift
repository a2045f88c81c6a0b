// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// A Bayer mosaic.
struct BayerMosaic: Sendable {
  let reference: LinearReference
  /// Phase of the mosaic.
  let bayer: ColorFilterArray.Bayer
  /// White-balance gains of red, green and blue.
  let gains: SIMD3<Float>
  /// Whether photosites far brighter than all around are replaced.
  let suppressesHotPixels: Bool
}

/// White-balanced photosites of a part of a Bayer mosaic, row after row, mirrored beyond the edges of
/// the image.
struct MosaicPart {
  /// Rows that are loaded before one is complete.
  static let rowsAhead = 2

  private let mosaic: BayerMosaic
  /// Rows and columns of the part; some may be beyond the edges.
  private let rows: Range<Int>
  private let columns: Range<Int>
  /// Whether the first row has red photosites, and whether it begins with green.
  private let beginsRed: Bool
  private let beginsGreen: Bool
  /// A row as it is read.
  private var stored: [Float]

  init(_ mosaic: BayerMosaic, rows: Range<Int>, columns: Range<Int>) {
    (self.mosaic, self.rows, self.columns) = (mosaic, rows, columns)
    let bayer = mosaic.bayer
    beginsRed = (rows.lowerBound + bayer.redRow).isMultiple(of: 2)
    beginsGreen = (columns.lowerBound + bayer.redColumn).isMultiple(of: 2) != beginsRed
    stored = [Float](repeating: 0, count: columns.count)
  }

  func isRed(_ y: Int) -> Bool { y.isMultiple(of: 2) == beginsRed }

  /// The parity of the green photosites of a row.
  func greenColumn(_ y: Int) -> Int { y.isMultiple(of: 2) == beginsGreen ? 0 : 1 }

  /// Loads a row, and completes the one `rowsAhead` before it.
  ///
  /// - Parameters:
  ///   - y: Number of the row in the part; those before it are loaded.
  ///   - loaded: Receives the row; has the four before it.
  ///   - complete: Receives the complete row, except for two columns on both sides.
  mutating func load(_ y: Int, into loaded: RowRing, complete: RowRing) {
    let area = mosaic.reference.area
    let source = Self.mirrored(rows.lowerBound + y, area.height)
    let first = columns.lowerBound
    let inside = max(first, 0)..<min(columns.upperBound, area.width)
    mosaic.reference.read(
      row: source, columns: inside, plane: 0, into: &stored, at: inside.lowerBound - first)
    for x in stored.indices where !inside.contains(first + x) {
      let place = Self.mirrored(first + x, area.width)
      if inside.contains(place) {
        stored[x] = stored[place - first]
      } else {
        mosaic.reference.read(
          row: source, columns: place..<place + 1, plane: 0, into: &stored, at: x)
      }
    }
    let gains = mosaic.gains
    let color = isRed(y) ? gains.x : gains.z
    let (even, odd) = greenColumn(y) == 0 ? (gains.y, color) : (color, gains.y)
    let done = y - Self.rowsAhead
    // SAFETY: the rows have as many samples as the part has columns.
    unsafe pk_bayer_scale(stored, loaded[y], stored.count, even, odd)
    if mosaic.suppressesHotPixels {
      unsafe pk_hot_pixels(
        loaded[done - 2], loaded[done - 1], loaded[done], loaded[done + 1], loaded[done + 2],
        complete[done], stored.count)
    } else {
      unsafe complete[done].update(from: loaded[done], count: stored.count)
    }
  }

  /// The photosite that replaces one beyond the edges: at the same distance inside, of the same
  /// color.
  private static func mirrored(_ index: Int, _ count: Int) -> Int {
    guard count > 1 else { return 0 }
    let period = 2 * (count - 1)
    let place = ((index % period) + period) % period
    return min(place, period - place)
  }
}

extension Range<Int> {
  /// With as many more on both sides.
  func extended(by margin: Int) -> Range<Int> { lowerBound - margin..<upperBound + margin }
}

/// The last rows of a sequence: row `y` takes the place of row `y - count`.
///
/// Steps of a demosaic need few rows around the one that they make, which stay in the cache of a core.
@unsafe struct RowRing {
  private let start: UnsafeMutablePointer<Float>
  private let stride: Int
  private let mask: Int

  fileprivate init(_ start: UnsafeMutablePointer<Float>, stride: Int, count: Int) {
    unsafe self.start = unsafe start
    unsafe self.stride = stride
    unsafe mask = count - 1
  }

  /// The samples of row `y`.
  subscript(y: Int) -> UnsafeMutablePointer<Float> { unsafe start + (y & mask) * stride }
}

/// Memory of the rings of a tile; the samples are 0 at first.
// SAFETY: the memory is freed with its only owner, a tile.
@safe final class RowMemory {
  private let start: UnsafeMutablePointer<Float>
  private let stride: Int
  private var rest: Int

  /// - Parameters:
  ///   - width: Samples of a row.
  ///   - rows: Number of rows of all rings.
  init(width: Int, rows: Int) {
    stride = (width + 15) / 16 * 16
    rest = rows
    unsafe start = .allocate(capacity: stride * rows)
    unsafe start.initialize(repeating: 0, count: stride * rows)
  }

  deinit { unsafe start.deallocate() }

  /// Takes rows that no other ring has.
  ///
  /// - Parameter count: Number of rows, a power of two.
  /// - Returns: A ring of these rows.
  func ring(_ count: Int) -> RowRing {
    precondition(count.nonzeroBitCount == 1 && count <= rest)
    rest -= count
    return unsafe RowRing(start + rest * stride, stride: stride, count: count)
  }
}
