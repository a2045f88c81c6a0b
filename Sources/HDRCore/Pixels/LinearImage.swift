/// A picture as light: planes of red, green and blue in which 1.0 is reference white.
///
/// Light is that of a display. It has no upper limit, and colors outside the primaries have
/// negative components. Conversions from file to file need no such image, see `ImageTransform`;
/// this one is for callers who want the pixels.
///
///     let encoding = ColorEncoding(primaries: .bt2020, transfer: .pq)
///     let picture = LinearImage(stored, encoding: encoding)
///     let levels = picture.lightLevels()          // MaxCLL, percentiles, headroom
///     let hlg = picture.stored(as: coding).image  // quantized again
public struct LinearImage: Sendable {
  public var red: Plane<Float> { didSet { checkPlanes() } }
  public var green: Plane<Float> { didSet { checkPlanes() } }
  public var blue: Plane<Float> { didSet { checkPlanes() } }
  /// Coverage, 0...1; the components are not multiplied by it.
  public var alpha: Plane<Float>? { didSet { checkPlanes() } }
  /// What red, green, blue and white are.
  public var primaries: ColorPrimaries
  /// Luminance of 1.0, cd/m².
  public var referenceWhite: Double

  public var width: Int { red.width }
  public var height: Int { red.height }

  /// Puts planes together.
  ///
  /// - Parameters:
  ///   - red: Light, 1.0 for reference white.
  ///   - green: Light.
  ///   - blue: Light.
  ///   - alpha: Coverage; `nil` for an opaque picture.
  ///   - primaries: What red, green, blue and white are.
  ///   - referenceWhite: Luminance of 1.0, cd/m².
  /// - Precondition: All planes have the same size.
  public init(
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
  ///   - threads: Bands worked on at the same time; `nil` for one on each core.
  /// - Precondition: `encoding.requireDecodable(_:)` does not throw for the samples.
  public init(
    _ image: ImagePlanes, encoding: ColorEncoding, threads: Int? = nil
  ) {
    let conversion = Self.conversion(of: image.layout, encoding)
    self.init(
      light: conversion.run(image, threads: threads ?? coreCount).image, encoding: encoding)
  }

  /// The light that the samples of a reader mean; see `init(_:encoding:threads:)`.
  ///
  /// - Parameters:
  ///   - reader: Yields the samples.
  ///   - encoding: What they mean.
  ///   - threads: Bands worked on at the same time; `nil` for one on each core.
  /// - Throws: What the reader finds wrong; `.unsupported` if the encoding's matrix is not known.
  public init(
    reading reader: any RowReader, encoding: ColorEncoding, threads: Int? = nil
  ) throws(ImageError) {
    try encoding.requireDecodable(reader.layout)
    let conversion = Self.conversion(of: reader.layout, encoding)
    self.init(
      light: try conversion.run(reader, threads: threads ?? coreCount).image, encoding: encoding)
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
  ///   - exposure: Applied to the light, in stops.
  ///   - rendition: What a display shall show of the light; `nil` leaves it as it is.
  ///   - threads: Bands worked on at the same time; `nil` for one on each core.
  /// - Returns: The samples, their light levels, and what had to be clipped.
  public func stored(
    as coding: ImageDescription, exposure: Double = 0,
    rendition: Rendition? = nil, threads: Int? = nil
  ) -> ImageTransform.Result {
    ImageTransform(from: self.coding, to: coding, exposure: exposure, rendition: rendition)
      .run(samples, threads: threads ?? coreCount)
  }

  /// How bright this picture is, and how much headroom it uses.
  ///
  /// - Parameter threads: Bands worked on at the same time; `nil` for one on each core.
  /// - Returns: The levels; `contentHeadroom` is the headroom.
  public func lightLevels(threads: Int? = nil) -> LightLevels {
    ImageTransform(from: coding, to: coding).measure(samples, threads: threads ?? coreCount)
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
