internal import HDRCore

/// The way of a rendition's samples to rows of light in wanted primaries, 1.0 for the white that gain
/// maps count from.
struct LinearRows: Sendable {
  private let decoder: RowDecoder
  private let matrix: [Float]?
  private let isSubsampled: Bool
  private let hasAlpha: Bool
  private let width: Int
  private let height: Int

  /// Prepares for a picture.
  ///
  /// - Parameters:
  ///   - coding: Its layout and meaning.
  ///   - primaries: What red, green and blue of the rows shall be.
  init(_ coding: ImageDescription, primaries: ColorPrimaries) {
    decoder = RowDecoder(coding.layout, coding.color)
    let conversion = coding.color.primaries.conversion(to: primaries)
    let unit = coding.color.lightOfReferenceWhite
    matrix =
      conversion == .identity && unit == 1 ? nil : conversion.elements.map { Float($0 / unit) }
    isSubsampled = coding.layout.chroma.vertical > 1
    hasAlpha = coding.layout.hasAlpha
    width = coding.layout.width
    height = coding.layout.height
  }

  /// Samples of some rows, as far as they are needed to decode those.
  struct Strip {
    fileprivate let image: ImagePlanes
    fileprivate let first: Int
  }

  /// Reads what decoding some rows takes.
  ///
  /// - Throws: What the reader finds wrong.
  func read(_ rows: Range<Int>, from reader: any RowReader) throws(ImageError) -> Strip {
    var low = max(rows.lowerBound - decoder.context, 0)
    var high = min(rows.upperBound + decoder.context, height)
    if isSubsampled {
      low -= low % 2
      high = min(high + high % 2, height)
    }
    return Strip(image: try reader.read(rows: low..<high), first: low)
  }

  /// What one band needs to decode its rows, which come in order.
  struct Band: Sendable {
    fileprivate let rows: LinearRows
    fileprivate var scratch: RowDecoder.Scratch
    private(set) var light: LightRow

    fileprivate init(_ rows: LinearRows) {
      self.rows = rows
      scratch = RowDecoder.Scratch(width: rows.width)
      light = LightRow(width: rows.width, hasAlpha: true)
    }

    /// Makes `light` what row `y` of the picture shows.
    mutating func decode(_ y: Int, of strip: Strip) {
      rows.decoder.decode(strip.image, row: y - strip.first, into: &light, scratch: &scratch)
      if let matrix = rows.matrix { light.multiply(by: matrix) }
    }

    /// Gives another rendition the light of this one where this covers nothing, so that what nobody
    /// sees needs no gain.
    func hide(in other: inout Band) {
      guard rows.hasAlpha else { return }
      for x in light.alpha.indices where light.alpha[x] == 0 {
        other.light.red[x] = light.red[x]
        other.light.green[x] = light.green[x]
        other.light.blue[x] = light.blue[x]
      }
    }
  }

  func makeBand() -> Band { Band(self) }
}
