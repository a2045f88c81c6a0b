internal import Foundation

/// The filter that images change their size with: a sine wave's sinc under another one's main lobe,
/// three lobes to each side.
///
/// Source: C. E. Duchon, "Lanczos Filtering in One and Two Dimensions", Journal of Applied
/// Meteorology 18 (1979).
package enum Lanczos {
  /// Lobes to each side.
  package static let lobes = 3.0

  /// Weight of a sample at this distance from the center, in steps of the coarser grid.
  package static func weight(at distance: Double) -> Double {
    guard distance != 0 else { return 1 }
    guard abs(distance) < lobes, distance != distance.rounded() else { return 0 }
    let angle = Double.pi * distance
    return sin(angle) / angle * sin(angle / lobes) / (angle / lobes)
  }
}
