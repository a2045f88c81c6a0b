// SPDX-License-Identifier: Apache-2.0
import HDRCore
import ImageFiles
import TestSupport
import Testing

@Suite("Bodies of derived images") struct DerivedItemTests {
  @Test(arguments: [
    ("00 00 05 07 0FC0 0BD0", ImageGrid(rows: 6, columns: 8, width: 4032, height: 3024)),
    ("00 01 00 FF 00010000 00000001", ImageGrid(rows: 1, columns: 256, width: 65536, height: 1)),
  ])
  func grid(digits: String, grid: ImageGrid) throws {
    #expect(try ImageGrid(parsing: hex(digits)) == grid)
    #expect(grid.bytes == hex(digits))
  }

  @Test func overlay() throws {
    let narrow = hex("00 00 0001000200030004 0064 0032 FFFF 0003 0000 0000")
    let overlay = try ImageOverlay(parsing: narrow, count: 2)
    #expect(overlay.fill == [1, 2, 3, 4] && overlay.width == 100 && overlay.height == 50)
    #expect(overlay.positions == [.init(x: -1, y: 3), .init(x: 0, y: 0)])
    #expect(overlay.bytes == narrow)
    let wide = hex("00 01 0000000000000000 00000064 00000032 FFFF0000 00000003")
    #expect(try ImageOverlay(parsing: wide, count: 1).positions == [.init(x: -65536, y: 3)])
    #expect(try ImageOverlay(parsing: wide, count: 1).bytes == wide)
  }

  @Test func errors() {
    #expect(throws: ImageError.self) { try ImageGrid(parsing: hex("00 00 05 07 0FC0 0B")) }
    #expect(throws: ImageError.self) { try ImageGrid(parsing: hex("01 00 05 07 0FC0 0BD0")) }
    #expect(throws: ImageError.self) {
      try ImageOverlay(parsing: hex("00 00 0001000200030004 0064 0032 FFFF 0003"), count: 2)
    }
  }
}
