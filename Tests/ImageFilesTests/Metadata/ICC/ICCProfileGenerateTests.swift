// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@testable import ImageFiles

@Suite("Generated ICC profiles") struct ICCProfileGenerateTests {
  static let pq = CICP(primaries: .bt2020, transfer: .pq)

  static func data(_ bytes: [UInt8], _ signature: ICCProfile.Signature) throws -> [UInt8] {
    let profile = try ICCProfile(parsing: bytes)
    return Array(bytes[try #require(profile.tag(signature)).range])
  }

  /// Values of a profile that Little CMS and ExifTool accept, computed by colour-science.
  @Test func bt2020Numbers() throws {
    let bytes = try ICCProfile.generate(for: Self.pq)
    let expected: [(ICCProfile.Signature, String)] = [
      (.cicp, "63696370 00000000 09100001"),
      (
        .chromaticAdaptation,
        """
        73663332 00000000 00010C42 000005DE FFFFF325 00000793 0000FD90 FFFFFBA1 FFFFFDA2 000003DC
        0000C06E
        """
      ),
      (.mediaWhite, "58595A20 00000000 0000F6D6 00010000 0000D32D"),
      (.redColorant, "58595A20 00000000 0000AC69 0000476F FFFFFF81"),
      (.greenColorant, "58595A20 00000000 00002A69 0000ACE3 000007AD"),
      (.blueColorant, "58595A20 00000000 00002003 00000BAD 0000CBFF"),
    ]
    for (signature, digits) in expected {
      #expect(try Self.data(bytes, signature) == hex(digits), "\(signature)")
    }
    #expect(Array(bytes[8..<12]) == hex("04400000"))
    #expect(Array(bytes[68..<80]) == hex("0000F6D6 00010000 0000D32D"))
    #expect(bytes.count % 4 == 0)
  }

  @Test(arguments: [
    (CICP(primaries: .bt2020, transfer: .hlg), "63696370 00000000 09120001", "BT.2020 HLG"),
    (CICP(primaries: .displayP3, transfer: .pq), "63696370 00000000 0C100001", "P3 D65 PQ"),
    (CICP(primaries: .bt709, transfer: .pq), "63696370 00000000 01100001", "BT.709 PQ"),
    (CICP(primaries: .bt709, transfer: .srgb), "63696370 00000000 010D0001", "sRGB"),
    (CICP(primaries: .displayP3, transfer: .srgb), "63696370 00000000 0C0D0001", "Display P3"),
    (CICP(primaries: .bt2020, transfer: .linear), "63696370 00000000 09080001", "BT.2020 linear"),
    // Matrix and range of the image are not stored in the profile.
    (
      CICP(primaries: .bt2020, transfer: .pq, matrix: .bt2020NonConstant, isFullRange: false),
      "63696370 00000000 09100001", "BT.2020 PQ"
    ),
  ])
  func containsTheCodePoints(cicp: CICP, tag: String, name: String) throws {
    let bytes = try ICCProfile.generate(for: cicp)
    #expect(try Self.data(bytes, .cicp) == hex(tag))
    let profile = try ICCProfile(parsing: bytes)
    #expect(profile.description == name)
    #expect(profile.notices == [])
    #expect(profile.cicp == CICP(primaries: cicp.primaries, transfer: cicp.transfer))
    guard case .matrix(let model) = profile.model else {
      Issue.record("\(profile.model)")
      return
    }
    #expect(model.primaries == ColorPrimaries(cicp.primaries))
    if !cicp.isHighDynamicRange { #expect(model.transfer == TransferFunction(cicp.transfer)) }
  }

  /// Source: BT.2408: diffuse white is 58 % PQ and 75 % HLG.
  @Test(arguments: [
    (CICP.Transfer.pq, 0.580_688_881_0, 1.0), (.pq, 0.508_078_421_5, 100 / 203.0), (.pq, 0, 0),
    (.pq, 1, 1), (.hlg, 0.75, 1), (.hlg, 0.5, 50.6970 / 203), (.hlg, 0, 0), (.hlg, 1, 1),
  ])
  func curvesAreAnchoredAtWhite(transfer: CICP.Transfer, signal: Double, light: Double) throws {
    let bytes = try ICCProfile.generate(for: CICP(primaries: .bt2020, transfer: transfer))
    let curve = try #require(try ICCProfile(parsing: bytes).curve(.greenCurve))
    #expect(abs(curve.linearValue(ofSignal: signal) - light) < 2e-4)
  }

  @Test func sceneReferredHLG() throws {
    let hlg = CICP(primaries: .bt2020, transfer: .hlg)
    let scene = try ICCProfile(parsing: ICCProfile.generate(for: hlg, imageState: .scene))
    #expect(scene.imageState == .scene)
    let display = try ICCProfile(parsing: ICCProfile.generate(for: hlg, imageState: .display))
    #expect(display.imageState == nil)
  }

  /// Source: ICC.1:2022, 7.2.18.
  @Test func identifierIsTheDigest() throws {
    let bytes = try ICCProfile.generate(for: Self.pq)
    var zeroed = bytes
    for index in [44..<48, 64..<68, 84..<100].joined() { zeroed[index] = 0 }
    #expect(Array(bytes[84..<100]) == MD5.digest(of: zeroed))
  }

  @Test func refusesCodePointsWithoutProfile() {
    for cicp in [
      CICP(primaries: .unspecified, transfer: .pq),
      CICP(primaries: .bt2020, transfer: .unspecified),
    ] {
      #expect { try ICCProfile.generate(for: cicp) } throws: {
        ($0 as? ImageError)?.category == .unsupported
      }
    }
  }
}
