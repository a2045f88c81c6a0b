internal import PixelKernels

/// The light that a picture shows, row by row: decoded, brought to the target's primaries, times
/// coverage.
struct ShownLight: Sendable {
  let width: Int
  let height: Int
  let plan: LightCounter.Plan
  private let hasAlpha: Bool
  /// Whether light is still to be multiplied by coverage; associated light is shown as it is.
  private let isStraight: Bool
  private let decoder: RowDecoder
  private let stage: (any LightStage)?
  private let steps: LightSteps

  /// Prepares a transform.
  ///
  /// - Parameters:
  ///   - conversion: A transform to floating point; its target is not written.
  ///   - multipliesByCoverage: Whether linear values are multiplied by the image's own alpha.
  init(_ conversion: ImageTransform, multipliesByCoverage: Bool = true) {
    let source = conversion.source
    width = source.layout.width
    height = source.layout.height
    hasAlpha = source.layout.hasAlpha
    stage = conversion.stage
    var format = source.layout
    let isShown =
      multipliesByCoverage && format.isAlphaPremultiplied && source.color.transfer == .linear
      && stage == nil
    if isShown { format.isAlphaPremultiplied = false }
    isStraight = multipliesByCoverage && hasAlpha && !isShown
    decoder = RowDecoder(format, source.color)
    var light = source.color
    light.primaries = stage?.primaries ?? light.primaries
    steps = LightSteps(
      from: light, to: conversion.target.color, exposure: conversion.exposure,
      rendition: conversion.rendition, isUnbounded: source.layout.isFloatingPoint || stage != nil,
      isLimited: false)
    plan = LightCounter.Plan(conversion.target.color)
  }

  /// Some rows as a reader gave them, with those beside them that decoding needs.
  struct Strip: Sendable {
    fileprivate let image: ImagePlanes
    fileprivate let first: Int
  }

  func strip(_ rows: Range<Int>, of reader: any RowReader) throws(ImageError) -> Strip {
    let wanted =
      max(rows.lowerBound - decoder.context, 0)..<min(rows.upperBound + decoder.context, height)
    return Strip(image: try reader.read(rows: wanted), first: wanted.lowerBound)
  }

  /// Starts to work on a band of rows, with memory of its own.
  func makeBand() -> Band {
    Band(
      row: LightRow(width: width, hasAlpha: hasAlpha), decoding: .init(width: width),
      staging: stage?.makeBand(), stepping: .init(width: width))
  }

  /// The rows that the work on one band needs.
  struct Band {
    /// The light of the row that was decoded last.
    fileprivate(set) var row: LightRow
    fileprivate var decoding: RowDecoder.Scratch
    fileprivate var staging: (any LightStageBand)?
    fileprivate var stepping: LightSteps.Scratch
  }

  /// Multiplies the row that was decoded last by the alpha of another image.
  func cover(_ band: inout Band, like other: Band) {
    if !other.row.alpha.isEmpty { band.row.multiply(byGain: other.row.alpha) }
  }

  /// Pixels of a band so far with a component that was not a number.
  func notANumberCount(of band: Band) -> UInt64 { band.decoding.clipped.not_a_number }

  /// Makes `band.row` the light of row `y`; rows of a band come in order.
  func decode(_ y: Int, of strip: borrowing Strip, into band: inout Band) {
    decoder.decode(strip.image, row: y - strip.first, into: &band.row, scratch: &band.decoding)
    band.staging?.apply(to: &band.row, y: y)
    steps.apply(to: &band.row, scratch: &band.stepping)
    if isStraight { band.row.multiply(byGain: band.row.alpha) }
  }
}
