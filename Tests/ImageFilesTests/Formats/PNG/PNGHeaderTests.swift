// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ImageFiles

@Suite("PNG headers") struct PNGHeaderTests {
  /// Rows of a filter and two bytes; with passes of one pixel, twice, and of three pixels in a row.
  @Test(arguments: [(false, 2, 6), (true, 2, 9), (false, 1, 3), (true, 1, 6)])
  func byteCount(isInterlaced: Bool, height: Int, count: Int) {
    let header = PNGHeader(
      width: 3, height: 2, bitDepth: 4, colorType: .gray, isInterlaced: isInterlaced)
    #expect(header.byteCount(width: 3, height: height) == count)
  }

  @Test func byteCountOfAnEnormousImage() {
    let header = PNGHeader(width: 1, height: 1, bitDepth: 16, colorType: .rgbAlpha)
    let largest = Int(Int32.max)
    #expect(header.byteCount(width: largest, height: largest) == .max)
  }
}
