// SPDX-License-Identifier: Apache-2.0
/// Reader of an image that is converted, and measured, as its rows are read.
///
/// The source is read in strips of as many rows as the first request, ahead if that is possible;
/// requests that coincide with them need no copy. Requests begin at or after the first row of the
/// last request that converted rows.
package final class ConvertedRows: RowReader {
  package let layout: ImageLayout
  private let source: any RowReader
  private let engine: ConversionEngine
  /// The strips of the source; `nil` before the first request.
  private var strips: (ranges: ArraySlice<Range<Int>>, reader: StripReader)?
  /// The converted strips that further requests may need.
  private var parts: [(rows: Range<Int>, planes: ImagePlanes)] = []
  /// The first row of the last request that converted rows.
  private var first = 0
  /// The first row that was not converted yet.
  private var next = 0

  /// Prepares to convert the image that `source` yields.
  ///
  /// - Precondition: `transform.keepsRows`.
  package init(_ source: any RowReader, by transform: ImageTransform) {
    precondition(transform.keepsRows)
    layout = transform.target.layout
    self.source = source
    engine = ConversionEngine(transform)
  }

  deinit { strips?.reader.finish() }

  package func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    guard !rows.isEmpty, first...next ~= rows.lowerBound, rows.upperBound <= layout.height else {
      throw ImageError(
        .rowsOutside, ["first": rows.lowerBound, "end": rows.upperBound, "height": layout.height])
    }
    if next < rows.upperBound {
      first = rows.lowerBound
      parts.removeAll { $0.rows.upperBound <= first }
    }
    while next < rows.upperBound { try convertNext(height: rows.count) }
    let found = parts.compactMap { part -> ImagePlanes? in
      let shared = part.rows.clamped(to: rows)
      return shared.isEmpty
        ? nil
        : part.planes.strip(
          rows: shared.lowerBound - part.rows.lowerBound..<shared.upperBound
            - part.rows.lowerBound)
    }
    return found.count == 1 ? found[0] : ImagePlanes(joining: found)
  }

  /// Converts the next strip; if it is the first, the strips have `height` rows.
  private func convertNext(height: Int) throws(ImageError) {
    if strips == nil {
      let ranges = stride(from: 0, to: layout.height, by: height).map {
        $0..<min($0 + height, layout.height)
      }
      strips = (ranges[...], engine.rows.strips(ranges, of: source))
    }
    guard let rows = strips?.ranges.popFirst(), let strip = try strips?.reader.next() else {
      preconditionFailure("rows inside the image")
    }
    parts.append((rows, try converted(strip, rows)))
    next = rows.upperBound
  }

  private func converted(
    _ strip: LinearRowDecoder.Strip, _ rows: Range<Int>
  ) throws(ImageError) -> ImagePlanes {
    if engine.copiesCodes {
      try engine.convert(strip, rows, into: nil)
      return strip.rows(rows)
    }
    let planes = try Destination.make(rows, of: layout) { (destination) throws(ImageError) in
      try engine.convert(strip, rows, into: destination)
    }
    return ImagePlanes(layout: layout.strip(height: rows.count), planes: planes)
  }

  /// The measurements, once all rows were read.
  package var findings: ImageTransform.Findings {
    precondition(next == layout.height, "all rows were read")
    return ImageTransform.Findings(
      lightLevels: engine.levels, clipping: engine.clipping, changes: engine.changes)
  }
}

extension ImageTransform {
  /// Whether each row of the target depends on the same row of the source, and on those that decoding
  /// needs.
  package var keepsRows: Bool { resampling == nil && orientation == .upright }
}
