// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport

/// Images for round trips: a seeded mixture of ramps, edges and noise that uses all code values.
enum TestImage {
  static func make(
    _ components: ImageLayout.Components, bits: Int, width: Int, height: Int,
    hasAlpha: Bool = false, seed: UInt64 = 1
  ) -> ImagePlanes {
    let format = ImageLayout(
      width: width, height: height, components: components, samples: .integer(bits: bits),
      hasAlpha: hasAlpha)
    var random = SplitMix64(state: seed)
    let peak = (1 << bits) - 1
    let planes = (0..<format.planeCount).map { index in
      let size = format.planeSize(index)
      return Plane<UInt16>(width: size.width, height: size.height) { samples in
        for y in 0..<size.height {
          for x in 0..<size.width {
            let ramp = (x * 7 + y * 3 + index * 50) * peak / (7 * size.width + 3 * size.height)
            let noise = Int(random.next() % UInt64(peak / 8 + 1))
            let edge = (x / 5 + y / 9 + index) % 7 == 0 ? peak : 0
            samples.append(UInt16(min(max(ramp + noise, edge), peak)))
          }
        }
      }
    }
    return ImagePlanes(layout: format, planes: .integer(planes))
  }
}

/// A small pseudorandom number generator.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix64 {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension Plane<UInt16> {
  /// A copy of a row, which outlives the plane.
  func values(inRow y: Int) -> [UInt16] {
    let row = row(y)
    return row.indices.map { row[$0] }
  }

  /// A copy of all rows.
  var values: [UInt16] { (0..<height).flatMap { values(inRow: $0) } }
}
