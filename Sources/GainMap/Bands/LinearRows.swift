internal import HDRCore

/// Rows of linear values of an image in given primaries; 1.0 is the reference white of gain maps.
struct LinearRows: Sendable {
  private let decoder: RowDecoder
  private let matrix: [Float]?
  private let isSubsampled: Bool
  private let hasAlpha: Bool
  private let width: Int
  private let height: Int

  /// Prepares for an image.
  ///
  /// - Parameters:
  ///   - image: Layout and color of the image.
  ///   - primaries: Primaries of the rows.
  init(_ image: ImageDescription, primaries: ColorPrimaries) {
    decoder = RowDecoder(image.layout, image.color)
    let conversion = image.color.primaries.conversion(to: primaries)
    let white = image.color.gainMapReferenceWhite
    matrix =
      conversion == .identity && white == 1 ? nil : conversion.elements.map { Float($0 / white) }
    isSubsampled = image.layout.chroma.vertical > 1
    hasAlpha = image.layout.hasAlpha
    width = image.layout.width
    height = image.layout.height
  }

  /// Encoded rows, with the neighbors that decoding requires.
  struct Strip {
    fileprivate let image: ImagePlanes
    fileprivate let first: Int
  }

  /// Reads the strip of some rows.
  ///
  /// - Throws: Errors of the reader.
  func read(_ rows: Range<Int>, from reader: any RowReader) throws(ImageError) -> Strip {
    var low = max(rows.lowerBound - decoder.context, 0)
    var high = min(rows.upperBound + decoder.context, height)
    if isSubsampled {
      low -= low % 2
      high = min(high + high % 2, height)
    }
    return Strip(image: try reader.read(rows: low..<high), first: low)
  }

  /// Memory of one band, whose rows are decoded in order.
  struct Band: Sendable {
    fileprivate let rows: LinearRows
    fileprivate var scratch: RowDecoder.Scratch
    /// The row that was decoded last.
    private(set) var row: LightRow

    fileprivate init(_ rows: LinearRows) {
      self.rows = rows
      scratch = RowDecoder.Scratch(width: rows.width)
      row = LightRow(width: rows.width, hasAlpha: true)
    }

    /// Decodes row `y` of the image.
    mutating func decode(_ y: Int, of strip: Strip) {
      rows.decoder.decode(strip.image, row: y - strip.first, into: &row, scratch: &scratch)
      if let matrix = rows.matrix { row.multiply(by: matrix) }
    }

    /// Copies transparent pixels to the row of another image, so that they need no gain.
    func copyTransparentPixels(to other: inout Band) {
      guard rows.hasAlpha else { return }
      for x in row.alpha.indices where row.alpha[x] == 0 {
        other.row.red[x] = row.red[x]
        other.row.green[x] = row.green[x]
        other.row.blue[x] = row.blue[x]
      }
    }
  }

  func makeBand() -> Band { Band(self) }
}
