// SPDX-License-Identifier: Apache-2.0
/// A reader that yields an image strip by strip, so that a conversion keeps only the rows it needs.
///
/// A decoder that works row by row keeps only its state; one that decodes whole images keeps them
/// and yields strips. Requests for rows before those read last may restart the decoder. A reader is
/// not for concurrent use, and not necessarily used on the thread that made it.
public protocol RowReader: AnyObject {
  /// The layout of the whole image.
  var layout: ImageLayout { get }

  /// Reads the samples of some rows.
  ///
  /// - Parameter rows: Rows of the image, inside it and not empty. With 4:2:0 the lower bound is
  ///   even, and the upper one is even or the image's height.
  /// - Returns: Planes of the same layout that are `rows.count` rows high.
  /// - Throws: `.invalidArgument` for rows outside the image; errors of the decoder.
  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes
}

/// A reader whose decoder can leave out samples that a conversion does not need, such as tiles.
package protocol PartReader: RowReader {
  /// Limits the samples that are read afterwards to a part of the image; `nil` for all.
  ///
  /// Requests stay within the rows of the part. Samples in other columns are undefined.
  func limit(to part: PixelRectangle?)
}

extension RowReader {
  /// Limits the samples that are read afterwards to a part of the image, if the decoder can leave out
  /// others; `nil` for all.
  package func limitIfPossible(to part: PixelRectangle?) {
    (self as? any PartReader)?.limit(to: part)
  }

  /// Fails unless the rows have the layout of their image.
  ///
  /// - Throws: `.invalidArgument`.
  package func require(_ image: ImageLayout) throws(ImageError) {
    guard layout == image else {
      throw ImageError(.rowsLayoutDiffers, ["rows": "\(layout)", "layout": "\(image)"])
    }
  }

  /// Reads the samples of some rows, as `read(rows:)`.
  ///
  /// - Throws: `.invalidArgument` if the result does not have the layout of these rows.
  func checkedRows(_ rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    let planes = try read(rows: rows)
    guard planes.layout == layout.strip(height: rows.count) else {
      throw ImageError(.rowsLayoutDiffers, ["rows": "\(planes.layout)", "layout": "\(layout)"])
    }
    return planes
  }
}

extension ImageLayout {
  /// Fails for rows that a reader does not yield: readers are public through `Image.makeReader()`.
  ///
  /// - Throws: `.invalidArgument`.
  func require(_ rows: Range<Int>) throws(ImageError) {
    guard !rows.isEmpty, 0 <= rows.lowerBound, rows.upperBound <= height else {
      throw ImageError(
        .rowsOutside, ["first": rows.lowerBound, "end": rows.upperBound, "height": height])
    }
    guard rows.lowerBound % chroma.vertical == 0 else {
      throw ImageError(
        .invalidArgument, "rows from {first} on begin within a row of subsampled chroma",
        ["first": rows.lowerBound])
    }
  }
}

/// Reader of an image in memory.
package final class PlanesReader: RowReader {
  private let image: ImagePlanes
  package var layout: ImageLayout { image.layout }

  package init(_ image: ImagePlanes) { self.image = image }

  package func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    try layout.require(rows)
    return image.strip(rows: rows)
  }
}

/// Reader of an image in memory whose rows are freed once they were read.
///
/// Requests begin at or after the first row of the request before. Memory that other planes share, such as
/// the rows that were read last, is not freed.
package final class ConsumedPlanesReader: RowReader {
  package let layout: ImageLayout
  private var planes: ImagePlanes.Planes
  /// The first row that may be read.
  private var first = 0

  package init(_ image: consuming ImagePlanes) {
    layout = image.layout
    planes = image.planes
  }

  package func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    guard !rows.isEmpty, first <= rows.lowerBound, rows.upperBound <= layout.height else {
      throw ImageError(
        .rowsOutside, ["first": rows.lowerBound, "end": rows.upperBound, "height": layout.height])
    }
    first = rows.lowerBound
    discardRows(before: first)
    return ImagePlanes(layout: layout, planes: planes).strip(rows: rows)
  }

  private func discardRows(before row: Int) {
    let layout = layout
    func discard<Sample>(_ planes: inout [Plane<Sample>]) {
      for index in planes.indices {
        let isSubsampled = index == 1 || index == 2
        planes[index].discardRows(before: isSubsampled ? row / layout.chroma.vertical : row)
      }
    }
    // The empty array lets the planes have one owner.
    switch planes {
    case .integer(var own):
      planes = .integer([])
      discard(&own)
      planes = .integer(own)
    case .float(var own):
      planes = .float([])
      discard(&own)
      planes = .float(own)
    case .half(var own):
      planes = .half([])
      discard(&own)
      planes = .half(own)
    }
  }
}

extension ImagePlanes {
  /// Returns some rows, which share memory with this image; bounds as in `RowReader.read(rows:)`.
  package func strip(rows: Range<Int>) -> ImagePlanes {
    let layout = layout.strip(height: rows.count)
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
