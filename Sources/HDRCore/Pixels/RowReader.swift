/// An image that yields its samples strip by strip, so that no conversion holds more than it
/// needs.
///
/// A decoder that works row by row keeps only its own state; one that decodes whole images keeps
/// them and hands out strips. Asking for rows before those read last may start the decoder over.
/// Not for use from two threads at once.
public protocol RowReader: AnyObject {
  /// The layout of the whole image.
  var layout: ImageLayout { get }

  /// The samples of some rows.
  ///
  /// - Parameter rows: Rows of the image, not empty. With 4:2:0 the lower bound is even, and the
  ///   upper one is even or the image's height.
  /// - Returns: An image of the same layout that is `rows.count` rows high.
  /// - Throws: Errors of the decoder.
  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes
}

/// Reads an image that is in memory already.
package final class PlanesReader: RowReader {
  private let image: ImagePlanes
  package var layout: ImageLayout { image.layout }

  package init(_ image: ImagePlanes) { self.image = image }

  package func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    // A caller gets this reader from `Image.makeReader()`.
    guard !rows.isEmpty, 0 <= rows.lowerBound, rows.upperBound <= layout.height else {
      throw ImageError(
        .rowsOutside, ["first": rows.lowerBound, "end": rows.upperBound, "height": layout.height])
    }
    return image.strip(rows: rows)
  }
}

extension ImagePlanes {
  /// Some rows, in the same memory; bounds as for `RowReader.read(rows:)`.
  package func strip(rows: Range<Int>) -> ImagePlanes {
    var layout = layout
    layout.height = rows.count
    let vertical = layout.chroma.vertical
    func cut<Sample>(_ planes: [Plane<Sample>]) -> [Plane<Sample>] {
      planes.enumerated().map { index, plane in
        let isSubsampled = vertical > 1 && (index == 1 || index == 2)
        let divisor = isSubsampled ? vertical : 1
        let first = rows.lowerBound / divisor
        return plane.strip(rows: first..<(rows.upperBound + divisor - 1) / divisor)
      }
    }
    switch planes {
    case .integer(let planes): return ImagePlanes(layout: layout, planes: .integer(cut(planes)))
    case .float(let planes): return ImagePlanes(layout: layout, planes: .float(cut(planes)))
    case .half(let planes): return ImagePlanes(layout: layout, planes: .half(cut(planes)))
    }
  }
}
