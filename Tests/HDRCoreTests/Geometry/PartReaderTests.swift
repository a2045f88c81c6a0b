// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import HDRCore

/// Cropped images of readers that leave out the samples outside the part, compared with others.
@Suite("Readers of parts") struct PartReaderTests {
  /// A reader whose samples outside the part are the maximum.
  private final class Rows: PartReader {
    let image: ImagePlanes
    var layout: ImageLayout { image.layout }
    private(set) var limits: [PixelRectangle?] = []

    init(_ image: ImagePlanes) { self.image = image }

    func limit(to part: PixelRectangle?) { limits.append(part) }

    func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
      let strip = image.strip(rows: rows)
      guard let part = limits.last ?? nil, case .integer(var planes) = strip.planes else {
        return strip
      }
      #expect(part.y <= rows.lowerBound && rows.upperBound <= part.y + part.height)
      for index in planes.indices {
        let step = index > 0 ? layout.chroma.horizontal : 1
        let columns = part.x / step..<(part.x + part.width + step - 1) / step
        for y in 0..<planes[index].height {
          var row = planes[index].mutableRow(y)
          for x in row.indices where !columns.contains(x) { row[x] = 1023 }
        }
      }
      return ImagePlanes(layout: strip.layout, planes: .integer(planes))
    }
  }

  @Test(arguments: [
    ImageLayout.Components.rgb, .ycbcr(.yuv420), .ycbcr(.yuv422), .ycbcr(.yuv444), .gray,
  ])
  func crops(components: ImageLayout.Components) throws {
    let layout = ImageLayout(
      width: 150, height: 211, components: components, samples: .integer(bits: 10))
    let image = randomImage(layout, seed: 1)
    let matrix: CICP.Matrix = if case .ycbcr = components { .bt2020NonConstant } else { .identity }
    for location in [ChromaLocation.left, .center, .topLeft] {
      let source = ImageDescription(
        layout: layout,
        color: ColorEncoding(
          primaries: .bt2020, transfer: .pq, matrix: matrix, chromaLocation: location))
      for part in [
        PixelRectangle(x: 31, y: 97, width: 20, height: 33),
        PixelRectangle(x: 0, y: 0, width: 9, height: 9),
        PixelRectangle(x: 140, y: 150, width: 10, height: 61),
      ] {
        for scale in [1, 3] {
          var target = layout
          target.components = components == .gray ? .gray : .rgb
          (target.width, target.height) = (part.width / scale, part.height / scale)
          let transform = ImageTransform(
            from: source,
            to: ImageDescription(
              layout: target, color: ColorEncoding(primaries: .bt2020, transfer: .pq)),
            resampling: Resampling(part: part, width: target.width, height: target.height))
          let rows = Rows(image)
          guard case .integer(let limited) = try transform.run(rows).image.planes,
            case .integer(let expected) = try transform.run(image).image.planes
          else {
            Issue.record("the target has integers")
            return
          }
          #expect(limited == expected, "\(location) \(part) \(scale)")
          #expect(rows.limits.count == 2 && rows.limits.last == .some(nil))
        }
      }
    }
  }
}
