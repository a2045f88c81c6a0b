// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import HDRCore

@Suite("Samples as bytes") struct ByteSamplesTests {
  /// Samples are those of the pieces that were stored.
  @Test(arguments: [ImageLayout.Components.gray, .rgb])
  func stored(components: ImageLayout.Components) throws {
    let layout = ImageLayout(
      width: 37, height: 75, components: components, samples: .integer(bits: 8))
    var random = SplitMix(seed: 11)
    let planes = ImagePlanes(
      layout: layout,
      planes: .integer(
        (0..<layout.planeCount).map { _ in
          Plane(width: 37, height: 75) { output in
            for _ in 0..<37 * 75 { output.append(UInt16(truncatingIfNeeded: random.next()) & 255) }
          }
        }))
    let samples = try ByteSamples(layout) { (append) throws(ImageError) in
      for rows in [0..<32, 32..<33, 33..<75] { try append(planes.strip(rows: rows)) }
    }
    let image = samples.image(
      ImageDescription(layout: layout, color: ColorEncoding(primaries: .bt709, transfer: .srgb)))
    let reader = try image.makeReader()
    for rows in [0..<75, 5..<6, 30..<75] {
      guard case .integer(let found) = try reader.read(rows: rows).planes,
        case .integer(let expected) = planes.strip(rows: rows).planes
      else {
        Issue.record("not integers")
        return
      }
      #expect(found == expected)
    }
    #expect(throws: ImageError.self) { try reader.read(rows: 70..<76) }
  }

  @Test func storableLayouts() {
    var layout = ImageLayout(
      width: 2, height: 2, components: .ycbcr(.yuv444), samples: .integer(bits: 8))
    #expect(ByteSamples.canStore(layout))
    layout.components = .ycbcr(.yuv420)
    #expect(!ByteSamples.canStore(layout))
    (layout.components, layout.samples) = (.rgb, .integer(bits: 10))
    #expect(!ByteSamples.canStore(layout))
    layout.samples = .float
    #expect(!ByteSamples.canStore(layout))
  }
}
