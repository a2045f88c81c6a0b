// SPDX-License-Identifier: Apache-2.0
internal import Platform
internal import HDRCore

extension GainMapTrialEncoder {
  /// Returns the smallest file whose 99th percentile of Delta E ITP is within a limit.
  ///
  /// For each size of the gain map, a bisection over quality makes at most eight trials. It ends as
  /// soon as a file that exceeds the limit is larger than the best one. If 8-bit gain maps exceed the
  /// limit, 10-bit ones are tried if the format has them.
  ///
  /// - Throws: `.invalidArgument` if the best quality exceeds the limit; errors of encoders and
  ///   decoders.
  mutating func search(
    for limit: Double
  ) throws(ImageError) -> GainMapTrial {
    let scales = options.map.scale.map { [$0] } ?? [2, 1, 4]
    let depths = options.map.depth.map { [$0] } ?? parameters.mapDepths
    let rounds = depths.flatMap { depth in scales.map { (depth: depth, scale: $0) } }
    var best: GainMapTrial?
    var closest = Double.infinity
    for (index, round) in rounds.enumerated() {
      if let best, best.settings.mapDepth != round.depth { break }
      var quality = 100
      // One trial of a format without loss.
      var (failing, holding) = (options.format.traits.hasQuality ? 0 : quality, quality + 1)
      // The number of trials of the round so far.
      var count = 0.0
      repeat {
        count += 1
        let share = (Double(index) + count / 8) / Double(rounds.count)
        let trial = try Execution.part(upTo: share) { () throws(ImageError) in
          try make(settings(quality: quality, scale: round.scale, depth: round.depth))
        }
        closest = min(closest, trial.quality.deltaE99)
        if trial.quality.deltaE99 <= limit {
          holding = quality
          if trial.bytes.count < best?.bytes.count ?? .max { best = trial }
        } else {
          failing = quality
          if quality == 100 || trial.bytes.count >= best?.bytes.count ?? .max { break }
        }
        quality = (failing + holding) / 2
      } while holding - failing > 1
    }
    guard let best else { throw refusal(limit, closest: closest) }
    return best
  }

  private func settings(quality: Int, scale: Int, depth: Int) -> GainMapTrialSettings {
    var options = options
    options.encoder.quality = quality
    options.map.scale = scale
    options.map.depth = depth
    return GainMapTrialSettings(options, pixelCount: pixelCount)
  }

  /// Creates the error with the lowest Delta E and the first option that limits it.
  private func refusal(_ limit: Double, closest: Double) -> ImageError {
    // Rounded up to the digits of messages, so that this limit can be reached.
    let step = closest < 99 ? 10.0 : 1
    let reached = (closest * step).rounded(.up) / step
    let obstacles: [(isThere: Bool, name: String)] = [
      (parameters.chroma != .yuv444, "subsampling"),
      (parameters.isGray && !options.flavors.contains(.apple), "components"),
      (options.flavors.contains(.apple), "apple"),
      (options.map.scale ?? 1 > 1, "scale"),
      (options.map.depth == 8 && parameters.mapDepths.contains(10), "map-depth"),
      (options.depth == 8 && !options.format.traits.isLimitedTo8Bits, "depth"),
      (options.format.traits.isLimitedTo8Bits, "format"),
    ]
    let obstacle = obstacles.first(where: \.isThere)?.name ?? "none"
    return ImageError(
      .createTargetErrorUnreachable,
      [
        "limit": limit, "reached": reached, "obstacle": obstacle,
        "flavors": options.flavors.map(\.rawValue).sorted(),
      ])
  }
}
