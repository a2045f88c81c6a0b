// SPDX-License-Identifier: Apache-2.0
import Foundation
import ImageFiles
import TestSupport

/// Reproducible truncations and mutations of a file.
enum Damage {
  /// Returns the file truncated at `count` evenly spaced positions.
  static func truncations(of bytes: [UInt8], count: Int = 200) -> [[UInt8]] {
    (0..<count).map { Array(bytes.prefix(bytes.count * $0 / count)) }
  }

  /// Returns `count` copies of the file with one to four bytes changed.
  static func mutations(of bytes: [UInt8], count: Int = 400, seed: UInt64 = 1) -> [[UInt8]] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in
      var broken = bytes
      for _ in 0...Int(random.next() % 4) {
        let index = Int(random.next() % UInt64(bytes.count))
        // Extreme values find more errors than random ones.
        broken[index] =
          [0, 0xFF, 0x80, UInt8(truncatingIfNeeded: random.next())][
            Int(random.next() % 4)]
      }
      return broken
    }
  }
}
