// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Reproducible noise from integer hashes, equal on all machines.
enum Noise {
  /// Uniformly distributed value in 0..<1 for integer coordinates.
  static func hash(_ x: Int, _ y: Int, seed: UInt32) -> Double {
    var h = UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1
    h ^= UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
    h ^= seed &* 0xC2B2_AE3D
    h ^= h >> 15
    h = h &* 0x2C1B_3C6D
    h ^= h >> 12
    h = h &* 0x297A_2D39
    h ^= h >> 15
    return Double(h) / 4_294_967_296
  }

  /// Smooth noise in 0...1, with features of size 1.
  static func value(_ x: Double, _ y: Double, seed: UInt32) -> Double {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let (column, row) = (Int(left), Int(top))
    let (u, v) = (smoothstep(0, 1, x - left), smoothstep(0, 1, y - top))
    let upper = hash(column, row, seed: seed) * (1 - u) + hash(column + 1, row, seed: seed) * u
    let lower =
      hash(column, row + 1, seed: seed) * (1 - u) + hash(column + 1, row + 1, seed: seed) * u
    return upper * (1 - v) + lower * v
  }

  /// Noise of several octaves in 0...1, each with half the feature size and amplitude of the
  /// previous one.
  static func fractal(_ x: Double, _ y: Double, octaves: Int, seed: UInt32) -> Double {
    var (sum, weight, total, scale) = (0.0, 1.0, 0.0, 1.0)
    for octave in 0..<octaves {
      sum += weight * value(x * scale, y * scale, seed: seed &+ UInt32(octave))
      total += weight
      weight /= 2
      scale *= 2
    }
    return sum / total
  }

  /// Cellular noise with one point per cell of size 1: distance to the nearest point, and its
  /// identifier in 0..<1.
  static func cells(_ x: Double, _ y: Double, seed: UInt32) -> (distance: Double, id: Double) {
    let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    var nearest = (distance: Double.infinity, id: 0.0)
    for j in row - 1...row + 1 {
      for i in column - 1...column + 1 {
        let dx = Double(i) + hash(i, j, seed: seed) - x
        let dy = Double(j) + hash(i, j, seed: seed &+ 1) - y
        let distance = (dx * dx + dy * dy).squareRoot()
        if distance < nearest.distance {
          nearest = (distance, hash(i, j, seed: seed &+ 2))
        }
      }
    }
    return nearest
  }
}
