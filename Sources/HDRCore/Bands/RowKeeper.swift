// SPDX-License-Identifier: Apache-2.0
/// Reader of an image, of which some rows are kept and can be read again without decoding.
package final class RowKeeper: RowReader {
  package let layout: ImageLayout
  /// Starts the decoder; `nil` once the image is freed.
  private var open: (() throws(ImageError) -> any RowReader)?
  private var reader: (any RowReader)?
  private let kept: [Range<Int>]
  private var pieces: [(rows: Range<Int>, planes: ImagePlanes)] = []

  /// Prepares a reader.
  ///
  /// - Parameters:
  ///   - image: The image.
  ///   - bands: Rows to keep, with the adjacent ones that decoding needs.
  package init(_ image: Image, keeping bands: [Range<Int>]) {
    layout = image.layout
    open = { () throws(ImageError) in try image.makeReader() }
    let height = image.layout.height
    kept = bands.map {
      max($0.lowerBound - Self.margin, 0)..<min($0.upperBound + Self.margin, height)
    }
  }

  /// Adjacent rows that decoding may need; even, as the bounds of requests.
  private static let margin = 2

  package func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    if let piece = pieces.first(where: { $0.rows.contains(rows) }) {
      return piece.planes.strip(
        rows: rows.lowerBound - piece.rows.lowerBound..<rows.upperBound - piece.rows.lowerBound)
    }
    guard let open else { preconditionFailure("rows that were not kept of an image that is freed") }
    let reader = if let reader { reader } else { try open() }
    self.reader = reader
    let planes = try reader.read(rows: rows)
    for common in kept.map({ $0.clamped(to: rows) })
    where !common.isEmpty && !pieces.contains(where: { $0.rows.contains(common) }) {
      let first = common.lowerBound - rows.lowerBound
      pieces.append((common, planes.strip(rows: first..<first + common.count).copied()))
    }
    return planes
  }

  /// Frees the decoder, which only other rows than the kept ones start again.
  package func endDecoding() { reader = nil }

  /// Frees the image, of which only the kept rows may be read from now on.
  ///
  /// - Throws: Errors of the decoder, if rows to keep were not read at once before.
  package func freeImage() throws(ImageError) {
    for rows in kept { _ = try read(rows: rows) }
    reader = nil
    open = nil
  }
}

extension ImagePlanes {
  /// The same samples in memory of their own.
  fileprivate func copied() -> ImagePlanes {
    func copied<Sample>(_ planes: [Plane<Sample>]) -> [Plane<Sample>] {
      planes.map { plane in
        var copy = plane
        // SAFETY: the samples are not accessed through this address.
        unsafe _ = copy.ownedStart()
        return copy
      }
    }
    switch planes {
    case .integer(let planes): return ImagePlanes(layout: layout, planes: .integer(copied(planes)))
    case .float(let planes): return ImagePlanes(layout: layout, planes: .float(copied(planes)))
    case .half(let planes): return ImagePlanes(layout: layout, planes: .half(copied(planes)))
    }
  }
}
