internal import Foundation
internal import HDRCore

/// Yields the light of a developed picture, brighter or darker where masks say so.
final class LocalExposureReader: RowReader {
  let format: StoredFormat
  private let base: any RowReader
  private let layers: [Layer]
  /// Where pixels lie in the active area, which masks cover.
  private let grid: PictureGrid
  /// Whether samples are sRGB signal, whose light is meant.
  private let isSignal: Bool

  private struct Layer {
    var mask: Plane<UInt16>
    var stops: Float
  }

  /// - Parameters:
  ///   - base: Yields the developed picture.
  ///   - development: How it was developed, and what to change.
  ///   - dng: The file with the masks.
  ///   - plan: What it says about the picture.
  ///   - limits: What masks may cost.
  ///   - threads: Strips or tiles of them to decode at the same time.
  /// - Throws: `.invalidArgument` for a mask that the file does not have, and what is wrong with the
  ///   samples of one.
  init(
    _ base: any RowReader, _ development: RawDevelopment, of dng: DNGFile,
    _ plan: DevelopmentPlan, limits: ImageLimits, threads: Int
  ) throws(ImageError) {
    self.base = base
    isSignal = development.isStandard
    format = base.format
    grid = plan.grid(development)
    let mattes = dng.mattes(limits: limits).found
    var layers: [Layer] = []
    for exposure in development.localExposures {
      guard let matte = mattes.first(where: { $0.isNamed(exposure.matte) }) else {
        let names = mattes.map(\.shortName).joined(separator: ", ")
        throw ImageError(
          .invalidArgument, "there is no matte '\(exposure.matte)' in the file",
          remedy: names.isEmpty ? nil : "the file has: \(names)")
      }
      let mask = try dng.decode(matte, limits: limits, threads: threads)
      layers.append(Layer(mask: mask, stops: Float(exposure.stops)))
    }
    self.layers = layers
  }

  func read(rows: Range<Int>) throws(ImageError) -> StoredImage {
    let image = try base.read(rows: rows)
    guard case .float(var planes) = image.planes else { return image }
    var gains = [Float](repeating: 1, count: format.width)
    for y in rows {
      fill(&gains, row: y)
      for index in planes.indices {
        var row = planes[index].mutableRow(y - rows.lowerBound)
        if isSignal {
          for x in gains.indices {
            let light = SRGB.eotf(Double(row[x])) * Double(gains[x])
            row[x] = Float(SRGB.inverseEOTF(min(light, 1)))
          }
        } else {
          for x in gains.indices { row[x] *= gains[x] }
        }
      }
    }
    return StoredImage(format: image.format, planes: .float(planes))
  }

  /// What light of a row of the picture is multiplied by.
  private func fill(_ gains: inout [Float], row y: Int) {
    for x in gains.indices { gains[x] = 0 }
    for layer in layers {
      let mask = layer.mask
      let down = Self.taps(grid.center(row: grid.area.y + y), of: grid.activeHeight, mask.height)
      let (upper, lower) = (mask.row(down.first), mask.row(down.second))
      for x in gains.indices {
        let across = Self.taps(
          grid.center(column: grid.area.x + x), of: grid.activeWidth, mask.width)
        let above = Self.mix(
          Float(upper[across.first]), Float(upper[across.second]), across.share)
        let below = Self.mix(
          Float(lower[across.first]), Float(lower[across.second]), across.share)
        gains[x] += layer.stops * Self.mix(above, below, down.share) / 65_535
      }
    }
    for x in gains.indices { gains[x] = exp2(gains[x]) }
  }

  private static func mix(_ a: Float, _ b: Float, _ share: Float) -> Float { a + (b - a) * share }

  /// The samples of a mask between whose centers that of a pixel lies.
  private static func taps(
    _ center: Double, of pixels: Int, _ samples: Int
  ) -> (first: Int, second: Int, share: Float) {
    let place = center * Double(samples) / Double(pixels) - 0.5
    let first = min(max(Int(place.rounded(.down)), 0), samples - 1)
    let share = min(max(place - Double(first), 0), 1)
    return (first, min(first + 1, samples - 1), Float(share))
  }
}
