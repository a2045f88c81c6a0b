// SPDX-License-Identifier: Apache-2.0
internal import PixelKernels

/// Linear values of an image composited on black, row by row: decoded, converted to the target's
/// primaries, multiplied by alpha.
struct DisplayedRows: Sendable {
  let width: Int
  let height: Int
  let lightParameters: LightCounter.Parameters
  let rows: LinearRowDecoder
  /// Whether values remain to be multiplied by alpha.
  private let isStraight: Bool
  private let steps: ColorPipeline

  /// Prepares a transform.
  ///
  /// - Parameters:
  ///   - conversion: A transform to floating point; its target is not written.
  ///   - multipliesByCoverage: Whether linear values are multiplied by the image's own alpha.
  init(_ conversion: ImageTransform, multipliesByCoverage: Bool = true) {
    let source = conversion.source
    width = source.layout.width
    height = source.layout.height
    let stage = conversion.stage
    var format = source.layout
    let isShown =
      multipliesByCoverage && format.isAlphaPremultiplied && stage == nil
      && (source.color.transfer == .linear || source.color.keepsEmission)
    if isShown { format.isAlphaPremultiplied = false }
    isStraight = multipliesByCoverage && format.hasAlpha && !isShown
    rows = LinearRowDecoder(
      format, source.color, stage: stage, keepsEmission: isShown && source.color.keepsEmission)
    var light = source.color
    light.primaries = stage?.primaries ?? light.primaries
    steps = ColorPipeline(
      from: light, to: conversion.target.color, exposure: conversion.exposure,
      rendition: conversion.rendition, isUnbounded: source.layout.isFloatingPoint || stage != nil,
      isLimited: false)
    lightParameters = LightCounter.Parameters(conversion.target.color)
  }

  /// Makes the working memory for a band of rows.
  func makeBand() -> Band { Band(linear: rows.makeBand(), stepping: .init(width: width)) }

  /// The rows that processing a band needs.
  struct Band {
    fileprivate var linear: LinearRowDecoder.Band
    fileprivate var stepping: ColorPipeline.Scratch

    /// Linear values of the row that was decoded last.
    var row: LinearRow { linear.row }
    /// Pixels so far with a component that was not a number.
    var notANumberCount: UInt64 { linear.notANumberCount }
  }

  /// Multiplies the row that was decoded last by the alpha of another image.
  func cover(_ band: inout Band, like other: Band) {
    if !other.row.alpha.isEmpty { band.linear.row.multiply(byGain: other.row.alpha) }
  }

  /// Decodes row `y` into `band.row`; rows of a band come in order.
  func decode(_ y: Int, of strip: borrowing LinearRowDecoder.Strip, into band: inout Band) {
    rows.decode(y, of: strip, into: &band.linear)
    steps.apply(to: &band.linear.row, scratch: &band.stepping)
    if isStraight { band.linear.row.multiply(byGain: band.linear.row.alpha) }
  }
}
