// SPDX-License-Identifier: Apache-2.0
import HDRCore

/// Planes of linear values, one for each component, for tests of single pixels.
struct LinearImage: Sendable {
  var red: Plane<Float> { didSet { checkPlanes() } }
  var green: Plane<Float> { didSet { checkPlanes() } }
  var blue: Plane<Float> { didSet { checkPlanes() } }
  /// Straight alpha, 0...1.
  var alpha: Plane<Float>? { didSet { checkPlanes() } }
  /// Primaries and white point.
  var primaries: ColorPrimaries
  /// Luminance of 1.0, in cd/m².
  var referenceWhite: Double

  var width: Int { red.width }
  var height: Int { red.height }

  /// Makes an image from planes.
  ///
  /// - Parameters:
  ///   - red: Linear red, 1.0 for reference white.
  ///   - green: Linear green.
  ///   - blue: Linear blue.
  ///   - alpha: Straight alpha; `nil` for an opaque image.
  ///   - primaries: Primaries and white point.
  ///   - referenceWhite: Luminance of 1.0, in cd/m².
  /// - Precondition: All planes have the same size.
  init(
    red: Plane<Float>, green: Plane<Float>, blue: Plane<Float>, alpha: Plane<Float>? = nil,
    primaries: ColorPrimaries, referenceWhite: Double = ColorEncoding.defaultReferenceWhite
  ) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
    self.primaries = primaries
    self.referenceWhite = referenceWhite
    checkPlanes()
  }

  private func checkPlanes() {
    for plane in [green, blue, alpha ?? red] {
      precondition(
        plane.width == width && plane.height == height,
        "planes of \(width)x\(height) and \(plane.width)x\(plane.height)")
    }
  }
}

// MARK: From samples

extension LinearImage {
  /// Decodes samples to linear values.
  ///
  /// Primaries and reference white are those of `encoding`. Samples that are not numbers become 0,
  /// infinite samples 1e30.
  ///
  /// - Parameters:
  ///   - image: The samples; gray is copied to all components.
  ///   - encoding: Color encoding of the samples.
  /// - Throws: `.cancelled`.
  init(
    _ image: ImagePlanes, encoding: ColorEncoding
  ) throws(ImageError) {
    let conversion = Self.conversion(of: image.layout, encoding)
    self.init(
      light: try conversion.run(image).image, encoding: encoding)
  }

  /// Decodes the samples of a reader to linear values; see `init(_:encoding:)`.
  ///
  /// - Parameters:
  ///   - reader: Yields the samples.
  ///   - encoding: Color encoding of the samples.
  /// - Throws: Errors of the reader.
  init(
    reading reader: any RowReader, encoding: ColorEncoding
  ) throws(ImageError) {
    let conversion = Self.conversion(of: reader.layout, encoding)
    self.init(
      light: try conversion.run(reader).image, encoding: encoding)
  }

  private static func conversion(
    of format: ImageLayout, _ encoding: ColorEncoding
  ) -> ImageTransform {
    let lightFormat = ImageLayout(
      width: format.width, height: format.height, components: .rgb, samples: .float,
      hasAlpha: format.hasAlpha)
    return ImageTransform(
      from: .init(layout: format, color: encoding),
      to: .init(layout: lightFormat, color: encoding.linear))
  }

  init(light: ImagePlanes, encoding: ColorEncoding) {
    guard case .float(let planes) = light.planes else {
      preconditionFailure("linear values are float")
    }
    self.init(
      red: planes[0], green: planes[1], blue: planes[2], alpha: planes.dropFirst(3).first,
      primaries: encoding.primaries, referenceWhite: encoding.referenceWhite)
  }
}

// MARK: To samples

extension LinearImage {
  /// Encodes linear values to samples.
  ///
  /// A change of the reference white keeps luminances. Values out of range are clipped and counted.
  ///
  /// - Parameters:
  ///   - coding: Layout and color encoding of the samples; of the size of this image.
  ///   - exposure: Gain of the linear values, in stops.
  ///   - rendition: Rendering for a display; `nil` keeps the linear values.
  /// - Returns: The samples, their light levels, and counts of clipped pixels.
  /// - Throws: `.cancelled`.
  func stored(
    as coding: ImageDescription, exposure: Double = 0,
    rendition: Rendition? = nil
  ) throws(ImageError) -> ImageTransform.Output {
    try ImageTransform(from: self.coding, to: coding, exposure: exposure, rendition: rendition)
      .run(samples)
  }

  /// Measures the light levels of this image, including its headroom.
  ///
  /// - Returns: The levels; `contentHeadroom` is the headroom.
  /// - Throws: `.cancelled`.
  func lightLevels() throws(ImageError) -> LightLevels {
    try ImageTransform(from: coding, to: coding).measure(samples)
  }

  var coding: ImageDescription {
    ImageDescription(
      layout: ImageLayout(
        width: width, height: height, components: .rgb, samples: .float, hasAlpha: alpha != nil),
      color: ColorEncoding(
        primaries: primaries, transfer: .linear, referenceWhite: referenceWhite))
  }

  var samples: ImagePlanes {
    let planes = [red, green, blue] + (alpha.map { [$0] } ?? [])
    return ImagePlanes(layout: coding.layout, planes: .float(planes))
  }
}

extension LinearImage {
  /// Decodes the pixels of a buffer to linear values.
  ///
  /// - Parameters:
  ///   - pixels: The buffer.
  ///   - layout: Layout of the pixels.
  ///   - encoding: Color encoding of the pixels.
  /// - Throws: `.invalidArgument` if the layout's rows do not fit the image or the buffer.
  init(
    pixels: Span<UInt8>, layout: PixelLayout, encoding: ColorEncoding
  ) throws(ImageError) {
    let image = try ImagePlanes(pixels: pixels, layout: layout)
    try self.init(image, encoding: encoding)
  }

  /// Encodes linear values to pixels in a new buffer.
  ///
  /// Values out of range are clipped; `stored(as:exposure:rendition:)` counts them.
  ///
  /// - Parameters:
  ///   - layout: Layout of the pixels.
  ///   - encoding: Color encoding of the pixels.
  /// - Returns: `layout.byteCount()` bytes.
  /// - Throws: `.invalidArgument` if the layout's rows do not fit the image.
  func pixels(
    as layout: PixelLayout, encoding: ColorEncoding
  ) throws(ImageError) -> [UInt8] {
    let coding = ImageDescription(layout: layout.imageLayout, color: encoding)
    return try stored(as: coding).image.pixels(as: layout)
  }
}

extension LinearImage {
  /// Tone maps the image for a display of less headroom.
  ///
  /// On a display with at least the headroom of the content, the image is unchanged.
  ///
  ///     let laptop = try image.toneMapped(to: Headroom(ratio: 2))
  ///     let standard = try image.toneMapped(to: .standard, using: .bt2390)
  ///
  /// - Parameters:
  ///   - display: Headroom of the display, at least 1.
  ///   - method: The operator.
  ///   - content: Headroom of the image; `nil` to measure it.
  /// - Returns: Linear values in the same primaries, limited to the display's peak unless the
  ///   content's headroom does not exceed the display's.
  /// - Throws: `.invalidArgument` for a display below reference white and for a headroom that is
  ///   not a number.
  func toneMapped(
    to display: Headroom, using method: ToneMapOperator = .shoulder, content: Headroom? = nil
  ) throws(ImageError) -> LinearImage {
    let measured: Headroom = if let content { content } else { try contentHeadroom() }
    let toneMap = try method.toneMap(
      content: measured, display: display, referenceWhite: referenceWhite)
    return toneMap.isIdentity ? self : try rendered(Rendition(toneMap))
  }

  /// Renders the image.
  ///
  /// - Parameters:
  ///   - rendition: The rendering for a display.
  ///   - target: Primaries of the result; `nil` keeps those of the image.
  /// - Returns: Linear values for the display.
  /// - Throws: `.cancelled`.
  func rendered(
    _ rendition: Rendition, in target: ColorPrimaries? = nil
  ) throws(ImageError) -> LinearImage {
    var coding = coding
    coding.color.primaries = target ?? primaries
    return LinearImage(
      light: try stored(as: coding, rendition: rendition).image,
      encoding: coding.color)
  }

  /// Measures the headroom of the image in BT.2020, as used by tone-mapping operators.
  ///
  /// - Returns: The 99.99th percentile of the largest component over reference white, at least 1.
  /// - Throws: `.cancelled`.
  func contentHeadroom() throws(ImageError) -> Headroom {
    var target = coding
    target.color.primaries = .bt2020
    return try ImageTransform(from: coding, to: target)
      .measure(samples).contentHeadroom
  }
}
