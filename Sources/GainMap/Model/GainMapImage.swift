// SPDX-License-Identifier: Apache-2.0
public import HDRCore

/// A gain map with its samples.
public struct GainMapImage: Sendable {
  /// Gray, RGB or Y'CbCr samples in memory, of any size; integers without alpha.
  ///
  /// Of the color, only matrix, range and chroma location are used. The size need not be a fraction
  /// of that of the baseline image: log gains are interpolated.
  public let image: Image
  /// The samples of `image`.
  package let planes: ImagePlanes
  /// Relation of the samples to gain.
  public let metadata: GainMapMetadata
  /// Primaries of the alternate image; `nil` if unspecified, and then taken to be the baseline's.
  public let alternatePrimaries: ColorPrimaries?

  /// Creates a gain map; an image whose rows are decoded on demand is decoded.
  ///
  /// - Parameters:
  ///   - image: The samples.
  ///   - metadata: Relation of the samples to gain.
  ///   - alternatePrimaries: Primaries of the alternate image, for which `isUsable` is true; used
  ///     only if the gain is in these. `nil` for those of the baseline image.
  /// - Throws: `.invalidArgument` unless samples are integers without alpha, of a valid size, depth
  ///   and color; `.unsupported` for a matrix that cannot be decoded; as `Image.planes()`.
  public init(
    _ image: Image, metadata: GainMapMetadata, alternatePrimaries: ColorPrimaries? = nil
  ) throws(ImageError) {
    guard case .integer = image.layout.samples, !image.layout.hasAlpha else {
      throw ImageError(.invalidArgument, "a gain map has integer samples and no alpha")
    }
    try image.description.checkDecodable()
    self.init(
      try image.planes(), color: image.color, metadata: metadata,
      alternatePrimaries: alternatePrimaries)
  }

  /// Creates a gain map from planes.
  ///
  /// - Precondition: Samples are integers without alpha.
  package init(
    _ planes: ImagePlanes, color: ColorEncoding = .data, metadata: GainMapMetadata,
    alternatePrimaries: ColorPrimaries? = nil
  ) {
    guard case .integer = planes.planes, !planes.layout.hasAlpha else {
      preconditionFailure("a gain map has integer samples and no alpha")
    }
    image = Image(ImageDescription(layout: planes.layout, color: color), planes)
    self.planes = planes
    self.metadata = metadata
    self.alternatePrimaries = alternatePrimaries
  }

  /// Whether each pixel has one sample for all components.
  public var isGray: Bool { image.layout.componentCount == 1 }

  /// Whether all components of a pixel have the same gain: the samples are gray, and the metadata
  /// have one channel or three equal ones.
  public var hasOneGain: Bool { isGray && metadata.collapsed.channels.all.count == 1 }

  /// Returns the primaries in which the gain is applied.
  ///
  /// - Parameter base: Primaries of the baseline image.
  /// - Returns: Those of the alternate image if the metadata require and the file specifies them,
  ///   and if they have an effect; otherwise `base`.
  public func primaries(forBase base: ColorPrimaries) -> ColorPrimaries {
    guard !metadata.usesBaseColorSpace, let alternatePrimaries,
      !metadata.hasColorlessGain(mapIsGray: isGray)
    else { return base }
    return alternatePrimaries
  }
}

extension GainMapImage {
  /// Returns the samples as gray or RGB code values, full range, of the same depth.
  ///
  /// Y'CbCr and narrow range are converted and rounded, subsampled chroma is interpolated; other
  /// samples are unchanged.
  ///
  /// - Throws: `.cancelled`.
  package func codes() throws(ImageError) -> ImagePlanes {
    try conversionToCodes?.run(planes).image ?? planes
  }

  /// The conversion of samples to code values; `nil` if they are.
  private var conversionToCodes: ImageTransform? {
    let layout = codeLayout
    guard layout != image.layout || !image.color.isFullRange else { return nil }
    return ImageTransform(
      from: image.description, to: ImageDescription(layout: layout, color: .data))
  }

  /// The layout of the code values.
  private var codeLayout: ImageLayout {
    var layout = image.layout
    if case .ycbcr = layout.components { layout.components = .rgb }
    return layout
  }
}

extension GainMapImage {
  /// Returns the gain map cropped, resized and rotated like its baseline image.
  ///
  /// Log gains are resampled, as they are interpolated when the gain map is applied; the metadata
  /// stay unchanged.
  ///
  /// - Parameters:
  ///   - resampling: Resampling of an image of the gain map's size; see
  ///     `Resampling.following(image:companion:)`.
  ///   - orientation: Orientation of the stored rows and columns.
  /// - Returns: Gray or RGB samples, full range, of the same depth; unchanged code values if the
  ///   resampling is the identity.
  /// - Throws: `.cancelled`.
  package func resampled(
    _ resampling: Resampling, rotated orientation: Orientation = .upright
  ) throws(ImageError) -> GainMapImage {
    let layout = codeLayout
    let isIdentity = resampling.isIdentity(forWidth: layout.width, height: layout.height)
    let image = isIdentity ? try codes() : try resampledCodes(resampling)
    return GainMapImage(
      image.upright(from: orientation), metadata: metadata, alternatePrimaries: alternatePrimaries)
  }

  private func resampledCodes(_ resampling: Resampling) throws(ImageError) -> ImagePlanes {
    let layout = codeLayout
    guard case .integer(let bits) = layout.samples else {
      preconditionFailure("a gain map has integer samples")
    }
    let reader = PlanesReader(planes)
    let gains = LogGainRows(
      conversionToCodes.map { ConvertedRows(reader, by: $0) } ?? reader,
      tables: (0..<layout.planeCount).map { logGains(component: $0, bits: bits) })
    var target = gains.layout
    (target.width, target.height) = (resampling.width, resampling.height)
    let result = try ImageTransform(
      from: ImageDescription(layout: gains.layout, color: .data),
      to: ImageDescription(layout: target, color: .data), resampling: resampling
    ).run(gains).image
    guard case .float(let logGains) = result.planes else {
      preconditionFailure("the target has floating-point samples")
    }
    target.samples = layout.samples
    return ImagePlanes(
      layout: target, planes: .integer(try encoded(logGains, as: target, bits: bits)))
  }

  /// Log gains of all code values.
  private func logGains(component: Int, bits: Int) -> [Float] {
    let largest = Double(1 << bits - 1)
    return (0..<1 << bits).map {
      Float(metadata.logGain(ofSample: Double($0) / largest, component: component))
    }
  }

  private func encoded(
    _ logGains: [Plane<Float>], as layout: ImageLayout, bits: Int
  ) throws(ImageError) -> [Plane<UInt16>] {
    try SharedPlanes<UInt16>.makePlanes(layout) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<layout.height) { band in
        for y in band {
          for (index, plane) in logGains.enumerated() {
            shared.withRow(y, of: index) {
              encode(plane.row(y), component: index, bits: bits, into: &$0)
            }
          }
        }
      }
    }
  }

  private func encode(
    _ logGains: Span<Float>, component: Int, bits: Int, into codes: inout MutableSpan<UInt16>
  ) {
    let largest = Double(1 << bits - 1)
    for x in logGains.indices {
      let sample = metadata.sample(ofLogGain: Double(logGains[x]), component: component)
      codes[x] = UInt16(clamping: (sample * largest).rounded())
    }
  }
}

/// Reader of the log gains of code values.
private final class LogGainRows: RowReader {
  let layout: ImageLayout
  private let codes: any RowReader
  /// Log gains of all code values of each plane.
  private let tables: [[Float]]

  init(_ codes: any RowReader, tables: [[Float]]) {
    var layout = codes.layout
    layout.samples = .float
    (self.layout, self.codes, self.tables) = (layout, codes, tables)
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    guard case .integer(let planes) = try codes.read(rows: rows).planes else {
      preconditionFailure("a gain map has integer samples")
    }
    let (strip, tables) = (layout.strip(height: rows.count), tables)
    let gains = try SharedPlanes<Float>.makePlanes(strip) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<strip.height) { band in
        for y in band {
          for index in planes.indices {
            shared.withRow(y, of: index) { $0.assign(planes[index], row: y, table: tables[index]) }
          }
        }
      }
    }
    return ImagePlanes(layout: strip, planes: .float(gains))
  }
}
