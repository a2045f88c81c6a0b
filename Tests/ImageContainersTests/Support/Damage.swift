import Foundation

/// Ways to break a file, the same in every run.
enum Damage {
  /// The file cut at `count` places, evenly spread.
  static func truncations(of bytes: [UInt8], count: Int = 200) -> [[UInt8]] {
    (0..<count).map { Array(bytes.prefix(bytes.count * $0 / count)) }
  }

  /// The file with one to four bytes changed, `count` times.
  static func mutations(of bytes: [UInt8], count: Int = 400, seed: UInt64 = 1) -> [[UInt8]] {
    var random = SplitMix(state: seed)
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

/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// Bytes from hexadecimal digits, blanks between them ignored.
func hex(_ digits: String) -> [UInt8] {
  let values = digits.compactMap(\.hexDigitValue)
  return stride(from: 0, to: values.count - 1, by: 2).map {
    UInt8(values[$0] << 4 | values[$0 + 1])
  }
}

extension Corpus {
  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(name))))
  }
}
