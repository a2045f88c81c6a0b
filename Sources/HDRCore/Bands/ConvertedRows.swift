// SPDX-License-Identifier: Apache-2.0
/// Reader of an image that is converted, and measured, as its rows are read.
///
/// Requests begin at or after the first row of the request before.
package final class ConvertedRows: SequentialRowReader {
  package let layout: ImageLayout
  package var isSequential: Bool { source.canReadAhead }
  private let source: any RowReader
  private let engine: ConversionEngine
  /// The rows that were read last.
  private var last: (rows: Range<Int>, planes: ImagePlanes)?
  /// The first row that was not converted yet.
  private var next: Int { last?.rows.upperBound ?? 0 }

  /// Prepares to convert the image that `source` yields.
  ///
  /// - Precondition: `transform.keepsRows`.
  package init(_ source: any RowReader, by transform: ImageTransform) {
    precondition(transform.keepsRows)
    layout = transform.target.layout
    self.source = source
    engine = ConversionEngine(transform)
  }

  package func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    guard !rows.isEmpty, (last?.rows.lowerBound ?? 0)...next ~= rows.lowerBound,
      rows.upperBound <= layout.height
    else {
      throw ImageError(
        .rowsOutside, ["first": rows.lowerBound, "end": rows.upperBound, "height": layout.height])
    }
    var parts: [ImagePlanes] = []
    if let last, rows.lowerBound < next {
      let kept = rows.lowerBound..<min(rows.upperBound, next)
      parts.append(
        last.planes.strip(
          rows: kept.lowerBound - last.rows.lowerBound..<kept.upperBound - last.rows.lowerBound))
    }
    if next < rows.upperBound { parts.append(try converted(next..<rows.upperBound)) }
    let planes = parts.count == 1 ? parts[0] : ImagePlanes(joining: parts)
    if next < rows.upperBound { last = (rows, planes) }
    return planes
  }

  private func converted(_ rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    let strip = try engine.rows.strip(rows, of: source)
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
