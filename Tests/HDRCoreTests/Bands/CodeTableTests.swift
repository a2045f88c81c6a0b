// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import HDRCore

/// Tables from linear values to codes, compared with the definitions.
@Suite("Code table") struct CodeTableTests {
  private static let encodings = [
    ColorEncoding(primaries: .bt2020, transfer: .pq),
    ColorEncoding(primaries: .bt2020, transfer: .pq, referenceWhite: 100),
    ColorEncoding(primaries: .bt2020, transfer: .hlg),
    ColorEncoding(primaries: .bt709, transfer: .srgb),
    ColorEncoding(primaries: .bt709, transfer: .bt1886),
    ColorEncoding(primaries: .adobeRGB, transfer: .gamma(563 / 256.0)),
  ]

  private func makeTable(_ encoding: ColorEncoding, bits: Int, isFullRange: Bool) -> CodeTable? {
    encoding.coded(isFullRange: isFullRange).codeTable(
      for: ImageLayout(
        width: 1, height: 1, components: .rgb, samples: .integer(bits: bits)))
  }

  private func codes(_ light: [Float], _ table: CodeTable) -> [UInt16] {
    var codes = [UInt16](repeating: 0, count: light.count)
    var span = codes.mutableSpan
    light.encode(table, into: &span)
    return codes
  }

  /// The linear value of each code becomes that code, as do all values up to halfway to the next;
  /// black becomes the code of black.
  @Test(arguments: encodings, [8, 10])
  func everyCode(encoding: ColorEncoding, bits: Int) throws {
    for isFullRange in [true, false] {
      let table = try #require(makeTable(encoding, bits: bits, isFullRange: isFullRange))
      let levels = Quantization(bits: bits, isFullRange: isFullRange)
      let range = levels.code(ofSignal: 0)...levels.code(ofSignal: 1)
      func light(_ code: Double) -> Float {
        let signal = (code - levels.signalOffset) / levels.signalScale
        return Float(encoding.componentLight(ofSignal: signal, component: 0))
      }
      let inner = range.dropFirst().dropLast()
      for distance in [-0.4999, -0.25, 0, 0.25, 0.4999] {
        let found = codes(inner.map { light(Double($0) + distance) }, table)
        #expect(found == Array(inner), "\(encoding.transfer), \(distance) of a code")
      }
      #expect(
        codes([0, -0.0, -1, light(Double(range.lowerBound))], table).allSatisfy {
          $0 == range.lowerBound
        })
      let bright = [light(Double(range.upperBound)), 1e30, .infinity]
      #expect(codes(bright, table).allSatisfy { $0 == range.upperBound })
    }
  }

  /// Rounding equals that of the definition, from below the smallest value to above the largest, up
  /// to the rounding of linear values.
  @Test(arguments: encodings, [8, 10, 12])
  func equalsDefinition(encoding: ColorEncoding, bits: Int) throws {
    guard let table = makeTable(encoding, bits: bits, isFullRange: true) else {
      #expect(bits == 12, "only 12 bits may have too many steps")
      return
    }
    let largest = Double(1 << bits - 1)
    var random = SplitMix(seed: UInt64(bits))
    let signals = (0..<20_000).map { _ in Double.random(in: 0...1, using: &random) }
    let light = signals.map { Float(encoding.componentLight(ofSignal: $0, component: 0)) }
    for (signal, code) in zip(signals, codes(light, table)) {
      #expect(abs(signal * largest - Double(code)) <= 0.5 + 2e-3)
    }
  }

  @Test(arguments: encodings) func increases(encoding: ColorEncoding) throws {
    let table = try #require(makeTable(encoding, bits: 10, isFullRange: true))
    let light = stride(from: UInt32(100) << 23, to: 134 << 23, by: 997).map {
      Float(bitPattern: $0)
    }
    let found = codes(light, table)
    #expect(zip(found, found.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(Set(found).count == 1024)
  }

  @Test func tablesStaySmall() {
    let pq = ColorEncoding(primaries: .bt2020, transfer: .pq)
    #expect(makeTable(pq, bits: 12, isFullRange: true) != nil)
    #expect(makeTable(pq, bits: 16, isFullRange: true) == nil)
    let linear = ColorEncoding(primaries: .bt2020, transfer: .linear)
    #expect(makeTable(linear, bits: 10, isFullRange: true) == nil)
  }
}
