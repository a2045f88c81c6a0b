// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// A short-term reference picture set, as differences of picture order counts.
///
/// Still pictures do not refer to other pictures, but the length of a set depends on the values of
/// the previous one, so sets must be derived in order to be skipped.
///
/// Source: ITU-T H.265, 7.3.7 and 7.4.8.
struct HEVCReferencePictureSet {
  /// DeltaPocS0: preceding pictures, nearest first.
  private var negative: [Int] = []
  /// DeltaPocS1: following pictures, nearest first.
  private var positive: [Int] = []

  /// Skips the sets of a sequence parameter set.
  static func skipAll(_ reader: inout BitReader) throws(ImageError) {
    let count = try reader.readExpGolomb(upTo: 64, "num_short_term_ref_pic_sets")
    var previous: HEVCReferencePictureSet?
    for _ in 0..<count {
      if let reference = previous, try reader.readFlag() {
        previous = try HEVCReferencePictureSet(parsing: &reader, from: reference)
      } else {
        previous = try HEVCReferencePictureSet(parsing: &reader)
      }
    }
  }

  private init(parsing reader: inout BitReader) throws(ImageError) {
    let negativeCount = try reader.readExpGolomb(upTo: 16, "num_negative_pics")
    let positiveCount = try reader.readExpGolomb(upTo: 16, "num_positive_pics")
    for _ in 0..<negativeCount {
      negative.append((negative.last ?? 0) - Int(try reader.readExpGolomb()) - 1)
      try reader.skip(1)
    }
    for _ in 0..<positiveCount {
      positive.append((positive.last ?? 0) + Int(try reader.readExpGolomb()) + 1)
      try reader.skip(1)
    }
  }

  /// Parses a set that is predicted from another set.
  private init(
    parsing reader: inout BitReader, from reference: HEVCReferencePictureSet
  ) throws(ImageError) {
    let isNegative = try reader.readFlag()
    let distance = Int(try reader.readExpGolomb()) + 1
    let delta = isNegative ? -distance : distance
    // use_delta_flag of the pictures of the reference set, then of the reference set itself.
    var isKept: [Bool] = []
    for _ in 0...reference.negative.count + reference.positive.count {
      let isUsed = try reader.readFlag()
      isKept.append(isUsed ? true : try reader.readFlag())
    }
    let moved = zip(reference.negative + reference.positive + [0], isKept)
      .filter(\.1).map { $0.0 + delta }
    // The standard derives both lists in order of distance.
    negative = moved.filter { $0 < 0 }.sorted(by: >)
    positive = moved.filter { $0 > 0 }.sorted()
  }
}
