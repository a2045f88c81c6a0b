// SPDX-License-Identifier: Apache-2.0
import HDRCore
import Testing

@Suite("Quantization") struct QuantizationTests {
  /// Source: BT.2100, table 9; BT.709 for 8 bits.
  @Test(arguments: [
    (8, 16, 235, 128, 16, 240), (10, 64, 940, 512, 64, 960),
    (12, 256, 3760, 2048, 256, 3840), (16, 4096, 60_160, 32_768, 4096, 61_440),
  ])
  func narrowRange(
    bits: Int, black: UInt16, white: UInt16, middle: UInt16, lowest: UInt16, highest: UInt16
  ) {
    let codes = Quantization(bits: bits, isFullRange: false)
    #expect(codes.code(ofSignal: 0) == black)
    #expect(codes.code(ofSignal: 1) == white)
    #expect(codes.code(ofChroma: 0) == middle)
    #expect(codes.code(ofChroma: -0.5) == lowest)
    #expect(codes.code(ofChroma: 0.5) == highest)
    #expect(codes.signal(ofCode: black) == 0)
    #expect(codes.signal(ofCode: white) == 1)
    #expect(codes.chroma(ofCode: middle) == 0)
    #expect(codes.chroma(ofCode: highest) == 0.5)
  }

  @Test(arguments: 8...16)
  func fullRange(bits: Int) {
    let codes = Quantization(bits: bits, isFullRange: true)
    let largest = UInt16(codes.maximumCode)
    #expect(codes.code(ofSignal: 0) == 0)
    #expect(codes.code(ofSignal: 1) == largest)
    #expect(codes.code(ofChroma: 0) == largest / 2 + 1)
    #expect(codes.code(ofChroma: 0.5) == largest)
    #expect(codes.code(ofChroma: -0.5) == 1)
    #expect(codes.signal(ofCode: largest) == 1)
  }

  @Test(arguments: 8...16, [true, false])
  func everyCodeComesBack(bits: Int, isFullRange: Bool) {
    let codes = Quantization(bits: bits, isFullRange: isFullRange)
    for value in 0...codes.maximumCode {
      let code = UInt16(value)
      #expect(codes.code(ofSignal: codes.signal(ofCode: code)) == code)
      #expect(codes.code(ofChroma: codes.chroma(ofCode: code)) == code)
    }
  }

  @Test func halvesGoAwayFromZero() {
    let codes = Quantization(bits: 8, isFullRange: true)
    #expect(codes.code(ofSignal: 0.5) == 128)
    #expect(codes.code(ofSignal: 2.4999 / 255) == 2)
  }

  @Test func whatHasNoCodeTakesTheNearest() {
    let narrow = Quantization(bits: 10, isFullRange: false)
    #expect(narrow.code(ofSignal: 1.05) == 984)
    #expect(narrow.code(ofSignal: -0.05) == 20)
    #expect(narrow.code(ofSignal: 9) == 1023)
    for codes in [narrow, Quantization(bits: 10, isFullRange: true)] {
      #expect(codes.code(ofSignal: -.infinity) == 0)
      #expect(codes.code(ofSignal: .infinity) == 1023)
      #expect(codes.code(ofChroma: .infinity) == 1023)
      #expect(codes.code(ofSignal: .nan) == 0)
      #expect(codes.code(ofChroma: -1e300) == 0)
    }
  }
}
