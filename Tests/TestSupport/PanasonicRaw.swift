// SPDX-License-Identifier: Apache-2.0

/// Files that LibRaw reads as those of a Panasonic DMC-GF1.
public enum PanasonicRaw {
  /// Headers, and the data of the samples: 16 bytes for 14 samples, in blocks of 16 kB.
  public static func bytes(width: Int, height: Int, data: [UInt8] = []) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let (make, model) = (Array("Panasonic\0".utf8), Array("DMC-GF1\0".utf8))
    let end = 24 + 2 + 12 * 12 + 4
    let entries = [
      (1, 7, 4, 0x3031_3330), (2, 3, 1, width), (3, 3, 1, height), (4, 3, 1, 0), (5, 3, 1, 0),
      (6, 3, 1, height), (7, 3, 1, width), (9, 3, 1, 1), (10, 3, 1, 12),
      (271, 2, make.count, end), (272, 2, model.count, end + make.count),
      (280, 4, 1, end + make.count + model.count),
    ]
    let header = Array("IIU\0".utf8) + number(24, 4) + [UInt8](repeating: 0, count: 16)
    let directory = entries.flatMap { tag, type, count, value in
      number(tag, 2) + number(type, 2) + number(count, 4) + number(value, 4)
    }
    return header + number(entries.count, 2) + directory + number(0, 4) + make + model + data
  }

  /// Noise, of which some samples exceed 12 bits.
  public static var noise: [UInt8] {
    var random = SplitMix(seed: 1)
    return bytes(
      width: 140, height: 100,
      data: (0..<3 << 14).map { _ in UInt8.random(in: 0...255, using: &random) })
  }
}
