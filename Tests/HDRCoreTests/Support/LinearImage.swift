import HDRCore

/// Planes of linear values, one for each component, for tests that look at single pixels.
struct LinearImage: Sendable {
  var red: Plane<Float> { didSet { checkPlanes() } }
  var green: Plane<Float> { didSet { checkPlanes() } }
  var blue: Plane<Float> { didSet { checkPlanes() } }
  /// Coverage, 0...1; the components are not multiplied by it.
  var alpha: Plane<Float>? { didSet { checkPlanes() } }
  /// What red, green, blue and white are.
  var primaries: ColorPrimaries
  /// Luminance of 1.0, cd/m².
  var referenceWhite: Double

  var width: Int { red.width }
  var height: Int { red.height }

  /// Puts planes together.
  ///
  /// - Parameters:
  ///   - red: Light, 1.0 for reference white.
  ///   - green: Light.
  ///   - blue: Light.
  ///   - alpha: Coverage; `nil` for an opaque image.
  ///   - primaries: What red, green, blue and white are.
  ///   - referenceWhite: Luminance of 1.0, cd/m².
  /// - Precondition: All planes have the same size.
  init(
    red: Plane<Float>, green: Plane<Float>, blue: Plane<Float>, alpha: Plane<Float>? = nil,
    primaries: ColorPrimaries, referenceWhite: Double = LightMetadata.defaultDiffuseWhite
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
  /// The light that samples mean.
  ///
  /// Primaries and reference white stay those of `encoding`. Samples that are not numbers become 0,
  /// infinite ones 1e30.
  ///
  /// - Parameters:
  ///   - image: The samples; of gray, all components become the same.
  ///   - encoding: What they mean.
  /// - Throws: `.cancelled`.
  init(
    _ image: ImagePlanes, encoding: ColorEncoding
  ) throws(ImageError) {
    let conversion = Self.conversion(of: image.layout, encoding)
    self.init(
      light: try conversion.run(image).image, encoding: encoding)
  }

  /// The light that the samples of a reader mean; see `init(_:encoding:)`.
  ///
  /// - Parameters:
  ///   - reader: Yields the samples.
  ///   - encoding: What they mean.
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
    guard case .float(let planes) = light.planes else { preconditionFailure("light is float") }
    self.init(
      red: planes[0], green: planes[1], blue: planes[2], alpha: planes.dropFirst(3).first,
      primaries: encoding.primaries, referenceWhite: encoding.referenceWhite)
  }
}

// MARK: To samples

extension LinearImage {
  /// The samples that mean this light.
  ///
  /// Luminances stay what they are when the reference white changes. Light that the target cannot
  /// say is clipped, and counted.
  ///
  /// - Parameters:
  ///   - coding: Layout and meaning of the samples; as large as this image.
  ///   - exposure: Applied to the linear values, in stops.
  ///   - rendition: What a display shall show of the light; `nil` leaves it as it is.
  /// - Returns: The samples, their light levels, and what was clipped.
  /// - Throws: `.cancelled`.
  func stored(
    as coding: ImageDescription, exposure: Double = 0,
    rendition: Rendition? = nil
  ) throws(ImageError) -> ImageTransform.Output {
    try ImageTransform(from: self.coding, to: coding, exposure: exposure, rendition: rendition)
      .run(samples)
  }

  /// How bright this image is, and how much headroom it uses.
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
  /// The light that the pixels of a buffer mean.
  ///
  /// - Parameters:
  ///   - pixels: The buffer.
  ///   - layout: How the pixels lie in it.
  ///   - encoding: What they mean.
  /// - Throws: `.invalidArgument` if the layout's rows do not fit the image or the buffer.
  init(
    pixels: Span<UInt8>, layout: PixelLayout, encoding: ColorEncoding
  ) throws(ImageError) {
    let image = try ImagePlanes(pixels: pixels, layout: layout)
    try self.init(image, encoding: encoding)
  }

  /// The pixels that mean this light, in a new buffer.
  ///
  /// Light that they cannot say is clipped; see `stored(as:exposure:rendition:)` for what
  /// was.
  ///
  /// - Parameters:
  ///   - layout: How they shall lie in it.
  ///   - encoding: What they shall mean.
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
  /// The image as a display of less headroom shows it.
  ///
  /// On a display with the headroom of the content, or more, nothing changes.
  ///
  ///     let laptop = try image.toneMapped(to: Headroom(ratio: 2))
  ///     let standard = try image.toneMapped(to: .standard, using: .bt2390)
  ///
  /// - Parameters:
  ///   - display: Headroom of the display, at least 1.
  ///   - method: The operator.
  ///   - content: Headroom of the image; `nil` to measure it.
  /// - Returns: Light in the same primaries; nothing of it is above the display's peak, unless the
  ///   content's headroom is within the display's, so that the image stays as it is.
  /// - Throws: `.invalidArgument` for a display below reference white and for what is not a number.
  func toneMapped(
    to display: Headroom, using method: ToneMapOperator = .shoulder, content: Headroom? = nil
  ) throws(ImageError) -> LinearImage {
    let measured: Headroom = if let content { content } else { try contentHeadroom() }
    let toneMap = try method.toneMap(
      content: measured, display: display, referenceWhite: referenceWhite)
    return toneMap.isIdentity ? self : try rendered(Rendition(toneMap))
  }

  /// The image as `rendition` shows it.
  ///
  /// - Parameters:
  ///   - rendition: What a display shows.
  ///   - target: Primaries of the result; `nil` for those of the image.
  /// - Returns: Light for the display.
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

  /// Headroom that the image uses, as operators count it: in BT.2020.
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
