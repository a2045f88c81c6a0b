// SPDX-License-Identifier: Apache-2.0
/// Reader of an image that is converted, and measured, as its rows are read.
///
/// The source is read in strips, ahead if that is possible; requests that coincide with strips need no
/// copy. Requests begin at or after the first row of the last request that converted rows.
package final class ConvertedRows: RowReader {
  package let layout: ImageLayout
  private let source: any RowReader
  private let engine: ConversionEngine
  /// The strips of the source, and their height; `nil` before the first request.
  private var strips: (reader: StripReader, height: Int)?
  /// The converted strips that further requests may need.
  private var parts: [(rows: Range<Int>, planes: ImagePlanes)] = []
  /// The first row of the last request that converted rows.
  private var first = 0
  /// The first row that was not converted yet.
  private var next = 0
  /// The error after which no rows can be converted.
  private var failure: ImageError?

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
    while next < rows.upperBound {
      if let failure { throw failure }
      do throws(ImageError) {
        try convertNext(requestHeight: rows.count)
      } catch {
        failure = error
        throw error
      }
    }
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

  /// Converts the next strip.
  ///
  /// The height of strips is that of the first request, but at least that of a
  /// band, and even, since chroma of a band starts at even rows.
  private func convertNext(requestHeight: Int) throws(ImageError) {
    let strips = strips ?? makeStrips(height: max(requestHeight + requestHeight % 2, bandHeight))
    self.strips = strips
    let rows = next..<min(next + strips.height, layout.height)
    parts.append((rows, try converted(try strips.reader.next(), rows)))
    next = rows.upperBound
  }

  private func makeStrips(height: Int) -> (reader: StripReader, height: Int) {
    let ranges = stride(from: 0, to: layout.height, by: height).map {
      $0..<min($0 + height, layout.height)
    }
    return (engine.rows.strips(ranges, of: source), height)
  }

  private func converted(
    _ strip: LinearRowDecoder.Strip, _ rows: Range<Int>
  ) throws(ImageError) -> ImagePlanes {
    if engine.copiesSamples {
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
