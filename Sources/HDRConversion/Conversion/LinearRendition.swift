internal import GainMap
package import HDRCore
package import ImageCodecs
internal import ImageFiles

/// Linear values of a document, upright: all of its headroom, or what a display shows.
///
/// A gain map counts first, then the file's SMPTE ST 2094-50 metadata, then the operator.
package struct LinearRendition {
  /// The linear values to make; gray images stay gray, alpha is premultiplied.
  package let description: ImageDescription
  private let transform: ImageTransform
  private let reader: any RowReader
  private let rendering: DisplayRendition?

  /// Plans a rendition; this may take a pass over the image to measure its headroom.
  ///
  /// - Parameters:
  ///   - document: The image.
  ///   - options: The display, and the operator; `nil` for all of the headroom.
  ///   - primaries: Primaries of the result.
  ///   - measurement: Light levels that the result contains.
  /// - Throws: Errors of the decoder; `.invalidArgument` for headrooms that are not possible.
  package init(
    _ document: SourceImage, for options: RenderingOptions?, primaries: ColorPrimaries,
    measurement: LightLevels.Extent = .nothing
  ) throws(ImageError) {
    var document = document
    var notices: [Notice] = []
    let gainMap = AppliedGainMap(
      document, ConversionOptions.GainMapUse.full.limited(for: options), notices: &notices)
    document.apply(gainMap, exposure: 0)
    let base = document.image.layout
    let white = document.referenceWhite
    let source = ConversionSource(
      document: document, gainMap: gainMap, rendering: options, referenceWhite: white,
      orientation: document.image.orientation,
      resampling: Resampling(
        part: PixelRectangle(x: 0, y: 0, width: base.width, height: base.height),
        width: base.width, height: base.height))
    var layout = source.targetLayout
    layout.components = document.isGray(with: gainMap?.effective) ? .gray : .rgb
    layout.samples = .float
    layout.isAlphaPremultiplied = true
    description = ImageDescription(
      layout: layout,
      color: ColorEncoding(primaries: primaries, transfer: .linear, referenceWhite: white),
      light: LightMetadata(diffuseWhite: white))
    reader = try document.image.makeReader()
    rendering = try source.rendition(for: description, reader)
    var transform = source.transform(to: description, rendition: rendering?.rendition)
    transform.measurement = measurement
    self.transform = transform
  }

  /// Headroom that the image uses with all of its gain map; `nil` unless a display is rendered for.
  package var content: ContentHeadroom? { rendering?.report?.content }

  /// Makes the linear values.
  ///
  /// - Returns: The image, and its light levels as far as they are measured.
  /// - Throws: Errors of the decoder; `.cancelled`.
  package func run() throws(ImageError) -> (image: Image, light: LightLevels) {
    let output = try transform.run(reader)
    return (Image(description, output.image), output.light)
  }
}

extension ConversionOptions.GainMapUse {
  /// How far to go with a gain map: as far as the display can, unless an operator is chosen.
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

  /// Whether the image is gray with a gain map applied.
  func isGray(with gainMap: AppliedGainMap?) -> Bool {
    image.layout.chroma == .yuv400 && gainMap?.map.hasOneGain ?? true
  }

  /// Makes the metadata that of the image with a gain map and an exposure applied.
  ///
  /// ST 2094-50 metadata describes the linear values as stored, and is dropped.
  mutating func apply(_ gainMap: AppliedGainMap?, exposure: Double) {
    if let effective = gainMap?.effective {
      image.light = effective.light(base: image.light)
    }
    if gainMap != nil || exposure != 0 { headroomAdaptation = nil }
  }
}
