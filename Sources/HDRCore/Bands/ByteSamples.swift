// SPDX-License-Identifier: Apache-2.0
/// Samples of at most 8 bits in a byte each, which takes half the memory of planes.
package struct ByteSamples: Sendable {
  package let layout: ImageLayout
  private let planes: [Plane<UInt8>]

  /// Stores an image that is made piece by piece.
  ///
  /// - Parameters:
  ///   - layout: Layout of the image.
  ///   - body: Passes consecutive rows, all of the image, to its argument, or throws.
  /// - Throws: Errors of `body`.
  /// - Precondition: Samples are integers of at most 8 bits, chroma is not subsampled.
  package init(
    _ layout: ImageLayout,
    _ body: (_ append: (ImagePlanes) throws(ImageError) -> Void) throws(ImageError) -> Void
  ) throws(ImageError) {
    precondition(Self.canStore(layout))
    self.layout = layout
    planes = try SharedPlanes<UInt8>.makePlanes(layout) { (shared) throws(ImageError) in
      var next = 0
      try body { (piece) throws(ImageError) in
        guard case .integer(let planes) = piece.planes else { return }
        for (index, plane) in planes.enumerated() {
          for y in 0..<plane.height {
            shared.withRow(next + y, of: index) { $0.write(plane, row: y) }
          }
        }
        next += piece.layout.height
      }
      precondition(next == layout.height, "rows are missing")
    }
  }

  /// Whether images of a layout can be stored.
  package static func canStore(_ layout: ImageLayout) -> Bool {
    guard case .integer(let bits) = layout.samples else { return false }
    return bits <= 8 && layout.chroma.horizontal == 1
  }

  /// Makes an image of these samples, whose planes are made when they are read.
  ///
  /// - Precondition: The layouts are equal.
  package func image(_ description: ImageDescription) -> Image {
    precondition(description.layout == layout, "samples of another layout")
    return Image(description) { () in Reader(self) }
  }

  private final class Reader: RowReader {
    private let samples: ByteSamples
    var layout: ImageLayout { samples.layout }

    init(_ samples: ByteSamples) { self.samples = samples }

    func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
      guard !rows.isEmpty, 0 <= rows.lowerBound, rows.upperBound <= layout.height else {
        throw ImageError(
          .rowsOutside, ["first": rows.lowerBound, "end": rows.upperBound, "height": layout.height])
      }
      let strip = layout.strip(height: rows.count)
      let planes = SharedPlanes<UInt16>.makePlanes(strip) { shared in
        for (index, plane) in samples.planes.enumerated() {
          for y in rows {
            shared.withRow(y - rows.lowerBound, of: index) { $0.read(plane, row: y) }
          }
        }
      }
      return ImagePlanes(layout: strip, planes: .integer(planes))
    }
  }
}
