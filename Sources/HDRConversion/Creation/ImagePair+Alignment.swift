// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles

extension ImagePair {
  /// Returns the coded SDR image to keep; `nil` if the baseline image is to be encoded.
  static func kept(
    _ sdr: SourceImage?, _ options: GainMapEncoder.Options, _ notices: inout [Notice]
  ) throws(ImageError) -> EncodedBaseline? {
    guard let sdr, options.keepsCodedBaseline, !options.isBaseHDR else { return nil }
    if options.geometry == GeometryEdit(),
      let baseline = try EncodedBaseline(keeping: sdr, options.format)
    {
      return baseline
    }
    notices.append(
      Notice(
        .baseReEncoded,
        [
          "codec": try BaselineEncoder.codecName(of: sdr.file), "format": options.format.title,
          "quality": options.encoder.quality,
        ]))
    return nil
  }

  /// Returns an upright HDR image on the rows and columns of an SDR image.
  ///
  /// - Parameters:
  ///   - hdr: The HDR image, with integer samples.
  ///   - isRaw: Whether it was developed from a raw file, so that the SDR image is registered on it.
  ///   - sdr: The SDR image.
  ///   - orientation: Relation of the rows and columns of the SDR image to the upright image.
  ///   - notices: Receives the registration.
  /// - Returns: The HDR image, and whether it was cropped or resampled.
  /// - Throws: `.unsuitable` for an SDR image that does not match a raw file.
  static func aligned(
    _ hdr: Image, isRaw: Bool, to sdr: Image, orientation: Orientation, _ notices: inout [Notice]
  ) throws(ImageError) -> (image: Image, isResampled: Bool) {
    let planes = try hdr.planes()
    guard isRaw else {
      let placed = planes.upright(from: orientation.inverse)
      return (Image(ImageDescription(layout: placed.layout, color: hdr.color), placed), false)
    }
    let found = try ImageRegistration(of: try sdr.planes(), orientation: orientation, on: planes)
    let placed = try found.samples(of: hdr, width: sdr.layout.width, height: sdr.layout.height)
    notices.append(found.notice(width: sdr.layout.width, height: sdr.layout.height))
    if placed.outside > 0 {
      notices.append(
        Notice(
          .assumed,
          "{share %} of the SDR image is outside the raw file; there, the nearest pixels of the "
            + "raw file are used",
          ["share": 100 * placed.outside]))
    }
    return (
      Image(ImageDescription(layout: placed.planes.layout, color: hdr.color), placed.planes), true
    )
  }
}

extension ImageRegistration {
  /// The target on the grid of the companion, with the share of it outside the target.
  ///
  /// A target of higher resolution is reduced in linear values first.
  fileprivate func samples(
    of target: Image, width: Int, height: Int
  ) throws(ImageError) -> (planes: ImagePlanes, outside: Double) {
    let reduction = mapping.scale
    guard reduction > Self.largestInterpolatedScale else {
      return try Self.samples(of: try target.planes(), under: mapping, width: width, height: height)
    }
    var description = target.description
    let (columns, rows) = (description.layout.width, description.layout.height)
    description.layout.width = max(Int(clamping: (Double(columns) / reduction).rounded()), 1)
    description.layout.height = max(Int(clamping: (Double(rows) / reduction).rounded()), 1)
    var transform = ImageTransform(
      from: target.description, to: description,
      resampling: Resampling(
        part: PixelRectangle(x: 0, y: 0, width: columns, height: rows),
        width: description.layout.width, height: description.layout.height))
    transform.measurement = .nothing
    let reduced = try transform.run(try target.planes()).image
    let factor = SIMD2(
      Double(reduced.layout.width) / Double(columns), Double(reduced.layout.height) / Double(rows))
    return try Self.samples(
      of: reduced, under: mapping.onto(scaledBy: factor), width: width, height: height)
  }

  /// Pixels of the target per pixel of the companion above which interpolation would alias.
  private static let largestInterpolatedScale = 1.2

  fileprivate func notice(width: Int, height: Int) -> Notice {
    // The top left of the upright companion on the target.
    let inverse = orientation.inverse.axes.origin
    let start = mapping(inverse.x * Double(width), inverse.y * Double(height))
    return Notice(
      .createCompanionRegistered,
      [
        "scale": 1 / mapping.scale,
        "offset": [start.x, start.y].map { ($0 * 100).rounded() / 100 },
        "orientation": orientation.rawValue, "distortion": distortion,
        "displacement": displacement, "confidence": 100 * confidence,
      ])
  }
}
