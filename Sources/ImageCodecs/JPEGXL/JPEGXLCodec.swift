// SPDX-License-Identifier: Apache-2.0
#if JPEGXL
internal import CLibJXL
internal import GainMap
internal import HDRCore
internal import ImageFiles

/// JPEG XL images: boxes and headers by `JPEGXLFile`, samples by libjxl.
enum JPEGXLCodec: ImageDecoder {
  static let format = FileFormat.jxl

  /// The library that encodes and decodes samples, with its version.
  static var libraries: [String] { [JPEGXLDecoder.library] }
  static func decode(
    _ image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> Image {
    guard case .jpegXL(let jpegXL) = file.container, case .jpegXL(let header) = image.samples
    else { throw file.format.missingCodec }
    guard !header.isCMYK else { throw .cmyk }
    let converted = try ifReadable(try JPEGXLProfile(of: jpegXL, header))
    return Image(coded: image.layout) { () throws(ImageError) in
      try JPEGXLReader(
        try jpegXL.wholeCodestream(), as: header, layout: image.layout,
        color: converted?.requestedColor, acceptsTruncation: !jpegXL.damage.isEmpty)
    }
  }

  static func decodeGainMap(
    _ place: FoundGainMap.Location, in file: ImageFile
  ) throws(ImageError) -> Image {
    guard case .jpegXL(let jpegXL) = file.container else { throw file.format.missingCodec }
    let codestream: [UInt8]
    switch place {
    case .box(let offset):
      if let map = try originalGainMap(place, of: file) { return map }
      codestream = try jpegXL.gainMapBox(at: offset).codestream.bytes()
    case .file: codestream = try jpegXL.wholeCodestream()
    case .image, .item, .chunk: throw ImageError(.gainMapNotInFile, ["place": place.name])
    }
    let header = try JPEGXLImageHeader(parsing: codestream)
    let layout = header.imageLayout
    try file.options.limits.checkMemory(of: layout)
    guard case .integer = layout.samples, !header.isCMYK else {
      throw ImageError(
        .unsupported, "gain maps with floating-point or CMYK samples are not supported")
    }
    let reader = try JPEGXLReader(codestream, as: header, layout: layout, color: nil)
    return Image(data: try reader.read(rows: 0..<layout.height))
  }

  /// The JPEG file that the box `jbrd` reconstructs.
  ///
  /// JPEG decoders clip Y'CbCr before they convert it to RGB, JPEG XL does not, which is visible near
  /// black. A gain map was computed for the former.
  static func original(of file: ImageFile) throws(ImageError) -> ImageFile? {
    guard case .jpegXL(let jpegXL) = file.container,
      !jpegXL.boxes(JPEGXLFile.reconstruction).isEmpty
    else { return nil }
    do throws(ImageError) {
      let bytes = try LibJXL.reconstructed(
        try file.source.allBytes(), limit: file.options.limits.memory)
      return try ImageFile(parsing: ByteSource(bytes), options: file.options)
    } catch {
      guard !error.endsJob else { throw error }
      // The samples of the codestream are used.
      return nil
    }
  }

  /// The gain map of the JPEG file that the file was transcoded from, if it is that of a gain map box.
  private static func originalGainMap(
    _ place: FoundGainMap.Location, of file: ImageFile
  ) throws(ImageError) -> Image? {
    do throws(ImageError) {
      guard let original = try original(of: file), let source = try original.gainMaps().applicable,
        let copy = try file.gainMaps().maps.first(where: { $0.location == place }),
        let old = source.metadata, let new = copy.metadata,
        old.disagreements(with: new).isEmpty, source.layout == copy.layout
      else { return nil }
      return try original.format.decoder().decodeGainMap(source.location, in: original)
    } catch {
      guard !error.endsJob else { throw error }
      // The samples of the codestream are used.
      return nil
    }
  }

  static func alternate(
    of map: FoundGainMap, notices: inout [Notice]
  ) throws(ImageError) -> FoundGainMap.AlternateImage {
    var alternate = map.alternate
    guard let compressed = alternate.compressedICC else { return alternate }
    do throws(ImageError) {
      alternate.icc = try JPEGXLProfile.decompressed(compressed)
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(Notice(.jpegxlProfileUnreadable, ["cause": error], at: .init(path: ["jhgm"])))
    }
    return alternate
  }

  static func auxiliaries(
    of image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) -> [AuxiliaryImage] {
    guard case .jpegXL(let jpegXL) = file.container, case .jpegXL(let header) = image.samples
    else { return [] }
    return header.extraChannels.enumerated().compactMap { index, channel in
      guard let type = channel.auxiliaryType else { return nil }
      let layout = header.channelLayout(channel)
      let description = ImageDescription(
        layout: layout, color: .data, orientation: image.orientation)
      let samples = Image(description) { () throws(ImageError) in
        try JPEGXLReader(
          try jpegXL.wholeCodestream(), as: header, .extraChannel(index), layout: layout,
          color: nil, acceptsTruncation: !jpegXL.damage.isEmpty)
      }
      return AuxiliaryImage(type: type, image: samples)
    }
  }

  static func color(
    of image: DeclaredImage, in file: ImageFile, notices: inout [Notice]
  ) throws(ImageError) -> ColorDescription {
    guard case .jpegXL(let jpegXL) = file.container, case .jpegXL(let header) = image.samples,
      header.color.hasProfile
    else { return image.color }
    do throws(ImageError) {
      guard let profile = try JPEGXLProfile(of: jpegXL, header) else { return image.color }
      var color = profile.color
      color.referenceWhite = image.color.referenceWhite
      return color
    } catch {
      guard !error.endsJob else { throw error }
      notices.append(
        Notice(.jpegxlProfileUnreadable, ["cause": error], at: .init(path: ["codestream"])))
      return image.color
    }
  }
}

/// Yields the rows of a JPEG XL image.
///
/// libjxl decodes groups of a codestream in any order, so the image is decoded as a whole; its
/// interleaved samples are kept, and converted to planes strip by strip.
final class JPEGXLReader: RowReader {
  let layout: ImageLayout
  private let samples: Samples
  /// The memory of `samples`.
  private let memory: Execution.Reservation

  /// Interleaved samples as libjxl decodes them.
  private enum Samples {
    /// At most 8 bits, scaled to 8.
    case bytes([UInt8])
    /// 9 to 16 bits, scaled to 16.
    case words([UInt16])
    case floats([Float])
  }

  /// The part of a codestream to decode.
  enum Part {
    /// Color and alpha.
    case image
    /// The extra channel with an index.
    case extraChannel(Int)
    /// Color and alpha of the preview.
    case preview
  }

  /// Decodes an image.
  ///
  /// - Parameters:
  ///   - codestream: A complete codestream.
  ///   - header: Its header.
  ///   - part: The part to decode.
  ///   - layout: Layout of the samples.
  ///   - color: Color to convert XYB to; `nil` for the color that the codestream declares.
  ///   - acceptsTruncation: Whether a truncated image is decoded as far as it arrived.
  /// - Throws: Errors of the codestream; `.limitExceeded` for too large an image.
  init(
    _ codestream: [UInt8], as header: JPEGXLImageHeader, _ part: Part = .image,
    layout: ImageLayout, color: JxlColorEncoding?, acceptsTruncation: Bool = false
  ) throws(ImageError) {
    self.layout = layout
    let count = layout.width * layout.height * layout.planeCount
    let shape = JPEGXLImageShape(layout)
    var image = JPEGXLImageShape(header.imageLayout)
    image.acceptsTruncation = acceptsTruncation
    let request: JPEGXLRequest =
      switch part {
      case .image: .image(image, color)
      case .extraChannel(let index): .channel(index, shape, of: image)
      case .preview: .preview(shape, of: image, color)
      }
    let budget = Execution.current.budget
    memory = try budget.reserve(memory: count * request.sampleSize, for: "JPEG XL samples")
    // The memory of libjxl, which is reserved below, is that of the process.
    samples = try budget.reserving(
      memory: codestream.count + Self.workingMemory(header), for: "JPEG XL decoder"
    ) { () throws(ImageError) -> Samples in
      switch request.type {
      case JXL_TYPE_UINT8: .bytes(try request.samples(of: codestream, count: count))
      case JXL_TYPE_UINT16: .words(try request.samples(of: codestream, count: count))
      default: .floats(try request.samples(of: codestream, count: count))
      }
    }
  }

  /// Memory of libjxl: coefficients or channels of 32 bits, and floating-point samples.
  private static func workingMemory(_ header: JPEGXLImageHeader) -> Int {
    let channels = max(3, header.color.colorSpace == .gray ? 1 : 3) + header.extraChannels.count
    return 8 * channels * header.width * header.height
  }

  func read(rows: Range<Int>) throws(ImageError) -> ImagePlanes {
    let strip = layout.strip(height: rows.count)
    switch (samples, layout.samples) {
    case (.bytes(let samples), .integer(let bits)):
      let scale = UInt32(1) << UInt32(bits) - 1
      return ImagePlanes(
        layout: strip,
        planes: .integer(
          planes(of: rows) { UInt16(truncatingIfNeeded: (UInt32(samples[$0]) * scale + 127) / 255) }
        ))
    case (.words(let samples), .integer(let bits)):
      let scale = UInt64(1) << UInt64(bits) - 1
      return ImagePlanes(
        layout: strip,
        planes: .integer(
          planes(of: rows) {
            UInt16(truncatingIfNeeded: (UInt64(samples[$0]) * scale + 32_767) / 65_535)
          }))
    case (.floats(let samples), _):
      return ImagePlanes(layout: strip, planes: .float(planes(of: rows) { samples[$0] }))
    default: throw ImageError(.libraryResultUnexpected, ["library": "libjxl"])
    }
  }

  /// Planes of some rows; `sample` returns the sample with an index in interleaved order.
  private func planes<Sample: BitwiseCopyable & Sendable>(
    of rows: Range<Int>, _ sample: (Int) -> Sample
  ) -> [Plane<Sample>] {
    let (width, channels) = (layout.width, layout.planeCount)
    return (0..<channels).map { channel in
      Plane(width: width, height: rows.count) { plane in
        let start = rows.lowerBound * width * channels + channel
        for pixel in 0..<width * rows.count { plane.append(sample(start + pixel * channels)) }
      }
    }
  }
}

extension JPEGXLCodec {
  static func profile(of file: ImageFile) throws(ImageError) -> [UInt8]? {
    guard case .jpegXL(let jpegXL) = file.container else { return nil }
    return try JPEGXLProfile(of: jpegXL, try jpegXL.imageHeader())?.bytes
  }

  static func preview(of file: ImageFile) throws(ImageError) -> OutputImage? {
    guard case .jpegXL(let jpegXL) = file.container else { return nil }
    let header = try jpegXL.imageHeader()
    guard let layout = header.previewLayout else { return nil }
    guard !header.isCMYK else { throw .cmyk }
    try file.options.limits.checkMemory(of: layout)
    let declared = try file.primaryImage()
    let profile = try JPEGXLProfile(of: jpegXL, header)
    let coded = Image(coded: layout) { () throws(ImageError) in
      try JPEGXLReader(
        try jpegXL.wholeCodestream(), as: header, .preview, layout: layout,
        color: profile?.requestedColor)
    }
    let resolved = ResolvedColor(
      decoding: profile?.color ?? declared.color, in: .jxl, format: layout,
      diffuseWhite: declared.light.diffuseWhite, assumed: file.options.assumed)
    let image = Image(
      coded: coded, resolved: resolved, chromaLocation: declared.chromaLocation,
      light: declared.light, orientation: declared.orientation)
    return OutputImage(
      image, signalsCICP: profile == nil || image.color.transfer.cicp != nil,
      icc: profile?.bytes)
  }
}

/// The ICC profile of a JPEG XL image, and the color of its decoded samples.
///
/// Samples that are not coded in XYB are those of the profile. XYB is converted to the color space
/// of the profile if libjxl can express it, else to BT.2020 primaries with the transfer function of
/// sRGB, which contain the gamut of the profiles in use.
struct JPEGXLProfile {
  /// The profile that the codestream contains.
  let bytes: [UInt8]
  /// The color to request from libjxl; `nil` for that of the codestream.
  let requestedColor: JxlColorEncoding?
  private let convertedColor: ColorDescription?

  /// The color of the decoded samples.
  var color: ColorDescription { convertedColor ?? ColorDescription(icc: bytes) }

  /// Decodes the profile of an image; `nil` if it does not have one.
  ///
  /// - Throws: Errors of the codestream; `.malformed` if it is not an ICC profile.
  init?(of file: JPEGXLFile, _ header: JPEGXLImageHeader) throws(ImageError) {
    guard header.color.hasProfile else { return nil }
    // The profile is before the first frame and smaller than its decoded form.
    bytes = try JPEGXLDecoder().profile(of: file.wholeCodestream(), limit: Self.largestProfile)
    guard header.isXYB else {
      (requestedColor, convertedColor) = (nil, nil)
      return
    }
    let isGray = header.color.colorSpace == .gray
    let meaning = try ProfileColor(ICCProfile(parsing: bytes), isGray: isGray)
    let (primaries, transfer) = Self.expressible(meaning)
    var color = JxlColorEncoding()
    color.color_space = isGray ? JXL_COLOR_SPACE_GRAY : JXL_COLOR_SPACE_RGB
    color.setPrimaries(isGray ? .bt709 : primaries)
    var description = ColorDescription(primaries: isGray ? .bt709 : primaries)
    let code: CICP.Transfer
    switch transfer {
    case .gamma(let exponent):
      (color.transfer_function, color.gamma) = (JXL_TRANSFER_FUNCTION_GAMMA, 1 / exponent)
      (description.gamma, code) = (1 / exponent, .unspecified)
    default:
      code = transfer.cicp ?? .srgb
      color.transfer_function = JxlTransferFunction(UInt32(code.rawValue))
    }
    description.cicp = CICP(
      primaries: .unspecified, transfer: code, matrix: .identity, isFullRange: true)
    color.rendering_intent = JXL_RENDERING_INTENT_RELATIVE
    (requestedColor, convertedColor) = (color, description)
  }

  /// Decompresses the profile of a gain map box.
  ///
  /// libjxl 0.7 decompresses profiles only in codestreams, where they have the same form.
  ///
  /// - Throws: Errors of the codestream; `.limitExceeded` for a profile above 16 MiB.
  static func decompressed(_ bytes: [UInt8]) throws(ImageError) -> [UInt8] {
    // The header of an image of 8x8 pixels with a profile; it has 41 bits, and the last is 1.
    var codestream: [UInt8] = [0xFF, 0x0A, 0x41, 0x40, 0x08, 1]
    codestream.reserveCapacity(codestream.count + bytes.count)
    for byte in bytes {
      codestream[codestream.count - 1] |= byte << 1
      codestream.append(byte >> 7)
    }
    return try JPEGXLDecoder().profile(of: codestream, limit: largestProfile)
  }

  private static let largestProfile = 1 << 24

  /// The color space of a profile if libjxl can express it.
  private static func expressible(_ meaning: ProfileColor) -> (ColorPrimaries, TransferFunction) {
    let primaries = meaning.primaries.flatMap { $0.isUsable ? $0 : nil }
    switch meaning.transfer {
    case .some(.linear), .some(.srgb), .some(.pq), .some(.hlg):
      return (primaries ?? .bt2020, meaning.transfer ?? .srgb)
    case .some(.bt1886): return (primaries ?? .bt2020, .gamma(2.4))
    case .some(.gamma(let exponent)) where (1...8).contains(exponent):
      return (primaries ?? .bt2020, .gamma(exponent))
    default: return (primaries ?? .bt2020, .srgb)
    }
  }
}

extension JxlColorEncoding {
  /// Sets primaries and white: named ones if they have a name, else chromaticities.
  mutating func setPrimaries(_ wanted: ColorPrimaries) {
    func isNamed(_ name: ColorPrimaries) -> Bool { wanted.isClose(to: name, tolerance: 5e-4) }
    (white_point, primaries) = (JXL_WHITE_POINT_D65, JXL_PRIMARIES_CUSTOM)
    if isNamed(.bt709) {
      primaries = JXL_PRIMARIES_SRGB
    } else if isNamed(.bt2020) {
      primaries = JXL_PRIMARIES_2100
    } else if isNamed(.displayP3) {
      primaries = JXL_PRIMARIES_P3
    } else if isNamed(.dciP3) {
      (white_point, primaries) = (JXL_WHITE_POINT_DCI, JXL_PRIMARIES_P3)
    } else {
      white_point = JXL_WHITE_POINT_CUSTOM
      white_point_xy = (wanted.white.x, wanted.white.y)
      primaries_red_xy = (wanted.red.x, wanted.red.y)
      primaries_green_xy = (wanted.green.x, wanted.green.y)
      primaries_blue_xy = (wanted.blue.x, wanted.blue.y)
    }
  }
}
#endif
