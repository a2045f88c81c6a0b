// SPDX-License-Identifier: Apache-2.0
internal import HDRCore
internal import ImageFiles
internal import Platform

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

extension ImageRegistration {
  /// The target on the grid of the companion.
  ///
  /// A mapping to whole pixels copies samples. Others interpolate nonlinear signals, by the cubic of
  /// Catmull and Rom, which leaves no rings around highlights as in linear values; images of a lower
  /// resolution must be reduced before. Positions outside have the nearest samples.
  ///
  /// - Parameters:
  ///   - target: Integer samples of the target.
  ///   - mapping: Positions of the pixels of the companion on the target.
  ///   - width: Width of the companion.
  ///   - height: Height of the companion.
  /// - Returns: The samples, and the share of them outside the target.
  /// - Throws: `.cancelled`.
  static func samples(
    of target: ImagePlanes, under mapping: PixelMapping, width: Int, height: Int
  ) throws(ImageError) -> (planes: ImagePlanes, outside: Double) {
    guard case .integer(let planes) = target.planes, case .integer(let bits) = target.layout.samples
    else { preconditionFailure("registration of floating-point samples") }
    var layout = target.layout
    (layout.width, layout.height) = (width, height)
    let isWhole = mapping.wholePixels(width: width, height: height, tolerance: 0) != nil
    let peak = Float((1 << bits) - 1)
    let rows = strips(of: height)
    var outside = 0
    let made = try SharedPlanes<UInt16>.makePlanes(layout) { (shared) throws(ImageError) in
      let counts = try concurrentMap(rows.count) { (index) throws(ImageError) -> Int in
        var count = 0
        var positions = [SIMD2<Double>](repeating: .zero, count: width)
        for y in rows[index] {
          for x in 0..<width {
            let position = mapping(Double(x) + 0.5, Double(y) + 0.5) - 0.5
            positions[x] = position
            if position.x < -0.5 || position.y < -0.5
              || position.x > Double(target.layout.width) - 0.5
              || position.y > Double(target.layout.height) - 0.5
            {
              count += 1
            }
          }
          for (number, plane) in planes.enumerated() {
            shared.withRow(y, of: number) { row in
              for x in 0..<width {
                row[x] =
                  isWhole
                  ? plane.nearest(positions[x]) : plane.cubic(positions[x], peak: peak)
              }
            }
          }
        }
        return count
      }
      outside = counts.reduce(0, +)
    }
    return (
      ImagePlanes(layout: layout, planes: .integer(made)),
      Double(outside) / Double(width * height)
    )
  }
}

extension Plane<UInt16> {
  /// The sample at a position, counted from the center of the first one.
  fileprivate func nearest(_ position: SIMD2<Double>) -> UInt16 {
    let x = min(max(Int(clamping: position.x.rounded()), 0), width - 1)
    let y = min(max(Int(clamping: position.y.rounded()), 0), height - 1)
    return row(y)[x]
  }

  /// The interpolated sample at a position, counted from the center of the first one.
  fileprivate func cubic(_ position: SIMD2<Double>, peak: Float) -> UInt16 {
    let inside = position.clamped(
      lowerBound: .zero, upperBound: SIMD2(Double(width - 1), Double(height - 1)))
    let (x, y) = (Int(clamping: inside.x), Int(clamping: inside.y))
    let across = Self.weights(Float(inside.x - Double(x)))
    let down = Self.weights(Float(inside.y - Double(y)))
    let columns = (max(x - 1, 0), x, Swift.min(x + 1, width - 1), Swift.min(x + 2, width - 1))
    var sum: Float = 0
    for tap in 0..<4 {
      let row = row(Swift.min(Swift.max(y + tap - 1, 0), height - 1))
      let values = SIMD4(
        Float(row[columns.0]), Float(row[columns.1]), Float(row[columns.2]), Float(row[columns.3]))
      sum += down[tap] * (values * across).sum()
    }
    return UInt16(clamping: Swift.min(Swift.max(sum.rounded(), 0), peak))
  }

  private static func weights(_ share: Float) -> SIMD4<Float> {
    let square = share * share
    let cube = square * share
    return SIMD4(
      -0.5 * cube + square - 0.5 * share, 1.5 * cube - 2.5 * square + 1,
      -1.5 * cube + 2 * square + 0.5 * share, 0.5 * cube - 0.5 * square)
  }
}
