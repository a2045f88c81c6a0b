// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import PixelKernels

/// Noise reduction of a plane of uniform noise, by wavelets without decimation.
///
/// A level is the difference of the plane and its mean over a cubic B-spline, whose samples are
/// twice as far apart at each level. Where the mean energy of nine differences is that of noise, they
/// are removed; where it is larger, in proportion (Wiener).
///
/// Source: J.-L. Starck and F. Murtagh, "Automatic noise estimation from the multiresolution
/// support", PASP 110, 1998, for the wavelets.
struct WaveletShrinkage {
  /// Variance of the noise.
  let variance: Float
  /// Share of the noise that is removed, 0...1; below 0, details are enhanced.
  let amount: Float
  /// Energy that counts as noise, in units of its mean energy, for each level; infinite for all
  /// details.
  let limits: [Float]

  /// Standard deviation of the levels of noise with a standard deviation of 1.
  static let deviations: [Float] = [0.8908, 0.2007, 0.0856, 0.0413, 0.0205, 0.0103]

  /// Returns the plane with reduced noise.
  ///
  /// - Parameter plane: The plane.
  /// - Returns: A plane of the same size.
  /// - Throws: `.cancelled`.
  func apply(to plane: Plane<Float>) throws(ImageError) -> Plane<Float> {
    guard amount != 0, variance > 0 else { return plane }
    var fine = plane
    var sum = [Plane<Float>(width: plane.width, height: plane.height, filledWith: 0)]
    for (level, limit) in limits.enumerated() {
      let (source, coarse) = (fine, try Self.smoothed(fine, step: 1 << level))
      let noise = limit * variance * Self.deviations[level] * Self.deviations[level]
      try SharedPlanes.change(&sum) { (shared) throws(ImageError) in
        try forEachBand(of: 0..<source.height) { band in
          add(source, coarse, noise, to: shared, rows: band)
        }
      }
      fine = coarse
    }
    let rest = fine
    try SharedPlanes.change(&sum) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<rest.height) { band in
        for y in band {
          let row = rest.row(y)
          shared.withRow(y, of: 0) { sum in for x in sum.indices { sum[x] += row[x] } }
        }
      }
    }
    return sum[0]
  }

  /// Adds the remaining details of one level.
  private func add(
    _ fine: Plane<Float>, _ coarse: Plane<Float>, _ noise: Float,
    to shared: SharedPlanes<Float>, rows: Range<Int>
  ) {
    let width = fine.width
    var energies = (0..<3).map { _ in [Float](repeating: 0, count: width + 2) }
    func load(_ y: Int) {
      let row = min(max(y, 0), fine.height - 1)
      let (fine, coarse) = (fine.strip(rows: row..<row + 1), coarse.strip(rows: row..<row + 1))
      let slot = ((y % 3) + 3) % 3
      // SAFETY: the rows have `width` samples, and the energies one more on each side.
      unsafe fine.span.withUnsafeBufferPointer { fine in
        unsafe coarse.span.withUnsafeBufferPointer { coarse in
          unsafe energies[slot].withUnsafeMutableBufferPointer { energy in
            guard let fine = fine.baseAddress, let coarse = coarse.baseAddress,
              let energy = energy.baseAddress
            else { return }
            unsafe pk_detail_energy(fine, coarse, energy + 1, width)
          }
        }
      }
      energies[slot][0] = energies[slot][1]
      energies[slot][width + 1] = energies[slot][width]
    }
    load(rows.lowerBound - 1)
    load(rows.lowerBound)
    for y in rows {
      load(y + 1)
      let (up, middle, down) = (
        energies[(y + 2) % 3], energies[y % 3], energies[(y + 1) % 3]
      )
      let (fine, coarse) = (fine.row(y), coarse.row(y))
      shared.withRow(y, of: 0) { sum in
        // SAFETY: as above.
        unsafe fine.withUnsafeBufferPointer { fine in
          unsafe coarse.withUnsafeBufferPointer { coarse in
            unsafe sum.withUnsafeMutableBufferPointer { sum in
              guard let fine = fine.baseAddress, let coarse = coarse.baseAddress,
                let sum = sum.baseAddress
              else { return }
              unsafe pk_shrink_detail(
                fine, coarse, up, middle, down, sum, width, noise, amount)
            }
          }
        }
      }
    }
  }

  /// Returns the mean over the spline, mirrored beyond the edges.
  private static func smoothed(
    _ plane: Plane<Float>, step: Int
  ) throws(ImageError) -> Plane<Float> {
    let (width, height) = (plane.width, plane.height)
    let layout = ImageLayout(
      width: width, height: height, components: .gray, samples: .float)
    return try SharedPlanes<Float>.makePlanes(layout) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<height) { band in
        var padded = [Float](repeating: 0, count: width + 4 * step)
        for y in band {
          let rows = (-2...2).map { plane.row(mirrored: y + $0 * step) }
          unsafe padded.withUnsafeMutableBufferPointer { padded in
            guard let start = unsafe padded.baseAddress.map({ unsafe $0 + 2 * step }) else {
              return
            }
            unsafe Self.mean(rows, into: start, count: width)
          }
          for x in 1...2 * step {
            padded[2 * step - x] = padded[2 * step + mirroredIndex(-x, width)]
            padded[2 * step + width - 1 + x] =
              padded[
                2 * step + mirroredIndex(width - 1 + x, width)]
          }
          shared.withRow(y, of: 0) { row in
            unsafe row.withUnsafeMutableBufferPointer { row in
              guard let row = row.baseAddress else { return }
              // SAFETY: `padded` has two steps more on each side.
              unsafe pk_spline_columns(padded, row, width, step)
            }
          }
        }
      }
    }[0]
  }

  private static func mean(
    _ rows: [Plane<Float>], into target: UnsafeMutablePointer<Float>, count: Int
  ) {
    let (first, second, third, fourth, fifth) = (rows[0], rows[1], rows[2], rows[3], rows[4])
    // SAFETY: all rows have `count` samples, and so has the target.
    unsafe first.span.withUnsafeBufferPointer { r0 in
      unsafe second.span.withUnsafeBufferPointer { r1 in
        unsafe third.span.withUnsafeBufferPointer { r2 in
          unsafe fourth.span.withUnsafeBufferPointer { r3 in
            unsafe fifth.span.withUnsafeBufferPointer { r4 in
              guard let r0 = r0.baseAddress, let r1 = r1.baseAddress, let r2 = r2.baseAddress,
                let r3 = r3.baseAddress, let r4 = r4.baseAddress
              else { return }
              unsafe pk_spline_rows(r0, r1, r2, r3, r4, target, count)
            }
          }
        }
      }
    }
  }
}

/// The index inside 0..<count at the same distance from the edge.
private func mirroredIndex(_ index: Int, _ count: Int) -> Int {
  guard count > 1 else { return 0 }
  let period = 2 * (count - 1)
  let place = ((index % period) + period) % period
  return min(place, period - place)
}

extension Plane<Float> {
  /// A row, mirrored beyond the edges.
  fileprivate func row(mirrored y: Int) -> Plane<Float> {
    let row = mirroredIndex(y, height)
    return strip(rows: row..<row + 1)
  }
}
