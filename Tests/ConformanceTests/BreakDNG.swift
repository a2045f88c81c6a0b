// SPDX-License-Identifier: Apache-2.0
#if HEIF && AVIF && PNG && JPEG
import TestSupport

@testable import Conformance

/// Files that violate DNG.
extension Break {
  static let dng: [Break] = [
    dng(["dng/version"]) { $0[50_707] = .bytes([1, 7, 0, 0]) },
    dng(["dng/camera-model"]) { $0[50_708] = nil },
    dng(["dng/samples"]) { $0[279] = .longs([1_000_000]) },
    dng(["dng/active-area"]) { $0[50_829] = .longs([0, 0, 100, 100]) },
    dng(["dng/crop"]) { $0[50_719] = .rationals([6, 0]) },
    dng(["dng/levels"]) { $0[50_714] = .longs([60_000]) },
    dng(["dng/color-matrix"]) { $0[50_721] = nil },
    dng(["dng/color-matrix"]) {
      $0[50_721] = .signedRationals([1, 0, 0, 1, 0, 0, 0, 0, 1])
    },
    dng(["dng/white-point"]) { $0[50_728] = .rationals([0.5, 1, 0.6]) },
    dng(["dng/opcodes"]) { $0[51_008] = .undefined([0, 0, 0, 2, 0, 0, 0, 1]) },
    dng(["dng/profile-tables"]) { $0[50_937] = .longs([6, 6, 3]) },
    dng(["dng/tone-curve"]) { $0[50_940] = .floats([0, 0, 0.5, 0.4, 0.4, 0.6, 1, 1]) },
  ]

  private static func dng(
    _ rules: Set<String>,
    _ change: @escaping @Sendable (inout [UInt16: SyntheticDNG.Value]) -> Void
  ) -> Break {
    Break(rules, .dng) {
      var file = Fixture.rawFile
      change(&file.main.entries)
      return file.bytes
    }
  }
}

extension Fixture {
  /// A DNG file with everything that the rules are about.
  static var rawFile: SyntheticDNG {
    var file = SyntheticDNG(width: 8, height: 4)
    file.main.chunks = [[UInt8](repeating: 40, count: 64)]
    file.main.entries[50_829] = .longs([0, 0, 4, 8])
    file.main.entries[50_719] = .rationals([0, 0])
    file.main.entries[50_720] = .rationals([8, 4])
    file.main.entries[50_714] = .longs([10])
    file.main.entries[50_717] = .longs([60_000])
    file.main.entries[51_008] = .undefined([0, 0, 0, 0])
    file.main.entries[50_937] = .longs([1, 2, 1])
    file.main.entries[50_938] = .floats([0, 1, 1, 0, 1, 1])
    file.main.entries[50_940] = .floats([0, 0, 1, 1])
    return file
  }
}
#endif
