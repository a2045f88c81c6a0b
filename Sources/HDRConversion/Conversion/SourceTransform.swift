// SPDX-License-Identifier: Apache-2.0
internal import GainMap
package import HDRCore
package import ImageFiles

/// The transform of a source image: gain map, exposure, rendition, crop, size and rotation.
package struct SourceTransform {
  /// The image to make.
  package let target: ImageDescription
  /// Rows of the source image, at the least size that suffices.
  private(set) var reader: any RowReader
  /// The rendition; `nil` keeps the linear values.
  private(set) var rendering: DisplayRendition?
  /// Whether integer samples are dithered.
  var isDithered = false
  /// Light levels that results contain.
  var measurement = LightLevels.Extent.all

  private let whole: Image
  /// The whole image, with the reference white of the transform.
  private let source: ImageDescription
  /// Exposure in stops.
  private let exposure: Double
  /// The gain map to apply.
  private let gainMap: AppliedGainMap?
  /// Part of the image, and size of the result.
  private let resampling: Resampling
  /// The layout of the rows that `reader` yields, and the resampling that remains.
  private let decoded: (layout: ImageLayout, resampling: Resampling)
  /// Orientation of the stored samples, which are rotated upright.
  private let orientation: Orientation

  /// Prepares the transform of a document; for HLG and displays, this may read the whole image.
  ///
  /// - Parameters:
  ///   - document: The image, with the metadata that holds after its gain map.
  ///   - gainMap: The gain map, which may change nothing for this display.
  ///   - display: The display to render for; `nil` keeps the linear values.
  ///   - exposure: Gain of the linear values, in stops.
  ///   - assumedWhite: Luminance of linear 1.0 of encodings without luminances, in cd/m²; `nil` for
  ///     the document's.
  ///   - orientation: Relation of the stored rows and columns to the target's.
  ///   - resampling: Part of the image, and size of the result.
  ///   - isExact: Whether all samples of the source are decoded, whatever the size of the result.
  ///   - keepsGamut: Whether the output stores colors outside of its primaries.
  ///   - target: Returns the image to make for the layout of the cropped, resized and rotated image.
  /// - Throws: Errors of the decoder; `.invalidArgument` for a display that is not possible.
  init(
    _ document: SourceImage, gainMap: AppliedGainMap?, for display: RenderingOptions?,
    exposure: Double = 0, assumedWhite: Double? = nil, orientation: Orientation,
    resampling: Resampling, isExact: Bool = false, keepsGamut: Bool = false,
    to target: (ImageLayout) -> ImageDescription
  ) throws(ImageError) {
    var source = document.image.description
    var layout = source.layout
    (layout.width, layout.height) = (resampling.width, resampling.height)
    self.target = target(layout.upright(from: orientation))
    switch source.color.transfer {
    case .pq, .hlg:
      // Absolute luminances stay what they are, whatever the reference white of each side.
      source.color.referenceWhite = self.target.color.referenceWhite
    case .linear where document.format?.traits.storesScRGB == true: break
    default:
      source.color.referenceWhite = assumedWhite ?? source.color.referenceWhite
    }
    try source.checkDecodable()
    try self.target.check()
    self.source = source
    self.exposure = exposure
    self.gainMap = gainMap?.effective
    self.resampling = resampling
    self.orientation = orientation
    whole = document.image
    let (image, rest) = isExact ? (whole, resampling) : whole.reduced(for: resampling)
    decoded = (image.layout, rest)
    var stages = Stages(
      ExpectedTime.reading(document), ExpectedTime.converting(document.image.layout))
    reader = try stages.next { () throws(ImageError) in try image.makeReader() }
    guard let display else {
      rendering = try stages.next(.measuring) { () throws(ImageError) in try shoulder() }
      return
    }
    let declarations = DeclaredHeadroom(
      document, gainMap: gainMap, exposure: exposure, method: display.method)
    rendering = try DisplayRendition(
      display, declarations, target: self.target.color, keepsGamut: keepsGamut
    ) { (enough) throws(ImageError) in
      try stages.next(.measuring) { () throws(ImageError) in try measure(enough: enough) }
    }
  }

  /// The transform of samples.
  var transform: ImageTransform {
    var decoded = source
    decoded.layout = self.decoded.layout
    var transform = self.transform(
      from: decoded, to: target, rendition: rendering?.rendition, self.decoded.resampling)
    transform.isDithered = isDithered
    transform.measurement = measurement
    return transform
  }

  private func transform(
    from source: ImageDescription, to target: ImageDescription, rendition: Rendition?,
    _ resampling: Resampling
  ) -> ImageTransform {
    let isWhole = resampling.isIdentity(forWidth: source.layout.width, height: source.layout.height)
    let transform = ImageTransform(
      from: source, to: target, exposure: exposure, rendition: rendition,
      resampling: isWhole ? nil : resampling, orientation: orientation)
    guard let gainMap else { return transform }
    return transform.applying(gainMap.map, for: gainMap.weight.display)
  }

  /// Measures the input of tone-mapping operators: the largest component in BT.2020.
  ///
  /// The part is measured in the same size whatever that of the result, so that resized images get the
  /// same curve.
  private mutating func measure(
    enough: Headroom? = nil
  ) throws(ImageError) -> ToneMapOperator.ContentStatistics {
    var measured = target
    measured.color.primaries = .bt2020
    measured.color.transfer = .linear
    measured.color.matrix = .identity
    measured.layout.components = .rgb
    measured.layout.samples = .float
    let (image, part) = whole.reduced(forLightOf: resampling.part)
    var source = source
    source.layout = image.layout
    var size = source.layout
    (size.width, size.height) = (part.width, part.height)
    size = size.upright(from: orientation)
    (measured.layout.width, measured.layout.height) = (size.width, size.height)
    let unscaled = Resampling(part: part, width: part.width, height: part.height)
    let isOfThisSize = decoded.layout == image.layout
    let isWhole = unscaled.isIdentity(forWidth: image.layout.width, height: image.layout.height)
    if isOfThisSize, isWhole, image.layout != whole.layout {
      // Developed once: at half the size, the samples fit in memory.
      self.reader = PlanesReader(try image.planes())
    }
    let reader = isOfThisSize ? self.reader : try image.makeReader()
    return try transform(from: source, to: measured, rendition: nil, unscaled).contentStatistics(
      reader, enough: enough)
  }

  /// Returns the shoulder for content above the peak of the HLG reference display; `nil` if nothing
  /// exceeds the peak.
  private mutating func shoulder() throws(ImageError) -> DisplayRendition? {
    guard target.color.transfer == .hlg, source.color.transfer != .hlg || exposure > 0
    else { return nil }
    let found = try measure().headroom
    let peak = HLG.Display.reference.peakLuminance
    let display = Headroom(ratio: peak / target.color.referenceWhite)
    guard found.stops > display.stops else { return nil }
    let content = Int(clamping: (found.ratio * target.color.referenceWhite).rounded())
    return DisplayRendition(
      Rendition(
        ToneMap(try RationalShoulder(content: found, display: display)),
        gamutMapping: .clip),
      notices: [
        Notice(
          .clipped, "tone mapped from {content} to {peak cd/m²}, the maximum of HLG",
          ["content": content, "peak": peak])
      ])
  }
}

extension SourceTransform {
  /// Prepares the linear values of a document, upright: all of its headroom, or what a display shows.
  ///
  /// A gain map counts first, then the file's SMPTE ST 2094-50 metadata, then the operator. Gray
  /// images stay gray, alpha is premultiplied.
  ///
  /// - Parameters:
  ///   - document: The image.
  ///   - use: Use of its gain map.
  ///   - geometry: Crop, size and rotation.
  ///   - exposure: Gain of the linear values, in stops.
  ///   - display: The display, and the operator; `nil` for all of the headroom.
  ///   - primaries: Primaries of the result.
  ///   - measurement: Light levels that the result contains.
  /// - Throws: Errors of the decoder; `.invalidArgument` for headrooms that are not possible and for
  ///   a crop outside the image.
  package init(
    linear document: SourceImage, gainMap use: ConversionOptions.GainMapUse = .full,
    geometry: GeometryEdit = GeometryEdit(), exposure: Double = 0,
    for display: RenderingOptions?, primaries: ColorPrimaries,
    measurement: LightLevels.Extent = .nothing
  ) throws(ImageError) {
    var document = document
    var notices = try document.applyAlpha(.keep)
    let gainMap = try AppliedGainMap(document, use.limited(for: display), notices: &notices)
    document.apply(gainMap?.weight, exposure: exposure)
    let white = document.referenceWhite
    let isGray = document.isGray(with: gainMap?.effective?.map.hasOneGain)
    let parameters = try geometry.parameters(of: document)
    try self.init(
      document, gainMap: gainMap, for: display, exposure: exposure,
      orientation: parameters.orientation, resampling: parameters.resampling
    ) { layout in
      .linear(layout, isGray: isGray, primaries, white: white)
    }
    self.measurement = measurement
  }

  /// Headroom that the image uses with all of its gain map; `nil` unless a display is rendered for.
  package var content: ContentHeadroom? { rendering?.report?.content }

  /// Makes the image in memory.
  ///
  /// - Returns: The image, and its light levels as far as they are measured.
  /// - Throws: Errors of the decoder; `.cancelled`.
  package func run() throws(ImageError) -> (image: Image, light: LightLevels) {
    let output = try transform.run(reader)
    return (Image(target, output.image), output.lightLevels)
  }

  /// Prepares a transform, and makes its image in memory.
  ///
  /// - Parameter prepare: Makes the transform.
  /// - Returns: As `run()`.
  /// - Throws: Errors of `prepare`, of the decoder; `.cancelled`.
  package static func run(
    _ prepare: () throws(ImageError) -> SourceTransform
  ) throws(ImageError) -> (image: Image, light: LightLevels) {
    try Execution.operation { () throws(ImageError) in
      let transform = try Execution.part(upTo: 0.5, nil, prepare)
      return try transform.run()
    }
  }
}

extension ConversionOptions.GainMapUse {
  /// Headroom up to which a gain map is applied: as far as the display can, unless an operator is chosen.
  func limited(for rendering: RenderingOptions?) -> ConversionOptions.GainMapUse {
    guard let rendering, self == .full, rendering.method == nil else { return self }
    return .display(rendering.display.usableHeadroom)
  }
}

extension SourceImage {
  /// Luminance of reference white that the metadata declares, in cd/m²; 203 if it declares none.
  var referenceWhite: Double {
    headroomAdaptation?.referenceWhite ?? image.light.diffuseWhite.flatMap { $0 > 0 ? $0 : nil }
      ?? ColorEncoding.defaultReferenceWhite
  }

  /// Returns whether the image is gray with a gain map applied.
  ///
  /// - Parameter hasOneGain: Whether the gain map has one gain for all components; `nil` without one.
  /// - Returns: Whether it is.
  func isGray(with hasOneGain: Bool?) -> Bool {
    image.layout.chroma == .yuv400 && hasOneGain ?? true
  }

  /// Makes the metadata that of the image with a gain map and an exposure applied.
  ///
  /// ST 2094-50 metadata describes the linear values as stored, and is dropped.
  mutating func apply(_ gainMap: GainMapWeight?, exposure: Double) {
    if let gainMap { image.light = gainMap.light(base: image.light) }
    if gainMap != nil || exposure != 0 { headroomAdaptation = nil }
  }
}
