// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// Decodes the samples of an image to rows of linear values, strip by strip.
///
/// Transforms, comparisons and the computation of gain maps all read linear values through this type.
/// A stage, such as a gain map, is applied to each row.
package struct LinearRowDecoder: Sendable {
  package let width: Int
  package let height: Int
  private let hasAlpha: Bool
  let decoder: RowDecoder
  let stage: (any LightStage)?

  /// Prepares for images of one layout and color.
  ///
  /// - Parameters:
  ///   - layout: Layout of the samples.
  ///   - color: Color of the samples.
  ///   - hasAlpha: Whether rows have alpha; 1 if the samples do not have alpha.
  ///   - stage: First operation on the linear values of a row.
  ///   - function: Function of each component, applied with its transfer function.
  ///   - keepsEmission: Whether alpha stays premultiplied; see `EmissionCurves`.
  init(
    _ layout: ImageLayout, _ color: ColorEncoding, hasAlpha: Bool? = nil,
    stage: (any LightStage)? = nil,
    followedBy function: (@Sendable (Double) -> Double)? = nil, keepsEmission: Bool = false
  ) {
    (width, height) = (layout.width, layout.height)
    self.hasAlpha = hasAlpha ?? layout.hasAlpha
    self.stage = stage
    decoder = RowDecoder(layout, color, followedBy: function, keepsEmission: keepsEmission)
  }

  /// Prepares for images of one description; rows always have alpha.
  package init(_ image: ImageDescription) { self.init(image.layout, image.color, hasAlpha: true) }

  /// Rows of the source, including the adjacent rows that decoding needs.
  package struct Strip: Sendable {
    let image: ImagePlanes
    /// Index of the source row that is the first row of `image`.
    let first: Int

    /// Some rows of the source, which share memory with this strip.
    func rows(_ rows: Range<Int>) -> ImagePlanes {
      image.strip(rows: rows.lowerBound - first..<rows.upperBound - first)
    }
  }

  /// Rows required to decode `rows`, aligned as `RowReader` expects.
  func rowsToRead(toDecode rows: Range<Int>) -> Range<Int> {
    let low = max(rows.lowerBound - decoder.context, 0)
    let high = rows.upperBound + decoder.context
    return low - low % 2..<min(high + high % 2, height)
  }

  /// Reads the rows required to decode `rows`.
  ///
  /// - Throws: Errors of the reader.
  func strip(_ rows: Range<Int>, of reader: any RowReader) throws(ImageError) -> Strip {
    let wanted = rowsToRead(toDecode: rows)
    return Strip(image: try reader.checkedRows(wanted), first: wanted.lowerBound)
  }

  /// Memory for the rows of a band, which are decoded in order.
  package struct Band: Sendable {
    /// Linear values of the row that was decoded last.
    package var row: LinearRow
    fileprivate var scratch: RowDecoder.Scratch
    fileprivate var staging: (any LightStageBand)?

    /// Pixels so far with a component that is not a number.
    var notANumberCount: UInt64 { scratch.clipped.not_a_number }
    /// Pixels so far with components that are not finite.
    var clipped: pk_clip_count { scratch.clipped }
  }

  /// Makes the working memory for a band of rows.
  package func makeBand() -> Band {
    Band(
      row: LinearRow(width: width, hasAlpha: hasAlpha), scratch: .init(width: width),
      staging: stage?.makeBand())
  }

  /// Decodes row `y` into `band.row`.
  package func decode(_ y: Int, of strip: borrowing Strip, into band: inout Band) {
    decoder.decode(strip.image, row: y - strip.first, into: &band.row, scratch: &band.scratch)
    band.staging?.apply(to: &band.row, y: y)
  }

  /// Decodes the largest component of each pixel of row `y`, at least 0.
  ///
  /// - Precondition: `decoder.hasOneCurve`, and `stage` is `nil`.
  func decodeMaxima(
    _ y: Int, of strip: borrowing Strip, into maxima: inout [Float], by band: inout Band
  ) {
    decoder.decodeMaxima(
      strip.image, row: y - strip.first, into: &maxima, by: &band.row, scratch: &band.scratch)
  }
}

/// One row of an image in separate components: red, green and blue, linear values or signal, and
/// alpha if the image has it.
package struct LinearRow: Sendable {
  package var red: [Float]
  package var green: [Float]
  package var blue: [Float]
  /// Empty if the image does not have alpha.
  package var alpha: [Float]

  package init(width: Int, hasAlpha: Bool) {
    red = [Float](repeating: 0, count: width)
    green = red
    blue = red
    alpha = hasAlpha ? [Float](repeating: 1, count: width) : []
  }

  package var width: Int { red.count }

  /// Copies red to green and blue.
  mutating func copyRed() {
    green.assign(red)
    blue.assign(red)
  }

  /// Applies curves: none, one for all components, or one for each.
  mutating func apply(_ curves: [ComponentCurve]) {
    guard let first = curves.first, let last = curves.last else { return }
    first.apply(to: &red)
    curves[min(1, curves.count - 1)].apply(to: &green)
    last.apply(to: &blue)
  }

  /// Multiplies red, green and blue and adds an offset.
  mutating func scale(by scale: Float, adding offset: Float) {
    for x in red.indices {
      red[x] = red[x] * scale + offset
      green[x] = green[x] * scale + offset
      blue[x] = blue[x] * scale + offset
    }
  }

  /// Assigns a row multiplied by its alpha.
  mutating func assign(shownOf row: LinearRow) {
    red.assign(row.red)
    green.assign(row.green)
    blue.assign(row.blue)
    multiply(byGain: row.alpha)
  }

  /// Number of emissive pixels: above `slack` at alpha 0, above `peak` at other alpha below 1.
  func emissiveCount(slack: Float, peak: Float) -> Int {
    alpha.indices.count { x in
      alpha[x] < 1 && max(red[x], green[x], blue[x]) > (alpha[x] > 0 ? peak : slack)
    }
  }
}
