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
    let codes = logGains.indices.map { LogGainCodes(metadata, component: $0, bits: bits) }
    return try SharedPlanes<UInt16>.makePlanes(layout) { (shared) throws(ImageError) in
      try forEachBand(of: 0..<layout.height) { band in
        for y in band {
          for (index, plane) in logGains.enumerated() {
            shared.withRow(y, of: index) { codes[index].encode(plane.row(y), into: &$0) }
          }
        }
      }
    }
  }
}

/// The code values of log gains, found by comparison instead of a power for each sample.
private struct LogGainCodes {
  /// The smallest log gain of each code value but the first, which rise with the log gain.
  private var thresholds: [Float] = []
  /// The number of thresholds below each of many equal parts of their range.
  private var starts = [Int](repeating: 0, count: 1)
  private var (lowest, scale): (Float, Float) = (0, 0)

  init(_ metadata: GainMapMetadata, component: Int, bits: Int) {
    let largest = 1 << bits - 1
    func code(_ logGain: Float) -> Int {
      let sample = metadata.sample(ofLogGain: Double(logGain), component: component)
      return Int(clamping: (sample * Double(largest)).rounded())
    }
    // Otherwise all samples have the same gain.
    guard code(.greatestFiniteMagnitude) == largest else { return }
    func logGain(_ sample: Double) -> Float {
      Float(metadata.logGain(ofSample: sample, component: component))
    }
    let margin = (logGain(1) - logGain(0)) / 0x1p22
    thresholds = (1...largest).map {
      let gain = logGain((Double($0) - 0.5) / Double(largest))
      var (below, reached) = (gain - margin, gain + margin)
      if code(below) >= $0 { below = -.greatestFiniteMagnitude }
      if code(reached) < $0 { reached = .greatestFiniteMagnitude }
      while true {
        let middle = below / 2 + reached / 2
        guard below < middle, middle < reached else { return reached }
        if code(middle) < $0 { below = middle } else { reached = middle }
      }
    }
    let range = thresholds[largest - 1] - thresholds[0]
    (lowest, scale) = (thresholds[0], range > 0 ? Float(4 * largest) / range : 0)
    starts = [Int](repeating: 0, count: 4 * largest + 1)
    for threshold in thresholds where part(threshold) + 1 < starts.count {
      starts[part(threshold) + 1] += 1
    }
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
  }

  private func part(_ logGain: Float) -> Int {
    min(max(Int(clamping: (logGain - lowest) * scale), 0), starts.count - 1)
  }

  func encode(_ logGains: Span<Float>, into codes: inout MutableSpan<UInt16>) {
    for x in logGains.indices {
      let gain = logGains[x]
      var code = starts[part(gain)]
      while code < thresholds.count, gain >= thresholds[code] { code += 1 }
      codes[x] = UInt16(code)
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
