// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import RAWDevelop

@Suite("What readers of a raw image share") struct DevelopmentSourceTests {
  private final class Samples: Sendable {}

  @Test("it is made once while it is used, and again afterwards")
  func lifetime() throws {
    let shared = SharedWhileUsed<Samples>()
    var count = 0
    func value() throws -> Samples {
      try shared.value {
        count += 1
        return Samples()
      }
    }
    let first = try value()
    let second = try value()
    #expect(second === first && count == 1)
    func use() throws -> Int {
      let other = SharedWhileUsed<Samples>()
      for _ in 0..<2 {
        _ = try other.value {
          count += 1
          return Samples()
        }
      }
      return count
    }
    #expect(try use() == 3)
  }
}
