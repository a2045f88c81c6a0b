// SPDX-License-Identifier: Apache-2.0
internal import HDRCore

/// Rows of linear values of an image in given primaries; 1.0 is the reference white of gain maps.
struct LinearRows: Sendable {
  private let decoder: LinearRowDecoder
  private let matrix: [Float]?
  private let hasAlpha: Bool

  /// Prepares for an image.
  ///
  /// - Parameters:
  ///   - image: Layout and color of the image.
  ///   - primaries: Primaries of the rows.
  init(_ image: ImageDescription, primaries: ColorPrimaries) {
    decoder = LinearRowDecoder(image)
    let conversion = image.color.primaries.conversion(to: primaries)
    let white = image.color.gainMapReferenceWhite
    matrix =
      conversion == .identity && white == 1 ? nil : conversion.elements.map { Float($0 / white) }
    hasAlpha = image.layout.hasAlpha
  }

  /// Prepares to read strips; call `finish()` before the reader is used again.
  func strips(_ rows: [Range<Int>], of reader: any RowReader) -> StripReader {
    decoder.strips(rows, of: reader)
  }

  /// Memory of one band, whose rows are decoded in order.
  struct Band: Sendable {
    fileprivate let rows: LinearRows
    private var decoding: LinearRowDecoder.Band

    /// The row that was decoded last.
    var row: LinearRow { decoding.row }

    fileprivate init(_ rows: LinearRows) {
      self.rows = rows
      decoding = rows.decoder.makeBand()
    }

    /// Decodes row `y` of the image.
    mutating func decode(_ y: Int, of strip: LinearRowDecoder.Strip) {
      rows.decoder.decode(y, of: strip, into: &decoding)
      if let matrix = rows.matrix { decoding.row.multiply(by: matrix) }
    }

    /// Copies transparent pixels to the row of another image, so that they need no gain.
    func copyTransparentPixels(to other: inout Band) {
      guard rows.hasAlpha else { return }
      for x in row.alpha.indices where row.alpha[x] == 0 {
        other.decoding.row.red[x] = row.red[x]
        other.decoding.row.green[x] = row.green[x]
        other.decoding.row.blue[x] = row.blue[x]
      }
    }
  }

  func makeBand() -> Band { Band(self) }
}
