import Testing

@testable import HDRCore

/// Tables from light to codes, against the definitions.
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
    encoding.codeTable(
      for: StoredFormat(
        width: 1, height: 1, components: .rgb, samples: .integer(bits: bits),
        isFullRange: isFullRange))
  }

  private func codes(_ light: [Float], _ table: CodeTable) -> [UInt16] {
    var codes = [UInt16](repeating: 0, count: light.count)
    var span = codes.mutableSpan
    light.encode(table, into: &span)
    return codes
  }

  /// The light of each code becomes that code, and a sixteenth of a code less than halfway to the
  /// next one, too; black becomes the code of black.
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
      for distance in [-0.43, 0, 0.43] {
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
