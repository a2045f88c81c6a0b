internal import Foundation
internal import GainMap
internal import HDRCore
internal import ImageContainers

extension GainMapWorkshop {
  /// The smallest file found whose 99th percentile of Delta E ITP is within a limit.
  ///
  /// For each size of the map, quality is halved in: at most eight codings. A size is given up as soon
  /// as a file that is not good enough is larger than the best one.
  ///
  /// - Throws: `.invalidArgument` if even the best quality does not do, and what encoders and decoders
  ///   say.
  mutating func search(
    for limit: Double, progress: ((Double) -> Void)?
  ) throws(ImageError) -> GainMapTrial {
    let scales = options.map.scale.map { [$0] } ?? [2, 1, 4]
    var best: GainMapTrial?
    var closest = Double.infinity
    for (index, scale) in scales.enumerated() {
      var (failing, holding) = (0, 101)
      var quality = 100
      while holding - failing > 1 {
        let trial = try make(settings(quality: quality, scale: scale))
        closest = min(closest, trial.quality.deltaE99)
        if trial.quality.deltaE99 <= limit {
          holding = quality
          if trial.bytes.count < best?.bytes.count ?? .max { best = trial }
        } else {
          failing = quality
          if quality == 100 || trial.bytes.count >= best?.bytes.count ?? .max { break }
        }
        quality = (failing + holding) / 2
        progress?(
          0.5 + 0.5 * (Double(index) + 1 / Double(holding - failing)) / Double(scales.count))
      }
    }
    guard let best else {
      let reached = String(format: "%.1f", closest)
      throw ImageError(
        .invalidArgument,
        "no quality holds a Delta E ITP of \(limit): the best, 100, comes to \(reached)",
        remedy: options.chroma == .yuv444 ? "--target-error \(reached)" : "--yuv 444")
    }
    return best
  }

  private func settings(quality: Int, scale: Int) -> GainMapSettings {
    var options = options
    options.encoder.quality = quality
    options.map.scale = scale
    return GainMapSettings(options)
  }
}
