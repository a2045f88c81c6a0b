import Foundation
import ImageFiles
import TestSupport

/// Ways to break a file, the same in every run.
enum Damage {
  /// The file cut at `count` places, evenly spread.
  static func truncations(of bytes: [UInt8], count: Int = 200) -> [[UInt8]] {
    (0..<count).map { Array(bytes.prefix(bytes.count * $0 / count)) }
  }

  /// The file with one to four bytes changed, `count` times.
  static func mutations(of bytes: [UInt8], count: Int = 400, seed: UInt64 = 1) -> [[UInt8]] {
    var random = SplitMix(seed: seed)
    return (0..<count).map { _ in
      var broken = bytes
      for _ in 0...Int(random.next() % 4) {
        let index = Int(random.next() % UInt64(bytes.count))
        // Extremes break more than other values.
        broken[index] =
          [0, 0xFF, 0x80, UInt8(truncatingIfNeeded: random.next())][
            Int(random.next() % 4)]
      }
      return broken
    }
  }
}
