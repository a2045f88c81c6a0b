// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

@Suite("Declared reference white") struct DeclaredReferenceWhiteTests {
  @Test(arguments: [1, 80, 203, 10_000])
  func isTaken(luminance: Double) {
    let white = DeclaredReferenceWhite(luminance, named: "SampleToNits") { $0 >= 1 }
    #expect(white.luminance == luminance)
    #expect(white.notices.isEmpty)
  }

  @Test(arguments: [0, 0.5, -80, 10_000.5, 3e38, .infinity, -.infinity, .nan])
  func isIgnored(luminance: Double) {
    let white = DeclaredReferenceWhite(luminance, named: "SampleToNits") { $0 >= 1 }
    #expect(white.luminance == nil)
    #expect(white.notices.map(\.category) == [.irregular])
  }

  @Test func isNotThere() {
    let white = DeclaredReferenceWhite(nil, named: "whiteLuminance") { $0 > 1 }
    #expect(white.luminance == nil)
    #expect(white.notices.isEmpty)
  }
}
