// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import Platform

/// Position of an image on another image of the same scene, found by their luma.
///
/// Scale, offset, orientation, slight rotation and radial distortion are found; the tone curves may
/// differ.
struct ImageRegistration: Sendable {
  /// Positions of the pixels of the companion on the target.
  let mapping: PixelMapping
  /// Orientation of the companion's rows and columns on the target.
  let orientation: Orientation
  /// Share of the textured blocks whose contents match, 0...1.
  let confidence: Double
  /// 95th percentile of the remaining displacements, in pixels of the target.
  let displacement: Double
  /// Largest correction of distortion, in pixels of the target; 0 for none.
  let distortion: Double

  /// Least share of matching blocks.
  private static let leastConfidence = 0.7
  /// Largest 95th percentile of displacements, in pixels of the target.
  private static let largestDisplacement = 1.5
  /// Distortion below this is measurement noise, in pixels of the target.
  private static let leastDistortion = 0.75
  /// Error of a mapping to whole pixels, in pixels of the target.
  private static let wholePixelTolerance = 0.35
  /// Longest side of the images that are compared.
  private static let longestSide = 1600
  /// Correlation of normalized luma at low resolution that needs no other orientation.
  private static let clearCorrelation = 0.8
  /// Correlation of normalized luma at low resolution below which images are unrelated.
  private static let leastCorrelation = 0.3
  private static let candidateCount = 6

  /// Finds a companion on a target.
  ///
  /// - Parameters:
  ///   - companion: The companion, as stored.
  ///   - orientation: Its expected orientation.
  ///   - target: The target, upright.
  /// - Throws: `.unsuitable` if the contents do not match, with the confidence; `.cancelled`.
  init(
    of companion: ImagePlanes, orientation: Orientation, on target: ImagePlanes
  ) throws(ImageError) {
    let luma = try LumaPlane(of: target, longestSide: Self.longestSide)
    let own = try LumaPlane(of: companion, longestSide: Self.longestSide)
    let sizes = (
      target: (target.layout.width, target.layout.height),
      own: (companion.layout.width, companion.layout.height)
    )
    let search = try CoarseSearch(luma, size: sizes.target)
    func refinement(side: Int, scale: Double) throws(ImageError) -> MappingRefinement {
      try MappingRefinement(
        target: luma, sizes.target, companion: own, sizes.own, longestSide: side, scale: scale)
    }
    typealias Found = (mapping: PixelMapping, orientation: Orientation, correlation: Double)
    func best(_ orientations: [Orientation]) throws(ImageError) -> Found? {
      var candidates: [CoarseSearch.Candidate] = []
      for orientation in orientations {
        candidates += try search.candidates(
          for: own, size: sizes.own, orientation: orientation
        ).prefix(Self.candidateCount)
      }
      candidates.sort { $0.significance > $1.significance }
      var found = candidates.prefix(Self.candidateCount).map { candidate -> Found in
        (candidate.mapping, candidate.orientation, 0)
      }
      // The better half is refined at a higher resolution.
      for (side, count) in [(80, Self.candidateCount), (200, Self.candidateCount / 2)] {
        var refined: [Found] = []
        for start in found.prefix(count) {
          let result = try refinement(side: side, scale: start.mapping.scale)
            .refined(start.mapping, isWarped: false)
          guard result.mapping.isPlausible(start.mapping) else { continue }
          refined.append((result.mapping, start.orientation, result.correlation))
        }
        found = refined.sorted { $0.correlation > $1.correlation }
      }
      return found.first
    }
    var found = try best([orientation])
    if found?.correlation ?? 0 < Self.clearCorrelation {
      let other = try best(Orientation.allCases.filter { $0 != orientation })
      if other?.correlation ?? 0 > found?.correlation ?? 0 { found = other }
    }
    guard let found, found.correlation >= Self.leastCorrelation else {
      throw ImageError(
        .companionDiffers,
        [
          "confidence": 100 * max(found?.correlation ?? 0, 0),
          "limit": 100 * Self.leastCorrelation,
        ])
    }
    var mapping = found.mapping
    for side in [480, Self.longestSide] {
      mapping = try refinement(side: side, scale: mapping.scale)
        .refined(mapping, isWarped: true).mapping
    }
    let finest = try refinement(side: Self.longestSide, scale: mapping.scale)
    var distortion = mapping.largestDistortion(width: sizes.own.0, height: sizes.own.1)
    if distortion < Self.leastDistortion {
      (mapping.radial, distortion) = (.zero, 0)
      mapping = try finest.refined(mapping, isWarped: false).mapping
    }
    let matching = try BlockMatching(
      finest,
      luma: try own.reduced(toWidth: finest.companion.width, height: finest.companion.height),
      mapping)
    guard matching.blockCount > 0, matching.confidence >= Self.leastConfidence else {
      throw ImageError(
        .companionDiffers,
        ["confidence": 100 * matching.confidence, "limit": 100 * Self.leastConfidence])
    }
    guard matching.displacement <= Self.largestDisplacement else {
      throw ImageError(
        .createCompanionWarped,
        ["displacement": matching.displacement, "limit": Self.largestDisplacement])
    }
    self.mapping =
      mapping.wholePixels(
        width: sizes.own.0, height: sizes.own.1, tolerance: Self.wholePixelTolerance) ?? mapping
    self.orientation = found.orientation
    self.distortion = distortion
    (confidence, displacement) = (matching.confidence, matching.displacement)
  }
}

extension PixelMapping {
  /// Whether this mapping is near the one that it was refined from.
  fileprivate func isPlausible(_ start: PixelMapping) -> Bool {
    let ratio = scale / start.scale
    guard ratio > 0.8, ratio < 1.25 else { return false }
    let (across, down) = (column - start.column, row - start.row)
    return (across * across + down * down).sum() < 0.04 * start.scale * start.scale
  }
}
