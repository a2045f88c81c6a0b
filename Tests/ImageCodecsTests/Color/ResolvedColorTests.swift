// SPDX-License-Identifier: Apache-2.0
import Foundation
import GainMap
@testable import HDRConversion
import HDRCore
import Testing

@testable import ImageCodecs
@testable import ImageFiles

/// The table of `Documentation/ColorPrecedence.md`, row by row.
@Suite("Resolved color") struct ResolvedColorTests {
  private let rgb = ImageLayout(
    width: 1, height: 1, components: .rgb, samples: .integer(bits: 16))

  private func resolve(
    _ color: ColorDescription, in container: FileFormat, format: ImageLayout? = nil,
    diffuseWhite: Double? = nil, assumed: AssumedColor? = nil
  ) -> ResolvedColor {
    ResolvedColor(
      color, in: container, format: format ?? rgb, diffuseWhite: diffuseWhite, assumed: assumed)
  }

  private func profile(_ primaries: CICP.Primaries, _ transfer: CICP.Transfer) throws -> [UInt8] {
    try ICCProfile.generate(for: CICP(primaries: primaries, transfer: transfer))
  }

  /// A profile without code points.
  private func plainProfile(_ primaries: ColorPrimaries, _ curve: ICCCurve) -> [UInt8] {
    ICCProfile.generate(primaries: primaries, curve: curve, description: "test")
  }

  @Test func pngCodePointsWin() throws {
    let pq = CICP(primaries: .bt2020, transfer: .pq)
    let all = ColorDescription(
      cicp: pq, icc: plainProfile(.displayP3, .srgb), primaries: .bt709, gamma: 0.45455,
      isMarkedSRGB: true)
    let resolved = resolve(all, in: .png)
    #expect(resolved.encoding.primaries == .bt2020)
    #expect(resolved.encoding.transfer == .pq)
    #expect(resolved.notices.map(\.category) == [.conflict, .conflict, .conflict])
    // A generated profile that matches the code points does not cause a notice.
    let same = resolve(ColorDescription(cicp: pq, icc: try profile(.bt2020, .pq)), in: .png)
    #expect(same.notices.isEmpty)
    // Nor does a profile without PQ whose primaries match.
    let fallback = plainProfile(.bt2020, .parametric(function: 0, parameters: [2.2]))
    #expect(resolve(ColorDescription(cicp: pq, icc: fallback), in: .png).notices.isEmpty)
  }

  /// Unsupported code points are rejected unless a profile or the caller specifies the color;
  /// reserved ones do not specify anything.
  @Test func refusedCodePoints() throws {
    let odd = CICP(primaries: .init(rawValue: 3), transfer: .logarithmic100)
    let alone = resolve(ColorDescription(cicp: odd), in: .heif)
    let refusal = try #require(alone.refusal)
    #expect(refusal.category == .unsupported)
    #expect(
      refusal.parameters["codes"]
        == .list([.text("transfer characteristics 9 (logarithmic, 100:1)")]))
    #expect(alone.notices.contains { $0.code.id == "color/code-points-reserved" })
    let profiled = resolve(
      ColorDescription(cicp: odd, icc: plainProfile(.displayP3, .srgb)), in: .heif)
    #expect(profiled.refusal == nil)
    #expect(profiled.encoding.primaries == .displayP3)
    #expect(!profiled.notices.isEmpty)
    let assumed = resolve(
      ColorDescription(cicp: odd), in: .heif,
      assumed: AssumedColor(transfer: .pq, primaries: .bt2020))
    #expect(assumed.refusal == nil)
    #expect(assumed.encoding.transfer == .pq)
    let silent = CICP(primaries: .unspecified, transfer: .unspecified)
    #expect(resolve(ColorDescription(cicp: silent), in: .heif).refusal == nil)
  }

  /// Reserved code points fall through to the next declaration of each format.
  @Test(arguments: [FileFormat.png, .heif, .avif])
  func reservedCodePoints(format: FileFormat) throws {
    let reserved = CICP(
      primaries: .init(rawValue: 13), transfer: .init(rawValue: 19), matrix: .init(rawValue: 18))
    let alone = resolve(ColorDescription(cicp: reserved), in: format)
    #expect(alone.refusal == nil)
    #expect(alone.encoding.primaries == .bt709)
    #expect(alone.encoding.transfer == .srgb)
    let codes = alone.notices.filter { $0.code.id == "color/code-points-reserved" }
    #expect(
      codes.map { $0.parameters["codes"] } == [
        .list([
          .text("color primaries 13"), .text("transfer characteristics 19"),
          .text("matrix coefficients 18"),
        ])
      ])
    let profiled = resolve(
      ColorDescription(cicp: reserved, icc: plainProfile(.displayP3, .srgb)), in: format)
    #expect(profiled.encoding.primaries == .displayP3)
    // Half of the code points is still used.
    let half = CICP(primaries: .bt2020, transfer: .init(rawValue: 255))
    let mixed = resolve(
      ColorDescription(cicp: half, gamma: format == .png ? 1 : nil), in: format)
    #expect(mixed.encoding.primaries == .bt2020)
    #expect(mixed.encoding.transfer == (format == .png ? .linear : .srgb))
  }

  /// Code points of which one value is usable yield to a declaration of both as a whole.
  @Test(arguments: [
    CICP(primaries: .bt2020, transfer: .init(rawValue: 255)),
    CICP(primaries: .bt2020, transfer: .unspecified),
    CICP(primaries: .bt2020, transfer: .logarithmic100),
    CICP(primaries: .unspecified, transfer: .pq),
  ])
  func incompleteCodePoints(half: CICP) {
    let profile = plainProfile(.displayP3, .srgb)
    let declarations: [(FileFormat, ColorDescription)] = [
      (.png, ColorDescription(cicp: half, icc: profile)),
      (.heif, ColorDescription(cicp: half, icc: profile)),
      (.png, ColorDescription(cicp: half, isMarkedSRGB: true)),
      (.png, ColorDescription(cicp: half, primaries: .displayP3, gamma: 1 / 2.2)),
    ]
    for (format, color) in declarations {
      let resolved = resolve(color, in: format)
      #expect(resolved.encoding.primaries == (color.isMarkedSRGB ? .bt709 : .displayP3))
      #expect(resolved.encoding.transfer == (color.gamma == nil ? .srgb : .gamma(2.2)))
      #expect(resolved.refusal == nil)
      #expect(resolved.notices.contains { $0.code.id == "color/code-points-incomplete" })
    }
  }

  /// So does a `cicp` tag, to the curves and the matrix of its profile.
  @Test(arguments: [
    CICP(primaries: .bt2020, transfer: .init(rawValue: 3)),
    CICP(primaries: .init(rawValue: 200), transfer: .pq),
    CICP(primaries: .unspecified, transfer: .pq),
    CICP(primaries: .bt2020, transfer: .unspecified),
  ])
  func incompleteTag(half: CICP) {
    let icc = ICCProfile.generate(
      primaries: .displayP3, curve: .srgb, description: "test", cicp: half)
    for format in [FileFormat.png, .tiff, .heif] {
      let resolved = resolve(ColorDescription(icc: icc), in: format)
      #expect(resolved.encoding.primaries == .displayP3)
      #expect(resolved.encoding.transfer == .srgb)
      let codes = resolved.notices.map(\.code.id).filter { $0 != "color/code-points-reserved" }
      #expect(codes == ["color/code-points-incomplete"])
    }
    #expect(FoundGainMap.AlternateImage(icc: icc).specifiedPrimaries == .displayP3)
  }

  /// A profile whose curve is PQ contradicts code points of HLG, and the reverse.
  @Test func otherCurveInProfile() {
    let curve = (0..<1024).map { index in
      UInt16(clamping: (PQ.eotf(Double(index) / 1023) / 10_000 * 65_535).rounded())
    }
    let profile = plainProfile(.bt2020, .table(curve))
    for transfer in [CICP.Transfer.hlg, .pq] {
      let resolved = resolve(
        ColorDescription(cicp: CICP(primaries: .bt2020, transfer: transfer), icc: profile),
        in: .heif)
      #expect(resolved.encoding.transfer == TransferFunction(transfer))
      let isNoticed = resolved.notices.contains {
        $0.code.english == "CICP {cicp} and ICC profile differ; using CICP"
      }
      #expect(isNoticed == (transfer == .hlg))
    }
  }

  /// Values that the caller declares override all declarations, also a profile that would have to be
  /// applied.
  @Test func declaredColor() throws {
    let declared = OpeningOptions.DeclaredColor(
      transfer: .pq, primaries: .bt2020, isFullRange: false)
    let managed = plainProfile(
      .displayP3, .table([0, 40_000, 30_000, 65_535]))
    for (container, color) in [
      (FileFormat.png, ColorDescription(cicp: CICP(primaries: .bt709, transfer: .srgb))),
      (.tiff, ColorDescription(icc: plainProfile(.displayP3, .srgb))),
      (.tiff, ColorDescription(icc: managed)),
      (.jpeg, ColorDescription(isMarkedSRGB: true)),
      (.jxl, ColorDescription(cicp: CICP(primaries: .bt709, transfer: .srgb))),
      (.heif, ColorDescription(cicp: CICP(primaries: .displayP3, transfer: .hlg))),
      (.exr, ColorDescription(primaries: .bt709)),
    ] {
      let resolved = ResolvedColor(
        color, in: container, format: rgb, assumed: nil, override: declared)
      #expect(resolved.encoding.primaries == .bt2020, "\(container)")
      #expect(resolved.encoding.transfer == .pq, "\(container)")
      #expect(!resolved.encoding.isFullRange, "\(container)")
      #expect(resolved.appliedProfile == nil, "\(container)")
      #expect(resolved.notices.map(\.code.id) == ["color/declared"], "\(container)")
    }
    // What is not declared is that of the file.
    let half = ResolvedColor(
      ColorDescription(icc: plainProfile(.displayP3, .srgb)), in: .tiff, format: rgb, assumed: nil,
      override: OpeningOptions.DeclaredColor(transfer: .hlg))
    #expect(half.encoding.primaries == .displayP3)
    #expect(half.encoding.transfer == .hlg)
  }

  /// Curves of PQ and HLG as programs write them: with any number of samples, scaled and clipped,
  /// rounded or truncated.
  ///
  /// Source of the functions: BT.2100, tables 4 and 5, in double precision.
  @Test(arguments: [17, 64, 1024, 4096], [1.0, 10, 10_000 / 203.0])
  func curvesOfPQ(count: Int, scale: Double) {
    func pq(_ signal: Double) -> Double {
      let power = pow(signal, 1 / 78.84375)
      return pow(max(power - 0.8359375, 0) / (18.8515625 - 18.6875 * power), 1 / 0.1593017578125)
    }
    for isRounded in [true, false] {
      let curve = table(count, isRounded) { min(scale * pq($0), 1) }
      let resolved = resolve(ColorDescription(icc: plainProfile(.bt2020, curve)), in: .tiff)
      #expect(resolved.encoding.transfer == .pq)
      #expect(resolved.encoding.primaries == .bt2020)
      #expect(resolved.notices.map(\.code.id) == ["color/transfer-recognized"])
    }
  }

  @Test(
    arguments: [64, 1024, 4096],
    [(1.0, 1.0), (1.2, 1.0), (1.0, 1000 / 203.0), (1.2, 1000 / 203.0)] as [(Double, Double)])
  func curvesOfHLG(count: Int, shape: (Double, Double)) {
    func hlg(_ signal: Double) -> Double {
      signal <= 0.5
        ? signal * signal / 3 : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
    let curve = table(count, true) { min(shape.1 * pow(hlg($0), shape.0), 1) }
    let resolved = resolve(ColorDescription(icc: plainProfile(.bt2020, curve)), in: .png)
    #expect(resolved.encoding.transfer == .hlg)
    #expect(resolved.notices.map(\.code.id) == ["color/transfer-recognized"])
  }

  /// Other curves are not taken for PQ or HLG, nor are three different ones.
  @Test(arguments: [1.0, 1.8, 2.2, 2.4, 4, 6.7])
  func curvesOfPowers(exponent: Double) {
    for count in [64, 256, 4096] {
      let curve = table(count, true) { pow($0, exponent) }
      let transfer = resolve(ColorDescription(icc: plainProfile(.bt709, curve)), in: .tiff)
        .encoding.transfer
      #expect(transfer != .pq && transfer != .hlg)
    }
  }

  private func table(
    _ count: Int, _ isRounded: Bool, _ function: (Double) -> Double
  ) -> ICCCurve {
    .table(
      (0..<count).map { index in
        let value = 65_535 * function(Double(index) / Double(count - 1))
        return UInt16(clamping: isRounded ? value.rounded() : value)
      })
  }

  /// The rounded parameters of this profile of Elle Stone make its segments overlap by 5e-5.
  @Test func parametricCurveOfBT709() throws {
    let curve = ICCCurve.parametric(
      function: 3,
      parameters: [
        2.22222900390625, 0.909912109375, 0.090087890625, 0.22222900390625, 0.08099365234375,
      ])
    let resolved = resolve(ColorDescription(icc: plainProfile(.bt709, curve)), in: .png)
    #expect(resolved.appliedProfile == nil)
    #expect(resolved.encoding.primaries == .bt709)
    guard case .sampled(let curves) = resolved.encoding.transfer else {
      Issue.record("not a curve")
      return
    }
    // BT.709-6, item 1.2, inverted in double precision.
    for signal in [0.05, 0.2, 0.5, 0.9] {
      let expected = signal < 0.081 ? signal / 4.5 : pow((signal + 0.099) / 1.099, 1 / 0.45)
      #expect(abs(curves.green.linearValue(ofSignal: signal) - expected) < 2e-4)
    }
  }

  /// Parametric curves that are powers are named, whatever their type.
  @Test(
    arguments: [
      (0, [2.2]), (1, [2.2, 1, 0]), (2, [2.2, 1, 0, 0]), (3, [2.2, 1, 0, 0.5, 0]),
      (4, [2.2, 1, 0, 0.5, 0, 0, 0]),
    ] as [(Int, [Double])])
  func parametricPowers(function: Int, parameters: [Double]) {
    func transfer(_ parameters: [Double]) -> TransferFunction {
      let curve = ICCCurve.parametric(function: function, parameters: parameters)
      return resolve(ColorDescription(icc: plainProfile(.bt709, curve)), in: .png)
        .encoding.transfer
    }
    guard case .gamma(let exponent) = transfer(parameters) else {
      Issue.record("not a power")
      return
    }
    #expect(abs(exponent - 2.2) < 1e-4)
    for index in parameters.indices.dropFirst() where index != 3 || function == 2 {
      var other = parameters
      other[index] += index == 1 ? -0.1 : 0.1
      // The last parameter of type 4 belongs to the linear segment.
      if case .gamma = transfer(other) { #expect(function == 4 && index == 6) }
    }
  }

  @Test func unknownMatrix() {
    let ycbcr = ImageLayout(
      width: 1, height: 1, components: .ycbcr(.yuv444), samples: .integer(bits: 10))
    let odd = CICP(primaries: .bt709, transfer: .srgb, matrix: .iptPQC2)
    let resolved = resolve(ColorDescription(cicp: odd), in: .avif, format: ycbcr)
    #expect(resolved.refusal?.code.english == "{matrix} cannot be decoded")
    #expect(resolved.refusal?.parameters["matrix"] == .text("matrix 15 (IPT-PQ-C2)"))
  }

  @Test func pngOrder() {
    let icc = plainProfile(.displayP3, .srgb)
    let profile = resolve(ColorDescription(icc: icc, gamma: 1), in: .png)
    #expect(profile.encoding.primaries == .displayP3)
    #expect(profile.encoding.transfer == .srgb)
    let marked = resolve(
      ColorDescription(primaries: .bt2020, gamma: 1, isMarkedSRGB: true), in: .png)
    #expect(marked.encoding.primaries == .bt709)
    #expect(marked.encoding.transfer == .srgb)
    #expect(marked.notices.map(\.category) == [.conflict])
    let chunks = resolve(ColorDescription(primaries: .bt2020, gamma: 0.45455), in: .png)
    #expect(chunks.encoding.primaries == .bt2020)
    #expect(chunks.encoding.transfer == .gamma(2.2))
    #expect(chunks.notices.isEmpty)
    #expect(resolve(ColorDescription(gamma: 1), in: .png).encoding.transfer == .linear)
  }

  @Test func untagged() {
    let guessed = resolve(ColorDescription(), in: .png)
    #expect(guessed.encoding == ColorEncoding(primaries: .bt709, transfer: .srgb))
    #expect(guessed.notices.map(\.category) == [.assumed])
    let told = resolve(
      ColorDescription(), in: .tiff,
      assumed: AssumedColor(transfer: .linear, primaries: .bt2020, referenceWhite: 100))
    #expect(
      told.encoding == ColorEncoding(primaries: .bt2020, transfer: .linear, referenceWhite: 100))
    #expect(told.notices.isEmpty)
    var float = rgb
    float.samples = .float
    let light = resolve(ColorDescription(), in: .tiff, format: float)
    #expect(light.encoding.transfer == .linear)
    #expect(light.notices.map(\.category) == [.assumed])
    // The caller's assumption does not override what the file specifies.
    let declared = resolve(
      ColorDescription(cicp: CICP(primaries: .displayP3, transfer: .hlg)), in: .png,
      assumed: AssumedColor(transfer: .linear, primaries: .bt709))
    #expect(declared.encoding.transfer == .hlg)
    #expect(declared.encoding.primaries == .displayP3)
  }

  @Test func heifProfileOverCodePoints() throws {
    var ycbcr = rgb
    ycbcr.components = .ycbcr(.yuv420)
    let cicp = CICP(primaries: .bt709, transfer: .srgb, matrix: .bt601)
    let resolved = resolve(
      ColorDescription(cicp: cicp, icc: plainProfile(.displayP3, .srgb)), in: .heif, format: ycbcr)
    #expect(resolved.encoding.primaries == .displayP3)
    #expect(resolved.encoding.matrix == .bt601)
    #expect(resolved.notices.map(\.category) == [.conflict])
    let tagged = resolve(
      ColorDescription(cicp: cicp, icc: try profile(.bt2020, .pq)), in: .avif, format: ycbcr)
    #expect(tagged.encoding.transfer == .pq)
    #expect(tagged.notices.map(\.category) == [.conflict])
    let unspecified = CICP(
      primaries: .unspecified, transfer: .unspecified, matrix: .bt2020NonConstant)
    let filled = resolve(
      ColorDescription(cicp: unspecified, icc: plainProfile(.displayP3, .srgb)), in: .heif,
      format: ycbcr)
    #expect(filled.encoding.primaries == .displayP3)
    #expect(filled.encoding.matrix == .bt2020NonConstant)
    #expect(filled.notices.isEmpty)
  }

  @Test func heifCodePointsOverProfileWithoutThem() {
    let hlg = CICP(primaries: .bt2020, transfer: .hlg, matrix: .bt2020NonConstant)
    let resolved = resolve(
      ColorDescription(cicp: hlg, icc: plainProfile(.displayP3, .srgb)), in: .heif)
    #expect(resolved.encoding.transfer == .hlg)
    #expect(resolved.encoding.primaries == .bt2020)
    #expect(resolved.notices.map(\.category) == [.conflict])
  }

  @Test func matrixIsOfYCbCrOnly() {
    var ycbcr = rgb
    ycbcr.components = .ycbcr(.yuv444)
    let color = ColorDescription(
      cicp: CICP(primaries: .bt709, transfer: .srgb, matrix: .unspecified))
    #expect(resolve(color, in: .avif, format: ycbcr).encoding.matrix == .bt601)
    #expect(resolve(color, in: .avif).encoding.matrix == .identity)
  }

  @Test func unknownCodePoints() {
    let color = ColorDescription(
      cicp: CICP(primaries: .init(rawValue: 77), transfer: .init(rawValue: 10)))
    let resolved = resolve(color, in: .avif)
    #expect(resolved.encoding == ColorEncoding(primaries: .bt709, transfer: .srgb))
    #expect(resolved.notices.map(\.category) == [.irregular, .irregular, .assumed])
  }

  @Test func white() {
    let linear = CICP(primaries: .bt2020, transfer: .linear)
    let declared = ColorDescription(cicp: linear, referenceWhite: 80)
    #expect(resolve(declared, in: .exr, diffuseWhite: 100).encoding.referenceWhite == 80)
    let silent = ColorDescription(cicp: linear)
    let assumed = AssumedColor(referenceWhite: 120)
    let both = resolve(silent, in: .avif, diffuseWhite: 100, assumed: assumed)
    #expect(both.encoding.referenceWhite == 100)
    let none = resolve(silent, in: .avif, diffuseWhite: 0, assumed: assumed)
    #expect(none.encoding.referenceWhite == 120)
    #expect(resolve(silent, in: .avif).encoding.referenceWhite == 203)
    // The intensity target of JPEG XL, whose PQ is in code points or in the curve of a profile.
    let pq = ColorDescription(
      cicp: CICP(primaries: .bt2020, transfer: .pq), referenceWhite: 10_000)
    #expect(resolve(pq, in: .jxl).encoding.referenceWhite == 203)
    let curve = plainProfile(
      .bt2020,
      .table(
        (0...1023).map {
          UInt16(clamping: (PQ.eotf(Double($0) / 1023) / 10_000 * 65_535).rounded())
        }))
    let recognized = resolve(ColorDescription(icc: curve, referenceWhite: 10_000), in: .jxl)
    #expect(recognized.encoding.transfer == .pq && recognized.encoding.referenceWhite == 203)
    #expect(resolve(pq, in: .jxl, diffuseWhite: 100).encoding.referenceWhite == 100)
  }

  @Test func profiles() throws {
    let adobe = resolve(
      ColorDescription(
        icc: plainProfile(.adobeRGB, .parametric(function: 0, parameters: [563 / 256]))),
      in: .jpeg)
    #expect(adobe.encoding.primaries == .adobeRGB)
    #expect(adobe.encoding.transfer == .gamma(563.0 / 256))
    let linear = resolve(ColorDescription(icc: plainProfile(.proPhoto, .identity)), in: .tiff)
    #expect(linear.encoding.transfer == .linear)
    #expect(linear.encoding.primaries == .proPhoto)
    var scene = try ICCProfile.generate(
      for: CICP(primaries: .bt2020, transfer: .hlg), imageState: .scene)
    #expect(resolve(ColorDescription(icc: scene), in: .tiff).encoding.imageState == .scene)
    scene.removeLast(scene.count - 100)
    let broken = resolve(ColorDescription(icc: scene), in: .tiff)
    #expect(broken.notices.map(\.category) == [.irregular, .assumed])
  }

  @Test func grayImageWithProfileForColor() {
    var gray = rgb
    gray.components = .gray
    let resolved = resolve(
      ColorDescription(icc: plainProfile(.displayP3, .srgb)), in: .png, format: gray)
    #expect(resolved.encoding.transfer == .srgb)
    #expect(resolved.notices.isEmpty)
  }

  /// An assumption that the file contradicts is reported; one that it confirms is not.
  @Test func idleAssumptionsAreNamed() throws {
    let pq = ColorDescription(cicp: CICP(primaries: .bt2020, transfer: .pq))
    func notices(_ color: ColorDescription, _ assumed: AssumedColor) -> [Notice] {
      resolve(color, in: .png, assumed: assumed).notices
    }
    #expect(notices(pq, AssumedColor(transfer: .hlg)).map(\.category) == [.conflict])
    #expect(notices(pq, AssumedColor(primaries: .bt709)).map(\.category) == [.conflict])
    #expect(notices(pq, AssumedColor(referenceWhite: 100)).map(\.category) == [.conflict])
    #expect(notices(pq, AssumedColor(transfer: .pq, primaries: .bt2020)).isEmpty)
    let silent = AssumedColor(transfer: .linear, primaries: .bt2020, referenceWhite: 100)
    #expect(notices(ColorDescription(), silent).isEmpty)
    let declared = resolve(ColorDescription(), in: .png, diffuseWhite: 300, assumed: silent)
    #expect(declared.encoding.referenceWhite == 300)
    #expect(declared.notices.map(\.category) == [.conflict])
  }
}
