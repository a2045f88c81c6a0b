// SPDX-License-Identifier: Apache-2.0
import HDRCore
import TestSupport
import Testing

@Suite("Constant luminance") struct ConstantLuminanceTests {
  /// Source: colour-science 0.4.7, `RGB_to_YcCbcCrc`, 10-bit system; its input is linear, and its
  /// divisors have four digits as in BT.2020.
  @Test(arguments: [
    (SIMD3(0.18, 0.5, 0.03), SIMD3(0.618802069609, -0.253025741156, -0.122087023245)),
    (SIMD3(1, 0, 0), SIMD3(0.503219376895, -0.259337959645, 0.499980498294)),
    (SIMD3(0, 1, 0), SIMD3(0.823679888912, -0.424489738668, -0.479329544292)),
    (SIMD3(0, 0, 1), SIMD3(0.209228153407, 0.499982199414, -0.121757538063)),
    (SIMD3(0.9, 0.2, 0.7), SIMD3(0.639636182449, 0.124809192675, 0.31146710341)),
  ])
  func equalsColourScience(light: SIMD3<Double>, coded: SIMD3<Double>) {
    let signal = SIMD3(BT709.oetf(light.x), BT709.oetf(light.y), BT709.oetf(light.z))
    let result = ConstantLuminance(transfer: .bt1886).encode(signal)
    #expect(isClose(result.x, coded.x, relative: 1e-11))
    #expect(isClose(result, coded, absolute: 3e-5))
  }

  /// Source: the formulas of H.273 with PQ, evaluated in Python.
  @Test(arguments: [
    (
      SIMD3(0.815943455113756, 0.9265467040826304, 0.6218628370226069),
      SIMD3(0.8993079245503388, -0.13961693937570077, -0.043063875547027806)
    ),
    (
      SIMD3(0.5791332452435196, 0.508078421517399, 0.5806888810416109),
      SIMD3(0.5364871494216128, 0.072467382968784, 0.14920076301922366)
    ),
    (
      SIMD3(1, 7.309559025783966e-07, 7.309559025783966e-07),
      SIMD3(0.8570848601611638, -0.43130503399223225, 0.5)
    ),
  ])
  func equalsPythonForPQ(signal: SIMD3<Double>, coded: SIMD3<Double>) {
    let result = ConstantLuminance(transfer: .pq).encode(signal)
    #expect(isClose(result, coded, relative: 1e-10))
  }

  @Test(arguments: [TransferFunction.pq, .hlg, .bt1886, .srgb])
  func decodingUndoesEncoding(transfer: TransferFunction) {
    let system = ConstantLuminance(transfer: transfer)
    for index in 0..<1000 {
      let signal = SIMD3(
        Double(index % 10) / 9, Double(index / 10 % 10) / 9, Double(index / 100) / 9)
      let back = system.decode(system.encode(signal))
      // Green is the remainder of luminance: for bright red and blue its last digits are lost, but
      // less than half a 16-bit code.
      #expect(isClose(back, signal, absolute: 0.5 / 65_535), "\(signal)")
    }
  }

  /// The weights of BT.2020 are the rounded weights of its primaries.
  @Test func weightsOfPrimaries() throws {
    var encoding = ColorEncoding(
      primaries: .bt2020, transfer: .pq, matrix: .chromaDerivedConstant)
    let signal = SIMD3(0.6, 0.3, 0.5)
    let derived = try #require(ConstantLuminance(encoding)).encode(signal)
    let printed = ConstantLuminance(transfer: .pq).encode(signal)
    #expect(isClose(derived, printed, absolute: 1e-5))
    encoding.primaries = .bt709
    let other = try #require(ConstantLuminance(encoding)).encode(signal)
    #expect(!isClose(other, printed, absolute: 1e-2))
    encoding.matrix = .bt2020NonConstant
    #expect(ConstantLuminance(encoding) == nil)
  }

  @Test(arguments: [TransferFunction.pq, .hlg, .bt1886])
  func grayHasNoDifferences(transfer: TransferFunction) {
    let coded = ConstantLuminance(transfer: transfer).encode(SIMD3(repeating: 0.6))
    #expect(isClose(coded, SIMD3(0.6, 0, 0), absolute: 1e-12))
  }
}
