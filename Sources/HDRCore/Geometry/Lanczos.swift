// SPDX-License-Identifier: Apache-2.0
internal import Platform

/// The resampling filter: a sinc function windowed by the main lobe of another, with three lobes
/// per side.
///
/// Source: C. E. Duchon, "Lanczos Filtering in One and Two Dimensions", Journal of Applied
/// Meteorology 18 (1979).
package enum Lanczos {
  /// Number of lobes per side.
  package static let lobes = 3.0

  /// Weight of a sample at a distance from the center, in steps of the coarser grid.
  package static func weight(at distance: Double) -> Double {
    guard distance != 0 else { return 1 }
    guard abs(distance) < lobes, distance != distance.rounded() else { return 0 }
    let angle = Double.pi * distance
    return sin(angle) / angle * sin(angle / lobes) / (angle / lobes)
  }
}
