// SPDX-License-Identifier: Apache-2.0
@testable import HDRConversion
import HDRCore
import ImageCodecs
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Non-square pixels and crops") struct PixelScaleTests {
  /// An image with a horizontal ramp in green and a vertical ramp in blue.
  private static func file() -> SyntheticDNG {
    var file = SyntheticDNG(width: 30, height: 20, planes: 3)
    file.main.entries[50_729] = .rationals([1 / 3.0, 1 / 3.0])
    var bytes: [UInt8] = []
    for place in 0..<600 {
      let (x, y) = (place % 30, place / 30)
      for value in [1000, 10_000 + 1000 * x, 10_000 + 1000 * y] { bytes += file.number(value, 2) }
    }
    file.main.chunks = [bytes]
    return file
  }

  @Test(
    "an image is resampled to square pixels", arguments: [[2.0, 1], [1, 2], [1, 0.5], [1.5, 1]])
  func drawn(scale: [Double]) throws {
    var file = Self.file()
    file.main.entries[50_718] = .rationals(scale)
    let document = try file.document()
    #expect(document.notices.isEmpty)
    let (width, height) = (Int(clamping: 30 * scale[0]), Int(clamping: 20 * scale[1]))
    #expect((document.image.layout.width, document.image.layout.height) == (width, height))
    // A ramp is the same ramp at any size, away from the edges.
    let (whole, found) = (try Self.file().document().light(), try document.light())
    for y in stride(from: 6, to: height - 6, by: 3) {
      for x in stride(from: 8, to: width - 8, by: 3) {
        let (sx, sy) = ((Double(x) + 0.5) / scale[0] - 0.5, (Double(y) + 0.5) / scale[1] - 0.5)
        for plane in 1..<3 {
          // Light is linear in both places.
          let origin = Double(whole[plane][10][10])
          let across = Double(whole[plane][10][11]) - origin
          let down = Double(whole[plane][11][10]) - origin
          let expected = origin + across * (sx - 10) + down * (sy - 10)
          #expect(abs(Double(found[plane][y][x]) - expected) < 0.002)
        }
      }
    }
  }

  @Test("an impossible scale is ignored")
  func impossible() throws {
    var file = Self.file()
    file.main.entries[50_718] = .rationals([0, 1])
    let document = try file.document()
    #expect(document.image.layout.width == 30)
    #expect(document.notices.map(\.code.id) == ["raw/pixel-scale-ignored"])
  }

  @Test("a crop beyond the image is limited, with a notice")
  func crop() throws {
    var file = Self.file()
    file.main.entries[50_719] = .longs([22, 5])
    file.main.entries[50_720] = .longs([20, 11])
    let document = try file.document()
    #expect((document.image.layout.width, document.image.layout.height) == (8, 11))
    #expect(
      document.notices.map(\.code.english) == [
        "the crop ends at column {column} and row {row}, outside of the image (limited to the "
          + "image)"
      ])
    #expect(document.notices.first?.parameters["column"] == .integer(42))
    file.main.entries[50_720] = .longs([8, 11])
    #expect(try file.document().notices.isEmpty)
  }

  @Test("assumed color is ignored with a notice")
  func assumed() throws {
    let document = try SourceImage.open(
      ByteSource(Self.file().bytes),
      options: OpeningOptions(assumed: AssumedColor(transfer: .hlg)), developing: .sceneLinear)
    #expect(document.notices.map(\.code.id) == ["raw/assumed-color-not-used"])
    #expect(document.isDeveloped)
  }
}
