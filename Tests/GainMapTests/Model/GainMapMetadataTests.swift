// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import GainMap
@testable import ImageFiles

@Suite("Gain map metadata") struct GainMapMetadataTests {
  @Test func onlyUsableNumbersAreTaken() {
    #expect(throws: ImageError.self) { try metadata(minimum: 1, maximum: 0.5) }
    #expect(throws: ImageError.self) { try metadata(gamma: 0) }
    #expect(throws: ImageError.self) { try metadata(maximum: 65) }
    #expect(throws: ImageError.self) { try metadata(minimum: -65) }
    #expect(throws: ImageError.self) { try metadata(alternateHeadroom: 65) }
    #expect(throws: Never.self) { try metadata(minimum: 1, maximum: 1) }
  }

  @Test func oddNumbersAreNamed() throws {
    #expect(try metadata().peculiarities == [])
    #expect(try metadata(baseOffset: -0.5).peculiarities.count == 1)
    #expect(try metadata(baseHeadroom: 2).peculiarities.count == 1)
  }

  /// The same values as rounded by different writers: ISO 21496-1 and XMP in files of the corpus.
  @Test func roundingIsNoDisagreement() throws {
    let iso = try metadata(minimum: -1.2063, maximum: 4.35229, gamma: 0.435984)
    let xmp = try metadata(minimum: -1.206404, maximum: 4.3523002, gamma: 0.43598396)
    #expect(iso.disagreements(with: xmp) == [])
    #expect(try metadata(baseOffset: 0).disagreements(with: metadata(baseOffset: 1e-7)) == [])
  }

  @Test func onePercentIsADisagreement() throws {
    let one = try metadata()
    #expect(
      one.disagreements(with: try metadata(maximum: 2.02)) == ["maximum 2 against 2.02"])
    #expect(one.disagreements(with: try metadata(maximum: 2.01)) == [])
    #expect(one.disagreements(with: try metadata(gamma: 1.02)).count == 1)
    #expect(one.disagreements(with: try metadata(alternateHeadroom: 2.1)).count == 1)
    #expect(one.disagreements(with: try metadata(baseHeadroom: 0.1)).count == 1)
    #expect(one.disagreements(with: try metadata(baseOffset: 0)).count == 1)
    #expect(
      one.disagreements(with: try metadata(usesBaseColorSpace: false))
        == ["primaries of the base against those of the alternate"])
    let channel = one.channels[0]
    var other = channel
    other.minimum = SignedRational(-1)
    let three = try GainMapMetadata(
      channels: .three(red: channel, green: channel, blue: other),
      baseHeadroom: one.baseHeadroom, alternateHeadroom: one.alternateHeadroom,
      usesBaseColorSpace: true)
    #expect(one.disagreements(with: three) == ["minimum of blue 0 against -1"])
  }
}
