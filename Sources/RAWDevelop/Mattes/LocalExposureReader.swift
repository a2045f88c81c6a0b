// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Yields a developed image with local exposure corrections.
final class LocalExposureReader: RowReader {
  let layout: ImageLayout
  private let base: any RowReader
  private let layers: [Layer]
  /// The image in the rows and columns of its grid.
  private let area: RawArea
  /// Whether samples are sRGB signal; corrections apply to linear values.
  private let isSignal: Bool

  private struct Layer {
    var mask: ResampledMask
    var stops: Float
  }

  /// - Parameters:
  ///   - base: Yields the developed image.
  ///   - development: Controls, with local exposures.
  ///   - dng: The file with the masks.
  ///   - parameters: Parameters of the file.
  ///   - limits: Limits of masks.
  /// - Throws: `.unsuitable` for an unknown mask, and errors of its samples.
  init(
    _ base: any RowReader, _ development: RawDevelopment, of dng: DNGFile,
    _ parameters: DevelopmentParameters, limits: ImageLimits
  ) throws(ImageError) {
    self.base = base
    isSignal = development.isStandard
    layout = base.layout
    let grid = parameters.grid(development)
    area = grid.area
    let mattes = try dng.mattes(limits: limits).found
    var layers: [Layer] = []
    for exposure in development.localExposures {
      guard let matte = mattes.first(where: { $0.isNamed(exposure.matte) }) else {
        throw ImageError(
          .rawMatteUnknown, ["name": exposure.matte, "mattes": mattes.map(\.shortName)])
      }
      let mask = try dng.decode(matte, limits: limits)
      layers.append(Layer(mask: ResampledMask(mask, grid: grid), stops: Float(exposure.stops)))
    }
    self.layers = layers
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    let image = try base.read(rows: rows)
    guard case .float(var planes) = image.planes else { return image }
    var gains = [Float](repeating: 1, count: layout.width)
    for y in rows {
      fill(&gains, row: y)
      for index in planes.indices {
        var row = planes[index].mutableRow(y - rows.lowerBound)
        if isSignal {
          for x in gains.indices {
            let linear = SRGB.eotf(Double(row[x])) * Double(gains[x])
            row[x] = Float(SRGB.inverseEOTF(min(linear, 1)))
          }
        } else {
          for x in gains.indices { row[x] *= gains[x] }
        }
      }
    }
    return ImagePlanes(layout: image.layout, planes: .float(planes))
  }

  /// Computes the gains of a row.
  private func fill(_ gains: inout [Float], row y: Int) {
    for x in gains.indices { gains[x] = 0 }
    for layer in layers {
      let coverage = layer.mask.coverage(row: area.y + y, columns: area.columns)
      for x in gains.indices { gains[x] += layer.stops * coverage[x] }
    }
    for x in gains.indices { gains[x] = exp2(gains[x]) }
  }
}

/// A semantic mask at the pixels of a developed image.
///
/// Samples are interpolated linearly; the outermost are repeated.
struct ResampledMask: Sendable {
  private let mask: Plane<UInt16>
  private let grid: DevelopedGrid

  /// - Parameters:
  ///   - mask: Mask over the active area; 65535 is full coverage.
  ///   - grid: Positions of pixels in the active area.
  init(_ mask: Plane<UInt16>, grid: DevelopedGrid) {
    self.mask = mask
    self.grid = grid
  }

  /// Coverage of pixels, 0...1.
  ///
  /// - Parameters:
  ///   - y: A row of the grid.
  ///   - columns: Columns of the grid.
  /// - Returns: Coverage of each column.
  func coverage(row y: Int, columns: Range<Int>) -> [Float] {
    let down = Self.taps(
      grid.center(row: y) + Double(grid.trim.y), of: grid.maskedHeight, mask.height)
    let (upper, lower) = (mask.row(down.first), mask.row(down.second))
    var shares: [Float] = []
    shares.reserveCapacity(columns.count)
    for x in columns {
      let across = Self.taps(
        grid.center(column: x) + Double(grid.trim.x), of: grid.maskedWidth, mask.width)
      let above = Self.mix(Float(upper[across.first]), Float(upper[across.second]), across.share)
      let below = Self.mix(Float(lower[across.first]), Float(lower[across.second]), across.share)
      shares.append(Self.mix(above, below, down.share) / 65_535)
    }
    return shares
  }

  private static func mix(_ a: Float, _ b: Float, _ share: Float) -> Float { a + (b - a) * share }

  /// The samples around the center of a pixel, and the weight of the second.
  private static func taps(
    _ center: Double, of pixels: Int, _ samples: Int
  ) -> (first: Int, second: Int, share: Float) {
    let place = center * Double(samples) / Double(pixels) - 0.5
    let first = min(max(Int(clamping: place.rounded(.down)), 0), samples - 1)
    let share = min(max(place - Double(first), 0), 1)
    return (first, min(first + 1, samples - 1), Float(share))
  }
}
