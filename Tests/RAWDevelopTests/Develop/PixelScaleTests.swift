@testable import HDRConversion
import HDRCore
import ImageCodecs
import ImageContainers
@testable import ImageFiles
import TestSupport
import Testing

@testable import RAWDevelop

@Suite("Pixels that are not square, and crops") struct PixelScaleTests {
  /// A picture whose green is a ramp to the right, and whose blue is one downward.
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
    "a picture is drawn in square pixels", arguments: [[2.0, 1], [1, 2], [1, 0.5], [1.5, 1]])
  func drawn(scale: [Double]) throws {
    var file = Self.file()
    file.main.entries[50_718] = .rationals(scale)
    let document = try file.document()
    #expect(document.notices.isEmpty)
    let (width, height) = (Int(30 * scale[0]), Int(20 * scale[1]))
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

  @Test("a scale that no camera has is not used")
  func impossible() throws {
    var file = Self.file()
    file.main.entries[50_718] = .rationals([0, 1])
    let document = try file.document()
    #expect(document.image.layout.width == 30)
    #expect(document.notices.map(\.kind) == [.irregular])
  }

  @Test("a crop that ends beyond the picture is cut, with a notice")
  func crop() throws {
    var file = Self.file()
    file.main.entries[50_719] = .longs([22, 5])
    file.main.entries[50_720] = .longs([20, 11])
    let document = try file.document()
    #expect((document.image.layout.width, document.image.layout.height) == (8, 11))
    #expect(document.notices.map(\.kind) == [.irregular])
    #expect(document.notices[0].parameters["column"] == .integer(42))
    file.main.entries[50_720] = .longs([8, 11])
    #expect(try file.document().notices.isEmpty)
  }

  @Test("what is assumed about samples is not used, and that is said")
  func assumed() throws {
    let document = try SourceImage.open(
      ByteSource(Self.file().bytes),
      options: OpeningOptions(assumed: AssumedColor(transfer: .hlg)), developing: .sceneLinear)
    #expect(document.notices.map(\.kind) == [.conflict])
    #expect(document.isDeveloped)
  }
}
